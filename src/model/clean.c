/* Taking the overhead of profiling off. */
#include "base/mem.h"
#include "model/change.h"
#include "model/overhead.h"

/* One clock of one sub: what its places have and what is to be taken off them. */
struct share {
    double have;  /* of places that have more than their overhead: what is more */
    double owed;  /* of places that have less: what is missing */
    double carry; /* of rounding, so that the sub's sum is right to the tick */
};

static uint32_t row(const struct dp_profile *prof, uint32_t node)
{
    return node ? prof->nodes[node].sub : prof->nsubs;
}

static void weigh(struct share *share, int64_t self, double over)
{
    double left = (double)self - over;

    if (left > 0)
        share->have += left;
    else
        share->owed -= left;
}

/* What is left of a place's own time: its overhead is taken off, and of what the sub's other places
   could not bear, the part that is in proportion to what is left here. */
static int64_t left_of(struct share *share, int64_t self, double over)
{
    double left = (double)self - over;
    int64_t whole;

    if (left <= 0 || share->have <= share->owed)
        return 0;
    left *= 1 - share->owed / share->have;
    whole = dp_ticks(left + share->carry);
    if (whole < 0)
        whole = 0;
    if (whole > self)
        whole = self;
    share->carry += left - (double)whole;
    return whole;
}

static int64_t *clock_of(struct dp_time *time, int clock)
{
    return clock == 0 ? &time->user : clock == 1 ? &time->sys : &time->real;
}

static double cost_of(const struct dp_amount *cost, int clock)
{
    return clock == 0 ? cost->user : clock == 1 ? cost->sys : cost->real;
}

static void clean_clock(struct dp_profile *prof, const struct dp_overhead *overhead, int clock)
{
    struct share *shares = dp_alloc_array((size_t)prof->nsubs + 1, sizeof *shares);

    for (uint32_t i = 0; i < prof->nnodes; i++)
        weigh(&shares[row(prof, i)], *clock_of(&prof->nodes[i].self, clock),
              cost_of(&overhead->cost[i], clock));
    for (uint32_t i = 0; i < prof->nnodes; i++) {
        int64_t *self = clock_of(&prof->nodes[i].self, clock);
        int64_t left = left_of(&shares[row(prof, i)], *self, cost_of(&overhead->cost[i], clock));

        *clock_of(&prof->nodes[i].taken, clock) += *self - left;
        *clock_of(&prof->taken, clock) += *self - left;
        *clock_of(&prof->total, clock) -= *self - left;
        *self = left;
    }
    dp_free(shares);
}

void dp_profile_clean(struct dp_profile *prof)
{
    struct dp_overhead overhead;

    if (prof->cleaned)
        return;
    prof->cleaned = 1;
    if (prof->novers == 0)
        return;
    dp_overhead_init(&overhead, prof);
    for (int clock = 0; clock < 3; clock++)
        clean_clock(prof, &overhead, clock);
    dp_overhead_free(&overhead);
}
