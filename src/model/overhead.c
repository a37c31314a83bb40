#include "model/overhead.h"

#include "base/mem.h"

/* A calibration is measured in a loop that does nothing else; in a real program the same call costs
   something between three quarters and five quarters of it. */
#define SYSTEMATIC 0.25

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

void dp_overhead_free(struct dp_overhead *overhead)
{
    dp_free(overhead->cost);
    dp_free(overhead->err);
}
