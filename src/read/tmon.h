/*
 * The reader of tmon.out, shared by its files: doc/formats/tmon.md says what they read.
 *   tmon.c          lines, and which part of the file they belong to
 *   tmon_header.c   $hz and its kin
 *   tmon_text.c     marks with absolute times and names
 *   tmon_compact.c  marks with ids, @ and &
 *   tmon_meta.c     lines that begin with #
 *   tmon_tree.c     PART3
 *   tmon_mapped.c   the tree that a killed run leaves beside its profile
 *   tmon_piece.c    a part of a file, for reading in several threads
 *   tmon_names.c    names as the file spells them, ids
 */
#ifndef DPROF_READ_TMON_H
#define DPROF_READ_TMON_H

#include <string.h>

#include "base/fields.h"
#include "base/hash.h"
#include "base/in.h"
#include "base/mem.h"
#include "model/build.h"

/* Times and numbers beyond that are not believed. */
#define DP_TMON_MOST ((int64_t)1000000000000000000)

/* A line without its end, or what is left of it. */
struct dp_line {
    const char *at;
    const char *end;
};

/* A name as the file spells it. */
struct dp_spelling {
    const char *bytes; /* 32 more may be loaded */
    uint32_t n;
    uint32_t sub;
};

/* Indices by any number: a table for the small ones, hashing for the rest. */
struct dp_idmap {
    uint32_t *small;
    uint32_t nsmall;
    struct dp_hash large;
    struct dp_id {
        uint64_t id;
        uint32_t index;
    } * ids;
    uint32_t nids;
};

/* How a sub is written in this file: what is compared before anything is looked up. */
struct dp_written {
    const char *name; /* NULL: not as a name yet; `n` is UINT32_MAX then */
    uint64_t id;      /* the bytes of "ID\n", the first lowest */
    uint64_t mask;    /* of those bytes; 0: not as an id yet, or too long */
    uint32_t id_n;    /* how many they are */
    uint32_t n;
};

/* A call that was seen: this node calls a sub of a name with that hash. One of many in a table
   where a new one takes an old one's place. */
struct dp_call {
    uint32_t caller; /* DP_NONE: none */
    struct dp_guess callee;
};

/* Memory that is used again and again. */
struct dp_scratch {
    char *bytes;
    size_t room;
};

struct dp_tree_node {
    uint64_t calls;
    struct dp_time self;
    uint32_t sub;    /* DP_NONE: the root */
    uint32_t parent; /* index of a node before this one */
    uint32_t hist;   /* DP_NONE: none */
    uint32_t file;   /* string: where it is called from; DP_NONE: not known */
    uint32_t line;
};

/* What was taken over from a slot of the mapped tree of a program that still runs. */
struct dp_overlay {
    uint32_t place; /* the node of the profile, DP_NONE: none */
    uint64_t calls;
    struct dp_time self;
};

/* A PART3. */
struct dp_tree {
    struct dp_tree_node *nodes;
    uint32_t nnodes;
    struct dp_hist *hists;
    uint32_t nhists;
    struct dp_idmap by_id;
};

struct dp_piece;

enum dp_tmon_part { DP_PART_HEADER, DP_PART_MARKS, DP_PART_TREE };

struct dp_tmon {
    struct dp_in *in;
    struct dp_build *build;
    struct dp_profile *prof;
    enum dp_tmon_part part;

    const struct dp_piece *piece; /* what is read is a piece of a file; NULL: the file */
    struct dp_id *foreign;        /* its subs that are only known by an id */
    uint32_t nforeign;

    struct dp_arena arena;
    struct dp_spelling *spellings;
    uint32_t nspellings;
    struct dp_hash by_spelling;
    struct dp_idmap ids;        /* subs */
    struct dp_written *written; /* per sub */
    uint32_t nwritten;
    struct dp_call *calls;
    uint32_t calls_mask;       /* calls - 1, 0 while there are none */
    struct dp_field fields[3]; /* how the last times were written */
    struct dp_scratch plain;
    struct dp_scratch joined;

    struct dp_time over; /* $over_* */
    int64_t over_tests;
    struct dp_time rrun; /* $rrun_* */
    int has_rrun;
    int64_t stated_marks; /* $total_marks, or what #end says; -1: not said */
    int has_hz;
    int ours;      /* a #run line: the first @ sets the clock, the end is an #end, not a $rrun_* */
    int needs_end; /* so does the version: that end */
    int in_gap;    /* inside the original's Devel::DProf::write */
    int has_end;   /* #end STATUS U S R MARKS */
    struct dp_time end;

    struct dp_idmap sites;    /* strings: the files of #site */
    struct dp_line last_site; /* how the last SITE wrote its file, and what that is */
    uint32_t last_file;

    struct dp_tree tree; /* the section that is being read */
    struct dp_tree done; /* the last complete one */
    int has_tree;        /* `done` is one */

    struct dp_overlay *overlay;
    uint32_t noverlay;
};

