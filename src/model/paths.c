#include "model/paths.h"

#include <string.h>

#include "base/hash.h"
#include "base/mem.h"

#define FIRST_PLACES 64

/* Where that key is, or the free slot where it belongs. */
static struct dp_place *find(struct dp_place *places, uint32_t mask, uint32_t parent, uint32_t sub)
{
    uint32_t at = (uint32_t)dp_hash_pair(parent, sub) & mask;

    while (places[at].node && (places[at].parent != parent || places[at].sub != sub))
        at = (at + 1) & mask;
    return &places[at];
}

static void widen(struct dp_paths *paths)
{
    size_t n = paths->places ? ((size_t)paths->mask + 1) * 2 : FIRST_PLACES;
    struct dp_place *places = dp_alloc_array(n, sizeof *places);
    uint32_t mask = (uint32_t)(n - 1);

    for (size_t i = 0; paths->places && i <= paths->mask; i++) {
        const struct dp_place *old = &paths->places[i];

        if (old->node)
            *find(places, mask, old->parent, old->sub) = *old;
    }
    dp_free(paths->places);
    paths->places = places;
    paths->mask = mask;
}

static void add(struct dp_paths *paths, uint32_t parent, uint32_t sub, uint32_t node)
{
    const struct dp_place new = {parent, sub, node};

    if (paths->used >= paths->mask / 2)
        widen(paths);
    *find(paths->places, paths->mask, parent, sub) = new;
    paths->used++;
}

uint32_t dp_path(struct dp_paths *paths, struct dp_profile *prof, uint32_t parent, uint32_t sub)
{
    uint32_t node = paths->places ? find(paths->places, paths->mask, parent, sub)->node : 0;

    if (node)
        return node;
    node = dp_add_node(prof, parent, sub);
    add(paths, parent, sub, node);
    return node;
}

void dp_paths_init(struct dp_paths *paths, const struct dp_profile *prof)
{
    memset(paths, 0, sizeof *paths);
    for (uint32_t i = 1; i < prof->nnodes; i++)
        add(paths, prof->nodes[i].parent, prof->nodes[i].sub, i);
}

void dp_paths_free(struct dp_paths *paths)
{
    dp_free(paths->places);
}
