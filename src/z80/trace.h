/*
 * Following the calls of a running program and writing them down as a tmon.out, with T-states as
 * ticks.
 *
 * A shadow of the stack holds, for each open call, where its return address lies. A function is
 * left when control goes away by RET or JP (HL) with the stack pointer above that place: this holds
 * for RET, for returns that drop arguments, and for longjmp, which leaves several at once. A
 * function that takes its return address off and puts it back stays open.
 */
#ifndef DPROF_Z80_TRACE_H
#define DPROF_Z80_TRACE_H

#include "base/hash.h"
#include "base/out.h"
#include "z80/opcode.h"
#include "z80/program.h"

/* A sub of the profile. */
struct dp_z80_sub {
    char name[64]; /* as it is in the file */
    uint16_t entry;
};

/* A place in the tree of call paths, kept when the single calls are too many to be written. */
struct dp_z80_node {
    uint32_t sub;
    uint32_t parent;
    uint64_t calls;
    uint64_t self;
};

struct dp_z80_open {
    uint32_t sub;
    uint32_t node; /* in the tree, 0 while single calls are written */
    uint16_t sp;   /* where its return address lies */
    uint16_t ret;  /* the return address, as the caller left it */
};

struct dp_z80_trace {
    struct dp_out *out;
    const struct dp_z80_program *program; /* functions with headers, NULL: none */
    const struct dp_z80_symbols *symbols; /* NULL: none */
    uint8_t *called;                      /* per address: some CALL in the code leads there */
    int only_headers;                     /* 1: only functions with a header are followed */
    uint64_t most;                        /* bytes of single calls */
    uint32_t *sub_at;                     /* per address: its sub + 1 */
    struct dp_z80_sub *subs;
    uint32_t nsubs;
    struct dp_z80_open *open;
    uint32_t depth;
    uint32_t room;
    uint64_t marks;
    uint64_t *calls; /* per sub */
    struct dp_z80_node *nodes;
    uint32_t nnodes; /* 0: single calls are written */
    struct dp_hash by_place;
    uint64_t since; /* T-states up to which time was given to a node */

    /* The profile's own routines: their time is left out, as the cost of profiling always is. */
    int raw;            /* 1: it is left in */
    const uint8_t *mem; /* of the machine */
    uint8_t *own;       /* per address: 1 CCREGIS, 2 CCLEAVI */
    int in_own;         /* 1: control is in one of them; 2: in one that nothing called */
    uint16_t resume;    /* where it goes on, if in_own is 1 */
    uint64_t own_since;
    uint64_t left_out; /* T-states */
};

struct dp_z80_trace *dp_z80_trace_new(struct dp_out *out, const struct dp_z80_program *program,
                                      const struct dp_z80_symbols *symbols);
void dp_z80_trace_free(struct dp_z80_trace *trace);

/* Looks at the program as it was loaded: what is called anywhere begins a function, other labels do
   not. */
void dp_z80_trace_learn(struct dp_z80_trace *trace, const uint8_t mem[DP_Z80_MEMORY]);
/* Something other than the next instruction came after `flow`: control is at `pc` now. */
void dp_z80_trace_flow(struct dp_z80_trace *trace, enum dp_z80_flow flow, uint16_t pc, uint16_t sp,
                       uint64_t now);
/* The end. `whole`: the program ended by itself: what is open is closed. */
void dp_z80_trace_end(struct dp_z80_trace *trace, int whole, uint64_t now);

#endif
