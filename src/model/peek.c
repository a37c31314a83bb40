#include "model/peek.h"

#include <string.h>

#include "base/mem.h"

static void add(struct dp_time *to, const struct dp_time *amount)
{
    to->user += amount->user;
    to->sys += amount->sys;
    to->real += amount->real;
}

static void add_open(struct dp_profile *prof, uint32_t node, const struct dp_time *since,
                     int timeless)
{
    const struct dp_open open = {node, *since, timeless};

    prof->open = dp_more(prof->open, prof->nopen, sizeof *prof->open);
    prof->open[prof->nopen++] = open;
}

/* The path down to what is open in a tree beside the input. */
static void add_inner(struct dp_build *build)
{
    struct dp_profile *prof = build->prof;
    uint32_t from = prof->nopen, up = build->inner;

    for (; up; up = prof->nodes[up].parent)
        add_open(prof, up, &build->now, 1);
    for (uint32_t i = from, k = prof->nopen; i + 1 < k; i++) { /* outermost first */
        const struct dp_open swapped = prof->open[i];

        prof->open[i] = prof->open[--k];
        prof->open[k] = swapped;
    }
}

void dp_build_peek(struct dp_build *build)
{
    struct dp_profile *prof = build->prof;

    dp_build_unpeek(build);
    prof->last = build->now;
    for (uint32_t i = 0; i < prof->nnodes; i++) {
        prof->nodes[i].calls = build->spots[i].calls;
        prof->nodes[i].self = build->spots[i].self;
        memset(&prof->nodes[i].taken, 0, sizeof prof->nodes[i].taken);
        add(&prof->total, &build->spots[i].self);
    }
    for (uint32_t i = 1; i <= build->depth; i++)
        add_open(prof, build->frames[i].node, &build->frames[i].since, 0);
    add_inner(build);
}

void dp_build_unpeek(struct dp_build *build)
{
    struct dp_profile *prof = build->prof;

    memset(&prof->total, 0, sizeof prof->total);
    memset(&prof->taken, 0, sizeof prof->taken);
    prof->cleaned = 0;
    prof->nopen = 0;
}
