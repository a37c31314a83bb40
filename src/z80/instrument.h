/*
 * Putting profile headers into the assembler text of a compiler: sdcc (its own assembler) and
 * those of z88dk (sccz80, and its sdcc). share/z80/ has the runtime that the result is linked with.
 */
#ifndef DPROF_Z80_INSTRUMENT_H
#define DPROF_Z80_INSTRUMENT_H

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/out.h"

struct dp_z80_instrumented {
    uint32_t functions; /* that have a header now */
    uint32_t skipped;   /* interrupt routines */
    uint32_t naked;     /* functions of assembler text alone, as far as the text tells */
};

/* Copies the text with headers put in. 0, or -1 with what is wrong with it. */
int dp_z80_instrument(const char *bytes, size_t n, struct dp_out *out,
                      struct dp_z80_instrumented *done, struct dp_err *err);

#endif
