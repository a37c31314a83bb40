/*
 * The profile: what every reader fills and every writer prints.
 *
 * A profile holds names, files, subs and one tree of call paths. Readers go through model/build.h
 * and never touch these arrays; writers read them and never change them. Everything that a report
 * shows of a sub (exclusive and inclusive time, callers, callees) is derived from the tree by
 * model/sums.h, so that recursion, grouping and leaving out are decided in one place.
 *
 * Units: times are ticks, `hz` of them a second. Inside the model everything is named by index,
 * never by pointer: arrays grow while a profile is read. Ownership: what dp_profile_new() returns
 * is yours, free it with dp_profile_free(); every other pointer is borrowed from the profile and
 * dies with it.
 */
#ifndef DPROF_MODEL_PROFILE_H
#define DPROF_MODEL_PROFILE_H

#include <stddef.h>
#include <stdint.h>

#define DP_NONE UINT32_MAX /* "no such sub, node, file, string" */

/* An amount of the three times, in ticks. Signed: a broken profile may run backwards; the builder
   mends that before it reaches a node, so amounts in a finished profile are never negative. */
struct dp_time {
    int64_t user;
    int64_t sys;
    int64_t real;
};

/* What a sub is; the words of tmon.out's #sub lines in the same order (dp_kind_names[]). */
enum dp_kind {
    DP_KIND_UNKNOWN,
    DP_KIND_PERL,
    DP_KIND_XSUB,
    DP_KIND_ANON,
    DP_KIND_AUTOLOAD,
    DP_KIND_BEGIN,
    DP_KIND_BUILTIN,
    DP_KIND_FILE,
    DP_KIND_EVAL,
    DP_KIND_UNCALLED,
    DP_NKINDS
};
extern const char *const dp_kind_names[DP_NKINDS];

/* A sub: one for each distinct full name, in order of first appearance. Bytes of the name are as
   the program had them (escapes of the file undone); writers escape them for where they go. */
struct dp_sub {
    uint32_t name; /* string: the full name, "main::foo" */
    uint32_t file; /* string: where it is defined, or DP_NONE */
    uint32_t line; /* 0 if unknown */
    uint32_t addr; /* where its code lies in the machine's memory, the number of a Pascal routine, or
                      DP_NONE */
    uint8_t kind;  /* enum dp_kind */
    uint8_t doubt; /* enum dp_doubt, or'ed: what is wrong with its count */
    uint8_t guessed; /* in a profile of statements: 1: `all` was apportioned by numbers of calls */
    double all;      /* there: statements of the sub and of what it called */
};

/* Why a count may not be the true one. */
enum dp_doubt {
    DP_DOUBT_WRAPPED = 1,   /* the counter went round; the true count is larger */
    DP_DOUBT_DAMAGED = 2,   /* what stands there is no number: shown as 0 */
    DP_DOUBT_UNLINKED = 4,  /* found, but nothing of the program's own lists leads to it */
    DP_DOUBT_UNCOUNTED = 8, /* calls of it were not counted at all */
    DP_DOUBT_LOST = 16, /* its statements: calls in it may have been left by a jump, or not */
};

/* Calls of `callee` from `caller` (DP_NONE: from code outside any sub), as far as they are known
   where only subs or statements were counted: at least `least`, at most `most`, exact where they
   are equal. */
struct dp_link {
    uint32_t caller;
    uint32_t callee;
    uint32_t sites; /* places in the code */
    uint64_t least;
    uint64_t most;
    double cost; /* in a profile of statements: those of the callee and below, for this caller */
    uint8_t guessed; /* there: enum dp_guessed, or'ed */
};

/* What was apportioned by numbers of calls. */
enum dp_guessed {
    DP_GUESSED_COST = 1,
    DP_GUESSED_CALLS = 2,
};

/* A place in the call tree: this sub, called from that place. Node 0 is the root, the code outside
   any sub (sub DP_NONE). A parent's index is always less than its children's. Children of one node
   are linked in order of first appearance. */
struct dp_node {
    uint32_t sub;
    uint32_t parent;
    uint32_t first_child; /* DP_NONE: a leaf */
    uint32_t last_child;
    uint32_t next; /* next child of the same parent, or DP_NONE */
    uint32_t hist; /* index into hists, or DP_NONE where none was kept */
    uint64_t calls;
    struct dp_time self; /* time spent here itself; the overhead of profiling is in it until */
    struct dp_time taken; /* dp_profile_clean() takes this off it */
};

/* Inclusive real times of the calls of one node. bucket[b] counts calls of 2^(b-1) to 2^b - 1
   ticks, bucket[0] those of 0. */
struct dp_hist {
    uint64_t min;
    uint64_t max;
    uint64_t bucket[64];
};

/* Something odd that did not stop the reader. One of a kind: repeats only count. */
struct dp_note {
    uint32_t code;  /* enum dp_note_code, model/notes.h */
    uint64_t count; /* how often */
    uint64_t line;  /* of the first, 0 if it has no line */
    char text[160]; /* of the first, what was expected and found; not escaped */
};

/* A frame open when the file ended: outermost first. */
struct dp_open {
    uint32_t node;
    struct dp_time since; /* absolute ticks at its entry */
    int timeless;         /* 1: the file does not know since when (a killed run's tree) */
};

