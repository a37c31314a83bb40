/*
 * A trace written again, call by call, while it is read: tmon.out's text dialect, or the compact
 * one. Memory grows with distinct subs, never with calls.
 */
#ifndef DPROF_WRITE_TRACE_H
#define DPROF_WRITE_TRACE_H

#include <stdint.h>

#include "base/out.h"
#include "model/build.h"
#include "write/lens.h"

#define DP_TRACE_NONE UINT64_MAX

struct dp_trace {
    struct dp_listener listener;
    struct dp_out *out;
    struct dp_lens lens;
    struct dp_arena arena;
    struct dp_trace_name *names; /* per sub */
    uint32_t nnames;
    uint32_t nids;
    uint32_t placed; /* below it all were introduced */
    int compact;
    int begun;           /* what stands before the first mark is written */
    struct dp_time last; /* what the file's reader takes for the time now */
    struct dp_time gone; /* in gaps */
    uint64_t marks;
    uint64_t calls; /* heard */
    int heard;      /* 1: a call was, or the rest of one */
};

/* Prints to `out`. only_within, decide, ctx: see lens.h; decide NULL: all subs under their full
   names. */
void dp_trace_init(struct dp_trace *trace, struct dp_out *out, int compact, int only_within,
                   dp_decide *decide, void *ctx);
/* For struct dp_read_options, with the trace as ctx. */
void dp_trace_begin(void *trace, struct dp_profile *prof);
/* When all is read, while the profile is there. Returns how many calls were folded while they were
   recorded, have no order and are not in what was written; if all are, nothing was written.
   DP_TRACE_NONE: there are call paths with times, and nothing is known of calls. */
uint64_t dp_trace_end(struct dp_trace *trace, const struct dp_profile *prof);
void dp_trace_free(struct dp_trace *trace);

#endif
