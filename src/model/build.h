/*
 * Building a profile from a trace or from a tree. Only here nesting is checked and mended: exits
 * without entries, exits of an outer frame, frames open at the end, time that runs backwards. A
 * reader says what the file says; each kind of repair is noted once and counted. A mark costs two
 * dozen instructions when the call went the way it went the last time: the reader may ask which
 * child is expected and skip looking its name up.
 */
#ifndef DPROF_MODEL_BUILD_H
#define DPROF_MODEL_BUILD_H

#include <stdint.h>

#include "model/notes.h"
#include "model/paths.h"
#include "model/profile.h"
#include "model/strings.h"

/* Hears every call in order; each function may be NULL. depth is 0 for a sub called from outside
   any sub. Frames that were mended are heard like the others. A frame that is entered again (#open)
   is no new call: `reenter` hears of it instead of `enter`, `leave` of its end as of any other. */
struct dp_listener {
    void (*enter)(void *ctx, uint32_t sub, uint32_t depth, const struct dp_time *at);
    void (*reenter)(void *ctx, uint32_t sub, uint32_t depth, const struct dp_time *at);
    void (*leave)(void *ctx, uint32_t sub, uint32_t depth, const struct dp_time *at);
    void (*stop)(void *ctx, const struct dp_time *at); /* a gap begins, and ends */
    void (*start)(void *ctx, const struct dp_time *at);
    void *ctx;
};

/* What the user told that a file does not say itself; readers look at what concerns them. */
struct dp_hints {
    int64_t origin;      /* where byte 0 of a memory image lies, -1: not told */
    const char *symbols; /* bytes of a symbol or map file, NULL: none */
    size_t nsymbols;
    int bank;    /* of a machine with banks, the one to look at, -1: not told */
    uint64_t hz; /* ticks a second, where the file does not say; 0: not told */
};

/* A node, and its sub beside it, so that a mark is compared before the node itself is touched. */
struct dp_guess {
    uint32_t node; /* DP_NONE: nothing is known */
    uint32_t sub;
};

/* The last two different ones at a place: a loop's body and what follows it. */
struct dp_guesses {
    struct dp_guess last;
    struct dp_guess other;
};

/* What marks touch of a node: kept close together (a cache line) while the profile grows, put into
   the nodes at the end. */
struct dp_spot {
    uint64_t calls;
    struct dp_time self;
    struct dp_guesses first; /* the child that is entered first */
    struct dp_guesses next;  /* the sibling that is entered after this node */
};

/* An open frame. */
struct dp_frame {
    uint32_t node;
    uint32_t expect;  /* the sub whose exit closes it: another one after the old `*` mark */
    uint32_t child;   /* the last node entered from here, or DP_NONE */
    uint32_t counted; /* 0: re-entered, its call was counted before */
    struct dp_time since;
};

/* In a piece of a trace: the frame that was open at its start (level 0), and one more for each such
   frame that is left in it. What happens there hangs below a node of its own. */
struct dp_level {
    uint32_t node;
    uint32_t left; /* the sub whose exit led here; level 0: DP_NONE */
};

struct dp_build {
    struct dp_profile *prof;
    const struct dp_hints *hints; /* NULL: nothing was told */
    struct dp_spot *spots;        /* per node */
    struct dp_frame *frames;      /* frames[0] is the root */
    uint32_t depth;               /* index of the innermost frame */
    uint32_t room;                /* frames */
    struct dp_time now;           /* of the last mark */
    uint64_t limit;               /* a power of two: steps of time at or above it are looked into */
    int watch;                    /* somebody wants to hear of every entry and exit */
    uint64_t reenter;             /* so many of the next entries are not calls */
    uint64_t marks;
    uint64_t line; /* of the input, for notes: the reader keeps it */

    struct dp_paths paths;
    struct dp_hash by_name; /* subs */
    struct dp_time gone;    /* in gaps */
    struct dp_time
        stated;      /* the run's totals as the file gives them, 0 if it does not; gaps included */
    uint64_t back;   /* ticks that time ran backwards, until it is lost */
    uint64_t folded; /* ticks in dp_build_node()'s nodes */
    int began;       /* a time was seen */
    int paused;      /* between stop and start: time belongs to nobody */
    int stats;       /* keep histograms */
    const struct dp_listener *listener;
    int anywhere; /* a piece of a trace: what is open at its start is not known */
    struct dp_level *levels;
    uint32_t nlevels;
    /* For who looks before the end (model/peek.h): takes over what lies beside the input at this moment
       (a mapped tree), in place of what it took over before; NULL bytes: nothing. NULL: there is none. */
    void (*beside)(void *ctx, const char *bytes, size_t n);
    void *beside_ctx;
    uint32_t inner; /* the innermost open node there, 0: none */
    uint32_t *active; /* per sub: open frames; kept from the first exit without an entry on */
    uint32_t nactive;
};

struct dp_build *dp_build_new(struct dp_profile *prof);
/* Frees the builder, never the profile. */
void dp_build_free(struct dp_build *build);
/* Inclusive real times of every node's calls: for --stats. Before the first mark. */
void dp_build_stats(struct dp_build *build);
void dp_build_listen(struct dp_build *build, const struct dp_listener *listener);

/* The sub of that full name (bytes as the program had them), made if it is new. */
uint32_t dp_build_sub(struct dp_build *build, const char *name, size_t n);
/* Where it is defined; what was said first stays. file: string or DP_NONE. */
void dp_build_where(struct dp_build *build, uint32_t sub, uint32_t file, uint32_t line,
                    enum dp_kind kind);

