/*
 * A Z80 with 64K of memory that runs a CP/M program, or bytes at any address, and writes down its
 * calls. It is there when the library was built with libz80ex (DP_HAVE_Z80EX); else
 * dp_z80_can_run() is 0.
 */
#ifndef DPROF_Z80_MACHINE_H
#define DPROF_Z80_MACHINE_H

#include "base/err.h"
#include "z80/trace.h"

/* What the machine may see and touch. */
struct dp_z80_host {
    void *ctx;
    int (*read)(void *ctx);                   /* a byte of the console, -1: it has ended */
    int (*ready)(void *ctx);                  /* 1: read() would not wait */
    void (*write)(void *ctx, uint8_t byte);   /* to the console */
    int (*stop)(void *ctx, uint64_t tstates); /* asked now and then; nonzero: enough */
    int allow_write; /* 1: files of the current folder may be made, changed and deleted */
};

struct dp_z80_start {
    const uint8_t *bytes;
    size_t nbytes;
    int32_t origin;   /* -1: a CP/M program at 0100 */
    int32_t until;    /* an address that ends the run, -1: none */
    const char *tail; /* the command's arguments, "" if none */
};

enum dp_z80_ending {
    DP_Z80_ENDED,   /* by the system call, the warm boot, or at `until` */
    DP_Z80_HALTED,  /* HALT, with nothing to wake it */
    DP_Z80_TURNS,   /* a jump to itself */
    DP_Z80_STOPPED, /* the host had enough */
    DP_Z80_WILD,    /* it ran into memory that nothing was ever put into */
};

struct dp_z80_end_of_run {
    enum dp_z80_ending why;
    uint16_t at;
    uint64_t tstates;
    uint64_t instructions;
    uint32_t unknown_call;     /* a system call that is not there, 0: none */
    uint32_t refused_write;    /* 1: the program wanted to change a file and was not allowed to */
    struct dp_z80_image image; /* memory and registers at the end */
};

int dp_z80_can_run(void);
/* Runs it. 0, or -1 if it could not be begun. */
int dp_z80_run(const struct dp_z80_start *start, const struct dp_z80_host *host,
               struct dp_z80_trace *trace, struct dp_z80_end_of_run *end, struct dp_err *err);

/* --- between machine.c and bdos.c --- */

struct dp_z80_regs {
    uint8_t a, c;
    uint16_t de, hl;
};

struct dp_z80_bdos {
    uint8_t *mem;
    uint8_t *filled; /* per address: something was put there */
    const struct dp_z80_host *host;
    struct dp_z80_end_of_run *end;
    struct dp_z80_files *files;
    uint16_t dma;
    uint8_t user;
    uint8_t pattern[11]; /* of the search that goes on */
};

/* One system call: C is its number. Returns 1 if the program ends with it. */
int dp_z80_bdos(struct dp_z80_bdos *bdos, struct dp_z80_regs *regs);

/* Files of the current folder by CP/M names; the bytes of a file control block are in memory. */
struct dp_z80_files *dp_z80_files_new(int allow_write);
void dp_z80_files_free(struct dp_z80_files *files);
/* Each takes the 11 bytes of a name (bit 7 means nothing); 0, or -1. */
int dp_z80_file_open(struct dp_z80_files *files, const uint8_t name[11]);
int dp_z80_file_make(struct dp_z80_files *files, const uint8_t name[11]);
int dp_z80_file_delete(struct dp_z80_files *files, const uint8_t pattern[11]);
int dp_z80_file_rename(struct dp_z80_files *files, const uint8_t from[11], const uint8_t to[11]);
void dp_z80_file_close(struct dp_z80_files *files, const uint8_t name[11]);
/* Records of 128 bytes. How many bytes there were, 0 at the end, -1. */
int dp_z80_file_read(struct dp_z80_files *files, const uint8_t name[11], uint32_t record,
                     uint8_t bytes[128]);
int dp_z80_file_write(struct dp_z80_files *files, const uint8_t name[11], uint32_t record,
                      const uint8_t bytes[128]);
/* Records in it, -1: there is none. */
int32_t dp_z80_file_size(struct dp_z80_files *files, const uint8_t name[11]);
/* The first (again: the next) file whose name fits; '?' fits anything. 0, or -1. */
int dp_z80_file_search(struct dp_z80_files *files, const uint8_t pattern[11], int again,
                       uint8_t name[11]);

#endif
