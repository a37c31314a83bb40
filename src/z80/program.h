/*
 * A profiled program as it lies in memory: functions with their counters, chains of headers, the
 * startup code, the runtime, and the stack of calls at the moment of the dump.
 * doc/formats/z80.md says what the compiler emits and how it is found again.
 */
#ifndef DPROF_Z80_PROGRAM_H
#define DPROF_Z80_PROGRAM_H

#include "z80/image.h"
#include "z80/symbols.h"

#define DP_Z80_LONGEST_NAME 31 /* the original compiler cuts names to 8 */
#define DP_Z80_NO UINT32_MAX   /* "no such function" */

/* A function found by its prologue. */
struct dp_z80_function {
    uint16_t header; /* where its header begins; without counters: its name */
    uint16_t name;
    uint16_t entry;
    uint16_t stub;   /* where callers come to: `entry`, or the stub before the header */
    uint16_t enters; /* the routine that its prologue calls: CCREGIS */
    uint32_t end;    /* the first address behind its code and texts */
    uint16_t next;   /* the word that its header begins with */
    uint8_t length;  /* of the name */
    uint8_t counted; /* 1: it has a header with a counter */
    uint8_t damaged; /* 1: the counter is no decimal number: its count is 0 */
    uint8_t wrapped; /* 1: others were called more often than it could have called them */
    uint8_t stubbed; /* 1: of `dprofpp --instrument`: it is called at `stub`, not at `entry` */
    uint8_t pointed; /* 1: its address is taken: it may be called through a pointer */
    uint32_t count;
    uint32_t chain; /* index of its chain */
};

/* Headers that link to each other, in their order. */
struct dp_z80_chain {
    uint32_t first; /* index into program->order */
    uint32_t n;
    enum dp_z80_end { DP_Z80_STOPS, DP_Z80_LOOPS, DP_Z80_BREAKS } ends;
    uint16_t to;  /* where a loop or a break leads */
    int printed;  /* 1: the program itself would print this one */
    int unlinked; /* 1: one that something was to link to, but nothing does */
};

struct dp_z80_startup {
    int found;
    uint16_t at, head, ccgo, main, cccalls, exit;
};

/* Places where a function calls another. Caller DP_Z80_NO: code outside any profiled function. */
struct dp_z80_site {
    uint32_t caller;
    uint32_t callee;
    uint16_t at;
    uint8_t kind; /* enum dp_z80_flow */
};

/* One edge of the static call graph. */
struct dp_z80_call {
    uint32_t caller;
    uint32_t callee;
    uint32_t sites;
    uint32_t first_site; /* index into program->sites */
    uint64_t least;      /* how often it happened */
    uint64_t most;
};

/* How a frame's function was called. */
enum dp_z80_from { DP_Z80_BY_CALL, DP_Z80_BY_POINTER, DP_Z80_BY_OTHER };

struct dp_z80_frame {
    uint16_t at;
    uint32_t function;
    uint16_t returns; /* into the caller */
    uint16_t site;    /* the call instruction, if `from` is not DP_Z80_BY_OTHER */
    uint8_t from;     /* enum dp_z80_from */
    uint8_t bottom;   /* 1: called by the startup code */
    uint32_t caller;  /* the function that `returns` lies in, or DP_Z80_NO */
    uint16_t args;    /* where its arguments lie, the last one first */
    uint8_t nargs;    /* words of them that the caller takes off again, as far as one can tell */
};

/* Why a walk through the frames ended. */
enum dp_z80_walk {
    DP_Z80_WALK_NONE,    /* CURRENT was not found, or is 0: no frame */
    DP_Z80_WALK_BOTTOM,  /* at the frame without a caller */
    DP_Z80_WALK_LOOP,    /* a frame was there before, or its caller lies below it */
    DP_Z80_WALK_NO_NAME, /* the word at frame+2 is no known name */
    DP_Z80_WALK_OUTSIDE, /* the frame is not in the file */
    DP_Z80_WALK_LONG,    /* more frames than a stack can hold */
};

struct dp_z80_program {
    struct dp_z80_image image;
    const char *kind;                  /* what the file is */
    int guessed;                       /* 1: its address was found out, not told */
    int unseen;                        /* 1: the bank at C000 is not the one the processor saw */
    uint8_t others;                    /* banks beside it that have functions, a bit for each */
    struct dp_z80_function *functions; /* by address */
    uint32_t n;
    uint16_t *entry_at; /* per address: the function that begins there + 1; since dp_z80_link() */
    uint32_t *order;    /* functions chain by chain */
    struct dp_z80_chain *chains;
    uint32_t nchains;
    struct dp_z80_startup startup;
    int runtime; /* 1: CURRENT's address is known */
    int outside; /* 1: the runtime that the prologues call is not in the file */
    uint16_t current_at;
    uint16_t current;
    struct dp_z80_frame *frames; /* innermost first */
    uint32_t nframes;
    enum dp_z80_walk walk;
    uint16_t walk_at;   /* the frame where it ended */
    uint16_t walk_word; /* what was found there: the name that is none */
    uint32_t entering;  /* a function that was called and has no frame yet, or DP_Z80_NO */
    uint16_t entering_returns;
    struct dp_z80_site *sites; /* by caller, then address */
    uint32_t nsites;
    struct dp_z80_call *calls; /* by caller */
    uint32_t ncalls;
    struct dp_z80_symbols *symbols; /* names of what has no header, NULL: none; freed with it */
};

/* Where to look. */
struct dp_z80_place {
    int32_t origin; /* where byte 0 lies; -1: as the kind of file says, or found out */
    int bank;       /* of a machine with banks, the one to look at C000; -1: what the processor saw,
                       or one that has functions */
};

/* A program in bytes of any kind that dp_z80_kinds lists. Returns what is there, with n = 0
   functions if none was found, yours to free; `kind` then says what the file surely is, NULL if
   nothing is sure. */
struct dp_z80_program *dp_z80_find(const uint8_t *bytes, size_t n,
                                   const struct dp_z80_place *place);
/* Would dp_z80_find() find a function? Quicker than asking that. */
int dp_z80_is_there(const uint8_t *bytes, size_t n);
void dp_z80_program_free(struct dp_z80_program *program);

/* Parts of it, each on an image that is loaded: functions, chains, stack, calls. */
void dp_z80_scan(struct dp_z80_program *program);
void dp_z80_link(struct dp_z80_program *program);
void dp_z80_walk(struct dp_z80_program *program);
void dp_z80_sites(struct dp_z80_program *program);
/* Where byte 0 of raw bytes must lie so that functions and links fit together: 1, or 0 if nothing
   fits. */
int dp_z80_guess(const uint8_t *bytes, size_t n, int32_t *origin);

/* The function whose name, header, entry is there, or whose code the address lies in. */
uint32_t dp_z80_named(const struct dp_z80_program *program, uint16_t name);
uint32_t dp_z80_headed(const struct dp_z80_program *program, uint16_t header);
/* The function whose header this one's leads to. */
uint32_t dp_z80_next(const struct dp_z80_program *program, uint32_t function);
/* ... by the address that it is called at. */
uint32_t dp_z80_entered(const struct dp_z80_program *program, uint16_t addr);
uint32_t dp_z80_inside(const struct dp_z80_program *program, uint16_t addr);

/* The bytes of a name, not terminated. */
static inline const char *dp_z80_name(const struct dp_z80_program *program, uint32_t function)
{
    return (const char *)program->image.mem + program->functions[function].name;
}

#endif
