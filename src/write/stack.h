/*
 * A walk through the tree of call paths that knows, at each node, the whole path to it.
 */
#ifndef DPROF_WRITE_STACK_H
#define DPROF_WRITE_STACK_H

#include "model/profile.h"

/* Files that repeat a path for each of its ends would grow with the square of its length: deeper
   paths are cut by dp_profile_shallow(). */
#define DP_STACK_MOST 1000

struct dp_stack {
    const struct dp_profile *prof; /* what is walked through: the profile, or its shallow copy */
    struct dp_profile *own;        /* that copy, or NULL */
    uint32_t *places; /* per node of the profile the one of the copy that took it in, or NULL */
    uint32_t *nodes;  /* the path, outermost first; empty at the root */
    uint32_t n;
    uint32_t next;
};

/* most: deeper paths are cut, 0: never. */
void dp_stack_init(struct dp_stack *stack, const struct dp_profile *prof, uint32_t most);
/* The next node, parents first, the root before all: 1, or 0 when there is none left. */
int dp_stack_next(struct dp_stack *stack, uint32_t *node);
void dp_stack_free(struct dp_stack *stack);

#endif
