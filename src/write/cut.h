/*
 * A tree of call paths cut down to what a picture has room for: the paths that matter most by CPU
 * time, real time or calls. What is left out below a place is one box there, with its sum, so that
 * nothing of the run is missing from the whole.
 */
#ifndef DPROF_WRITE_CUT_H
#define DPROF_WRITE_CUT_H

#include "model/compare.h"
#include "write/write.h"

struct dp_cut_box {
    uint32_t node;   /* the first one of those that were folded into it, if `paths` is not 0 */
    uint32_t sub;    /* DP_NONE: the root, or several paths folded together */
    uint32_t parent; /* index of a box, less than this one's; the root's is DP_NONE */
    uint32_t level;
    uint32_t paths; /* folded into it; 0: it is a path itself */
    uint64_t calls;
    struct dp_time self; /* of a folded box: all its time */
    struct dp_time incl;
    /* In a comparison, those of the base: of all its runs together. */
    uint64_t was_calls;
    struct dp_time was_self;
    struct dp_time was_incl;
};

struct dp_cut {
    struct dp_cut_box *boxes;               /* boxes[0] is the root */
    const struct dp_comparison *comparison; /* NULL: it is of one side alone */
    uint32_t n;
    uint64_t folded; /* paths that have no box of their own */
};

/* At most so many paths and so many levels (the folded boxes come on top). Free with
   dp_cut_free(). */
struct dp_cut dp_cut_new(const struct dp_job *job, uint32_t most, uint32_t levels);
void dp_cut_free(struct dp_cut *cut);

/* Which of n things there is room for, the heaviest first: a byte for each, 1: it stays. Of equals
   the first ones. Free with dp_free(). */
unsigned char *dp_heaviest(const double *weights, size_t n, size_t most);

#endif
