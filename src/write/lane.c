#include "write/lane.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

/* Short calls that follow each other: calls 0, there are none. */
struct dp_lane_open {
    int64_t since;
    uint64_t calls; /* inside it, so far */
    struct dp_lane_box run;
};

static struct dp_lane_track *track(struct dp_lane *lane)
{
    return &lane->tracks[lane->ntracks - 1];
}

/* --- joining short boxes ---------------------------------------------------------------------- */

static uint64_t calls_of(const struct dp_lane_box *box)
{
    return box->calls ? box->calls : 1;
}

/* The box goes into the run if it follows closely; 0: it does not. */
static int extend(struct dp_lane_box *run, const struct dp_lane_box *box, int64_t grain)
{
    if (!run->calls) {
        *run = *box;
        run->calls = calls_of(box);
        return 1;
    }
    if (box->start - run->end > grain)
        return 0;
    run->end = box->end > run->end ? box->end : run->end;
    run->calls += calls_of(box);
    if (box->longest > run->longest) {
        run->longest = box->longest;
        run->name = box->name;
    }
    return 1;
}

/* A track while its boxes are gone through again with a larger grain. Boxes stand in the order of
   their ends, so that what a call did stands before it. */
struct sieve {
    struct dp_lane_track *track;
    uint32_t n; /* boxes that stay */
    struct dp_lane_box runs[DP_LANE_LEVELS + 1];
};

static void put_run(struct sieve *sieve, uint32_t level)
{
    struct dp_lane_box *run = &sieve->runs[level];

    if (run->calls && run->end - run->start >= sieve->track->grain)
        sieve->track->boxes[sieve->n++] = *run;
    run->calls = 0;
}

static void sieve_short(struct sieve *sieve, const struct dp_lane_box *box)
{
    for (uint32_t level = box->level + 1; level <= DP_LANE_LEVELS; level++)
        if (sieve->runs[level].start >= box->start)
            sieve->runs[level].calls = 0; /* inside it */
    if (!extend(&sieve->runs[box->level], box, sieve->track->grain)) {
        put_run(sieve, box->level);
        extend(&sieve->runs[box->level], box, sieve->track->grain);
    }
}

static void sieve_long(struct sieve *sieve, const struct dp_lane_box *box)
{
    for (uint32_t level = DP_LANE_LEVELS + 1; level-- > box->level;)
        put_run(sieve, level);
    sieve->track->boxes[sieve->n++] = *box;
}

static void coarser(struct dp_lane_track *of)
{
    struct sieve *sieve = dp_alloc(sizeof *sieve);

    of->grain = of->grain ? 2 * of->grain : 1;
    sieve->track = of;
    for (uint32_t i = 0; i < of->n; i++) {
        struct dp_lane_box box = of->boxes[i];

        if (box.end - box.start < of->grain)
            sieve_short(sieve, &box);
        else
            sieve_long(sieve, &box);
    }
    for (uint32_t level = DP_LANE_LEVELS + 1; level-- > 0;)
        put_run(sieve, level);
    of->n = sieve->n;
    dp_free(sieve);
}

/* --- hearing ---------------------------------------------------------------------------------- */

static void add_box(struct dp_lane *lane, const struct dp_lane_box *box)
{
    struct dp_lane_track *of = track(lane);

    if (box->level > DP_LANE_LEVELS)
        return;
    if (!of->boxes)
        of->boxes = dp_alloc_array(DP_LANE_BOXES, sizeof *of->boxes);
    while (of->n == DP_LANE_BOXES)
        coarser(of);
    if (box->end - box->start >= of->grain)
        of->boxes[of->n++] = *box;
}

static void put_open_run(struct dp_lane *lane, uint32_t index)
{
    struct dp_lane_box run = lane->open[index].run;

    lane->open[index].run.calls = 0;
    if (run.calls)
        add_box(lane, &run);
}

static uint32_t name_of(struct dp_lane *lane, uint32_t sub)
{
    while (lane->nnames <= sub) {
        lane->name_of = dp_more(lane->name_of, lane->nnames, sizeof *lane->name_of);
        lane->name_of[lane->nnames++] = DP_NONE;
    }
    if (lane->name_of[sub] == DP_NONE) {
        size_t n;
        const char *name = dp_string(lane->lens.prof, lane->lens.subs[sub].as, &n);

        lane->name_of[sub] = dp_intern(&lane->names, name, n);
    }
    return lane->name_of[sub];
}

static void enter(void *ctx, uint32_t sub, uint32_t depth, const struct dp_time *at)
{
    struct dp_lane *lane = ctx;

    (void)depth;
    if (!dp_lens_opens(&lane->lens, sub))
        return;
    if (lane->nopen == lane->room) {
        lane->room *= 2;
        lane->open = dp_grow(lane->open, lane->room * sizeof *lane->open);
    }
    memset(&lane->open[lane->nopen], 0, sizeof *lane->open);
    lane->open[lane->nopen++].since = at->real;
}

