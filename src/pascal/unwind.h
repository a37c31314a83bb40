/*
 * Calls that never came back. A goto out of a routine, halt, or the end of the program in the
 * middle leaves the statements behind the calls that were open uncounted, though their groups'
 * counters say otherwise. Which calls those were is worked out: no routine is entered more or less
 * often than its call sites call it.
 */
#ifndef DPROF_PASCAL_UNWIND_H
#define DPROF_PASCAL_UNWIND_H

#include "pascal/calls.h"

/* How well it came out. */
enum dp_pascal_unwound {
    DP_UNWOUND_NOTHING, /* there is none */
    DP_UNWOUND_EXACT,   /* every count is explained, in the only way there is */
    DP_UNWOUND_GUESSED, /* in one of several ways: flow->doubt has what differs between them */
    DP_UNWOUND_PARTLY,  /* counts stay too large: flow->doubt has those that are known to be */
};

/* What is not known in another way, and not in flow->lost already. */
enum { DP_UNWIND_GOTOS = 1, DP_UNWIND_HALTS = 2 };

/* Fills flow->lost and flow->doubt and does the flow anew. */
enum dp_pascal_unwound dp_pascal_unwind(struct dp_pascal_flow *flow, unsigned what);

#endif
