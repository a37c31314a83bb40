#include "model/inclusive.h"

#include "base/mem.h"
#include "model/origins.h"

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
