/*
 * The tree of call paths by (parent, sub): one table for all nodes, so that a node with a million
 * children is found as fast as one with two. The key lies in the table: a look-up touches no node.
 */
#ifndef DPROF_MODEL_PATHS_H
#define DPROF_MODEL_PATHS_H

#include "model/profile.h"

struct dp_place {
    uint32_t parent;
    uint32_t sub;
    uint32_t node; /* 0: a free slot; the root is nobody's child */
};

/* Open addressing, linear probing. Starts as zeros. */
struct dp_paths {
    struct dp_place *places;
    uint32_t mask; /* places - 1, 0 while there are none */
    uint32_t used;
};

/* The child `sub` of node `parent`, added to the profile if it is new. */
uint32_t dp_path(struct dp_paths *paths, struct dp_profile *prof, uint32_t parent, uint32_t sub);
/* The index of a profile's nodes as they are now. */
void dp_paths_init(struct dp_paths *paths, const struct dp_profile *prof);
void dp_paths_free(struct dp_paths *paths);

#endif