/* Marks. Times are absolute ticks of one clock, between -10^18 and 10^18; a reader of relative ones
   adds them up. */
void dp_build_enter(struct dp_build *build, uint32_t sub, const struct dp_time *at);
/* Leaves the innermost frame, whichever it is. */
void dp_build_leave_top(struct dp_build *build, const struct dp_time *at);
/* The old `*`: the innermost frame becomes `sub`; its exit will carry the name of the first. */
void dp_build_jump(struct dp_build *build, uint32_t sub, const struct dp_time *at);
/* The next n entries were counted before: their time counts, their calls do not. */
void dp_build_reenter(struct dp_build *build, uint64_t n);
/* A gap: from stop to start time belongs to nobody. */
void dp_build_stop(struct dp_build *build, const struct dp_time *at);
void dp_build_start(struct dp_build *build, const struct dp_time *at);
/* Time passes without a mark: a trailing @. */
void dp_build_tick(struct dp_build *build, const struct dp_time *at);

/* A node of a tree that was folded already: adds to the child `sub` of `parent` (0: the root) and
   returns its index. hist may be NULL. */
uint32_t dp_build_node(struct dp_build *build, uint32_t parent, uint32_t sub, uint64_t calls,
                       const struct dp_time *self, const struct dp_hist *hist);

/* A profile of counts: so many calls of a sub, and what is known of one sub's calls of another.
   What is counted twice adds up; two subs are linked once at most. */
void dp_build_count(struct dp_build *build, uint32_t sub, uint64_t calls);
void dp_build_link(struct dp_build *build, const struct dp_link *link);

/* A trace can be read in pieces, each by a builder (and a thread) of its own. Before the first mark
   of a piece that is not the first: its frames are open, but not known. */
void dp_build_anywhere(struct dp_build *build);
/* Adds the piece that follows what was built so far. sub_of: the sub of each of the piece's.
   relative: the piece's clock began at 0. 1; 0: it does not fit, nothing was done, the piece must
   be read anew, by this builder. A piece with notes never fits: that is the caller's to look at. */
int dp_build_join(struct dp_build *build, const struct dp_build *piece, const uint32_t *sub_of,
                  int relative);
/* The child `sub` of that node. */
uint32_t dp_build_place(struct dp_build *build, uint32_t parent, uint32_t sub);

/* The end of the input: notes what is open, closes it at the last time (the list is prof->open),
   sets the totals. `clean`: the file said that this was the end. */
void dp_build_end(struct dp_build *build, int clean);

/* The rest is the short way through a mark, for readers' inner loops. */

/* What is rare: the first time of all, gaps, time that runs backwards or leaps. */
void dp_build_odd_step(struct dp_build *build, const struct dp_time *at);
/* Did it run backwards so far that no step is believed any more? */
int dp_build_is_lost(const struct dp_build *build);
void dp_build_more_frames(struct dp_build *build);
void dp_build_odd_leave(struct dp_build *build, uint32_t sub, const struct dp_time *at);
void dp_build_heard_enter(struct dp_build *build);
void dp_build_heard_leave(struct dp_build *build);

/* Counts the time since the last mark to the innermost frame. */
static inline void dp_build_step(struct dp_build *build, const struct dp_time *at)
{
    struct dp_time *self = &build->spots[build->frames[build->depth].node].self;
    uint64_t user = (uint64_t)at->user - (uint64_t)build->now.user;
    uint64_t sys = (uint64_t)at->sys - (uint64_t)build->now.sys;
    uint64_t real = (uint64_t)at->real - (uint64_t)build->now.real;

    if ((user | sys | real) >= build->limit) {
        dp_build_odd_step(build, at);
        return;
    }
    self->user += (int64_t)user;
    self->sys += (int64_t)sys;
    self->real += (int64_t)real;
    build->now = *at;
}

/* The nodes that are entered next if the program does what it did before. */
static inline struct dp_guesses *dp_build_guesses(const struct dp_build *build)
{
    const struct dp_frame *top = &build->frames[build->depth];

    return top->child == DP_NONE ? &build->spots[top->node].first : &build->spots[top->child].next;
}

/* Foresees this one for the next time. */
static inline void dp_build_foresee(struct dp_guesses *guesses, struct dp_guess guess)
{
    guesses->other = guesses->last;
    guesses->last = guess;
}

/* Enters that node, whose sub is the one of the mark. */
static inline void dp_build_enter_guess(struct dp_build *build, struct dp_guess guess,
                                        const struct dp_time *at)
{
    struct dp_frame *frame;

    dp_build_step(build, at);
    build->frames[build->depth].child = guess.node;
    if (++build->depth == build->room)
        dp_build_more_frames(build);
    frame = &build->frames[build->depth];
    frame->node = guess.node;
    frame->expect = guess.sub;
    frame->child = DP_NONE;
    frame->counted = 1;
    frame->since = *at;
    build->spots[guess.node].calls++;
    build->marks++;
    if (build->watch)
        dp_build_heard_enter(build);
}

static inline void dp_build_leave(struct dp_build *build, uint32_t sub, const struct dp_time *at)
{
    if (build->frames[build->depth].expect != sub) {
        dp_build_odd_leave(build, sub, at);
        return;
    }
    dp_build_step(build, at);
    if (build->watch)
        dp_build_heard_leave(build);
    build->depth--;
    build->marks++;
}

#endif
