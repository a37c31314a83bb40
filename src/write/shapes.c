#include "write/shapes.h"

#include <string.h>

struct wanted {
    const struct dp_shapes *shapes;
    struct dp_shape shape;
};

static int same(const void *ctx, uint32_t index)
{
    const struct wanted *wanted = ctx;
    const struct dp_shape *a = &wanted->shape, *b = &wanted->shapes->shapes[index];

    return a->hash == b->hash && a->sub == b->sub && a->ncalls == b->ncalls &&
           (!a->ncalls || !memcmp(a->calls, b->calls, a->ncalls * sizeof *a->calls));
}

static const struct dp_times *keep(struct dp_shapes *shapes, const struct dp_times *calls,
                                   uint32_t n)
{
    struct dp_times *kept;

    if (!n)
        return NULL;
    kept = dp_arena_alloc(&shapes->arena, n * sizeof *kept);
    memcpy(kept, calls, n * sizeof *kept);
    return kept;
}

uint32_t dp_shape(struct dp_shapes *shapes, uint32_t sub, const struct dp_times *calls,
                  uint32_t ncalls)
{
    struct wanted wanted = {shapes, {sub, ncalls, calls, 0}};
    uint64_t inside = ncalls ? dp_hash_bytes((const char *)calls, ncalls * sizeof *calls) : 0;
    uint32_t found;

    wanted.shape.hash = dp_hash_pair(sub, (uint32_t)(inside ^ inside >> 32));
    found = dp_hash_find(&shapes->by_hash, wanted.shape.hash, same, &wanted);
    if (found != DP_HASH_FREE)
        return found;
    wanted.shape.calls = keep(shapes, calls, ncalls);
    shapes->shapes = dp_more(shapes->shapes, shapes->n, sizeof *shapes->shapes);
    shapes->shapes[shapes->n] = wanted.shape;
    dp_hash_add(&shapes->by_hash, wanted.shape.hash, shapes->n);
    return shapes->n++;
}

void dp_shapes_free(struct dp_shapes *shapes)
{
    dp_arena_free(&shapes->arena);
    dp_hash_free(&shapes->by_hash);
    dp_free(shapes->shapes);
    memset(shapes, 0, sizeof *shapes);
}
