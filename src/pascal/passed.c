#include "pascal/passed.h"

#include "base/hash.h"

#define NONE UINT32_MAX

struct pairs {
    struct dp_pascal_passed *passed;
    uint32_t n;
    struct dp_hash by_pair;
};

struct wanted {
    const struct pairs *pairs;
    uint32_t routine;
    uint32_t param;
};

static int same(const void *ctx, uint32_t index)
{
    const struct wanted *wanted = ctx;
    const struct dp_pascal_passed *passed = &wanted->pairs->passed[index];

    return passed->routine == wanted->routine && passed->param == wanted->param;
}

static void add(struct pairs *pairs, uint32_t routine, uint32_t param)
{
    struct wanted wanted = {pairs, routine, param};
    uint64_t hash = dp_hash_pair(routine, param);

    if (dp_hash_find(&pairs->by_pair, hash, same, &wanted) != DP_HASH_FREE)
        return;
    pairs->passed = dp_more(pairs->passed, pairs->n, sizeof *pairs->passed);
    pairs->passed[pairs->n].routine = routine;
    pairs->passed[pairs->n].param = param;
    dp_hash_add(&pairs->by_pair, hash, pairs->n++);
}

void dp_pascal_hand_on(struct dp_pascal_graph *graph, const struct dp_pascal_handed *handed,
                       uint32_t n, uint32_t nnodes)
{
    struct pairs pairs = {0};
    uint32_t *first = dp_alloc_array((size_t)nnodes + 1, sizeof *first);
    uint32_t *next = dp_alloc_array((size_t)n + 1, sizeof *next);

    for (uint32_t i = 0; i < nnodes; i++)
        first[i] = NONE;
    for (uint32_t i = n; i-- > 0;) {
        next[i] = first[handed[i].from];
        first[handed[i].from] = i;
    }
    for (uint32_t i = 0; i < graph->npassed; i++)
        add(&pairs, graph->passed[i].routine, graph->passed[i].param);
    for (uint32_t i = 0; i < pairs.n; i++) /* it grows meanwhile */
        for (uint32_t k = first[pairs.passed[i].param]; k != NONE; k = next[k])
            add(&pairs, pairs.passed[i].routine, handed[k].to);
    dp_free(graph->passed);
    graph->passed = pairs.passed;
    graph->npassed = pairs.n;
    dp_hash_free(&pairs.by_pair);
    dp_free(first);
    dp_free(next);
}
