/*
 * The calls of a trace in their order, printed while it is being read: -T a line for each call, -t
 * with equal calls in a row folded into one. Memory grows with distinct subs and distinct subtrees,
 * never with calls.
 */
#ifndef DPROF_WRITE_TREE_H
#define DPROF_WRITE_TREE_H

#include <stdint.h>

#include "base/out.h"
#include "model/build.h"
#include "write/lens.h"

struct dp_tree;

/* Prints to `out`; free it with dp_tree_free(). only_within, decide, ctx: see lens.h. Give
   dp_tree_listener() and dp_tree_begin() (with the tree as ctx) to the reader, and call
   dp_tree_end() when all is read, before the profile is freed: it returns how many calls were
   printed. */
struct dp_tree *dp_tree_new(struct dp_out *out, int collapsed, int only_within, dp_decide *decide,
                            void *ctx);
const struct dp_listener *dp_tree_listener(const struct dp_tree *tree);
void dp_tree_begin(void *tree, struct dp_profile *prof);
uint64_t dp_tree_end(struct dp_tree *tree);
void dp_tree_free(struct dp_tree *tree);

#endif
