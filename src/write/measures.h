/*
 * What files for other tools measure: calls and times in nanoseconds, or statements. Where a format
 * can, it gets all of them.
 */
#ifndef DPROF_WRITE_MEASURES_H
#define DPROF_WRITE_MEASURES_H

#include "write/write.h"

enum dp_measured { DP_CALLS, DP_CPU, DP_WALL, DP_USER, DP_SYSTEM, DP_STATEMENTS };

struct dp_measure {
    enum dp_measured what;
    const char *name;
    const char *unit;  /* "count" or "nanoseconds" */
    const char *about; /* for people */
};

/* Those that the profile has, calls first. */
const struct dp_measure *dp_measures(const struct dp_profile *prof, unsigned *n);
/* The one that the view is about: the clock that was asked for, or what was counted. */
const struct dp_measure *dp_main_measure(const struct dp_job *job);

/* So much of it. */
int64_t dp_measure(const struct dp_profile *prof, const struct dp_measure *measure, uint64_t calls,
                   const struct dp_time *time);
/* The calls and the own time of a node. */
int64_t dp_measure_node(const struct dp_profile *prof, const struct dp_measure *measure,
                        uint32_t node);

/* Rounded; what is too large is the largest number there is. */
int64_t dp_nanoseconds(int64_t ticks, uint64_t hz);

#endif
