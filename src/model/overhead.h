/*
 * What profiling itself cost, place by place: half of a call's cost lies in the callee, half in its
 * caller.
 */
#ifndef DPROF_MODEL_OVERHEAD_H
#define DPROF_MODEL_OVERHEAD_H

#include "model/time.h"

struct dp_overhead {
    struct dp_amount *cost; /* per node: overhead in its own time */
    struct dp_amount *err;  /* per node: what that can be wrong by */
};

void dp_overhead_init(struct dp_overhead *overhead, const struct dp_profile *prof);
void dp_overhead_free(struct dp_overhead *overhead);

/* Before `from` is put into `into`: what a call costs becomes the mean of both, for each kind of sub by its calls. */
void dp_merge_prices(struct dp_profile *into, const struct dp_profile *from);

#endif
