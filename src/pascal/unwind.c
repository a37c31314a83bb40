/*
 * Calls that did not come back. What is known of them is linear: of each routine as many
 * activations were left as calls of it did not come back, and it was entered as often as its sites
 * called it. Where that has one solution the counts are exact; where it has several, one of them is
 * taken, and the counts that differ between them are marked.
 */
#include "pascal/unwind_parts.h"

#include <string.h>

#include "pascal/names.h"

#define MOST_WORK 100000000 /* tokens of routines, once for each place in them that is tried */

static const struct dp_pascal_node *node(const struct dp_unwinder *u, uint32_t n)
{
    return &u->pascal->nodes[n];
}

/* --- what jumps out --- */

static void add_jump(struct dp_unwinder *u, uint32_t routine, uint32_t target, uint32_t statement)
{
    struct dp_jump jump = {routine, target, statement, u->flow->ran[statement]};

    if (jump.count <= 0)
        return;
    u->jumps = dp_more(u->jumps, u->njumps, sizeof *u->jumps);
    u->jumps[u->njumps++] = jump;
}

static void goto_jump(struct dp_unwinder *u, uint32_t n)
{
    uint32_t routine = u->flow->owner[n];
    uint32_t target = dp_pascal_label_of(u->pascal, routine, node(u, n)->tok + 1);

    if (target != routine && target != DP_PASCAL_NOWHERE)
        add_jump(u, routine, target, n);
}

/* Of the kinds in `what`. */
static void find_jumps(struct dp_unwinder *u, unsigned what)
{
    struct dp_pascal_names names;

    dp_pascal_names_init(&names, u->pascal);
    for (uint32_t n = 1; n < u->pascal->nnodes; n++) {
        if (what & DP_UNWIND_GOTOS && node(u, n)->kind == DP_P_GOTO)
            goto_jump(u, n);
        else if (what & DP_UNWIND_HALTS && node(u, n)->kind == DP_P_CALL &&
                 dp_pascal_same(u->pascal, node(u, n)->tok, "halt", 4) &&
                 !dp_pascal_name(&names, node(u, n)->tok, u->flow->owner[n]))
            add_jump(u, u->flow->owner[n], DP_PASCAL_NOWHERE, n);
    }
    dp_pascal_names_free(&names);
}

/* --- what the counts say --- */

void dp_unwind_measure(struct dp_unwinder *u)
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

static void mark_free(struct dp_unwinder *u)
{
    for (uint32_t r = 0; r < u->pascal->nroutines; r++)
        u->free[r] = !u->pascal->routines[r].body || u->pascal->routines[r].kind == DP_T_PROGRAM;
    for (uint32_t i = 0; i < u->graph.npassed; i++)
        u->free[u->graph.passed[i].routine] = 1;
    for (uint32_t i = 0; i < u->graph.ncalls; i++)
        if (u->graph.calls[i].maybe && u->graph.calls[i].callee != DP_PASCAL_NOWHERE)
            u->free[u->graph.calls[i].callee] = 1;
}

static void index_calls(struct dp_unwinder *u)
{
    uint32_t nroutines = u->pascal->nroutines;

    u->first = dp_alloc_array(nroutines + 2, sizeof *u->first);
    u->by_caller = dp_alloc_array(u->graph.ncalls + 1, sizeof *u->by_caller);
    for (uint32_t i = 0; i < u->graph.ncalls; i++)
        u->first[u->graph.calls[i].caller + 1]++;
    for (uint32_t r = 0; r < nroutines; r++)
        u->first[r + 1] += u->first[r];
    for (uint32_t i = u->graph.ncalls; i-- > 0;)
        u->by_caller[--u->first[u->graph.calls[i].caller + 1]] = i;
    for (uint32_t r = 0; r < nroutines; r++)
        u->first[r] = u->first[r + 1];
    u->first[nroutines] = u->graph.ncalls;
}

/* --- places that may have been left --- */

static void add_site(struct dp_unwinder *u, uint32_t call, uint32_t callee)
{
    struct dp_site *site;

    u->sites = dp_more(u->sites, u->nsites, sizeof *u->sites);
    site = &u->sites[u->nsites];
    memset(site, 0, sizeof *site);
    site->call = call;
    site->callee = callee;
    site->next = u->by_callee[callee];
    u->by_callee[callee] = u->nsites++;
}

/* All calls, by what they may call. */
static void find_sites(struct dp_unwinder *u)
{
    for (uint32_t i = u->graph.ncalls; i-- > 0;) {
        const struct dp_pascal_call *call = &u->graph.calls[i];

        if (call->count <= 0)
            continue;
        if (call->callee != DP_PASCAL_NOWHERE)
            add_site(u, i, call->callee);
        for (uint32_t k = 0; call->callee == DP_PASCAL_NOWHERE && k < u->graph.npassed; k++) {
            const struct dp_pascal_passed *passed = &u->graph.passed[k];
            uint32_t last = u->by_callee[passed->routine];

            if (passed->param == call->param &&
                (last == DP_PASCAL_NOWHERE || u->sites[last].call != i))
                add_site(u, i, passed->routine);
        }
    }
}

