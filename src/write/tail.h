/*
 * The last marks of a trace, kept while it is read: what walkback shows.
 */
#ifndef DPROF_WRITE_TAIL_H
#define DPROF_WRITE_TAIL_H

#include "model/build.h"

#define DP_TAIL_MARKS 16

struct dp_tail_mark {
    uint32_t sub;
    uint32_t depth;
    int enters;
    struct dp_time at;
};

struct dp_tail {
    struct dp_listener listener;
    struct dp_profile *prof;
    struct dp_tail_mark marks[DP_TAIL_MARKS]; /* a ring */
    uint64_t n;                               /* marks so far */
};

void dp_tail_init(struct dp_tail *tail);
/* For struct dp_read_options. */
void dp_tail_begin(void *tail, struct dp_profile *prof);

#endif
