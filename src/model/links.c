/* Links: who called whom in a profile of counts. */
#include "model/links.h"

#include "base/hash.h"
#include "base/mem.h"

/* Sums of what a file says do not go round. */
static uint64_t sum(uint64_t a, uint64_t b)
{
    return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

void dp_add_link(struct dp_profile *prof, const struct dp_link *link)
{
    prof->links = dp_more(prof->links, prof->nlinks, sizeof *prof->links);
    prof->links[prof->nlinks++] = *link;
}

struct wanted {
    const struct dp_link *links;
    uint32_t caller;
    uint32_t callee;
};

static int same_ends(const void *ctx, uint32_t link)
{
    const struct wanted *want = ctx;

    return want->links[link].caller == want->caller && want->links[link].callee == want->callee;
}

static void take(struct dp_profile *to, struct dp_hash *table, const struct dp_link *link)
{
    const struct wanted want = {to->links, link->caller, link->callee};
    uint64_t hash = dp_hash_pair(link->caller, link->callee);
    uint32_t found = dp_hash_find(table, hash, same_ends, &want);
    struct dp_link *known;

    if (found == DP_HASH_FREE) {
        dp_hash_add(table, hash, to->nlinks);
        dp_add_link(to, link);
        return;
    }
    known = &to->links[found];
    known->least = sum(known->least, link->least);
    known->most = sum(known->most, link->most);
    known->cost += link->cost;
    known->guessed |= link->guessed;
    if (link->sites > known->sites)
        known->sites = link->sites;
}

/* The link between the new subs; its callee is DP_NONE if it is left out. */
static struct dp_link moved(const struct dp_link *link, const uint32_t *sub_of)
{
    struct dp_link new = *link;

    new.callee = sub_of[link->callee];
    if (link->caller != DP_NONE) {
        new.caller = sub_of[link->caller];
        if (new.caller == DP_NONE)
            new.callee = DP_NONE;
    }
    return new;
}

void dp_take_links(struct dp_profile *to, const struct dp_profile *from, const uint32_t *sub_of)
{
    struct dp_hash table = {NULL, 0, 0};

    if (!from->nlinks)
        return;
    for (uint32_t i = 0; i < to->nlinks; i++)
        dp_hash_add(&table, dp_hash_pair(to->links[i].caller, to->links[i].callee), i);
    for (uint32_t i = 0; i < from->nlinks; i++) {
        struct dp_link link = moved(&from->links[i], sub_of);

        if (link.callee != DP_NONE)
            take(to, &table, &link);
    }
    dp_hash_free(&table);
}