/* A short call joins those before it, and hides what it did; a long one is put behind them. */
static void leave(void *ctx, uint32_t sub, uint32_t depth, const struct dp_time *at)
{
    struct dp_lane *lane = ctx;
    struct dp_lane_box box;
    struct dp_lane_open *outer;
    uint64_t calls;
    int64_t grain = track(lane)->grain;

    (void)depth;
    if (!dp_lens_closes(&lane->lens, sub) || lane->nopen < 2)
        return;
    calls = lane->open[lane->nopen - 1].calls + 1;
    box.start = lane->open[lane->nopen - 1].since;
    box.end = at->real > box.start ? at->real : box.start;
    box.level = lane->nopen - 2;
    box.name = name_of(lane, sub);
    box.longest = box.end - box.start;
    box.calls = calls;
    outer = &lane->open[lane->nopen - 2];
    outer->calls += calls;
    if (box.longest >= grain) {
        put_open_run(lane, lane->nopen - 1);
        put_open_run(lane, lane->nopen - 2);
        box.calls = 0;
        add_box(lane, &box);
    } else if (!extend(&outer->run, &box, grain)) {
        put_open_run(lane, lane->nopen - 2);
        extend(&outer->run, &box, grain);
    }
    lane->nopen--;
}

void dp_lane_init(struct dp_lane *lane, int only_within, dp_decide *decide, void *ctx)
{
    memset(lane, 0, sizeof *lane);
    lane->listener.enter = enter;
    lane->listener.reenter = enter;
    lane->listener.leave = leave;
    lane->listener.ctx = lane;
    lane->room = 64;
    lane->open = dp_alloc_array(lane->room, sizeof *lane->open);
    dp_lens_init(&lane->lens, only_within, decide, ctx);
}

void dp_lane_begin(void *ctx, struct dp_profile *prof)
{
    struct dp_lane *lane = ctx;

    dp_lens_begin(&lane->lens, prof);
    lane->nnames = 0;
    memset(lane->open, 0, sizeof *lane->open);
    lane->nopen = 1;
    lane->tracks = dp_more(lane->tracks, lane->ntracks, sizeof *lane->tracks);
    memset(&lane->tracks[lane->ntracks++], 0, sizeof *lane->tracks);
}

/* --- when a profile is read ------------------------------------------------------------------- */

static int by_level(const void *a, const void *b)
{
    const struct dp_lane_box *x = a, *y = b;

    if (x->level != y->level)
        return x->level < y->level ? -1 : 1;
    return x->start < y->start ? -1 : x->start > y->start;
}

static uint32_t kept(struct dp_lane *lane, const struct dp_profile *prof, uint32_t string)
{
    size_t n;
    const char *bytes = dp_string(prof, string, &n);

    return string == DP_NONE ? DP_NONE : dp_intern(&lane->names, bytes, n);
}

static void tell_of_run(struct dp_lane *lane, const struct dp_profile *prof)
{
    struct dp_lane_track *of = track(lane);

    of->pid = kept(lane, prof, prof->run.pid);
    of->started = kept(lane, prof, prof->run.started);
    for (uint32_t i = 0; i < prof->nlabels; i++) {
        struct dp_lane_label label = {prof->labels[i].at.real,
                                      kept(lane, prof, prof->labels[i].text)};

        of->labels = dp_more(of->labels, of->nlabels, sizeof *of->labels);
        of->labels[of->nlabels++] = label;
    }
}

void dp_lane_end(struct dp_lane *lane, const struct dp_profile *prof)
{
    struct dp_lane_track *of = track(lane);

    while (lane->nopen > 1)
        put_open_run(lane, --lane->nopen);
    put_open_run(lane, 0);
    of->calls = lane->open[0].calls;
    of->first = prof->first.real;
    of->last = prof->last.real;
    of->hz = prof->hz;
    of->pid = of->started = DP_NONE;
    of->tid = kept(lane, prof, prof->run.tid);
    if (!lane->anonymous)
        tell_of_run(lane, prof);
    /* A thousand children must not need a thousand times the room. */
    while (of->n > DP_LANE_BOXES / lane->ntracks && of->n > 64)
        coarser(of);
    of->boxes = dp_grow(of->boxes, (of->n + 1) * sizeof *of->boxes);
}

void dp_lane_fit(struct dp_lane *lane, uint32_t most)
{
    uint64_t all = 0;

    for (uint32_t i = 0; i < lane->ntracks; i++)
        all += lane->tracks[i].n;
    while (all > most) {
        struct dp_lane_track *largest = lane->tracks;

        for (uint32_t i = 1; i < lane->ntracks; i++)
            if (lane->tracks[i].n > largest->n)
                largest = &lane->tracks[i];
        all -= largest->n;
        coarser(largest);
        all += largest->n;
    }
    for (uint32_t i = 0; i < lane->ntracks; i++)
        qsort(lane->tracks[i].boxes, lane->tracks[i].n, sizeof *lane->tracks[i].boxes, by_level);
}

void dp_lane_free(struct dp_lane *lane)
{
    for (uint32_t i = 0; i < lane->ntracks; i++) {
        dp_free(lane->tracks[i].boxes);
        dp_free(lane->tracks[i].labels);
    }
    dp_free(lane->tracks);
    dp_free(lane->open);
    dp_free(lane->name_of);
    dp_lens_free(&lane->lens);
    dp_strings_free(&lane->names);
}
