/*
 * Walking the tree of call paths from the outside in, the children of a node in the order of the
 * view. A loop with its own stack: a profile may be a million levels deep.
 */
#ifndef DPROF_WRITE_WALK_H
#define DPROF_WRITE_WALK_H

#include "write/write.h"

struct dp_walk {
    const struct dp_job *job;
    struct dp_step {
        uint32_t node;
        uint32_t level; /* 0: called from outside any sub */
    } * steps;
    uint32_t n;
    uint32_t room;
    void *children; /* those of one node while they are sorted */
    uint32_t children_room;
};

void dp_walk_init(struct dp_walk *walk, const struct dp_job *job);
/* The next node: 1, or 0 when there is none left. */
int dp_walk_next(struct dp_walk *walk, struct dp_step *step);
void dp_walk_free(struct dp_walk *walk);

#endif
