/*
 * How long single calls took, kept while a trace is read: for each name a histogram whose buckets
 * are an eighth of an octave wide, so that a percentile is right within 5 percent, and the least
 * and the most exactly. Memory grows with names, never with calls. One object may hear several
 * profiles in turn.
 */
#ifndef DPROF_WRITE_DURATIONS_H
#define DPROF_WRITE_DURATIONS_H

#include "model/build.h"
#include "model/strings.h"
#include "write/lens.h"

/* The calls of one name: their inclusive real time in ticks. */
struct dp_duration {
    uint64_t calls;
    uint64_t total;
    uint64_t least;
    uint64_t most;
    uint32_t first; /* the bucket of counts[0] */
    uint32_t n;
    uint64_t *counts;
};

#define DP_NO_CALL INT64_MIN

struct dp_durations {
    struct dp_listener listener;
    struct dp_lens lens;
    struct dp_strings names;
    struct dp_duration *all; /* per string of `names` */
    uint32_t nall;
    uint32_t *entry; /* per sub of the profile that is read: index into `all` */
    uint32_t nentries;
    int64_t *since; /* of open calls that are shown: real ticks at their entry; DP_NO_CALL: the rest
                       of a call that was counted before */
    uint32_t nopen;
    uint32_t room;
};

void dp_durations_init(struct dp_durations *durations, int only_within, dp_decide *decide,
                       void *ctx);
/* For struct dp_read_options. */
void dp_durations_begin(void *durations, struct dp_profile *prof);
void dp_durations_free(struct dp_durations *durations);

/* The calls of that name, or NULL. */
const struct dp_duration *dp_duration_of(const struct dp_durations *durations, const char *name,
                                         size_t n);
/* The time that `share` (0 to 1) of the calls did not exceed, in ticks. */
double dp_duration_at(const struct dp_duration *duration, double share);

#endif
