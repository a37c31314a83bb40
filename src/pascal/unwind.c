/*
 * A search for the calls that did not come back. Each jump out of a routine went through a chain of
 * open calls, up to the routine of its label, or for halt to the program. Of all chains that the
 * counts allow, the one is taken that explains most of what the call sites call too often.
 */
#include "pascal/unwind.h"

#include <string.h>

#include "pascal/names.h"

#define MOST_STEPS 20000
#define DEEPEST 256
#define MOST_ROUNDS 200

/* What a jump out of a routine goes from and to. */
struct jump {
    uint32_t routine;
    uint32_t target; /* DP_PASCAL_NOWHERE: all the way, it is a halt */
    uint32_t statement;
    int64_t count;
};

/* So many calls fewer of a routine for each call that is lost at a site. */
struct effect {
    uint32_t routine;
    int64_t fewer;
};

struct site {
    struct effect *effects;
    uint32_t neffects;
};

struct unwinder {
    struct dp_pascal_flow *flow;
    const struct dp_pascal *pascal;
    struct dp_pascal_graph graph; /* only its calls and what is passed */
    struct jump *jumps;
    uint32_t njumps;
    struct site *sites;  /* per call */
    int64_t *excess;     /* per routine: what its sites call too often */
    unsigned char *free; /* per routine: 1: also called in ways that are not seen */
    /* The search. */
    uint32_t chain[DEEPEST];
    uint32_t nchain;
    uint32_t best[DEEPEST];
    uint32_t nbest;
    int64_t best_used;
    int64_t used;
    uint32_t steps;
};

static const struct dp_pascal_node *node(const struct unwinder *u, uint32_t n)
{
    return &u->pascal->nodes[n];
}

/* --- what jumps out --- */

static int declares(const struct unwinder *u, uint32_t routine, uint32_t label)
{
    size_t n;
    const char *text = dp_pascal_text(u->pascal, label, &n);

    for (uint32_t s = u->pascal->routines[routine].decls; s; s = node(u, s)->next) {
        if (node(u, s)->kind != DP_P_LABELS)
            continue;
        for (uint32_t l = node(u, s)->child; l; l = node(u, l)->next) {
            size_t length;
            const char *other = dp_pascal_text(u->pascal, node(u, l)->tok, &length);

            if (length == n && memcmp(other, text, n) == 0)
                return 1;
        }
    }
    return 0;
}

static void add_jump(struct unwinder *u, uint32_t routine, uint32_t target, uint32_t statement)
{
    struct jump jump = {routine, target, statement, u->flow->ran[statement]};

    if (jump.count <= 0)
        return;
    u->jumps = dp_more(u->jumps, u->njumps, sizeof *u->jumps);
    u->jumps[u->njumps++] = jump;
}

static void goto_jump(struct unwinder *u, uint32_t n)
{
    uint32_t routine = u->flow->owner[n], target = routine;

    while (target != DP_PASCAL_NOWHERE && !declares(u, target, node(u, n)->tok + 1))
        target = u->pascal->routines[target].parent;
    if (target != routine && target != DP_PASCAL_NOWHERE)
        add_jump(u, routine, target, n);
}

static void find_jumps(struct unwinder *u)
{
    struct dp_pascal_names names;

    dp_pascal_names_init(&names, u->pascal);
    for (uint32_t n = 1; n < u->pascal->nnodes; n++) {
        if (node(u, n)->kind == DP_P_GOTO)
            goto_jump(u, n);
        else if (node(u, n)->kind == DP_P_CALL &&
                 dp_pascal_same(u->pascal, node(u, n)->tok, "halt", 4) &&
                 !dp_pascal_name(&names, node(u, n)->tok, u->flow->owner[n]))
            add_jump(u, u->flow->owner[n], DP_PASCAL_NOWHERE, n);
    }
    dp_pascal_names_free(&names);
}

/* --- what the counts say --- */

static void measure(struct unwinder *u)
{
    for (uint32_t r = 0; r < u->pascal->nroutines; r++)
        u->excess[r] =
            u->pascal->routines[r].body ? -u->flow->values[u->pascal->routines[r].counter - 1] : 0;
    for (uint32_t i = 0; i < u->graph.ncalls; i++) {
        struct dp_pascal_call *call = &u->graph.calls[i];

        call->count = dp_pascal_call_count(u->flow, call);
        if (call->callee != DP_PASCAL_NOWHERE)
            u->excess[call->callee] += call->count;
    }
    for (uint32_t r = 0; r < u->pascal->nroutines; r++)
        if (u->free[r])
            u->excess[r] = 0;
}

