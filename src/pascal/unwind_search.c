/*
 * Each jump out of a routine went through a chain of open calls, up to the routine of its label, or
 * for halt to the program. Of all chains that the counts allow, the one is taken that explains most
 * of what the call sites call too often.
 */
#include "pascal/unwind_parts.h"

#include <string.h>

#define MOST_STEPS 20000
#define DEEPEST 256
#define MOST_ROUNDS 200

struct search {
    struct dp_unwinder *u;
    uint32_t chain[DEEPEST]; /* sites */
    uint32_t nchain;
    uint32_t best[DEEPEST];
    uint32_t nbest;
    int64_t best_used;
    int64_t used;
    int64_t all;   /* that is to be explained */
    uint32_t fits; /* chains that explain it */
    int cut;       /* 1: not every chain was tried */
};

/* A step of the chain that is tried. */
struct step {
    uint32_t routine;
    uint32_t next; /* the site to be tried next */
    int64_t used;
};

static int take(struct search *s, uint32_t which, int sign)
{
    const struct dp_site *site = &s->u->sites[which];
    int fits = 1;

    for (uint32_t i = 0; i < site->neffects; i++) {
        const struct dp_effect *effect = &site->effects[i];

        s->u->excess[effect->routine] -= sign * effect->fewer;
        s->used += sign * effect->fewer;
        fits &= s->u->excess[effect->routine] >= 0;
    }
    return fits;
}

static void keep_best(struct search *s)
{
    s->fits += s->used == s->all;
    if (s->nbest && s->used <= s->best_used)
        return;
    memcpy(s->best, s->chain, s->nchain * sizeof *s->chain);
    s->nbest = s->nchain;
    s->best_used = s->used;
}

/* Was this routine passed on the way here without anything being explained since? */
static int goes_in_circles(const struct step *steps, uint32_t n, uint32_t routine, int64_t used)
{
    for (uint32_t i = 0; i < n; i++)
        if (steps[i].routine == routine && steps[i].used == used)
            return 1;
    return 0;
}

/* Is the chain not followed further, though it goes on? */
static int is_cut(struct search *s, const struct step *steps, uint32_t n, uint32_t routine)
{
    if (n < DEEPEST && !goes_in_circles(steps, n, routine, s->used))
        return 0;
    s->cut = 1;
    return 1;
}

static int64_t excess(const struct dp_unwinder *u)
{
    int64_t sum = 0;

    for (uint32_t r = 0; r < u->pascal->nroutines; r++)
        sum += u->excess[r];
    return sum;
}

static int is_end(const struct search *s, uint32_t caller, uint32_t target)
{
    return target == DP_PASCAL_NOWHERE ? s->u->pascal->routines[caller].kind == DP_T_PROGRAM
                                       : caller == target;
}

static const struct dp_pascal_call *call_of(const struct search *s, uint32_t site)
{
    return &s->u->graph.calls[s->u->sites[site].call];
}

/* The next site of a step that still has calls. */
static uint32_t next_site(const struct search *s, struct step *at)
{
    uint32_t site = at->next;

    while (site != DP_PASCAL_NOWHERE && call_of(s, site)->count <= 0)
        site = s->u->sites[site].next;
    at->next = site == DP_PASCAL_NOWHERE ? site : s->u->sites[site].next;
    return site;
}

static void search(struct search *s, const struct dp_jump *jump)
{
    struct step steps[DEEPEST];
    uint32_t depth = 0, tried = 0;

    s->nchain = s->nbest = 0;
    s->used = s->best_used = 0;
    s->fits = 0;
    s->cut = 0;
    s->all = excess(s->u);
    steps[0] = (struct step){jump->routine, s->u->by_callee[jump->routine], 0};
    for (;;) {
        uint32_t site = tried++ > MOST_STEPS ? DP_PASCAL_NOWHERE : next_site(s, &steps[depth]),
                 caller;

        s->cut |= tried > MOST_STEPS;
        if (site == DP_PASCAL_NOWHERE) {
            if (depth-- == 0)
                return;
            take(s, s->chain[--s->nchain], -1);
            continue;
        }
        caller = call_of(s, site)->caller;
        if (!take(s, site, 1)) {
            take(s, site, -1);
            continue;
        }
        s->chain[s->nchain++] = site;
        if (is_end(s, caller, jump->target))
            keep_best(s);
        if (caller == jump->target || s->u->pascal->routines[caller].kind == DP_T_PROGRAM ||
            is_cut(s, steps, depth + 1, caller)) {
            take(s, site, -1);
            s->nchain--;
            continue;
        }
        steps[++depth] = (struct step){caller, s->u->by_callee[caller], s->used};
    }
}

/* How often the best chain can have been gone. */
static int64_t times(const struct search *s, int64_t most)
{
    const struct dp_unwinder *u = s->u;
    int64_t *uses = dp_alloc_array(u->pascal->nroutines + 1, sizeof *uses);

    for (uint32_t i = 0; i < s->nbest; i++)
        for (uint32_t k = 0; k < u->sites[s->best[i]].neffects; k++)
            uses[u->sites[s->best[i]].effects[k].routine] += u->sites[s->best[i]].effects[k].fewer;
    for (uint32_t r = 0; r < u->pascal->nroutines; r++)
        if (uses[r] > 0 && u->excess[r] / uses[r] < most)
            most = u->excess[r] / uses[r];
    dp_free(uses);
    return most > 0 ? most : 1;
}

static int unwind_jump(struct search *s, const struct dp_jump *jump)
{
    struct dp_unwinder *u = s->u;
    int64_t left = jump->count;

    if (jump->target == DP_PASCAL_NOWHERE &&
        u->pascal->routines[jump->routine].kind == DP_T_PROGRAM)
        return 1;
    for (int round = 0; left > 0 && round < MOST_ROUNDS; round++) {
        int64_t n;

        search(s, jump);
        if (!s->nbest)
            return 0;
        n = times(s, left);
        for (uint32_t i = 0; i < s->nbest; i++)
            u->flow->lost[call_of(s, s->best[i])->statement] += n;
        dp_pascal_flow_all(u->flow);
        dp_unwind_measure(u);
        left -= n;
    }
    return left == 0;
}

enum dp_found dp_unwind_search(struct dp_unwinder *u)
{
    struct search *s = dp_alloc(sizeof *s);
    int all = 1, only;

    s->u = u;
    for (uint32_t i = 0; i < u->njumps; i++)
        all &= unwind_jump(s, &u->jumps[i]);
    /* One jump that went once is one chain: each of them was tried. */
    only = u->njumps == 1 && u->jumps[0].count == 1 && s->fits == 1 && !s->cut;
    dp_free(s);
    return !all ? DP_FOUND_NOTHING : only ? DP_FOUND_ONLY : DP_FOUND_ONE;
}
