/*
 * Where the tree lives: FILE.tree while the program runs, PART3 of FILE afterwards.
 */
#ifndef DPROF_RECORD_TREE_STORE_H
#define DPROF_RECORD_TREE_STORE_H

#include "record/tree.h"

/* Makes the first room, with the root in it. A profile that is not a regular file, or a disk without
   room, means a tree in memory, which a kill would lose. 0, or -1. */
int dp_tree_store_open(struct dp_tree *tree, const struct dp_recorder *recorder);

/* More slots. 0, or -1: there is no room. */
int dp_tree_store_grow(struct dp_tree *tree);

/* Writes PART3 into the profile. */
void dp_tree_store_write(struct dp_recorder *recorder);

/* Removes FILE.tree. */
void dp_tree_store_remove(struct dp_tree *tree);

/* Unmaps and closes. */
void dp_tree_store_close(struct dp_tree *tree);

#endif
