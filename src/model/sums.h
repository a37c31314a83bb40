/*
 * What reports show, derived from the tree: of every sub its calls, its exclusive and inclusive
 * time, who called it and whom it called. One pass, no recursion. Inclusive time counts the
 * outermost activation only, so recursion (also through other subs) never counts twice; an edge's
 * likewise counts only where the same edge is not active further out.
 */
#ifndef DPROF_MODEL_SUMS_H
#define DPROF_MODEL_SUMS_H

#include "model/profile.h"

/* A sub in all its places together; the last of the array is the code outside any sub. */
struct dp_sum {
    uint64_t calls;
    struct dp_time self; /* exclusive */
    struct dp_time incl; /* inclusive */
    /* What self and incl can be wrong by: the grain of the clock and of the calibration. An amount
       below it is shown as ~0. */
    struct dp_time self_unsure;
    struct dp_time incl_unsure;
    struct dp_time over; /* overhead of profiling in `self`: taken off already if prof->cleaned */
    int guessed;         /* incl was apportioned by numbers of calls (a profile of statements) */
};

/* Calls of `callee` from `caller`; caller == nsubs: from outside any sub. */
struct dp_edge {
    uint32_t caller;
    uint32_t callee;
    uint64_t calls;
    uint32_t sites; /* places in the code, 0: not known */
    uint64_t most;  /* the calls, or in a profile of counts what they may be at most */
    struct dp_time self; /* the callee's own time in calls from this caller */
    struct dp_time incl;
    int guessed; /* in a profile of statements: enum dp_guessed, or'ed */
};

struct dp_sums {
    uint32_t nsubs;
    struct dp_sum *subs;       /* nsubs + 1: subs[nsubs] is the code outside any sub, calls 0 */
    struct dp_time *node_incl; /* per node: inclusive time */
    struct dp_edge *edges;     /* callees of a caller lie together, in order of first appearance */
    uint32_t nedges;
    uint32_t
        *first_callee;   /* nsubs + 2: edges[first_callee[s]] to edges[first_callee[s + 1] - 1] */
    uint32_t *by_callee; /* indices of edges, those of a callee together */
    uint32_t *first_caller; /* nsubs + 1: by_callee[first_caller[s]] to by_callee[first_caller[s +
                               1] - 1] */
    struct dp_time total;   /* all nodes' own time */
    struct dp_time over;    /* overhead in it, before it was taken off */
};

struct dp_sums *dp_sums_new(const struct dp_profile *prof);
void dp_sums_free(struct dp_sums *sums);

#endif
