/*
 * Several profiles in one file, each its own process or thread: what they are called and when they
 * began.
 */
#ifndef DPROF_WRITE_PARTS_H
#define DPROF_WRITE_PARTS_H

#include "write/timeline.h"
#include "write/write.h"

struct dp_parts_list {
    const struct dp_part *all;
    uint32_t n;
    struct dp_part single;   /* where the job has prof alone */
    int64_t *begin;          /* nanoseconds between the begin of the first one and of this one */
    struct dp_timeline made; /* of those whose calls have no order */
    const struct dp_track **tracks; /* per part, never NULL after dp_parts_tracks() */
};

void dp_parts_init(struct dp_parts_list *parts, const struct dp_job *job);
/* Every part gets a track: if nothing was heard of it, one made of its call paths. */
void dp_parts_tracks(struct dp_parts_list *parts, const struct dp_job *job);
void dp_parts_free(struct dp_parts_list *parts);

/* The name of a track's call. */
const char *dp_part_name(const struct dp_parts_list *parts, const struct dp_job *job, uint32_t part,
                         const struct dp_span *span, size_t *n);
/* A moment of a part's clock in nanoseconds from the begin of all. */
int64_t dp_part_when(const struct dp_parts_list *parts, uint32_t part, int64_t ticks);
/* Its process and thread as numbers: those of the run, else ones of their own. */
uint64_t dp_part_pid(const struct dp_parts_list *parts, uint32_t part);
uint64_t dp_part_tid(const struct dp_parts_list *parts, uint32_t part);

#endif
