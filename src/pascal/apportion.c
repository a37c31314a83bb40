#include "pascal/apportion.h"

/* Lists of indices by what they belong to; NONE ends one. */
struct lists {
    uint32_t *first;
    uint32_t *next;
};
#define NONE UINT32_MAX

struct places {
    const struct dp_pascal_graph *graph;
    struct lists maybes; /* calls by callee: those that are `maybe` */
    struct lists sites;  /* calls by parameter */
    struct lists passed; /* of graph->passed, by routine */
    int64_t *rest;       /* per routine: entries that no certain call explains */
};

static void lists_init(struct lists *lists, uint32_t owners, uint32_t n)
{
    lists->first = dp_alloc_array((size_t)owners + 1, sizeof *lists->first);
    lists->next = dp_alloc_array((size_t)n + 1, sizeof *lists->next);
    for (uint32_t i = 0; i < owners; i++)
        lists->first[i] = NONE;
}

static void put_first(struct lists *lists, uint32_t owner, uint32_t i)
{
    lists->next[i] = lists->first[owner];
    lists->first[owner] = i;
}

static void lists_free(struct lists *lists)
{
    dp_free(lists->first);
    dp_free(lists->next);
}

/* From the end on, so that each list is in the order of the text. */
static void find_places(struct places *p)
{
    const struct dp_pascal_graph *graph = p->graph;

    for (uint32_t r = 0; r < graph->pascal->nroutines; r++)
        p->rest[r] = graph->costs[r].calls;
    for (uint32_t i = graph->ncalls; i-- > 0;) {
        const struct dp_pascal_call *call = &graph->calls[i];

        if (call->callee == DP_PASCAL_NOWHERE)
            put_first(&p->sites, call->param, i);
        else if (call->maybe)
            put_first(&p->maybes, call->callee, i);
        else
            p->rest[call->callee] -= call->count;
    }
    for (uint32_t i = graph->npassed; i-- > 0;)
        put_first(&p->passed, graph->passed[i].routine, i);
}

static void add_list(struct dp_pascal_shares *shares, const struct places *p,
                     const struct lists *lists, uint32_t owner, uint32_t callee)
{
    for (uint32_t i = lists->first[owner]; i != NONE; i = lists->next[i]) {
        const struct dp_pascal_call *call = &p->graph->calls[i];
        struct dp_pascal_share share = {0};

        share.call = i;
        share.callee = callee;
        share.most = call->count > 0 ? call->count : 0;
        share.more = call->twice ? share.most : 0;
        shares->shares = dp_more(shares->shares, shares->n, sizeof *shares->shares);
        shares->shares[shares->n++] = share;
    }
}

/* Do all that ran belong to one edge? Then its number is what is left, whichever of them it was. */
static int is_one_edge(const struct dp_pascal_graph *graph, const struct dp_pascal_share *shares,
                       uint32_t n)
{
    const struct dp_pascal_call *first = NULL;

    for (uint32_t i = 0; i < n; i++) {
        const struct dp_pascal_call *call = &graph->calls[shares[i].call];

        if (shares[i].most == 0)
            continue;
        if (first && (call->caller != first->caller || call->callee != first->callee))
            return 0;
        first = call;
    }
    return 1;
}

/* Splits the rest by what each can have called at most, which none gets more than; a second call of
   an operand is taken to be one only when the first ones do not suffice. The parts add up. */
static void split(struct dp_pascal_share *shares, uint32_t n, int64_t rest, int64_t most,
                  int64_t more)
{
    double first = most ? (double)(rest < most ? rest : most) / (double)most : 0;
    double second = more && rest > most ? (double)(rest - most) / (double)more : 0;
    double sum = 0, given = 0;

    if (second > 1)
        second = 1;
    for (uint32_t i = 0; i < n; i++) {
        int64_t before = (int64_t)(given + 0.5);

        sum += (double)shares[i].most * first + (double)shares[i].more * second;
        shares[i].count = (int64_t)(sum + 0.5) - before;
        given = sum;
    }
}

static void apportion(const struct places *p, struct dp_pascal_share *shares, uint32_t n,
                      int through)
{
    int64_t rest = p->rest[shares[0].callee], most = 0, more = 0;
    int sure;

    for (uint32_t i = 0; i < n; i++) {
        most += shares[i].most;
        more += shares[i].more;
    }
    split(shares, n, rest > 0 ? rest : 0, most, more);
    /* Where nothing goes through parameters, as many calls as operands are whole evaluation. */
    sure = rest == 0 || rest == most + more || (rest == most && !through) ||
           (rest > 0 && rest < most + more && is_one_edge(p->graph, shares, n));
    for (uint32_t i = 0; i < n; i++)
        shares[i].guessed = !sure && shares[i].most > 0;
}

static void share_routine(const struct places *p, uint32_t r, struct dp_pascal_shares *shares)
{
    uint32_t before = shares->n;
    const struct lists *passed = &p->passed;

    add_list(shares, p, &p->maybes, r, r);
    for (uint32_t i = passed->first[r]; i != NONE; i = passed->next[i])
        add_list(shares, p, &p->sites, p->graph->passed[i].param, r);
    if (shares->n > before)
        apportion(p, shares->shares + before, shares->n - before, passed->first[r] != NONE);
}

void dp_pascal_apportion(const struct dp_pascal_graph *graph, struct dp_pascal_shares *shares)
{
    uint32_t nroutines = graph->pascal->nroutines;
    struct places p = {0};

    p.graph = graph;
    p.rest = dp_alloc_array((size_t)nroutines + 1, sizeof *p.rest);
    lists_init(&p.maybes, nroutines, graph->ncalls);
    lists_init(&p.sites, graph->pascal->nnodes, graph->ncalls);
    lists_init(&p.passed, nroutines, graph->npassed);
    find_places(&p);
    shares->shares = NULL;
    shares->n = 0;
    for (uint32_t r = 0; r < nroutines; r++)
        share_routine(&p, r, shares);
    lists_free(&p.maybes);
    lists_free(&p.sites);
    lists_free(&p.passed);
    dp_free(p.rest);
}
