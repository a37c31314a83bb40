#include "pascal/returns.h"

#include <string.h>

#include "pascal/names.h"

/* Sets of routines, a bit each: those that a goto out of a routine may end in. The 64th and later
   ones share a bit. */
struct search {
    struct dp_pascal_returns *returns;
    const struct dp_pascal *pascal;
    struct dp_pascal_flow *flow; /* of no counts: whose statements are whose */
    struct dp_pascal_graph graph;
    uint64_t *targets; /* per routine: where jumps out of it, or out of what it calls, may end */
};

static uint64_t bit_of(uint32_t routine)
{
    return (uint64_t)1 << (routine < 63 ? routine : 63);
}

static void find_jumps(struct search *s)
{
    for (uint32_t n = 1; n < s->pascal->nnodes; n++) {
        uint32_t owner = s->flow->owner[n], target;

        if (s->pascal->nodes[n].kind != DP_P_GOTO)
            continue;
        target = dp_pascal_label_of(s->pascal, owner, s->pascal->nodes[n].tok + 1);
        if (target != owner && target != DP_PASCAL_NOWHERE)
            s->targets[owner] |= bit_of(target);
    }
}

/* Where a jump out of this call may end. */
static uint64_t targets_of(const struct search *s, const struct dp_pascal_call *call)
{
    uint64_t all = 0;

    if (call->callee != DP_PASCAL_NOWHERE)
        return s->targets[call->callee];
    for (uint32_t i = 0; i < s->graph.npassed; i++)
        if (s->graph.passed[i].param == call->param)
            all |= s->targets[s->graph.passed[i].routine];
    return all;
}

/* A jump that ends in the caller itself goes no further, unless the caller may be there twice in a
   way that is not seen: where routines are passed as parameters. */
static void spread(struct search *s)
{
    int changed = 1;

    while (changed) {
        changed = 0;
        for (uint32_t i = 0; i < s->graph.ncalls; i++) {
            const struct dp_pascal_call *call = &s->graph.calls[i];
            uint64_t more = targets_of(s, call);

            if (!s->graph.npassed && call->caller < 63)
                more &= ~bit_of(call->caller);
            changed |= (more & ~s->targets[call->caller]) != 0;
            s->targets[call->caller] |= more;
        }
    }
}

static void number_sites(struct search *s)
{
    for (uint32_t i = 0; i < s->graph.ncalls; i++) {
        const struct dp_pascal_call *call = &s->graph.calls[i];
        uint32_t *number = &s->returns->number[call->statement];

        if (*number || !targets_of(s, call))
            continue;
        if (s->pascal->nodes[call->statement].kind == DP_P_FOR)
            s->returns->whole = 0;
        else
            *number = ++s->returns->n;
    }
}

void dp_pascal_returns_init(struct dp_pascal_returns *returns, const struct dp_pascal *pascal)
{
    int64_t *values = dp_alloc_array(pascal->ntaken + 1, sizeof *values);
    struct search s = {0};

    memset(returns, 0, sizeof *returns);
    returns->number = dp_alloc_array(pascal->nnodes + 1, sizeof *returns->number);
    returns->whole = 1;
    s.returns = returns;
    s.pascal = pascal;
    s.flow = dp_pascal_flow_new(pascal, values);
    s.targets = dp_alloc_array(pascal->nroutines + 1, sizeof *s.targets);
    find_jumps(&s);
    dp_pascal_find_calls(&s.graph, s.flow);
    spread(&s);
    number_sites(&s);
    dp_pascal_flow_free(s.flow);
    dp_free(s.graph.calls);
    dp_free(s.graph.passed);
    dp_free(s.targets);
    dp_free(values);
}

void dp_pascal_returns_free(struct dp_pascal_returns *returns)
{
    dp_free(returns->number);
}
