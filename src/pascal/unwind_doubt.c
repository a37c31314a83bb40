/*
 * Which counts are not certain: a count is, if it stays what it is however the calls that were lost
 * are changed for others that fit as well.
 */
#include "pascal/unwind_parts.h"

#include <string.h>

struct trial {
    struct dp_unwinder *u;
    int64_t *ran; /* as they are, per node */
    int64_t *back;
    int64_t *own;           /* per routine: how far its sum is off in this trial */
    unsigned char *touched; /* per routine: 1: a count of lost calls in it was changed */
};

static void start(struct trial *t, struct dp_unwinder *u)
{
    size_t bytes = u->pascal->nnodes * sizeof *t->ran;

    t->u = u;
    t->ran = dp_alloc(bytes);
    t->back = dp_alloc(bytes);
    t->own = dp_alloc_array(u->pascal->nroutines + 1, sizeof *t->own);
    t->touched = dp_alloc_array(u->pascal->nroutines + 1, 1);
    memcpy(t->ran, u->flow->ran, bytes);
    memcpy(t->back, u->flow->back, bytes);
}

static void end(struct trial *t)
{
    dp_free(t->ran);
    dp_free(t->back);
    dp_free(t->own);
    dp_free(t->touched);
}

static void change(struct trial *t, uint32_t call, int64_t by)
{
    const struct dp_pascal_call *c = &t->u->graph.calls[call];

    t->u->flow->lost[c->statement] += by;
    t->touched[c->caller] = 1;
}

static void flow(const struct trial *t)
{
    for (uint32_t r = 0; r < t->u->pascal->nroutines; r++)
        if (t->touched[r])
            dp_pascal_flow_routine(t->u->flow, r);
}

/* What came out otherwise is doubtful. */
static void compare(const struct trial *t)
{
    const struct dp_pascal_flow *now = t->u->flow;
    uint32_t nroutines = t->u->pascal->nroutines;

    memset(t->own, 0, nroutines * sizeof *t->own);
    for (uint32_t n = 1; n < t->u->pascal->nnodes; n++) {
        int64_t ran = now->ran[n] - t->ran[n], back = now->back[n] - t->back[n];

        if (!ran && !back)
            continue;
        now->doubt[n] |= !dp_equations_is_zero(ran) || !dp_equations_is_zero(back);
        t->own[now->owner[n]] += dp_pascal_costs(t->u->pascal->nodes[n].kind, ran, back);
    }
    for (uint32_t r = 0; r < nroutines; r++)
        now->own_doubt[r] |= !dp_equations_is_zero(t->own[r]);
}

static void along(struct trial *t, const int64_t *direction)
{
    memset(t->touched, 0, t->u->pascal->nroutines);
    for (uint32_t i = 0; i < t->u->nsites; i++)
        if (direction[i])
            change(t, t->u->sites[i].call, direction[i]);
    flow(t);
    compare(t);
    for (uint32_t i = 0; i < t->u->nsites; i++)
        if (direction[i])
            change(t, t->u->sites[i].call, -direction[i]);
    flow(t);
}

void dp_unwind_doubt(struct dp_unwinder *u, const struct dp_equations *e)
{
    struct trial t;
    int64_t *direction = dp_alloc_array(e->ncolumns + 1, sizeof *direction);

    start(&t, u);
    for (uint32_t k = 0; k < e->nopen; k++) {
        dp_equations_direction(e, k, direction);
        along(&t, direction);
    }
    end(&t);
    dp_free(direction);
}

void dp_unwind_doubt_excess(struct dp_unwinder *u)
{
    struct trial t;

    start(&t, u);
    for (uint32_t i = 0; i < u->graph.ncalls; i++) {
        const struct dp_pascal_call *call = &u->graph.calls[i];

        if (call->callee == DP_PASCAL_NOWHERE || !u->excess[call->callee] || call->count <= 0)
            continue;
        u->flow->doubt[call->statement] = 1;
        change(&t, i, 1);
    }
    flow(&t);
    compare(&t);
    for (uint32_t i = 0; i < u->graph.ncalls; i++) {
        const struct dp_pascal_call *call = &u->graph.calls[i];

        if (call->callee != DP_PASCAL_NOWHERE && u->excess[call->callee] && call->count > 0)
            change(&t, i, -1);
    }
    flow(&t);
    end(&t);
}
