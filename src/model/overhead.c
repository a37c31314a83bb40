#include "model/overhead.h"

#include "base/mem.h"

/* A calibration is measured in a loop that does nothing else; in a real program the same call costs
   something between three quarters and five quarters of it. */
#define SYSTEMATIC 0.25

/* What the price of a mixture is given for. */
#define PER_CALLS 1000000000

/* Cost of one call, and its error: the systematic one and one tick in the whole calibration. */
struct price {
    struct dp_amount cost;
    struct dp_amount err;
};

static double per_call(int64_t ticks, uint64_t calls)
{
    return (double)ticks / (double)calls;
}

static struct price price_of(const struct dp_over *over)
{
    struct price price;

    price.cost.user = per_call(over->cost.user, over->calls);
    price.cost.sys = per_call(over->cost.sys, over->calls);
    price.cost.real = per_call(over->cost.real, over->calls);
    price.err.user = price.cost.user * SYSTEMATIC + per_call(1, over->calls);
    price.err.sys = price.cost.sys * SYSTEMATIC + per_call(1, over->calls);
    price.err.real = price.cost.real * SYSTEMATIC + per_call(1, over->calls);
    return price;
}

/* The prices of all kinds: a kind without a calibration of its own has the general one. */
static void list_prices(const struct dp_profile *prof, struct price prices[DP_NKINDS])
{
    const struct price free_of_charge = {{0, 0, 0}, {0, 0, 0}};

    for (int kind = 0; kind < DP_NKINDS; kind++)
        prices[kind] = free_of_charge;
    for (uint32_t i = 0; i < prof->novers; i++)
        if (prof->overs[i].kind == DP_KIND_UNKNOWN && prof->overs[i].calls)
            for (int kind = 0; kind < DP_NKINDS; kind++)
                prices[kind] = price_of(&prof->overs[i]);
    for (uint32_t i = 0; i < prof->novers; i++)
        if (prof->overs[i].kind != DP_KIND_UNKNOWN && prof->overs[i].calls)
            prices[prof->overs[i].kind] = price_of(&prof->overs[i]);
}

void dp_overhead_init(struct dp_overhead *overhead, const struct dp_profile *prof)
{
    struct price prices[DP_NKINDS];

    list_prices(prof, prices);
    overhead->cost = dp_alloc_array(prof->nnodes, sizeof *overhead->cost);
    overhead->err = dp_alloc_array(prof->nnodes, sizeof *overhead->err);
    for (uint32_t i = 1; i < prof->nnodes; i++) {
        const struct dp_node *node = &prof->nodes[i];
        const struct price *price = &prices[prof->subs[node->sub].kind];
        double half = (double)node->calls / 2;

        dp_add_amount(&overhead->cost[i], &price->cost, half);
        dp_add_amount(&overhead->cost[node->parent], &price->cost, half);
        dp_add_amount(&overhead->err[i], &price->err, half);
        dp_add_amount(&overhead->err[node->parent], &price->err, half);
    }
}

/* Calls of each kind. */
static void count_kinds(const struct dp_profile *prof, double calls[DP_NKINDS])
{
    for (int kind = 0; kind < DP_NKINDS; kind++)
        calls[kind] = 0;
    for (uint32_t i = 1; i < prof->nnodes; i++)
        calls[prof->subs[prof->nodes[i].sub].kind] += (double)prof->nodes[i].calls;
}

/* What PER_CALLS calls cost, of two kinds of price so many. */
static int64_t mixed(double a, double na, double b, double nb)
{
    return dp_ticks((a * na + b * nb) / (na + nb) * PER_CALLS);
}

void dp_merge_prices(struct dp_profile *into, const struct dp_profile *from)
{
    struct price ours[DP_NKINDS], theirs[DP_NKINDS];
    double our_calls[DP_NKINDS], their_calls[DP_NKINDS];

    if (!into->novers && !from->novers)
        return;
    list_prices(into, ours);
    list_prices(from, theirs);
    count_kinds(into, our_calls);
    count_kinds(from, their_calls);
    into->novers = 0;
    for (int kind = 0; kind < DP_NKINDS; kind++) {
        const struct dp_amount *a = &ours[kind].cost, *b = &theirs[kind].cost;
        double na = our_calls[kind], nb = their_calls[kind];
        struct dp_over over = {{0, 0, 0}, PER_CALLS, (uint8_t)kind};

        if (na + nb == 0)
            continue;
        over.cost.user = mixed(a->user, na, b->user, nb);
        over.cost.sys = mixed(a->sys, na, b->sys, nb);
        over.cost.real = mixed(a->real, na, b->real, nb);
        into->overs = dp_more(into->overs, into->novers, sizeof *into->overs);
        into->overs[into->novers++] = over;
    }
}

void dp_overhead_free(struct dp_overhead *overhead)
{
    dp_free(overhead->cost);
    dp_free(overhead->err);
}
