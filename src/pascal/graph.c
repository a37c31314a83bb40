/*
 * What routines cost: their own statements exactly, and with what they call. Routines that call one
 * another in a circle are one group there; what a group costs goes to its callers by their numbers
 * of calls, which is exact where there is only one.
 */
#include "pascal/apportion.h"

#include <string.h>

#include "base/circles.h"
#include "base/hash.h"

struct groups {
    struct dp_pascal_graph *graph;
    uint32_t n;      /* routines */
    uint32_t *first; /* per routine: index of its first edge; n + 1 */
    uint32_t *group; /* per routine: its group, callees' groups have smaller numbers */
    uint32_t ngroups;
    double *cost;      /* per group */
    double *entries;   /* per group: calls from outside it */
    uint32_t *callers; /* per group: the only group that calls it, or MANY */
    unsigned char *guessed;
};
#define NOBODY UINT32_MAX
#define MANY (UINT32_MAX - 1)

/* --- edges --- */

struct edges {
    struct dp_pascal_graph *graph;
    struct dp_hash by_pair;
};

struct pair {
    const struct dp_pascal_graph *graph;
    uint32_t caller;
    uint32_t callee;
    int through;
};

static int same_pair(const void *ctx, uint32_t index)
{
    const struct pair *pair = ctx;
    const struct dp_pascal_edge *edge = &pair->graph->edges[index];

    return edge->caller == pair->caller && edge->callee == pair->callee &&
           !edge->through == !pair->through;
}

static struct dp_pascal_edge *edge_of(struct edges *edges, uint32_t caller, uint32_t callee,
                                      int through)
{
    struct dp_pascal_graph *graph = edges->graph;
    struct pair pair = {graph, caller, callee, through};
    uint64_t hash = dp_hash_pair(caller, callee * 2 + (through != 0));
    uint32_t found = dp_hash_find(&edges->by_pair, hash, same_pair, &pair);

    if (found == DP_HASH_FREE) {
        struct dp_pascal_edge new = {caller, callee, 0, 0, 0, through, 0};

        graph->edges = dp_more(graph->edges, graph->nedges, sizeof *graph->edges);
        graph->edges[graph->nedges] = new;
        found = graph->nedges++;
        dp_hash_add(&edges->by_pair, hash, found);
    }
    return &graph->edges[found];
}

static int by_caller(const void *a, const void *b)
{
    const struct dp_pascal_edge *x = a, *y = b;

    if (x->caller != y->caller)
        return x->caller < y->caller ? -1 : 1;
    return x->callee < y->callee ? -1 : x->callee > y->callee;
}

/* Merges the sorted halves; stable and without recursion. */
static void sort_edges(struct dp_pascal_graph *graph)
{
    size_t each = sizeof *graph->edges;
    struct dp_pascal_edge *from = graph->edges, *to = dp_alloc_array(graph->nedges + 1, each),
                          *swap;

    for (uint32_t width = 1; width < graph->nedges; width *= 2) {
        for (uint32_t start = 0; start < graph->nedges; start += 2 * width) {
            uint32_t middle = start + width < graph->nedges ? start + width : graph->nedges;
            uint32_t end = middle + width < graph->nedges ? middle + width : graph->nedges;
            uint32_t a = start, b = middle;

            for (uint32_t i = start; i < end; i++)
                to[i] = a < middle && (b >= end || by_caller(&from[a], &from[b]) <= 0) ? from[a++]
                                                                                       : from[b++];
        }
        swap = from;
        from = to;
        to = swap;
    }
    graph->edges = from;
    dp_free(to);
}

static void add_to_edge(struct edges *edges, uint32_t caller, uint32_t callee, int64_t count,
                        int through, int guessed)
{
    struct dp_pascal_edge *edge = edge_of(edges, caller, callee, through);

    edge->sites++;
    edge->count += count;
    edge->guessed |= guessed;
}

