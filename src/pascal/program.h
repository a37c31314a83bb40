/*
 * A program with the counts of a run, or of several together: what the writers of listings print.
 */
#ifndef DPROF_PASCAL_PROGRAM_H
#define DPROF_PASCAL_PROGRAM_H

#include "pascal/calls.h"
#include "pascal/died.h"
#include "pascal/print.h"
#include "pascal/unwind.h"

struct dp_pascal_program {
    struct dp_pascal *pascal; /* owned */
    struct dp_pascal_counts counts;
    int64_t *values; /* pascal->ntaken; owned */
    struct dp_pascal_flow *flow;
    struct dp_pascal_graph *graph;
    enum dp_pascal_unwound unwound;
    /* How it ended, if that was told; owned. */
    struct dp_pascal_frame *frames;
    uint32_t nframes;
    uint32_t placed; /* of them that have a place in the text */
    int64_t statements;
    enum dp_pascal_certain certain;
    unsigned char *marks;
    char *death; /* "Floating or integer exception" */
    int64_t *completed; /* of an instrumented program: flow->completed, or NULL; owned */
    int returns_whole;  /* 1: and no other calls can have been left by a goto */
    uint32_t runs;
    uint32_t forwards; /* resolutions that have no counter of their own in the file */
    int damaged;       /* 1: counters went round, nothing can be checked */
    /* How it is to be printed. Owned: the names in it, in `text`. */
    struct dp_pascal_style style;
    const char **only;
    char *text;
    int after_listing; /* the table of routines follows a listing */
};

/* Makes flow and graph anew out of the values. */
void dp_pascal_program_derive(struct dp_pascal_program *program);
/* Tells how it ended: frames, innermost first, their names within pascal->arena; statements: -1,
   not known. Derives anew. */
void dp_pascal_program_died(struct dp_pascal_program *program, struct dp_pascal_frame *frames,
                            uint32_t nframes, int64_t statements, const char *death);
/* What an instrumented program counted beside (returns.h), n numbers. 0: they are not of this
   program, nothing is changed. Derives anew. */
int dp_pascal_program_returned(struct dp_pascal_program *program, const uint32_t *values, uint32_t n);
void dp_pascal_program_free(struct dp_pascal_program *program);

#endif
