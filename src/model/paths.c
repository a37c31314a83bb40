#include "model/paths.h"

struct place {
    const struct dp_node *nodes;
    uint32_t parent;
    uint32_t sub;
};

static int same(const void *ctx, uint32_t node)
{
    const struct place *place = ctx;

    return place->nodes[node].parent == place->parent && place->nodes[node].sub == place->sub;
}

uint32_t dp_path(struct dp_paths *paths, struct dp_profile *prof, uint32_t parent, uint32_t sub)
{
    const struct place place = {prof->nodes, parent, sub};
    uint64_t hash = dp_hash_pair(parent, sub);
    uint32_t node = dp_hash_find(&paths->by_place, hash, same, &place);

    if (node != DP_HASH_FREE)
        return node;
    node = dp_add_node(prof, parent, sub);
    dp_hash_add(&paths->by_place, hash, node);
    return node;
}

void dp_paths_init(struct dp_paths *paths, const struct dp_profile *prof)
{
    const struct dp_paths empty = {{0, 0, 0}};

    *paths = empty;
    for (uint32_t i = 1; i < prof->nnodes; i++)
        dp_hash_add(&paths->by_place, dp_hash_pair(prof->nodes[i].parent, prof->nodes[i].sub), i);
}

void dp_paths_free(struct dp_paths *paths)
{
    dp_hash_free(&paths->by_place);
}