/* Of them, those that lead to a jump; the others go. */
static void keep_sites_of_jumps(struct dp_unwinder *u)
{
    unsigned char *leads = dp_alloc_array(u->pascal->nroutines + 1, 1);
    uint32_t *todo = dp_alloc_array(u->pascal->nroutines + 1, sizeof *todo), ntodo = 0, n = 0;

    for (uint32_t i = 0; i < u->njumps; i++)
        if (!leads[u->jumps[i].routine]++)
            todo[ntodo++] = u->jumps[i].routine;
    while (ntodo) {
        uint32_t site = u->by_callee[todo[--ntodo]];

        for (; site != DP_PASCAL_NOWHERE; site = u->sites[site].next) {
            uint32_t caller = u->graph.calls[u->sites[site].call].caller;

            if (!leads[caller])
                todo[ntodo++] = caller;
            leads[caller] = 1;
        }
    }
    memset(u->by_callee, 0xff, (u->pascal->nroutines + 1) * sizeof *u->by_callee);
    for (uint32_t i = 0; i < u->nsites; i++) {
        struct dp_site *site = &u->sites[n];

        *site = u->sites[i];
        if (!leads[site->callee])
            continue;
        site->next = u->by_callee[site->callee];
        u->by_callee[site->callee] = n++;
    }
    u->nsites = n;
    dp_free(leads);
    dp_free(todo);
}

/* --- the equations: a row for what was left of each routine, a row for its entries --- */

static uint32_t end_of(const struct dp_jump *jump)
{
    return jump->target == DP_PASCAL_NOWHERE ? 0 : jump->target;
}

static void add_effect(struct dp_unwinder *u, struct dp_site *site, uint32_t routine, int64_t fewer)
{
    uint32_t known = u->effect_of[routine];

    if (known) {
        site->effects[known - 1].fewer += fewer;
        return;
    }
    site->effects = dp_more(site->effects, site->neffects, sizeof *site->effects);
    site->effects[site->neffects++] = (struct dp_effect){routine, fewer};
    u->effect_of[routine] = site->neffects;
}

/* What one call that is lost at a site changes in its routine, the calls and the jumps in it: tried
   out. */
static void find_effects(struct dp_unwinder *u, struct dp_equations *e, uint32_t which)
{
    struct dp_site *site = &u->sites[which];
    const struct dp_pascal_call *call = &u->graph.calls[site->call];

    u->flow->lost[call->statement]++;
    dp_pascal_flow_routine(u->flow, call->caller);
    for (uint32_t i = u->first[call->caller]; i < u->first[call->caller + 1]; i++) {
        const struct dp_pascal_call *other = &u->graph.calls[u->by_caller[i]];
        int64_t fewer = other->count - dp_pascal_call_count(u->flow, other);

        if (!fewer || other->callee == DP_PASCAL_NOWHERE || u->free[other->callee])
            continue;
        add_effect(u, site, other->callee, fewer);
    }
    for (uint32_t i = 0; i < u->njumps; i++) {
        const struct dp_jump *jump = &u->jumps[i];
        int64_t fewer = jump->count - u->flow->ran[jump->statement];

        if (jump->routine != call->caller || !fewer)
            continue;
        dp_equations_add(e, jump->routine, which, fewer);
        dp_equations_add(e, end_of(jump), which, -fewer);
    }
    u->flow->lost[call->statement]--;
    dp_pascal_flow_routine(u->flow, call->caller);
    for (uint32_t i = 0; i < site->neffects; i++) {
        const struct dp_effect *effect = &site->effects[i];

        u->effect_of[effect->routine] = 0;
        dp_equations_add(e, u->pascal->nroutines + effect->routine, which, effect->fewer);
    }
}

static struct dp_equations *equations(struct dp_unwinder *u)
{
    uint32_t n = u->pascal->nroutines;
    struct dp_equations *e = dp_equations_new(2 * n, u->nsites);

    for (uint32_t i = 0; i < u->njumps; i++) {
        e->right[u->jumps[i].routine] += u->jumps[i].count;
        e->right[end_of(&u->jumps[i])] -= u->jumps[i].count;
    }
    for (uint32_t r = 0; r < n; r++)
        e->right[n + r] = u->excess[r];
    for (uint32_t i = 0; i < u->nsites; i++) {
        const struct dp_pascal_call *call = &u->graph.calls[u->sites[i].call];

        e->most[i] = call->count;
        dp_equations_add(e, u->sites[i].callee, i, 1);
        dp_equations_add(e, call->caller, i, -1);
        find_effects(u, e, i);
    }
    return e;
}

/* --- all together --- */

static int any_excess(const struct dp_unwinder *u)
{
    for (uint32_t r = 0; r < u->pascal->nroutines; r++)
        if (u->excess[r])
            return 1;
    return 0;
}

