/*
 * How often places called a routine where the counters do not say: operands that may not have been
 * evaluated, and procedural parameters that may have meant others.
 */
#ifndef DPROF_PASCAL_APPORTION_H
#define DPROF_PASCAL_APPORTION_H

#include "pascal/calls.h"

/* The part of a routine's entries that came from one place. */
struct dp_pascal_share {
    uint32_t call; /* index into graph->calls */
    uint32_t callee;
    int64_t most; /* calls of the place, if all of them are of this routine */
    int64_t more; /* it may have called so often once more (`twice`) */
    int64_t count;
    int guessed; /* other numbers fit as well */
};

struct dp_pascal_shares {
    struct dp_pascal_share *shares; /* those of a routine together; free them */
    uint32_t n;
};

void dp_pascal_apportion(const struct dp_pascal_graph *graph, struct dp_pascal_shares *shares);

#endif
