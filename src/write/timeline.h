/*
 * What happened when: the calls of a trace in time order, kept while it is read, for writers that
 * draw an axis of time. Memory is bounded: when there are too many calls the shortest ones are left
 * out, those below a limit that doubles as need be. A call is never shorter than what it called, so
 * what stays still nests; the time of a call that is left out is its caller's own. One object may
 * hear several profiles in turn: each is a track.
 */
#ifndef DPROF_WRITE_TIMELINE_H
#define DPROF_WRITE_TIMELINE_H

#include "model/build.h"
#include "model/strings.h"
#include "write/lens.h"

#define DP_TIMELINE_MOST 200000 /* calls of a track that are kept */

/* A call. Ticks are those of the file: of one clock for all processes of a run. */
struct dp_span {
    uint32_t name;  /* string of the timeline */
    uint32_t depth; /* 0: called from outside any sub */
    int64_t start;
    int64_t end;
};

struct dp_track {
    struct dp_span *spans; /* in order of their start, callers before what they called */
    uint32_t n;
    uint32_t room;
    uint32_t limit;    /* the shortest are left out when there are so many */
    int64_t shortest;  /* calls below so many ticks are left out */
    uint64_t left_out; /* how many were */
    int made;          /* 1: not heard but made of call paths, side by side */
};

struct dp_timeline {
    struct dp_listener listener;
    struct dp_lens lens;
    struct dp_strings names;
    uint32_t *name_of; /* per sub of the profile that is read, DP_NONE: not asked for yet */
    uint32_t nnames;
    uint32_t most;
    struct dp_track *tracks;
    uint32_t ntracks;
    uint32_t *open; /* spans of the track, outermost first */
    uint32_t nopen;
    uint32_t room;
    int64_t now;
};

/* only_within, decide, ctx: see lens.h. */
void dp_timeline_init(struct dp_timeline *timeline, int only_within, dp_decide *decide, void *ctx);
/* For struct dp_read_options: a track begins. */
void dp_timeline_begin(void *timeline, struct dp_profile *prof);
void dp_timeline_free(struct dp_timeline *timeline);

/* A track of a profile whose calls have no order: its call paths with their inclusive time, those
   of one caller side by side in order of first appearance. */
void dp_timeline_of_paths(struct dp_timeline *timeline, const struct dp_profile *prof,
                          const struct dp_time *node_incl);

#endif
