#include "write/timeline.h"

#include <string.h>

#include "base/mem.h"

/* --- leaving the shortest out -------------------------------------------------------------------
 */

/* Bits of a length: 0 for none, else lengths from 2^(bits - 1) on. */
static unsigned bits_of(int64_t ticks)
{
    unsigned bits = 0;

    while (ticks > 0) {
        ticks >>= 1;
        bits++;
    }
    return bits;
}

/* A power of two: not more than half of what is wanted is as long. Open calls have no length yet
   and count as the longest. */
static int64_t limit_for(const struct dp_track *track, uint32_t wanted)
{
    uint64_t longer[65] = {0};
    uint64_t n = 0;
    unsigned bits = 64;

    for (uint32_t i = 0; i < track->n; i++)
        longer[bits_of(track->spans[i].end - track->spans[i].start)]++;
    while (bits > 0 && n + longer[bits] <= wanted / 2)
        n += longer[bits--];
    return (int64_t)1 << (bits > 61 ? 61 : bits);
}

/* Leaves out what is shorter than that, but no open call. */
static void shorten(struct dp_timeline *timeline, struct dp_track *track, int64_t shortest)
{
    uint32_t kept = 0, opens = 0;

    for (uint32_t i = 0; i < track->n; i++) {
        struct dp_span *span = &track->spans[i];
        int open = opens < timeline->nopen && timeline->open[opens] == i;

        if (!open && span->end - span->start < shortest) {
            track->left_out++;
            continue;
        }
        if (open)
            timeline->open[opens++] = kept;
        track->spans[kept++] = *span;
    }
    track->n = kept;
    if (shortest > track->shortest)
        track->shortest = shortest;
}

static void make_room(struct dp_timeline *timeline, struct dp_track *track)
{
    if (track->n >= track->limit) {
        for (uint32_t i = 0; i < timeline->nopen; i++)
            track->spans[timeline->open[i]].end = INT64_MAX / 2;
        shorten(timeline, track, limit_for(track, timeline->most));
        for (uint32_t i = 0; i < timeline->nopen; i++)
            track->spans[timeline->open[i]].end = track->spans[timeline->open[i]].start;
        track->limit = track->n > timeline->most / 2 ? 2 * track->n : timeline->most;
    }
    if (track->n >= track->room) {
        track->room = track->room ? 2 * track->room : 1024;
        track->spans = dp_grow(track->spans, track->room * sizeof *track->spans);
    }
}

static uint32_t add_span(struct dp_timeline *timeline, uint32_t name, uint32_t depth, int64_t start)
{
    struct dp_track *track = &timeline->tracks[timeline->ntracks - 1];

    make_room(timeline, track);
    track->spans[track->n] = (struct dp_span){name, depth, start, start};
    return track->n++;
}

/* --- hearing ------------------------------------------------------------------------------------
 */

static uint32_t name_of(struct dp_timeline *timeline, uint32_t sub)
{
    while (timeline->nnames <= sub) {
        timeline->name_of = dp_more(timeline->name_of, timeline->nnames, sizeof *timeline->name_of);
        timeline->name_of[timeline->nnames++] = DP_NONE;
    }
    if (timeline->name_of[sub] == DP_NONE) {
        size_t n;
        const char *name = dp_string(timeline->lens.prof, timeline->lens.subs[sub].as, &n);

        timeline->name_of[sub] = dp_intern(&timeline->names, name, n);
    }
    return timeline->name_of[sub];
}

/* The time of a mark; time never runs backwards here. */
static int64_t moment(struct dp_timeline *timeline, const struct dp_time *at)
{
    if (at->real > timeline->now)
        timeline->now = at->real;
    return timeline->now;
}

static void enter(void *ctx, uint32_t sub, uint32_t depth, const struct dp_time *at)
{
    struct dp_timeline *timeline = ctx;
    int64_t now = moment(timeline, at);

    (void)depth;
    if (!dp_lens_opens(&timeline->lens, sub))
        return;
    if (timeline->nopen == timeline->room) {
        timeline->room = timeline->room ? 2 * timeline->room : 64;
        timeline->open = dp_grow(timeline->open, timeline->room * sizeof *timeline->open);
    }
    depth = timeline->nopen;
    timeline->open[depth] = add_span(timeline, name_of(timeline, sub), depth, now);
    timeline->nopen++;
}