static void mark_free(struct unwinder *u)
{
    for (uint32_t r = 0; r < u->pascal->nroutines; r++)
        u->free[r] = !u->pascal->routines[r].body || u->pascal->routines[r].kind == DP_T_PROGRAM;
    for (uint32_t i = 0; i < u->graph.npassed; i++)
        u->free[u->graph.passed[i].routine] = 1;
}

/* What one call that is lost at a site changes in its routine: tried out. */
static void find_effects(struct unwinder *u, uint32_t which)
{
    const struct dp_pascal_call *call = &u->graph.calls[which];
    struct site *site = &u->sites[which];

    u->flow->lost[call->statement]++;
    dp_pascal_flow_routine(u->flow, call->caller);
    for (uint32_t i = 0; i < u->graph.ncalls; i++) {
        const struct dp_pascal_call *other = &u->graph.calls[i];
        int64_t fewer = other->count;

        if (other->caller != call->caller || other->callee == DP_PASCAL_NOWHERE ||
            u->free[other->callee])
            continue;
        fewer -= dp_pascal_call_count(u->flow, other);
        if (!fewer)
            continue;
        site->effects = dp_more(site->effects, site->neffects, sizeof *site->effects);
        site->effects[site->neffects++] = (struct effect){other->callee, fewer};
    }
    u->flow->lost[call->statement]--;
    dp_pascal_flow_routine(u->flow, call->caller);
}

/* --- the search --- */

static int take(struct unwinder *u, uint32_t which, int sign)
{
    const struct site *site = &u->sites[which];
    int fits = 1;

    for (uint32_t i = 0; i < site->neffects; i++) {
        u->excess[site->effects[i].routine] -= sign * site->effects[i].fewer;
        u->used += sign * site->effects[i].fewer;
        fits &= u->excess[site->effects[i].routine] >= 0;
    }
    return fits;
}

/* May this place have called the routine? */
static int calls(const struct unwinder *u, const struct dp_pascal_call *call, uint32_t routine)
{
    if (call->callee != DP_PASCAL_NOWHERE)
        return call->callee == routine;
    for (uint32_t i = 0; i < u->graph.npassed; i++)
        if (u->graph.passed[i].routine == routine && u->graph.passed[i].param == call->param)
            return 1;
    return 0;
}

static void keep_best(struct unwinder *u)
{
    if (u->nbest && u->used <= u->best_used)
        return;
    memcpy(u->best, u->chain, u->nchain * sizeof *u->chain);
    u->nbest = u->nchain;
    u->best_used = u->used;
}

/* A step of the chain that is tried. */
struct step {
    uint32_t routine;
    uint32_t next; /* the call to be tried next */
    int64_t used;
};

/* Was this routine passed on the way here without anything being explained since? */
static int goes_in_circles(const struct step *steps, uint32_t n, uint32_t routine, int64_t used)
{
    for (uint32_t i = 0; i < n; i++)
        if (steps[i].routine == routine && steps[i].used == used)
            return 1;
    return 0;
}

static int is_end(const struct unwinder *u, uint32_t caller, uint32_t target)
{
    return target == DP_PASCAL_NOWHERE ? u->pascal->routines[caller].kind == DP_T_PROGRAM
                                       : caller == target;
}

static void search(struct unwinder *u, const struct jump *jump)
{
    struct step steps[DEEPEST];
    uint32_t depth = 0;

    u->nchain = u->nbest = 0;
    u->used = u->best_used = 0;
    u->steps = 0;
    steps[0] = (struct step){jump->routine, 0, 0};
    for (;;) {
        struct step *at = &steps[depth];
        const struct dp_pascal_call *call;
        uint32_t which;

        while (at->next < u->graph.ncalls && (u->graph.calls[at->next].count <= 0 ||
                                              !calls(u, &u->graph.calls[at->next], at->routine)))
            at->next++;
        if (at->next == u->graph.ncalls || u->steps++ > MOST_STEPS) {
            if (depth-- == 0)
                return;
            take(u, u->chain[--u->nchain], -1);
            continue;
        }
        which = at->next++;
        call = &u->graph.calls[which];
        if (!take(u, which, 1)) {
            take(u, which, -1);
            continue;
        }
        u->chain[u->nchain++] = which;
        if (is_end(u, call->caller, jump->target))
            keep_best(u);
        if (depth + 1 == DEEPEST || call->caller == jump->target ||
            u->pascal->routines[call->caller].kind == DP_T_PROGRAM ||
            goes_in_circles(steps, depth + 1, call->caller, u->used)) {
            take(u, which, -1);
            u->nchain--;
            continue;
        }
        steps[++depth] = (struct step){call->caller, 0, u->used};
    }
}

