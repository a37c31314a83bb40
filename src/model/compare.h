/*
 * Two sides of a comparison: profiles of now and of a base, each one run or several.
 *
 * dp_compare() makes one profile of all: its tree has the call paths of both sides. What its nodes,
 * totals and sums hold is what happened now, all runs together, so that every writer can print it;
 * what the base has lies beside it, in dp_comparison_of(). Subs are the same if their names are;
 * anonymous subs, whose names hold their lines, if they are in the same outer sub at the same place
 * from its start, or in the same order.
 */
#ifndef DPROF_MODEL_COMPARE_H
#define DPROF_MODEL_COMPARE_H

#include "model/profile.h"

/* A node in the runs of the base, all together. */
struct dp_was {
    uint64_t calls;
    struct dp_time self;
};

/* A sub in one run. */
struct dp_run_of_sub {
    uint64_t calls;
    struct dp_time self;
    struct dp_time incl;
    struct dp_time self_unsure;
    struct dp_time incl_unsure;
};

enum { DP_BASE, DP_NOW };

struct dp_comparison {
    uint32_t runs[2]; /* how many profiles a side has: [DP_BASE], [DP_NOW] */
    uint32_t nsubs;   /* of the profile when it was made */
    uint32_t nnodes;
    struct dp_was *was;            /* per node of the profile */
    struct dp_run_of_sub *subs[2]; /* per run, per sub, and one more for the code outside any sub:
                                      subs[side][run * (nsubs + 1) + sub] */
    struct dp_time *total[2];      /* per run */
};

/* Both sides have one profile at least; overheads should be taken off, names be as they are to be
   shown. The profiles stay yours. */
struct dp_profile *dp_compare(struct dp_profile *const *now, uint32_t nnow,
                              struct dp_profile *const *base, uint32_t nbase);
/* What hangs on such a profile, NULL on any other, and on what was made of it since. */
const struct dp_comparison *dp_comparison_of(const struct dp_profile *prof);

#endif