/* The calibration of the recorder: what `calls` calls of one kind cost, both marks together. */
struct dp_over {
    struct dp_time cost;
    uint64_t calls; /* 0: not known */
    uint8_t
        kind; /* enum dp_kind; DP_KIND_UNKNOWN: holds for every kind that has no line of its own */
};

/* What a file says of its run; a string index is DP_NONE where nothing was said. */
struct dp_run {
    uint32_t id;
    uint32_t pid;     /* string */
    uint32_t parent;  /* string */
    uint32_t tid;     /* string */
    uint32_t started; /* string: seconds since 1970, with fraction */
    uint32_t cpu;     /* string: thread or process */
    uint32_t cmd;
    uint32_t perl;
    uint32_t host;
    uint32_t version; /* XS_VERSION */
    int forked;       /* 1: a child of fork, its first frames were open in the parent */
};

/* A profile of a child process or thread, as its parent names it. */
struct dp_child {
    uint32_t id;   /* string: PID or PID.TID */
    uint32_t file; /* string */
};

/* A moment that the program marked. */
struct dp_label {
    struct dp_time at; /* absolute ticks */
    uint32_t text;     /* string */
};

/* A source file as it was when it was recorded. */
struct dp_source {
    uint32_t path; /* string */
    uint64_t bytes;
    int64_t mtime; /* seconds since 1970 */
};

/* Calls of a node from one place in its caller (model/callsites.h). */
struct dp_callsite {
    uint32_t node;
    uint32_t file; /* string */
    uint32_t line;
    uint64_t calls;
    struct dp_time incl; /* of these calls, as recorded: their share in the node's inclusive time */
};

/* Statements that ran on a line, in a profile of statements. */
struct dp_line_count {
    uint32_t sub;
    uint32_t file; /* string */
    uint32_t line;
    uint64_t count;
    uint8_t guessed; /* 1: calls that never came back may make it another number */
};

/* What a reader knows beside counts and times, for the writers of its kind. Profiles that are made
   of one another share it; the last one frees it. */
struct dp_foreign {
    const char *kind; /* "z80": static */
    void *what;
    void (*free)(void *what);
    uint32_t users;
};

struct dp_strings; /* model/strings.h */

struct dp_profile {
    struct dp_strings *strings;
    uint64_t hz; /* ticks a second; 100 if the file said nothing */
    struct dp_run run;

    struct dp_sub *subs;
    uint32_t nsubs;
    struct dp_node *nodes; /* nodes[0] is the root */
    uint32_t nnodes;
    struct dp_hist *hists;
    uint32_t nhists;
    struct dp_over *overs;
    uint32_t novers;
    struct dp_open *open;
    uint32_t nopen;
    struct dp_note *notes;
    uint32_t nnotes;
    struct dp_child *children;
    uint32_t nchildren;
    struct dp_label *labels;
    uint32_t nlabels;
    struct dp_source *files;
    uint32_t nfiles;

    struct dp_time first; /* absolute ticks at the first and the last mark */
    struct dp_time last;
    struct dp_time total; /* all nodes' own time together: the recorded time, gaps left out */
    struct dp_time taken; /* all nodes' together */
    uint64_t marks;       /* marks read */
    int counts;           /* 1: calls were counted, nothing was timed: who called whom is in `links`,
                             and the nodes are one for each sub, below the root */
    int statements;       /* 1: beside the calls (counts is 1 too), statements were counted: a node's
                             self.user is how many ran in that sub */
    struct dp_link *links;
    uint32_t nlinks;
    struct dp_line_count *lines; /* in order of file and line */
    uint32_t nlines;
    struct dp_callsite *callsites; /* in order of node, file and line */
    uint32_t ncallsites;
    struct dp_foreign *foreign; /* NULL: nothing */
    int uncounted;        /* 1: in it, or in a part of it, calls were not counted: none may be any number */
    int ended;            /* 1: the file ended cleanly, with #end or $rrun_* */
    int cleaned;          /* 1: dp_profile_clean() was here */
    int lost;             /* 1: something was lost, mismatched or guessed: exit status 1 */
};

struct dp_profile *dp_profile_new(void);
void dp_profile_free(struct dp_profile *prof);

/* The bytes of a string (NUL-terminated; may hold NULs inside, so `len` counts), "" for DP_NONE. */
const char *dp_string(const struct dp_profile *prof, uint32_t string, size_t *len);

/* Gives it to the profile, which frees it in the end. */
void dp_set_foreign(struct dp_profile *prof, const char *kind, void *what, void (*free)(void *));
/* It, if it is of that kind, else NULL. */
void *dp_foreign(const struct dp_profile *prof, const char *kind);

/* Only for what builds profiles: a new sub, a new last child (parent DP_NONE: the root). */
uint32_t dp_add_sub(struct dp_profile *prof, uint32_t name);
uint32_t dp_add_node(struct dp_profile *prof, uint32_t parent, uint32_t sub);

/* The node after this one in a walk through the tree below `top`, parents first, children in order
   of first appearance; DP_NONE after the last. A walk without a stack, however deep the tree. */
uint32_t dp_next_node(const struct dp_profile *prof, uint32_t node, uint32_t top);

#endif