/* tmon.c */
/* The next whole line, without its end; 0 after the last. A line that is too long is left out. */
int dp_tmon_next_line(struct dp_tmon *tmon, struct dp_line *line);
/* Plain marks in the window; relative: only those of the compact dialect. */
void dp_tmon_plain_marks(struct dp_tmon *tmon, int relative);

/* tmon_piece.c */
uint32_t dp_tmon_foreign_id(struct dp_tmon *tmon, uint64_t id);
/* Puts the piece behind what was read; how many of its bytes, 0: it does not fit. */
uint64_t dp_tmon_join(struct dp_tmon *tmon, const struct dp_piece *piece);

/* tmon_names.c */
/* That the sub is written as that id: compared before it is looked up. */
void dp_tmon_written_as(struct dp_tmon *tmon, uint32_t sub, uint64_t id);
uint32_t dp_tmon_sub(struct dp_tmon *tmon, const char *bytes, size_t n);
/* The text of a field, escapes undone, as a string of the profile. */
uint32_t dp_tmon_text(struct dp_tmon *tmon, const char *bytes, size_t n);
void dp_tmon_define(struct dp_tmon *tmon, uint64_t id, struct dp_line pkg, struct dp_line name);
/* DP_NONE if the id was not introduced. */
uint32_t dp_idmap_find(const struct dp_idmap *map, uint64_t id);
void dp_idmap_set(struct dp_idmap *map, uint64_t id, uint32_t index);
void dp_idmap_free(struct dp_idmap *map);
void dp_tmon_names_free(struct dp_tmon *tmon);

/* The sub of an id; one that was not introduced is noted and gets a name of its own. */
uint32_t dp_tmon_sub_of_id(struct dp_tmon *tmon, uint64_t id);

/* tmon_header.c */
void dp_tmon_header(struct dp_tmon *tmon, struct dp_line line);
/* A calibration: `calls` calls of that kind cost so much. */
void dp_tmon_over(struct dp_tmon *tmon, const struct dp_time *cost, int64_t calls,
                  enum dp_kind kind);
/* What the header amounts to, once it is whole. */
void dp_tmon_header_done(struct dp_tmon *tmon);

/* tmon_text.c */
/* Reads marks as long as they are plain; returns where it stopped. */
const char *dp_tmon_text_marks(struct dp_tmon *tmon, const char *at, const char *end);
/* One mark, line.at after its sign. 0: it is none of this dialect. */
int dp_tmon_text_mark(struct dp_tmon *tmon, char sign, struct dp_line line);

/* tmon_compact.c */
const char *dp_tmon_compact_marks(struct dp_tmon *tmon, const char *at, const char *end);
int dp_tmon_compact_mark(struct dp_tmon *tmon, char sign, struct dp_line line);
/* `& ID PKG NAME` and `@ U S R` */
int dp_tmon_compact_name(struct dp_tmon *tmon, struct dp_line line);
int dp_tmon_compact_ticks(struct dp_tmon *tmon, struct dp_line line);

/* tmon_meta.c */
void dp_tmon_meta(struct dp_tmon *tmon, struct dp_line line);

/* tmon_tree.c */
void dp_tmon_tree_begin(struct dp_tmon *tmon);
void dp_tmon_tree_node(struct dp_tmon *tmon, struct dp_line line);
void dp_tmon_tree_end(struct dp_tmon *tmon, int64_t nodes);
/* Hands the nodes that count to the builder. */
void dp_tmon_tree_done(struct dp_tmon *tmon);
/* Keeps where n nodes of a folded tree are called from, as the profile's nodes at `places`. */
void dp_tmon_callsites(struct dp_tmon *tmon, const struct dp_tree_node *nodes,
                       const uint32_t *places, uint32_t n);
void dp_tmon_tree_free(struct dp_tmon *tmon);

/* tmon_mapped.c */
/* Hands the nodes of FILE.tree (in->beside) to the builder, if the run did not come to write a whole
 * PART3: 1. Else 0. */
int dp_tmon_mapped(struct dp_tmon *tmon);
/* The same of a program that still runs, in place of what was handed over before; bytes NULL: takes that
   back. ctx: the struct dp_tmon. */
void dp_tmon_overlay(void *ctx, const char *bytes, size_t n);

/* Notes a line that makes no sense, with its first words. */
void dp_tmon_bad_line(struct dp_tmon *tmon, const char *wanted, struct dp_line line);

/* Fields of a line: blanks are skipped before each. */
int dp_line_field(struct dp_line *line, struct dp_line *field);
/* Is it this word? */
int dp_line_is(struct dp_line field, const char *word);
/* A decimal number with sign: 1; 0 if the next field is no number. One beyond DP_TMON_MOST is noted
   and read as *value was before. */
int dp_line_number(struct dp_tmon *tmon, struct dp_line *line, int64_t *value);
int dp_line_time(struct dp_tmon *tmon, struct dp_line *line, struct dp_time *at);
int dp_line_hex(struct dp_line *line, uint64_t *value);

#endif
