/*
 * Symbols: names of addresses out of the files that linkers leave: .map of ZLINK, z88dk and sdcc,
 * .noi of sdcc, .sym of pasmo and z80asm.
 */
#ifndef DPROF_Z80_SYMBOLS_H
#define DPROF_Z80_SYMBOLS_H

#include <stddef.h>
#include <stdint.h>

struct dp_z80_symbol {
    uint16_t addr;
    uint32_t length;
    const char *name; /* not terminated */
    int is_c;         /* 1: it had the _ that C compilers put in front, which is left out */
    int is_local;     /* 1: a label that only its own file knows */
};

struct dp_z80_symbols {
    char *bytes;
    struct dp_z80_symbol *all; /* by address; of several at one address the best name only */
    uint32_t n;
};

/* Yours to free; n = 0 if no line was understood. */
struct dp_z80_symbols *dp_z80_symbols_new(const char *bytes, size_t n);
void dp_z80_symbols_free(struct dp_z80_symbols *symbols);

/* The symbol at that address, or the last one below it (`exact` 0); NULL: none. symbols may be
 * NULL. */
const struct dp_z80_symbol *dp_z80_symbol_at(const struct dp_z80_symbols *symbols, uint16_t addr,
                                             int exact);

#endif
