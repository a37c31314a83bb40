/* What statements cost with what they called. */
#include "model/inclusive.h"

#include "base/mem.h"
#include "model/origins.h"

/* --- links ------------------------------------------------------------------------------------ */

static int is_inside(const struct dp_link *link, const uint32_t *circle)
{
    return link->caller != DP_NONE && circle[link->caller] == circle[link->callee];
}

/* Per circle, its calls from outside. */
static double *entries_of(const struct dp_profile *prof, const uint32_t *circle)
{
    double *entries = dp_alloc_array((size_t)prof->nsubs + 1, sizeof *entries);

    for (uint32_t i = 0; i < prof->nlinks; i++)
        if (!is_inside(&prof->links[i], circle))
            entries[circle[prof->links[i].callee]] += (double)prof->links[i].least;
    return entries;
}

void dp_apportion_costs(struct dp_profile *prof, const unsigned char *marked)
{
    uint32_t n, *circle = dp_circles_of(prof, NULL, &n);
    double *entries = entries_of(prof, circle);

    for (uint32_t i = 0; i < prof->nlinks; i++) {
        struct dp_link *link = &prof->links[i];
        double all = entries[circle[link->callee]];

        if (!marked[link->callee])
            continue;
        link->cost = 0;
        if (!is_inside(link, circle) && all > 0)
            link->cost = prof->subs[link->callee].all * ((double)link->least / all);
        if (prof->subs[link->callee].guessed || (double)link->least < all)
            link->guessed |= DP_GUESSED_COST;
    }
    dp_free(entries);
    dp_free(circle);
}

/* --- groups ----------------------------------------------------------------------------------- */

struct group {
    uint32_t sub;
    uint32_t members; /* that cost something */
    double most;      /* what the members cost, each for itself: those inside others count again */
    double least;     /* what the dearest does */
    int sure;         /* that one's is no guess */
};

static struct group *groups_of(const struct dp_profile *to, const struct dp_profile *from,
                               const uint32_t *sub_of)
{
    struct group *groups = dp_alloc_array((size_t)to->nsubs + 1, sizeof *groups);

    for (uint32_t s = 0; s < from->nsubs; s++) {
        const struct dp_sub *sub = &from->subs[s];
        struct group *group = sub_of[s] == DP_NONE ? NULL : &groups[sub_of[s]];

        if (!group || sub->all <= 0)
            continue;
        group->sub = sub_of[s];
        group->members++;
        group->most += sub->all;
        if (sub->all < group->least)
            continue;
        group->sure = !sub->guessed;
        group->least = sub->all;
    }
    return groups;
}

struct inside {
    const struct dp_profile *from;
    const uint32_t *sub_of;
    double *own; /* per old sub */
};

/* The part of an old sub's statements that ran inside the group. */
static double part_inside(const struct inside *in, const struct dp_origins *origins, uint32_t sub,
                          uint32_t group, int *guessed)
{
    int is_member = in->sub_of[sub] == group;
    const struct dp_origin *origin = is_member ? NULL : dp_origin(origins, sub);

    if (in->own[sub] <= 0 || (origin && !origin->some))
        return 0;
    if ((origin && !origin->all) || in->from->subs[sub].doubt & DP_DOUBT_LOST)
        *guessed = 1;
    return origin ? origin->part : 1;
}

/* Statements of the members, and of others as far as calls of them came from members. */
static double sum_inside(const struct inside *in, uint32_t group, int *guessed)
{
    uint32_t n = in->from->nsubs;
    unsigned char *members = dp_alloc((size_t)n + 1), *others = dp_alloc((size_t)n + 1);
    struct dp_origins *origins;
    double all = 0;

    for (uint32_t s = 0; s < n; s++) {
        members[s] = in->sub_of[s] == group;
        others[s] = !members[s];
    }
    origins = dp_origins_new(in->from, others);
    dp_origins_from(origins, members);
    for (uint32_t s = 0; s < n; s++)
        all += in->own[s] * part_inside(in, origins, s, group, guessed);
    dp_origins_free(origins);
    dp_free(members);
    dp_free(others);
    return all;
}

/* What is apportioned may contradict what the reader knows of single subs. */
static void include(const struct inside *in, struct dp_profile *to, const struct group *group)
{
    double most = (double)to->total.user, all;
    int guessed = 0;

    if (group->most < most)
        most = group->most;
    all = sum_inside(in, group->sub, &guessed);
    if (all > most)
        all = most;
    if (all < group->least)
        all = group->least;
    to->subs[group->sub].all = all;
    to->subs[group->sub].guessed = guessed && !(group->sure && group->least >= most);
}

/* A link of what became one adds up calls inside calls. */
static void bound_costs(struct dp_profile *prof)
{
    for (uint32_t i = 0; i < prof->nlinks; i++) {
        struct dp_link *link = &prof->links[i];

        if (link->caller == link->callee)
            link->cost = 0;
        if (link->cost > prof->subs[link->callee].all)
            link->cost = prof->subs[link->callee].all;
        if (link->caller != DP_NONE && link->cost > prof->subs[link->caller].all)
            link->cost = prof->subs[link->caller].all;
    }
}

void dp_include_groups(struct dp_profile *to, const struct dp_profile *from, const uint32_t *sub_of)
{
    struct group *groups = groups_of(to, from, sub_of);
    struct inside in = {from, sub_of, dp_alloc_array((size_t)from->nsubs + 1, sizeof *in.own)};
    int any = 0;

    for (uint32_t i = 1; i < from->nnodes; i++)
        in.own[from->nodes[i].sub] += (double)from->nodes[i].self.user;
    for (uint32_t s = 0; s < to->nsubs; s++) {
        if (groups[s].members < 2)
            continue;
        include(&in, to, &groups[s]);
        any = 1;
    }
    if (any)
        bound_costs(to);
    dp_free(in.own);
    dp_free(groups);
}