/* How often the best chain can have been gone. */
static int64_t times(struct unwinder *u, int64_t most)
{
    int64_t *uses = dp_alloc_array(u->pascal->nroutines + 1, sizeof *uses);

    for (uint32_t i = 0; i < u->nbest; i++)
        for (uint32_t k = 0; k < u->sites[u->best[i]].neffects; k++)
            uses[u->sites[u->best[i]].effects[k].routine] += u->sites[u->best[i]].effects[k].fewer;
    for (uint32_t r = 0; r < u->pascal->nroutines; r++)
        if (uses[r] > 0 && u->excess[r] / uses[r] < most)
            most = u->excess[r] / uses[r];
    dp_free(uses);
    return most > 0 ? most : 1;
}

static int unwind_jump(struct unwinder *u, const struct jump *jump)
{
    int64_t left = jump->count;

    if (jump->target == DP_PASCAL_NOWHERE &&
        u->pascal->routines[jump->routine].kind == DP_T_PROGRAM)
        return 1;
    for (int round = 0; left > 0 && round < MOST_ROUNDS; round++) {
        int64_t n;

        search(u, jump);
        if (!u->nbest)
            return 0;
        n = times(u, left);
        for (uint32_t i = 0; i < u->nbest; i++)
            u->flow->lost[u->graph.calls[u->best[i]].statement] += n;
        dp_pascal_flow_all(u->flow);
        measure(u);
        left -= n;
    }
    return left == 0;
}

static void free_all(struct unwinder *u)
{
    for (uint32_t i = 0; i < u->graph.ncalls; i++)
        dp_free(u->sites[i].effects);
    dp_free(u->sites);
    dp_free(u->graph.calls);
    dp_free(u->graph.passed);
    dp_free(u->jumps);
    dp_free(u->excess);
    dp_free(u->free);
}

static enum dp_pascal_unwound result(const struct unwinder *u, int all)
{
    for (uint32_t r = 0; r < u->pascal->nroutines; r++)
        if (u->excess[r])
            return DP_UNWOUND_PARTLY;
    return !all ? DP_UNWOUND_PARTLY : u->njumps ? DP_UNWOUND_EXACT : DP_UNWOUND_NOTHING;
}

enum dp_pascal_unwound dp_pascal_unwind(struct dp_pascal_flow *flow)
{
    struct unwinder *u = dp_alloc(sizeof *u);
    struct dp_pascal_clash clash = flow->clash;
    enum dp_pascal_unwound how;
    int all = 1;

    u->flow = flow;
    u->pascal = flow->pascal;
    u->excess = dp_alloc_array(u->pascal->nroutines + 1, sizeof *u->excess);
    u->free = dp_alloc_array(u->pascal->nroutines + 1, 1);
    dp_pascal_find_calls(&u->graph, flow);
    u->sites = dp_alloc_array(u->graph.ncalls + 1, sizeof *u->sites);
    find_jumps(u);
    for (uint32_t i = 0; i < u->njumps; i++)
        if (u->jumps[i].target == DP_PASCAL_NOWHERE)
            flow->lost[u->jumps[i].statement] += u->jumps[i].count;
    dp_pascal_flow_all(flow);
    mark_free(u);
    measure(u);
    for (uint32_t i = 0; u->njumps && i < u->graph.ncalls; i++)
        if (u->graph.calls[i].count > 0)
            find_effects(u, i);
    for (uint32_t i = 0; i < u->njumps; i++)
        all &= unwind_jump(u, &u->jumps[i]);
    flow->clash = clash;
    how = result(u, all);
    free_all(u);
    dp_free(u);
    return how;
}