static void take_solution(struct dp_unwinder *u, const struct dp_equations *e)
{
    for (uint32_t i = 0; i < u->nsites; i++)
        u->flow->lost[u->graph.calls[u->sites[i].call].statement] += e->least[i];
    dp_pascal_flow_all(u->flow);
    dp_unwind_measure(u);
}

/* One of several ways: a chain for each jump, or else numbers that fit. */
static enum dp_found take_one(struct dp_unwinder *u, struct dp_equations *e, enum dp_solved how)
{
    size_t bytes = u->pascal->nnodes * sizeof *u->flow->lost;
    int64_t *kept = dp_alloc(bytes);
    enum dp_found found;

    memcpy(kept, u->flow->lost, bytes);
    found = dp_unwind_search(u);
    if (any_excess(u))
        found = DP_FOUND_NOTHING;
    if (!found && how == DP_SOLVED_OFTEN && dp_equations_choose(e)) {
        memcpy(u->flow->lost, kept, bytes);
        take_solution(u, e);
        found = DP_FOUND_ONE;
    }
    dp_free(kept);
    return found;
}

/* Can every site be tried in a second or so? */
static int is_feasible(const struct dp_unwinder *u)
{
    uint64_t work = 0;

    for (uint32_t i = 0; i < u->nsites; i++) {
        uint32_t caller = u->graph.calls[u->sites[i].call].caller;
        const struct dp_pascal_node *body = node(u, u->pascal->routines[caller].body);

        work += body->last - body->tok + u->njumps;
    }
    return work <= MOST_WORK;
}

/* In one of several ways: what they differ in is doubtful, unless the search knows better. */
static enum dp_pascal_unwound guess(struct dp_unwinder *u, struct dp_equations *e,
                                    enum dp_solved how)
{
    enum dp_found found;

    if (how != DP_SOLVED_NEVER)
        dp_unwind_doubt(u, e);
    found = take_one(u, e, how);
    if (found == DP_FOUND_ONLY) {
        memset(u->flow->doubt, 0, u->pascal->nnodes);
        memset(u->flow->own_doubt, 0, u->pascal->nroutines);
        return DP_UNWOUND_EXACT;
    }
    return found ? DP_UNWOUND_GUESSED : DP_UNWOUND_PARTLY;
}

static enum dp_pascal_unwound explain(struct dp_unwinder *u)
{
    struct dp_equations *e;
    enum dp_solved how;
    enum dp_pascal_unwound result = DP_UNWOUND_EXACT;

    find_sites(u);
    keep_sites_of_jumps(u);
    if (!is_feasible(u))
        return DP_UNWOUND_PARTLY;
    e = equations(u);
    how = dp_equations_solve(e);
    if (how == DP_SOLVED_ONCE)
        take_solution(u, e);
    else
        result = guess(u, e, how);
    dp_equations_free(e);
    return result;
}

static void start(struct dp_unwinder *u, struct dp_pascal_flow *flow, unsigned what)
{
    uint32_t n = flow->pascal->nroutines;

    memset(u, 0, sizeof *u);
    u->flow = flow;
    u->pascal = flow->pascal;
    u->excess = dp_alloc_array(n + 1, sizeof *u->excess);
    u->free = dp_alloc_array(n + 1, 1);
    u->effect_of = dp_alloc_array(n + 1, sizeof *u->effect_of);
    u->by_callee = dp_alloc_array(n + 1, sizeof *u->by_callee);
    memset(u->by_callee, 0xff, (n + 1) * sizeof *u->by_callee);
    dp_pascal_find_calls(&u->graph, flow);
    index_calls(u);
    find_jumps(u, what);
    for (uint32_t i = 0; i < u->njumps; i++)
        if (u->jumps[i].target == DP_PASCAL_NOWHERE)
            flow->lost[u->jumps[i].statement] += u->jumps[i].count;
    dp_pascal_flow_all(flow);
    mark_free(u);
    dp_unwind_measure(u);
}

static void free_all(struct dp_unwinder *u)
{
    for (uint32_t i = 0; i < u->nsites; i++)
        dp_free(u->sites[i].effects);
    dp_free(u->sites);
    dp_free(u->graph.calls);
    dp_free(u->graph.passed);
    dp_free(u->first);
    dp_free(u->by_caller);
    dp_free(u->by_callee);
    dp_free(u->jumps);
    dp_free(u->excess);
    dp_free(u->free);
    dp_free(u->effect_of);
}

enum dp_pascal_unwound dp_pascal_unwind(struct dp_pascal_flow *flow, unsigned what)
{
    struct dp_unwinder u;
    struct dp_pascal_clash clash = flow->clash;
    enum dp_pascal_unwound how = DP_UNWOUND_NOTHING;

    start(&u, flow, what);
    if (!flow->pascal->has_program)
        how = DP_UNWOUND_NOTHING; /* others call its routines */
    else if (u.njumps)
        how = explain(&u);
    else if (any_excess(&u))
        how = DP_UNWOUND_PARTLY;
    if (how == DP_UNWOUND_PARTLY)
        dp_unwind_doubt_excess(&u);
    flow->clash = clash;
    free_all(&u);
    return how;
}
