/*
 * Statements whose calls may be left by a goto out of a routine. An instrumented program counts how
 * often each came to the end of its calls: what the counters of pmon.out alone can only be searched
 * for is known then.
 */
#ifndef DPROF_PASCAL_RETURNS_H
#define DPROF_PASCAL_RETURNS_H

#include "pascal/calls.h"

struct dp_pascal_returns {
    uint32_t *number; /* per node: of its count, from 1; 0: it has none. Owned */
    uint32_t n;
    int whole; /* 0: there are such calls where nothing can count, in the head of a for */
};

void dp_pascal_returns_init(struct dp_pascal_returns *returns, const struct dp_pascal *pascal);
void dp_pascal_returns_free(struct dp_pascal_returns *returns);

#endif
