#include "write/durations.h"

#include <string.h>

enum { PARTS = 8, PART_BITS = 3 }; /* buckets of an octave */

/* Times below PARTS have a bucket each; above, the octave and the three bits after its first. */
static uint32_t bucket_of(uint64_t ticks)
{
    uint32_t octave = 0;

    if (ticks < PARTS)
        return (uint32_t)ticks;
    while (ticks >= UINT64_C(2) * PARTS) {
        ticks >>= 1;
        octave++;
    }
    return PARTS + octave * PARTS + (uint32_t)(ticks - PARTS);
}

/* The middle of a bucket. */
static double ticks_of(uint32_t bucket)
{
    uint32_t octave;

    if (bucket < PARTS)
        return bucket;
    octave = (bucket - PARTS) / PARTS;
    return ((double)(bucket % PARTS) + PARTS + 0.5) * (double)(UINT64_C(1) << octave) - 0.5;
}

/* Room for a bucket: the counts are a window that widens to either side. */
static void widen(struct dp_duration *duration, uint32_t bucket)
{
    uint32_t first = duration->n && duration->first < bucket ? duration->first : bucket;
    uint32_t end = duration->n && duration->first + duration->n > bucket + 1
                       ? duration->first + duration->n
                       : bucket + 1;
    uint64_t *counts;

    if (duration->n && first == duration->first && end == duration->first + duration->n)
        return;
    counts = dp_alloc_array(end - first, sizeof *counts);
    if (duration->n)
        memcpy(counts + (duration->first - first), duration->counts, duration->n * sizeof *counts);
    dp_free(duration->counts);
    duration->counts = counts;
    duration->first = first;
    duration->n = end - first;
}

static void add(struct dp_duration *duration, uint64_t ticks)
{
    uint32_t bucket = bucket_of(ticks);

    widen(duration, bucket);
    duration->counts[bucket - duration->first]++;
    if (!duration->calls || ticks < duration->least)
        duration->least = ticks;
    if (ticks > duration->most)
        duration->most = ticks;
    duration->calls++;
    duration->total += ticks;
}

static struct dp_duration *duration_of_sub(struct dp_durations *durations, uint32_t sub)
{
    while (durations->nentries <= sub) {
        durations->entry = dp_more(durations->entry, durations->nentries, sizeof *durations->entry);
        durations->entry[durations->nentries++] = DP_NONE;
    }
    if (durations->entry[sub] == DP_NONE) {
        size_t n;
        const char *name = dp_string(durations->lens.prof, durations->lens.subs[sub].as, &n);
        uint32_t entry = dp_intern(&durations->names, name, n);

        while (durations->nall <= entry) {
            durations->all = dp_more(durations->all, durations->nall, sizeof *durations->all);
            memset(&durations->all[durations->nall++], 0, sizeof *durations->all);
        }
        durations->entry[sub] = entry;
    }
    return &durations->all[durations->entry[sub]];
}

static void open_call(struct dp_durations *durations, uint32_t sub, int64_t since)
{
    if (!dp_lens_opens(&durations->lens, sub))
        return;
    if (durations->nopen == durations->room) {
        durations->room = durations->room ? 2 * durations->room : 64;
        durations->since = dp_grow(durations->since, durations->room * sizeof *durations->since);
    }
    durations->since[durations->nopen++] = since;
}

static void enter(void *ctx, uint32_t sub, uint32_t depth, const struct dp_time *at)
{
    (void)depth;
    open_call(ctx, sub, at->real);
}

static void reenter(void *ctx, uint32_t sub, uint32_t depth, const struct dp_time *at)
{
    (void)depth, (void)at;
    open_call(ctx, sub, DP_NO_CALL);
}

static void leave(void *ctx, uint32_t sub, uint32_t depth, const struct dp_time *at)
{
    struct dp_durations *durations = ctx;
    int64_t since, ticks;

    (void)depth;
    if (!dp_lens_closes(&durations->lens, sub) || !durations->nopen)
        return;
    since = durations->since[--durations->nopen];
    if (since == DP_NO_CALL)
        return;
    ticks = at->real - since;
    add(duration_of_sub(durations, sub), ticks > 0 ? (uint64_t)ticks : 0);
}

void dp_durations_init(struct dp_durations *durations, int only_within, dp_decide *decide,
                       void *ctx)
{
    memset(durations, 0, sizeof *durations);
    durations->listener.enter = enter;
    durations->listener.reenter = reenter;
    durations->listener.leave = leave;
    durations->listener.ctx = durations;
    dp_lens_init(&durations->lens, only_within, decide, ctx);
}

void dp_durations_begin(void *ctx, struct dp_profile *prof)
{
    struct dp_durations *durations = ctx;

    dp_lens_begin(&durations->lens, prof);
    durations->nentries = 0;
    durations->nopen = 0;
}

void dp_durations_free(struct dp_durations *durations)
{
    for (uint32_t i = 0; i < durations->nall; i++)
        dp_free(durations->all[i].counts);
    dp_free(durations->all);
    dp_free(durations->entry);
    dp_free(durations->since);
    dp_lens_free(&durations->lens);
    dp_strings_free(&durations->names);
}

const struct dp_duration *dp_duration_of(const struct dp_durations *durations, const char *name,
                                         size_t n)
{
    uint32_t entry = dp_find_string(&durations->names, name, n);

    return entry < durations->nall && durations->all[entry].calls ? &durations->all[entry] : NULL;
}

double dp_duration_at(const struct dp_duration *duration, double share)
{
    double wanted = share * (double)duration->calls, passed = 0;
    double ticks = (double)duration->most;

    if (wanted <= 1)
        return (double)duration->least;
    if (wanted > (double)duration->calls - 1)
        return (double)duration->most;
    for (uint32_t i = 0; i < duration->n; i++) {
        passed += (double)duration->counts[i];
        if (passed >= wanted) {
            ticks = ticks_of(duration->first + i);
            break;
        }
    }
    /* A bucket's middle may lie outside of what was seen. */
    if (ticks < (double)duration->least)
        return (double)duration->least;
    return ticks > (double)duration->most ? (double)duration->most : ticks;
}
