/*
 * Shapes: a call with all that it called in turn, each distinct one kept once, so that two subtrees
 * are equal exactly when their shapes have the same index.
 */
#ifndef DPROF_WRITE_SHAPES_H
#define DPROF_WRITE_SHAPES_H

#include <stdint.h>

#include "base/hash.h"
#include "base/mem.h"

/* So many equal calls in a row. */
struct dp_times {
    uint32_t shape;
    uint32_t count;
};

struct dp_shape {
    uint32_t sub;
    uint32_t ncalls;
    const struct dp_times *calls;
    uint64_t hash;
};

struct dp_shapes {
    struct dp_arena arena;
    struct dp_shape *shapes;
    uint32_t n;
    struct dp_hash by_hash;
};

/* The shape of a call of `sub` that called these in turn. */
uint32_t dp_shape(struct dp_shapes *shapes, uint32_t sub, const struct dp_times *calls,
                  uint32_t ncalls);
void dp_shapes_free(struct dp_shapes *shapes);

#endif
