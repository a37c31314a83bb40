/*
 * The console of an emulated program: this process's standard input and output, and what ends a run
 * from outside: seconds of real time, Ctrl-C.
 */
#ifndef DPROF_Z80_CONSOLE_H
#define DPROF_Z80_CONSOLE_H

#include "z80/machine.h"

struct dp_z80_console {
    uint8_t in[4096];
    size_t at;
    size_t got;
    uint8_t out[4096];
    size_t used;
    int ended;       /* no more input */
    int failed;      /* the output cannot be written */
    double deadline; /* seconds of a clock that only goes forward, 0: none */
};

/* Fills `host`. While it is in use, Ctrl-C stops the emulated program and not this process.
   seconds 0: no limit. */
void dp_z80_console_begin(struct dp_z80_console *console, struct dp_z80_host *host, double seconds,
                          int allow_write);
/* Writes out what is left and gives Ctrl-C back. */
void dp_z80_console_end(struct dp_z80_console *console);

#endif
