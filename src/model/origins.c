#include "model/origins.h"

#include "base/circles.h"
#include "base/mem.h"

/* Subs that are passed and call one another, or one alone. */
struct circle {
    uint32_t first; /* its links from outside: origins->entering[first] and on, up to the next's */
    unsigned char ran;
    unsigned char explained; /* no call of it came from where no link is */
    struct dp_origin origin; /* of the sources that were asked for last */
};

struct dp_origins {
    const struct dp_profile *prof;
    uint32_t *circle; /* per sub, DP_NONE: not passed; callees have smaller numbers */
    struct circle *circles;
    uint32_t n;
    uint32_t *entering; /* links */
};

static uint32_t circle_of(const struct dp_origins *origins, uint32_t sub)
{
    return sub == DP_NONE ? DP_NONE : origins->circle[sub];
}

/* --- circles ---------------------------------------------------------------------------------- */

/* Who calls whom among the passed: first[s] and on in *to are the callees of s. */
static uint32_t *arrows(const struct dp_profile *prof, const unsigned char *passed, uint32_t **to)
{
    uint32_t *first = dp_alloc_array((size_t)prof->nsubs + 2, sizeof *first);

    *to = dp_alloc_array(prof->nlinks, sizeof **to);
    for (int round = 0; round < 2; round++) {
        for (uint32_t i = 0; i < prof->nlinks; i++) {
            const struct dp_link *link = &prof->links[i];

            if (link->caller == DP_NONE ||
                (passed && (!passed[link->caller] || !passed[link->callee])))
                continue;
            if (round == 0)
                first[link->caller + 2]++;
            else
                (*to)[first[link->caller + 1]++] = link->callee;
        }
        for (uint32_t s = 0; round == 0 && s < prof->nsubs; s++)
            first[s + 2] += first[s + 1];
    }
    return first;
}

uint32_t *dp_circles_of(const struct dp_profile *prof, const unsigned char *passed, uint32_t *n)
{
    uint32_t *to, *first = arrows(prof, passed, &to);
    uint32_t *circle = dp_alloc_array(prof->nsubs, sizeof *circle);

    *n = dp_circles(prof->nsubs, first, to, circle);
    dp_free(first);
    dp_free(to);
    return circle;
}

static void find_circles(struct dp_origins *origins, const unsigned char *passed)
{
    const struct dp_profile *prof = origins->prof;

    origins->circle = dp_circles_of(prof, passed, &origins->n);
    origins->circles = dp_alloc_array((size_t)origins->n + 1, sizeof *origins->circles);
    for (uint32_t s = 0; s < prof->nsubs; s++)
        if (!passed[s])
            origins->circle[s] = DP_NONE;
}

/* Where a link enters a circle from outside it, that circle. */
static uint32_t entered(const struct dp_origins *origins, const struct dp_link *link)
{
    uint32_t into = circle_of(origins, link->callee);

    return into == circle_of(origins, link->caller) ? DP_NONE : into;
}

static void find_entries(struct dp_origins *origins)
{
    const struct dp_profile *prof = origins->prof;
    struct circle *circles = origins->circles;

    origins->entering = dp_alloc_array(prof->nlinks, sizeof *origins->entering);
    for (uint32_t i = 0; i < prof->nlinks; i++)
        if (entered(origins, &prof->links[i]) != DP_NONE)
            circles[entered(origins, &prof->links[i])].first++;
    for (uint32_t k = 0; k < origins->n; k++)
        circles[k + 1].first += circles[k].first;
    for (uint32_t i = prof->nlinks; i-- > 0;)
        if (entered(origins, &prof->links[i]) != DP_NONE)
            origins->entering[--circles[entered(origins, &prof->links[i])].first] = i;
}

/* Is every call of it one of a link? Who counts statements has found all calls; of a machine's code
   those through pointers are not seen, and only numbers can tell that there were none. */