static void add_calls(struct edges *edges)
{
    struct dp_pascal_graph *graph = edges->graph;

    for (uint32_t i = 0; i < graph->ncalls; i++) {
        const struct dp_pascal_call *call = &graph->calls[i];

        if (call->callee == DP_PASCAL_NOWHERE)
            continue;
        graph->costs[call->callee].sites += call->twice ? 2 * call->count : call->count;
        if (!call->maybe)
            add_to_edge(edges, call->caller, call->callee, call->count, 0, 0);
    }
    for (uint32_t i = 0; i < graph->npassed; i++)
        graph->costs[graph->passed[i].routine].sites = -1;
}

static void add_shares(struct edges *edges)
{
    struct dp_pascal_graph *graph = edges->graph;
    struct dp_pascal_shares shares;

    dp_pascal_apportion(graph, &shares);
    for (uint32_t i = 0; i < shares.n; i++) {
        const struct dp_pascal_share *share = &shares.shares[i];
        const struct dp_pascal_call *call = &graph->calls[share->call];

        add_to_edge(edges, call->caller, share->callee, share->count,
                    call->callee == DP_PASCAL_NOWHERE, share->guessed);
    }
    dp_free(shares.shares);
}

static void make_edges(struct dp_pascal_graph *graph)
{
    struct edges edges = {graph, {0}};

    add_calls(&edges);
    add_shares(&edges);
    dp_hash_free(&edges.by_pair);
    sort_edges(graph);
}

/* --- groups --- */

static void find_groups(struct groups *g)
{
    uint32_t *to = dp_alloc_array(g->graph->nedges + 1, sizeof *to);

    for (uint32_t i = 0; i < g->graph->nedges; i++)
        to[i] = g->graph->edges[i].callee;
    g->ngroups = dp_circles(g->n, g->first, to, g->group);
    dp_free(to);
}

/* --- costs --- */

/* An edge whose number is a guess may be one of none, and then there is one caller only. */
static int may_have_called(const struct dp_pascal_edge *edge)
{
    return edge->count > 0 || edge->guessed;
}

static void count_entries(struct groups *g)
{
    for (uint32_t i = 0; i < g->graph->nedges; i++) {
        const struct dp_pascal_edge *edge = &g->graph->edges[i];
        uint32_t from = g->group[edge->caller], to = g->group[edge->callee];

        if (from == to || !may_have_called(edge))
            continue;
        g->entries[to] += (double)edge->count;
        g->callers[to] = g->callers[to] == NOBODY || g->callers[to] == from ? from : MANY;
    }
}

/* Groups of callees come first, so that going up each is complete when it is asked for. */
static void add_up(struct groups *g)
{
    struct dp_pascal_graph *graph = g->graph;
    uint32_t *order = dp_alloc_array(graph->nedges + 1, sizeof *order);
    uint32_t *starts = dp_alloc_array(g->ngroups + 2, sizeof *starts);

    for (uint32_t i = 0; i < graph->nedges; i++)
        starts[g->group[graph->edges[i].caller] + 1]++;
    for (uint32_t k = 0; k < g->ngroups; k++)
        starts[k + 1] += starts[k];
    for (uint32_t i = graph->nedges; i-- > 0;)
        order[--starts[g->group[graph->edges[i].caller] + 1]] = i;
    for (uint32_t k = 0, i = 0; k < g->ngroups; k++) {
        for (; i < graph->nedges && g->group[graph->edges[order[i]].caller] == k; i++) {
            struct dp_pascal_edge *edge = &graph->edges[order[i]];
            uint32_t to = g->group[edge->callee];

            if (to == k || g->entries[to] <= 0 || !may_have_called(edge))
                continue;
            edge->cost = g->cost[to] * (double)edge->count / g->entries[to];
            g->cost[k] += edge->cost;
            if (g->cost[to] > 0 && (g->guessed[to] || g->callers[to] == MANY))
                g->guessed[k] = 1;
        }
    }
    dp_free(order);
    dp_free(starts);
}

