/*
 * Writing a program with its counters in it, for Free Pascal in its ISO mode (fpc -Miso). Lines stay
 * where they are: what is put in stands on the lines that are there.
 */
#ifndef DPROF_PASCAL_INSTRUMENT_H
#define DPROF_PASCAL_INSTRUMENT_H

#include "base/err.h"
#include "base/out.h"
#include "pascal/pascal.h"

/* 0; or -1 with the error: a segment has no program that could hold the counters. */
int dp_pascal_instrument(const struct dp_pascal *pascal, struct dp_out *out, struct dp_err *err);
/* What the program uses of units, which stands before all else that it declares; 0: nothing. */
uint32_t dp_pascal_uses(const struct dp_pascal *pascal);
/* Of the texts of the source, to tell whether it is still the one that was instrumented. */
uint64_t dp_pascal_fingerprint(const struct dp_pascal *pascal);

#endif