static void leave(void *ctx, uint32_t sub, uint32_t depth, const struct dp_time *at)
{
    struct dp_timeline *timeline = ctx;
    struct dp_track *track = &timeline->tracks[timeline->ntracks - 1];
    int64_t now = moment(timeline, at);
    struct dp_span *span;

    (void)depth;
    if (!dp_lens_closes(&timeline->lens, sub) || !timeline->nopen)
        return;
    span = &track->spans[timeline->open[--timeline->nopen]];
    span->end = now;
    /* What it called was shorter and is gone already: it is the last one. */
    if (now - span->start < track->shortest && span == &track->spans[track->n - 1]) {
        track->n--;
        track->left_out++;
    }
}

void dp_timeline_init(struct dp_timeline *timeline, int only_within, dp_decide *decide, void *ctx)
{
    memset(timeline, 0, sizeof *timeline);
    timeline->listener.enter = enter;
    timeline->listener.reenter = enter;
    timeline->listener.leave = leave;
    timeline->listener.ctx = timeline;
    timeline->most = DP_TIMELINE_MOST;
    dp_lens_init(&timeline->lens, only_within, decide, ctx);
}

static struct dp_track *new_track(struct dp_timeline *timeline)
{
    struct dp_track *track;

    timeline->tracks = dp_more(timeline->tracks, timeline->ntracks, sizeof *timeline->tracks);
    track = &timeline->tracks[timeline->ntracks++];
    memset(track, 0, sizeof *track);
    track->limit = timeline->most;
    timeline->nnames = 0;
    timeline->nopen = 0;
    timeline->now = INT64_MIN / 4;
    return track;
}

void dp_timeline_begin(void *ctx, struct dp_profile *prof)
{
    struct dp_timeline *timeline = ctx;

    dp_lens_begin(&timeline->lens, prof);
    new_track(timeline);
}

void dp_timeline_free(struct dp_timeline *timeline)
{
    for (uint32_t i = 0; i < timeline->ntracks; i++)
        dp_free(timeline->tracks[i].spans);
    dp_free(timeline->tracks);
    dp_free(timeline->name_of);
    dp_free(timeline->open);
    dp_lens_free(&timeline->lens);
    dp_strings_free(&timeline->names);
}

/* --- made of call paths -------------------------------------------------------------------------
 */

/* Where each node's span begins: at its caller's own begin, behind those before it. Nodes come in
   an order in which a parent is before its children. */
static int64_t *starts_of(const struct dp_profile *prof, const struct dp_time *node_incl)
{
    int64_t *starts = dp_alloc_array(prof->nnodes, sizeof *starts);

    for (uint32_t i = 0; i < prof->nnodes; i++) {
        int64_t at = starts[i];

        for (uint32_t c = prof->nodes[i].first_child; c != DP_NONE; c = prof->nodes[c].next) {
            starts[c] = at;
            at += node_incl[c].real;
        }
    }
    return starts;
}

void dp_timeline_of_paths(struct dp_timeline *timeline, const struct dp_profile *prof,
                          const struct dp_time *node_incl)
{
    struct dp_track *track = new_track(timeline);
    int64_t *starts = starts_of(prof, node_incl);
    uint32_t *depths = dp_alloc_array(prof->nnodes, sizeof *depths);

    track->made = 1;
    for (uint32_t i = dp_next_node(prof, 0, 0); i != DP_NONE; i = dp_next_node(prof, i, 0)) {
        const struct dp_node *node = &prof->nodes[i];
        size_t n;
        const char *name = dp_string(prof, prof->subs[node->sub].name, &n);
        uint32_t span;

        depths[i] = node->parent ? depths[node->parent] + 1 : 0;
        if (node_incl[i].real < track->shortest) {
            track->left_out++;
            continue;
        }
        span = add_span(timeline, dp_intern(&timeline->names, name, n), depths[i], starts[i]);
        track = &timeline->tracks[timeline->ntracks - 1];
        track->spans[span].end = starts[i] + node_incl[i].real;
    }
    dp_free(depths);
    dp_free(starts);
}