static void explain(struct dp_origins *origins)
{
    const unsigned unknown = DP_DOUBT_WRAPPED | DP_DOUBT_DAMAGED | DP_DOUBT_UNCOUNTED;
    const struct dp_profile *prof = origins->prof;
    double *calls = dp_alloc_array((size_t)origins->n + 1, sizeof *calls);

    for (uint32_t i = 1; i < prof->nnodes; i++)
        if (origins->circle[prof->nodes[i].sub] != DP_NONE)
            calls[origins->circle[prof->nodes[i].sub]] += (double)prof->nodes[i].calls;
    for (uint32_t k = 0; k < origins->n; k++)
        origins->circles[k].ran = calls[k] > 0;
    for (uint32_t i = 0; i < prof->nlinks; i++)
        if (origins->circle[prof->links[i].callee] != DP_NONE)
            calls[origins->circle[prof->links[i].callee]] -= (double)prof->links[i].least;
    for (uint32_t k = 0; k < origins->n; k++)
        origins->circles[k].explained = prof->statements || calls[k] <= 0;
    for (uint32_t s = 0; s < prof->nsubs; s++)
        if (origins->circle[s] != DP_NONE && prof->subs[s].doubt & unknown) {
            origins->circles[origins->circle[s]].ran = 1;
            origins->circles[origins->circle[s]].explained = 0;
        }
    dp_free(calls);
}

struct dp_origins *dp_origins_new(const struct dp_profile *prof, const unsigned char *passed)
{
    struct dp_origins *origins = dp_alloc(sizeof *origins);

    origins->prof = prof;
    find_circles(origins, passed);
    find_entries(origins);
    explain(origins);
    return origins;
}

void dp_origins_free(struct dp_origins *origins)
{
    dp_free(origins->circle);
    dp_free(origins->circles);
    dp_free(origins->entering);
    dp_free(origins);
}

/* --- asking ----------------------------------------------------------------------------------- */

static struct dp_origin origin_of_caller(const struct dp_origins *origins, uint32_t caller,
                                         const unsigned char *sources)
{
    const struct dp_origin here = {1, 1, 1, 1}, elsewhere = {0, 0, 0, 0};
    uint32_t circle = circle_of(origins, caller);

    if (circle != DP_NONE)
        return origins->circles[circle].origin;
    return sources[caller == DP_NONE ? origins->prof->nsubs : caller] ? here : elsewhere;
}

/* What no call is known of, and what ran all the same, began outside. */
static void began_outside(struct dp_origin *origin, int ran)
{
    origin->part = 1;
    origin->linked = origin->all = 1;
    origin->some = ran != 0;
}

static void ask(struct dp_origins *origins, uint32_t k, const unsigned char *sources)
{
    struct circle *circle = &origins->circles[k];
    struct dp_origin origin = {0, 0, 0, circle->explained};
    double all = 0;

    for (uint32_t e = circle->first; e < circle[1].first; e++) {
        const struct dp_link *link = &origins->prof->links[origins->entering[e]];
        struct dp_origin above = origin_of_caller(origins, link->caller, sources);

        origin.linked |= above.linked;
        if (!link->most)
            continue;
        all += (double)link->most;
        origin.part += (double)link->most * above.part;
        origin.some |= above.some;
        origin.all &= above.all;
    }
    if (all > 0)
        origin.part /= all;
    else if (sources[origins->prof->nsubs] && (circle->ran || circle->first == circle[1].first))
        began_outside(&origin, circle->ran);
    origin.all &= origin.some;
    circle->origin = origin;
}

void dp_origins_from(struct dp_origins *origins, const unsigned char *sources)
{
    for (uint32_t k = origins->n; k-- > 0;)
        ask(origins, k, sources); /* callers first */
}

const struct dp_origin *dp_origin(const struct dp_origins *origins, uint32_t sub)
{
    return &origins->circles[origins->circle[sub]].origin;
}
