#include "model/hists.h"

#include <string.h>

#include "base/mem.h"
#include "model/time.h"

#define NBUCKETS 64

static uint32_t bucket_of(uint64_t ticks)
{
    uint32_t bits = 0;

    for (; ticks; ticks >>= 1)
        bits++;
    return bits < NBUCKETS ? bits : NBUCKETS - 1;
}

/* The middle of a bucket. */
static double middle(uint32_t bucket)
{
    return bucket < 2 ? (double)bucket : 1.5 * (double)((uint64_t)1 << (bucket - 1));
}

struct dp_hist *dp_hist_of(struct dp_profile *prof, uint32_t node)
{
    struct dp_hist *hist;

    if (prof->nodes[node].hist != DP_NONE)
        return &prof->hists[prof->nodes[node].hist];
    prof->hists = dp_more(prof->hists, prof->nhists, sizeof *prof->hists);
    hist = &prof->hists[prof->nhists];
    memset(hist, 0, sizeof *hist);
    hist->min = UINT64_MAX;
    prof->nodes[node].hist = prof->nhists++;
    return hist;
}

void dp_hist_count(struct dp_hist *hist, uint64_t ticks)
{
    hist->bucket[bucket_of(ticks)]++;
    if (ticks < hist->min)
        hist->min = ticks;
    if (ticks > hist->max)
        hist->max = ticks;
}

void dp_hist_add(struct dp_hist *to, const struct dp_hist *from)
{
    for (size_t i = 0; i < NBUCKETS; i++)
        to->bucket[i] += from->bucket[i];
    if (from->min < to->min)
        to->min = from->min;
    if (from->max > to->max)
        to->max = from->max;
}

void dp_hist_rescale(struct dp_hist *hist, uint64_t from, uint64_t to)
{
    const struct dp_hist old = *hist;
    double factor = (double)to / (double)from;

    memset(hist, 0, sizeof *hist);
    for (uint32_t i = 0; i < NBUCKETS; i++)
        hist->bucket[bucket_of((uint64_t)dp_ticks(middle(i) * factor))] += old.bucket[i];
    hist->min = old.min == UINT64_MAX ? old.min : (uint64_t)dp_ticks((double)old.min * factor);
    hist->max = (uint64_t)dp_ticks((double)old.max * factor);
}

uint64_t dp_hist_quantile(const struct dp_hist *hist, double part)
{
    uint64_t calls = 0, below = 0, ticks = 0;

    for (uint32_t i = 0; i < NBUCKETS; i++)
        calls += hist->bucket[i];
    for (uint32_t i = 0; i < NBUCKETS && calls; i++) {
        below += hist->bucket[i];
        ticks = (uint64_t)dp_ticks(middle(i));
        if ((double)below >= part * (double)calls)
            break;
    }
    if (calls && ticks < hist->min)
        ticks = hist->min;
    return ticks > hist->max ? hist->max : ticks;
}
