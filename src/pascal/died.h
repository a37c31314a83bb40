/*
 * The place where a program ended and the calls that were open then, as its transcript tells: marked,
 * and taken out of the counts of what did not run any more.
 */
#ifndef DPROF_PASCAL_DIED_H
#define DPROF_PASCAL_DIED_H

#include "pascal/calls.h"

/* A line of a trace, innermost first. */
struct dp_pascal_frame {
    const char *name; /* of the routine; "" if it is not said */
    uint32_t line;    /* 0: not said */
};

enum dp_pascal_mark { DP_MARK_NONE, DP_MARK_OPEN, DP_MARK_DIED };

/* How it ended. */
struct dp_pascal_death {
    const struct dp_pascal_frame *frames;
    uint32_t nframes;
    int64_t statements; /* how many were executed, -1: it is not said. It decides where lines are
                           missing or have several statements */
    const char *text;   /* "runtime error 200" */
};

/* Does a line of the trace fit to more than one statement on it? */
enum dp_pascal_certain { DP_PLACES_CERTAIN, DP_CALLS_GUESSED, DP_END_GUESSED };

/* Marks (per node, enum dp_pascal_mark) and counts, in flow->lost. Returns how many frames have a
   place; the first that has none ends the trace. Call it before dp_pascal_unwind(). */
uint32_t dp_pascal_died(struct dp_pascal_flow *flow, const struct dp_pascal_death *death,
                        unsigned char *marks, enum dp_pascal_certain *certain);

#endif
