/* Links: who called whom in a profile of counts. */
#include "model/links.h"

#include "base/hash.h"
#include "base/mem.h"
#include "model/inclusive.h"
#include "model/origins.h"

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

/* --- links of what is left out ---------------------------------------------------------------- */

struct moving {
    struct dp_profile *to;
    const struct dp_profile *from;
    const uint32_t *sub_of;
    struct dp_hash by_ends;
    struct dp_origins *origins; /* through what is left out; NULL: nothing is */
    unsigned char *sources;     /* the one sub that is asked for */
};

static int is_left_out(const struct moving *m, uint32_t sub)
{
    return sub != DP_NONE && m->sub_of[sub] == DP_NONE;
}

static void find_left_out(struct moving *m)
{
    unsigned char *out = dp_alloc((size_t)m->from->nsubs + 1);
    int any = 0;

    for (uint32_t i = 0; i < m->from->nsubs; i++)
        any |= out[i] = is_left_out(m, i) != 0;
    if (any) {
        m->origins = dp_origins_new(m->from, out);
        m->sources = dp_alloc((size_t)m->from->nsubs + 1);
    }
    dp_free(out);
}

/* What a link of a left-out caller is for one of the subs behind that. */
static struct dp_link share_of(const struct dp_link *link, const struct dp_origin *origin,
                               int statements)
{
    struct dp_link share = *link;

    if (origin->all)
        return share;
    if (!origin->some)
        share.most = 0;
    share.least = 0;
    if (!statements || !origin->some)
        return share;
    share.least = (uint64_t)((double)link->least * origin->part + 0.5);
    share.least = share.least > link->least ? link->least : share.least;
    share.most = share.least;
    share.cost *= origin->part;
    share.guessed |= DP_GUESSED_COST | DP_GUESSED_CALLS;
    return share;
}

/* What was called by way of what is left out is called by that sub (the last: from outside). */
static void take_through(struct moving *m, uint32_t caller)
{
    const struct dp_profile *from = m->from;

    m->sources[caller] = 1;
    dp_origins_from(m->origins, m->sources);
    m->sources[caller] = 0;
    for (uint32_t i = 0; i < from->nlinks; i++) {
        const struct dp_link *link = &from->links[i];
        struct dp_link share;

        if (!is_left_out(m, link->caller) || is_left_out(m, link->callee) ||
            !dp_origin(m->origins, link->caller)->linked)
            continue;
        share = share_of(link, dp_origin(m->origins, link->caller), from->statements);
        share.caller = caller == from->nsubs ? DP_NONE : m->sub_of[caller];
        share.callee = m->sub_of[link->callee];
        take(m->to, &m->by_ends, &share);
    }
}

/* Who stays and calls something that does not. */
static void take_all_through(struct moving *m)
{
    const struct dp_profile *from = m->from;
    unsigned char *calls_it = dp_alloc((size_t)from->nsubs + 1);

    for (uint32_t i = 0; i < from->nlinks; i++)
        if (is_left_out(m, from->links[i].callee) && !is_left_out(m, from->links[i].caller))
            calls_it[from->links[i].caller == DP_NONE ? from->nsubs : from->links[i].caller] = 1;
    calls_it[from->nsubs] = 1; /* or nobody called it */
    for (uint32_t i = 0; i <= from->nsubs; i++)
        if (calls_it[i])
            take_through(m, i);
    dp_free(calls_it);
}

/* In a circle the calls of its members cost nothing; where it lost one they may begin it now. */
static void apportion_circles(const struct moving *m)
{
    const struct dp_profile *from = m->from;
    unsigned char *marked = dp_alloc((size_t)m->to->nsubs + 1);
    int any = 0;

    for (uint32_t i = 0; i < from->nlinks; i++) {
        const struct dp_link *link = &from->links[i];

        if (!is_left_out(m, link->caller) || is_left_out(m, link->callee) || !link->least ||
            link->cost > 0)
            continue;
        marked[m->sub_of[link->callee]] = 1;
        any = 1;
    }
    if (any)
        dp_apportion_costs(m->to, marked);
    dp_free(marked);
}

/* --- all of them ------------------------------------------------------------------------------ */

/* Links between those that stay. */
static void take_direct(struct moving *m)
{
    for (uint32_t i = 0; i < m->from->nlinks; i++) {
        struct dp_link link = m->from->links[i];

        if (is_left_out(m, link.caller) || is_left_out(m, link.callee))
            continue;
        link.caller = link.caller == DP_NONE ? DP_NONE : m->sub_of[link.caller];
        link.callee = m->sub_of[link.callee];
        take(m->to, &m->by_ends, &link);
    }
}

uint64_t *dp_calls_of(const struct dp_profile *prof)
{
    uint64_t *calls = dp_alloc_array(prof->nsubs, sizeof *calls);

    for (uint32_t i = 1; i < prof->nnodes; i++)
        calls[prof->nodes[i].sub] = sum(calls[prof->nodes[i].sub], prof->nodes[i].calls);
    return calls;
}

/* Each of several links could be all calls of a sub, but they cannot be more together. */
static void bound(struct dp_profile *prof)
{
    const unsigned unknown = DP_DOUBT_WRAPPED | DP_DOUBT_DAMAGED | DP_DOUBT_UNCOUNTED;
    uint64_t *calls = dp_calls_of(prof);

    for (uint32_t i = 0; i < prof->nlinks; i++) {
        struct dp_link *link = &prof->links[i];

        if (prof->subs[link->callee].doubt & unknown || link->most <= calls[link->callee])
            continue;
        link->most = link->least > calls[link->callee] ? link->least : calls[link->callee];
    }
    dp_free(calls);
}

void dp_take_links(struct dp_profile *to, const struct dp_profile *from, const uint32_t *sub_of)
{
    struct moving m = {to, from, sub_of, {NULL, 0, 0}, NULL, NULL};

    if (!from->nlinks)
        return;
    for (uint32_t i = 0; i < to->nlinks; i++)
        dp_hash_add(&m.by_ends, dp_hash_pair(to->links[i].caller, to->links[i].callee), i);
    find_left_out(&m);
    take_direct(&m);
    if (m.origins) {
        take_all_through(&m);
        dp_origins_free(m.origins);
    }
    if (to->statements)
        apportion_circles(&m);
    else
        bound(to);
    dp_free(m.sources);
    dp_hash_free(&m.by_ends);
}
