#include "model/sums.h"

#include <string.h>

#include "base/hash.h"
#include "base/mem.h"
#include "model/doubt.h"
#include "model/overhead.h"

/* What is needed while the sums are made. */
struct work {
    const struct dp_profile *prof;
    struct dp_sums *sums;
    struct dp_overhead overhead;
    uint32_t *edge_of;     /* per node */
    uint32_t *active_subs; /* how often each is open on the path to where the walk is */
    uint32_t *active_edges;
    double *intervals;          /* per sub: stretches of time that its own time is made of */
    double *outermost;          /* per sub: calls that its inclusive time is made of */
    struct dp_amount *self_err; /* per sub: of the calibration */
    struct dp_amount *incl_err;
    struct dp_amount *over; /* per sub */
};

/* The row of a node's sub; the root's is the last. */
static uint32_t row(const struct dp_profile *prof, uint32_t node)
{
    return node ? prof->nodes[node].sub : prof->nsubs;
}

/* --- inclusive time of nodes ------------------------------------------------------------------ */

/* Children come after their parents, so that going backwards all of a node's below is complete. The
   errors of the calibration add up the same way, in place. */
static void include_children(struct work *work)
{
    const struct dp_profile *prof = work->prof;
    struct dp_time *incl = work->sums->node_incl;

    for (uint32_t i = 0; i < prof->nnodes; i++)
        incl[i] = prof->nodes[i].self;
    for (uint32_t i = prof->nnodes; i-- > 1;) {
        dp_add_time(&incl[prof->nodes[i].parent], &incl[i]);
        dp_add_amount(&work->overhead.err[prof->nodes[i].parent], &work->overhead.err[i], 1);
    }
}

/* --- subs ------------------------------------------------------------------------------------- */

static void add_selves(struct work *work)
{
    const struct dp_profile *prof = work->prof;

    for (uint32_t i = 0; i < prof->nnodes; i++) {
        const struct dp_node *node = &prof->nodes[i];
        uint32_t of = row(prof, i);

        work->sums->subs[of].calls += node->calls;
        dp_add_time(&work->sums->subs[of].self, &node->self);
        dp_add_time(&work->sums->total, &node->self);
        dp_add_amount(&work->self_err[of], &work->overhead.err[i], 1);
        dp_add_amount(&work->over[of], &work->overhead.cost[i], 1);
        work->intervals[of] += i ? (double)node->calls : 1;
        if (i)
            work->intervals[row(prof, node->parent)] += (double)node->calls;
    }
}

/* --- edges ------------------------------------------------------------------------------------ */

struct wanted_edge {
    const struct dp_edge *edges;
    uint32_t caller;
    uint32_t callee;
};

static int same_edge(const void *ctx, uint32_t edge)
{
    const struct wanted_edge *want = ctx;

    return want->edges[edge].caller == want->caller && want->edges[edge].callee == want->callee;
}

static uint32_t edge(struct dp_sums *sums, struct dp_hash *table, uint32_t caller, uint32_t callee)
{
    const struct wanted_edge want = {sums->edges, caller, callee};
    const struct dp_edge new = {caller, callee, 0, 0, 0, {0, 0, 0}, {0, 0, 0}, 0};
    uint64_t hash = dp_hash_pair(caller, callee);
    uint32_t found = dp_hash_find(table, hash, same_edge, &want);

    if (found != DP_HASH_FREE)
        return found;
    sums->edges = dp_more(sums->edges, sums->nedges, sizeof *sums->edges);
    sums->edges[sums->nedges] = new;
    dp_hash_add(table, hash, sums->nedges);
    return sums->nedges++;
}

