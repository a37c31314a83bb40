#include "model/left_out.h"

#include "base/mem.h"
#include "model/time.h"

#define MOST_ROUNDS 1000

struct giving {
    const struct dp_profile *from;
    const uint32_t *sub_of;
    double *has;           /* per old sub: what it got, or has still to give */
    double *calls;         /* per old sub: calls of it from others */
    unsigned char *shared; /* per old sub: part of what it got went to others too */
};

static int is_out(const struct giving *g, uint32_t sub)
{
    return g->sub_of[sub] == DP_NONE;
}

static int counts(const struct dp_link *link)
{
    return link->caller != DP_NONE && link->caller != link->callee && link->least > 0;
}

static void start(struct giving *g)
{
    const struct dp_profile *from = g->from;

    for (uint32_t i = 0; i < from->nlinks; i++)
        if (counts(&from->links[i]))
            g->calls[from->links[i].callee] += (double)from->links[i].least;
    for (uint32_t i = 1; i < from->nnodes; i++) {
        uint32_t sub = from->nodes[i].sub;

        if (!is_out(g, sub))
            continue;
        g->has[sub] += (double)from->nodes[i].self.user;
    }
}

/* One step up for all that is left out and has something; 0: nothing has. */
static int give(struct giving *g)
{
    const struct dp_profile *from = g->from;
    double *next = dp_alloc_array(from->nsubs + 1, sizeof *next);
    int any = 0;

    for (uint32_t i = 0; i < from->nlinks; i++) {
        const struct dp_link *link = &from->links[i];
        double share;

        if (!counts(link) || !is_out(g, link->callee) || g->has[link->callee] <= 0)
            continue;
        share = (double)link->least / g->calls[link->callee];
        next[link->caller] += g->has[link->callee] * share;
        g->shared[link->caller] |= share < 1 || g->shared[link->callee];
    }
    for (uint32_t sub = 0; sub < from->nsubs; sub++) {
        if (!is_out(g, sub)) {
            g->has[sub] += next[sub];
            continue;
        }
        g->has[sub] = g->calls[sub] > 0 ? next[sub] : 0; /* nobody called it: to the root */
        any |= g->has[sub] > 0.001;
    }
    dp_free(next);
    return any;
}

/* What new subs got, in whole numbers; returns what is left of `all`. */
static int64_t hand_over(const struct giving *g, struct dp_profile *to, int64_t all)
{
    double *more = dp_alloc_array(to->nsubs + 1, sizeof *more);

    for (uint32_t sub = 0; sub < g->from->nsubs; sub++) {
        if (is_out(g, sub))
            continue;
        more[g->sub_of[sub]] += g->has[sub];
        if (g->has[sub] > 0 && g->shared[sub])
            to->subs[g->sub_of[sub]].doubt |= DP_DOUBT_LOST;
    }
    for (uint32_t i = 1; i < to->nnodes; i++) {
        int64_t whole = (int64_t)(more[to->nodes[i].sub] + 0.5);

        if (whole > all)
            whole = all;
        to->nodes[i].self.user += whole;
        more[to->nodes[i].sub] = 0;
        all -= whole;
    }
    dp_free(more);
    return all;
}

void dp_give_to_callers(struct dp_profile *to, const struct dp_profile *from,
                        const uint32_t *sub_of)
{
    struct giving g = {from, sub_of, NULL, NULL, NULL};
    int64_t all = 0;

    g.has = dp_alloc_array(from->nsubs + 1, sizeof *g.has);
    g.calls = dp_alloc_array(from->nsubs + 1, sizeof *g.calls);
    g.shared = dp_alloc_array(from->nsubs + 1, 1);
    for (uint32_t i = 1; i < from->nnodes; i++)
        if (is_out(&g, from->nodes[i].sub))
            all += from->nodes[i].self.user;
    start(&g);
    for (int round = 0; round < MOST_ROUNDS && give(&g); round++)
        continue;
    to->total.user += all;
    to->nodes[0].self.user += hand_over(&g, to, all);
    dp_free(g.has);
    dp_free(g.calls);
    dp_free(g.shared);
}
