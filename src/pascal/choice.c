#include "pascal/choice.h"

#include <string.h>

#define MOST_WORK 100000000 /* nodes and calls, once for each statement that is tried */

struct trial {
    struct dp_pascal_flow *flow;
    const struct dp_pascal_graph *graph;
    unsigned char *free; /* per routine: it is called in ways that are not seen */
    int64_t *excess;     /* per routine: calls beyond its entries */
    int64_t total;
    uint64_t work;
};

void dp_pascal_choice_add(struct dp_pascal_choice *choice, uint32_t statement)
{
    for (uint32_t i = 0; i < choice->n; i++)
        if (choice->statements[i] == statement)
            return;
    choice->statements = dp_more(choice->statements, choice->n, sizeof *choice->statements);
    choice->statements[choice->n++] = statement;
}

static void mark_free(struct trial *t)
{
    const struct dp_pascal *pascal = t->flow->pascal;

    for (uint32_t r = 0; r < pascal->nroutines; r++)
        t->free[r] = !pascal->routines[r].body || pascal->routines[r].kind == DP_T_PROGRAM;
    for (uint32_t i = 0; i < t->graph->npassed; i++)
        t->free[t->graph->passed[i].routine] = 1;
    for (uint32_t i = 0; i < t->graph->ncalls; i++)
        if (t->graph->calls[i].maybe && t->graph->calls[i].callee != DP_PASCAL_NOWHERE)
            t->free[t->graph->calls[i].callee] = 1;
}

static int64_t distance(int64_t a, int64_t b)
{
    return a > b ? a - b : b - a;
}

/* How far entries are from calls, and the statements from their number: 0, it fits. */
static int64_t misfit(struct trial *t)
{
    const struct dp_pascal *pascal = t->flow->pascal;
    int64_t sum = 0, all = 0;

    for (uint32_t r = 0; r < pascal->nroutines; r++)
        t->excess[r] = t->free[r] ? 0 : -t->flow->values[pascal->routines[r].counter - 1];
    for (uint32_t i = 0; i < t->graph->ncalls; i++) {
        const struct dp_pascal_call *call = &t->graph->calls[i];

        if (call->callee != DP_PASCAL_NOWHERE && !t->free[call->callee])
            t->excess[call->callee] += dp_pascal_call_count(t->flow, call);
    }
    for (uint32_t r = 0; r < pascal->nroutines; r++)
        sum += distance(t->excess[r], 0);
    for (uint32_t n = 1; t->total >= 0 && n < pascal->nnodes; n++)
        all += dp_pascal_cost(t->flow, n);
    return t->total >= 0 ? sum + distance(all, t->total) : sum;
}

static void take(struct trial *t, struct dp_pascal_choice *choice, uint32_t which)
{
    uint32_t old = choice->statements[choice->taken], now = choice->statements[which];

    t->flow->lost[old]--;
    t->flow->lost[now]++;
    choice->taken = which;
    dp_pascal_flow_routine(t->flow, t->flow->owner[now]);
    t->work += t->flow->pascal->nnodes + t->graph->ncalls;
}

/* Where none fits wholly, something else happened that may have made it so: a jump. */
static int fits_as_well(const int64_t *fits, uint32_t i, uint32_t taken)
{
    return i != taken && (fits[i] == fits[taken] || fits[taken] != 0);
}

/* Fills in how well each fits, and takes the last of the best. 1: that is another one. */
static int take_best(struct trial *t, struct dp_pascal_choice *choice, int64_t *fits)
{
    uint32_t before = choice->taken, best = choice->n - 1;

    for (uint32_t i = choice->n; i-- > 0;) {
        take(t, choice, i);
        fits[i] = misfit(t);
        if (fits[i] < fits[best])
            best = i;
    }
    take(t, choice, best);
    choice->open = 0;
    for (uint32_t i = 0; i < choice->n; i++)
        choice->open |= fits_as_well(fits, i, best);
    return best != before;
}

/* Counts that are others with a statement that fits as well. */
static void mark_doubt(struct trial *t, struct dp_pascal_choice *choice, const int64_t *fits)
{
    struct dp_pascal_flow *flow = t->flow;
    uint32_t nnodes = flow->pascal->nnodes, taken = choice->taken;
    size_t bytes = nnodes * sizeof *flow->ran;
    int64_t *ran = dp_alloc(bytes), *back = dp_alloc(bytes);

    memcpy(ran, flow->ran, bytes);
    memcpy(back, flow->back, bytes);
    for (uint32_t i = 0; i < choice->n; i++) {
        int64_t change = 0;

        if (!fits_as_well(fits, i, taken))
            continue;
        take(t, choice, i);
        for (uint32_t n = 1; n < nnodes; n++) {
            flow->doubt[n] |= flow->ran[n] != ran[n] || flow->back[n] != back[n];
            change += dp_pascal_cost(flow, n) -
                      dp_pascal_costs(flow->pascal->nodes[n].kind, ran[n], back[n]);
        }
        flow->own_doubt[flow->owner[choice->statements[i]]] |= change != 0;
    }
    take(t, choice, taken);
    dp_free(ran);
    dp_free(back);
}

/* One frame after the other, with the others as they are taken; again until none changes. */
static void choose(struct trial *t, struct dp_pascal_choice *choices, uint32_t n, int64_t *fits)
{
    int changed = 1;

    while (changed && t->work < MOST_WORK) {
        changed = 0;
        for (uint32_t i = 0; i < n && t->work < MOST_WORK; i++)
            if (choices[i].n > 1)
                changed |= take_best(t, &choices[i], fits);
    }
    for (uint32_t i = 0; i < n && t->work < MOST_WORK; i++)
        if (choices[i].open) {
            take_best(t, &choices[i], fits);
            mark_doubt(t, &choices[i], fits);
        }
}

void dp_pascal_choose(struct dp_pascal_flow *flow, const struct dp_pascal_graph *graph,
                      struct dp_pascal_choice *choices, uint32_t n, int64_t total)
{
    struct trial t = {flow, graph, NULL, NULL, total, 0};
    uint32_t most = 0;
    int64_t *fits;

    for (uint32_t i = 0; i < n; i++) {
        choices[i].open = choices[i].n > 1;
        if (choices[i].n > most)
            most = choices[i].n;
    }
    if (most < 2)
        return;
    t.free = dp_alloc_array(flow->pascal->nroutines + 1, 1);
    t.excess = dp_alloc_array(flow->pascal->nroutines + 1, sizeof *t.excess);
    fits = dp_alloc_array(most, sizeof *fits);
    mark_free(&t);
    choose(&t, choices, n, fits);
    dp_free(t.free);
    dp_free(t.excess);
    dp_free(fits);
}