static void find_edges(struct work *work)
{
    const struct dp_profile *prof = work->prof;
    struct dp_sums *sums = work->sums;
    struct dp_hash table = {NULL, 0, 0};

    for (uint32_t i = 1; i < prof->nnodes; i++) {
        const struct dp_node *node = &prof->nodes[i];
        uint32_t of = edge(sums, &table, row(prof, node->parent), node->sub);

        work->edge_of[i] = of;
        sums->edges[of].calls += node->calls;
        sums->edges[of].most += node->calls;
        dp_add_time(&sums->edges[of].self, &node->self);
    }
    dp_hash_free(&table);
}

/* --- what is counted once on a path ------------------------------------------------------------
 */

static void enter(struct work *work, uint32_t node)
{
    struct dp_sums *sums = work->sums;
    uint32_t sub = row(work->prof, node), of = work->edge_of[node];

    if (work->active_subs[sub]++ == 0) {
        dp_add_time(&sums->subs[sub].incl, &sums->node_incl[node]);
        dp_add_amount(&work->incl_err[sub], &work->overhead.err[node], 1);
        work->outermost[sub] += node ? (double)work->prof->nodes[node].calls : 1;
    }
    if (node && work->active_edges[of]++ == 0)
        dp_add_time(&sums->edges[of].incl, &sums->node_incl[node]);
}

static void leave(struct work *work, uint32_t node)
{
    work->active_subs[row(work->prof, node)]--;
    if (node)
        work->active_edges[work->edge_of[node]]--;
}

static void walk(struct work *work)
{
    const struct dp_node *nodes = work->prof->nodes;
    uint32_t node = 0;

    for (;;) {
        enter(work, node);
        if (nodes[node].first_child != DP_NONE) {
            node = nodes[node].first_child;
            continue;
        }
        while (leave(work, node), nodes[node].next == DP_NONE) {
            node = nodes[node].parent;
            if (node == DP_NONE)
                return;
        }
        node = nodes[node].next;
    }
}

/* A tree of counts says nothing of callers; its links do. */
static void edges_of_links(struct work *work)
{
    const struct dp_profile *prof = work->prof;
    struct dp_sums *sums = work->sums;

    dp_free(sums->edges);
    sums->edges = dp_alloc_array(prof->nlinks, sizeof *sums->edges);
    sums->nedges = prof->nlinks;
    for (uint32_t i = 0; i < prof->nlinks; i++) {
        const struct dp_link *link = &prof->links[i];
        struct dp_edge *to = &sums->edges[i];

        to->caller = link->caller == DP_NONE ? prof->nsubs : link->caller;
        to->callee = link->callee;
        to->sites = link->sites;
        to->calls = link->least;
        to->most = link->most;
        to->incl.user = (int64_t)(link->cost + 0.5);
        to->guessed = link->guessed;
    }
}

/* What statements cost with those below is said by the reader, who knows the calls. */
static void include_statements(struct work *work)
{
    const struct dp_profile *prof = work->prof;

    for (uint32_t i = 0; i < prof->nsubs; i++) {
        work->sums->subs[i].incl.user = (int64_t)(prof->subs[i].all + 0.5);
        work->sums->subs[i].guessed = prof->subs[i].guessed;
    }
}

/* --- order of edges ----------------------------------------------------------------------------
 */

/* The first index of each group when n things are put together by group; starts has groups + 1. */
static uint32_t *starts(uint32_t groups, const struct dp_edge *edges, uint32_t n, int by_callee)
{
    uint32_t *first = dp_alloc_array((size_t)groups + 1, sizeof *first);

    for (uint32_t i = 0; i < n; i++)
        first[(by_callee ? edges[i].callee : edges[i].caller) + 1]++;
    for (uint32_t g = 0; g < groups; g++)
        first[g + 1] += first[g];
    return first;
}

static uint32_t *copy_of(const uint32_t *from, uint32_t n)
{
    uint32_t *copy = dp_alloc_array(n, sizeof *copy);

    for (uint32_t i = 0; i < n; i++)
        copy[i] = from[i];
    return copy;
}

