/* The difference of two profiles of counts. */
#include "model/change.h"

#include "base/mem.h"
#include "model/links.h"
#include "model/notes.h"
#include "model/strings.h"

/* Counters of six digits go round there. */
#define ROUND 1000000u

/* Per string of prof, the sub of that name. */
static uint32_t *subs_of(const struct dp_profile *prof)
{
    uint32_t *subs = dp_alloc_array(prof->strings->n, sizeof *subs);

    for (uint32_t i = 0; i < prof->strings->n; i++)
        subs[i] = DP_NONE;
    for (uint32_t i = 0; i < prof->nsubs; i++)
        subs[prof->subs[i].name] = i;
    return subs;
}

/* Calls of one sub went from `before` to what its node has now. */
static void subtract(struct dp_profile *prof, uint32_t node, uint64_t before)
{
    struct dp_node *now = &prof->nodes[node];
    struct dp_sub *sub = &prof->subs[now->sub];

    if (now->calls >= before) {
        now->calls -= before;
    } else if (before < ROUND) {
        dp_note(prof, DP_NOTE_WRAPPED, 0, "%s went from %llu to %llu: its counter went round",
                dp_string(prof, sub->name, NULL), (unsigned long long)before,
                (unsigned long long)now->calls);
        now->calls += ROUND - before;
        sub->doubt |= DP_DOUBT_WRAPPED;
    } else {
        dp_note(prof, DP_NOTE_IMPOSSIBLE, 0, "%s went down, from %llu to %llu: not of one run",
                dp_string(prof, sub->name, NULL), (unsigned long long)before,
                (unsigned long long)now->calls);
        now->calls = 0;
        sub->doubt |= DP_DOUBT_DAMAGED;
    }
    if (now->calls == 0 && sub->kind == DP_KIND_UNKNOWN)
        sub->kind = DP_KIND_UNCALLED;
}

/* What is known of edges at both ends: exact ones stay exact, bounds become wider. */
static void subtract_links(struct dp_profile *prof, const uint64_t *now,
                           const struct dp_profile *base, const uint32_t *sub_in_base)
{
    for (uint32_t i = 0; i < prof->nlinks; i++) {
        struct dp_link *link = &prof->links[i];
        uint32_t caller = link->caller == DP_NONE ? DP_NONE : sub_in_base[link->caller];

        for (uint32_t k = 0; k < base->nlinks; k++) {
            const struct dp_link *old = &base->links[k];

            if (old->callee != sub_in_base[link->callee] || old->caller != caller)
                continue;
            link->least = link->least > old->most ? link->least - old->most : 0;
            if (link->most != UINT64_MAX)
                link->most = link->most > old->least ? link->most - old->least : 0;
            break;
        }
        if (link->most > now[link->callee])
            link->most = now[link->callee];
        if (link->least > link->most)
            link->least = link->most;
    }
}

void dp_profile_subtract(struct dp_profile *prof, const struct dp_profile *base)
{
    uint64_t *before = dp_calls_of(base), *now;
    uint32_t *by_name = subs_of(base);
    uint32_t *sub_in_base = dp_alloc_array(prof->nsubs, sizeof *sub_in_base);

    for (uint32_t i = 0; i < prof->nsubs; i++) {
        size_t n;
        const char *name = dp_string(prof, prof->subs[i].name, &n);
        uint32_t string = dp_find_string(base->strings, name, n);

        sub_in_base[i] = string == DP_NONE ? DP_NONE : by_name[string];
    }
    for (uint32_t i = 1; i < prof->nnodes; i++)
        if (sub_in_base[prof->nodes[i].sub] != DP_NONE)
            subtract(prof, i, before[sub_in_base[prof->nodes[i].sub]]);
    now = dp_calls_of(prof);
    subtract_links(prof, now, base, sub_in_base);
    dp_free(now);
    dp_free(before);
    dp_free(by_name);
    dp_free(sub_in_base);
}
