#include "model/callsites.h"

#include <stdlib.h>

#include "base/mem.h"

void dp_add_callsite(struct dp_profile *prof, const struct dp_callsite *site)
{
    prof->callsites = dp_more(prof->callsites, prof->ncallsites, sizeof *site);
    prof->callsites[prof->ncallsites++] = *site;
}

static int order(const void *a, const void *b)
{
    const struct dp_callsite *x = a, *y = b;

    if (x->node != y->node)
        return x->node < y->node ? -1 : 1;
    if (x->file != y->file)
        return x->file < y->file ? -1 : 1;
    return x->line < y->line ? -1 : x->line > y->line;
}

static int is_in_order(const struct dp_profile *prof)
{
    for (uint32_t i = 1; i < prof->ncallsites; i++)
        if (order(&prof->callsites[i - 1], &prof->callsites[i]) >= 0)
            return 0;
    return 1;
}

/* Shares of broken profiles may be too large to add up. */
static int64_t sum(int64_t a, int64_t b)
{
    return a > INT64_MAX - b ? INT64_MAX : a + b;
}

static void add(struct dp_callsite *to, const struct dp_callsite *what)
{
    to->calls += what->calls;
    to->incl.user = sum(to->incl.user, what->incl.user);
    to->incl.sys = sum(to->incl.sys, what->incl.sys);
    to->incl.real = sum(to->incl.real, what->incl.real);
}

void dp_settle_callsites(struct dp_profile *prof)
{
    struct dp_callsite *sites = prof->callsites;
    uint32_t n = 0;

    if (is_in_order(prof))
        return;
    qsort(sites, prof->ncallsites, sizeof *sites, order);
    for (uint32_t i = 0; i < prof->ncallsites; i++) {
        if (n && order(&sites[n - 1], &sites[i]) == 0)
            add(&sites[n - 1], &sites[i]);
        else
            sites[n++] = sites[i];
    }
    prof->ncallsites = n;
}

const struct dp_callsite *dp_callsites_of(const struct dp_profile *prof, uint32_t node, uint32_t *n)
{
    uint32_t from = 0, to = prof->ncallsites;

    while (from < to) {
        uint32_t middle = from + (to - from) / 2;

        if (prof->callsites[middle].node < node)
            from = middle + 1;
        else
            to = middle;
    }
    for (*n = 0; from + *n < prof->ncallsites && prof->callsites[from + *n].node == node;)
        ++*n;
    return *n ? &prof->callsites[from] : NULL;
}