static void order_edges(struct dp_sums *sums)
{
    struct dp_edge *sorted = dp_alloc_array(sums->nedges, sizeof *sorted);
    uint32_t *at;

    sums->first_callee = starts(sums->nsubs + 1, sums->edges, sums->nedges, 0);
    at = copy_of(sums->first_callee, sums->nsubs + 1);
    for (uint32_t i = 0; i < sums->nedges; i++)
        sorted[at[sums->edges[i].caller]++] = sums->edges[i];
    dp_free(at);
    dp_free(sums->edges);
    sums->edges = sorted;

    sums->by_callee = dp_alloc_array(sums->nedges, sizeof *sums->by_callee);
    sums->first_caller = starts(sums->nsubs, sums->edges, sums->nedges, 1);
    at = copy_of(sums->first_caller, sums->nsubs);
    for (uint32_t i = 0; i < sums->nedges; i++)
        sums->by_callee[at[sums->edges[i].callee]++] = i;
    dp_free(at);
}

/* --- uncertainty --------------------------------------------------------------------------------
 */

static void judge(struct work *work)
{
    struct dp_sums *sums = work->sums;
    struct dp_amount over = {0, 0, 0};

    for (uint32_t i = 0; i <= sums->nsubs; i++) {
        struct dp_sum *sum = &sums->subs[i];

        sum->over = dp_rounded(&work->over[i]);
        sum->self_unsure = dp_unsure(work->intervals[i], &work->self_err[i]);
        sum->incl_unsure = dp_unsure(work->outermost[i], &work->incl_err[i]);
        dp_add_amount(&over, &work->over[i], 1);
    }
    sums->over = dp_rounded(&over);
}

/* --- all of it ----------------------------------------------------------------------------------
 */

static void begin(struct work *work, const struct dp_profile *prof)
{
    size_t rows = (size_t)prof->nsubs + 1;
    struct dp_sums *sums = dp_alloc(sizeof *sums);

    sums->nsubs = prof->nsubs;
    sums->subs = dp_alloc_array(rows, sizeof *sums->subs);
    sums->node_incl = dp_alloc_array(prof->nnodes, sizeof *sums->node_incl);
    work->prof = prof;
    work->sums = sums;
    work->edge_of = dp_alloc_array(prof->nnodes, sizeof *work->edge_of);
    work->active_subs = dp_alloc_array(rows, sizeof *work->active_subs);
    work->intervals = dp_alloc_array(rows, sizeof *work->intervals);
    work->outermost = dp_alloc_array(rows, sizeof *work->outermost);
    work->self_err = dp_alloc_array(rows, sizeof *work->self_err);
    work->incl_err = dp_alloc_array(rows, sizeof *work->incl_err);
    work->over = dp_alloc_array(rows, sizeof *work->over);
    dp_overhead_init(&work->overhead, prof);
}

static void end(struct work *work)
{
    dp_free(work->edge_of);
    dp_free(work->active_subs);
    dp_free(work->active_edges);
    dp_free(work->intervals);
    dp_free(work->outermost);
    dp_free(work->self_err);
    dp_free(work->incl_err);
    dp_free(work->over);
    dp_overhead_free(&work->overhead);
}

struct dp_sums *dp_sums_new(const struct dp_profile *prof)
{
    struct work work;

    begin(&work, prof);
    add_selves(&work);
    include_children(&work);
    find_edges(&work);
    work.active_edges = dp_alloc_array(work.sums->nedges, sizeof *work.active_edges);
    walk(&work);
    judge(&work);
    if (prof->counts)
        edges_of_links(&work);
    if (prof->statements)
        include_statements(&work);
    order_edges(work.sums);
    end(&work);
    return work.sums;
}

void dp_sums_free(struct dp_sums *sums)
{
    if (!sums)
        return;
    dp_free(sums->subs);
    dp_free(sums->node_incl);
    dp_free(sums->edges);
    dp_free(sums->first_callee);
    dp_free(sums->by_callee);
    dp_free(sums->first_caller);
    dp_free(sums);
}