/* A routine's whole cost is its group's. Members of a circle cannot be told apart. */
static void hand_out(struct groups *g)
{
    struct dp_pascal_graph *graph = g->graph;
    uint32_t *members = dp_alloc_array(g->ngroups, sizeof *members);

    for (uint32_t r = 0; r < g->n; r++)
        members[g->group[r]]++;
    for (uint32_t r = 0; r < g->n; r++) {
        struct dp_pascal_cost_of *cost = &graph->costs[r];

        if (cost->calls == 0 && cost->own == 0)
            continue;
        cost->all = g->cost[g->group[r]];
        cost->guessed = g->guessed[g->group[r]] || members[g->group[r]] > 1;
    }
    /* All that ran, ran below the program. */
    if (g->n && graph->pascal->has_program && g->cost[g->group[0]] > 0.999 * (double)graph->total) {
        graph->costs[0].all = (double)graph->total;
        graph->costs[0].guessed = 0;
    }
    dp_free(members);
}

static void cost_below(struct dp_pascal_graph *graph)
{
    struct groups g = {0};

    g.graph = graph;
    g.n = graph->pascal->nroutines;
    g.first = dp_alloc_array(g.n + 2, sizeof *g.first);
    g.group = dp_alloc_array(g.n + 1, sizeof *g.group);
    for (uint32_t i = 0; i < graph->nedges; i++)
        g.first[graph->edges[i].caller + 1]++;
    for (uint32_t r = 0; r < g.n; r++)
        g.first[r + 1] += g.first[r];
    find_groups(&g);
    g.cost = dp_alloc_array(g.ngroups + 1, sizeof *g.cost);
    g.entries = dp_alloc_array(g.ngroups + 1, sizeof *g.entries);
    g.callers = dp_alloc_array(g.ngroups + 1, sizeof *g.callers);
    g.guessed = dp_alloc_array(g.ngroups + 1, 1);
    for (uint32_t k = 0; k < g.ngroups; k++)
        g.callers[k] = NOBODY;
    for (uint32_t r = 0; r < g.n; r++) {
        g.cost[g.group[r]] += (double)graph->costs[r].own;
        g.guessed[g.group[r]] |= graph->costs[r].doubt != 0;
    }
    count_entries(&g);
    add_up(&g);
    hand_out(&g);
    dp_free(g.first);
    dp_free(g.group);
    dp_free(g.cost);
    dp_free(g.entries);
    dp_free(g.callers);
    dp_free(g.guessed);
}

struct dp_pascal_graph *dp_pascal_graph_new(const struct dp_pascal_flow *flow)
{
    const struct dp_pascal *pascal = flow->pascal;
    struct dp_pascal_graph *graph = dp_alloc(sizeof *graph);

    graph->pascal = pascal;
    graph->costs = dp_alloc_array(pascal->nroutines + 1, sizeof *graph->costs);
    for (uint32_t r = 0; r < pascal->nroutines; r++)
        if (pascal->routines[r].body)
            graph->costs[r].calls = flow->values[pascal->routines[r].counter - 1];
    for (uint32_t r = 0; r < pascal->nroutines; r++)
        graph->costs[r].doubt = flow->own_doubt[r];
    for (uint32_t n = 1; n < pascal->nnodes; n++) {
        int64_t cost = dp_pascal_cost(flow, n);

        graph->costs[flow->owner[n]].own += cost;
        graph->total += cost;
    }
    dp_pascal_find_calls(graph, flow);
    make_edges(graph);
    cost_below(graph);
    return graph;
}

void dp_pascal_graph_free(struct dp_pascal_graph *graph)
{
    if (!graph)
        return;
    dp_free(graph->calls);
    dp_free(graph->passed);
    dp_free(graph->edges);
    dp_free(graph->costs);
    dp_free(graph);
}
