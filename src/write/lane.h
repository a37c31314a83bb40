/*
 * The calls of a run in their order, cut down while they are read to what a picture has room for.
 * Calls shorter than a grain that grows with the run have no box of their own; those of them that
 * follow each other closely are one box, with their number. Memory is bounded by DP_LANE_BOXES a
 * process and the depth of calls. One object hears the profiles of several processes in turn.
 */
#ifndef DPROF_WRITE_LANE_H
#define DPROF_WRITE_LANE_H

#include "model/build.h"
#include "model/strings.h"
#include "write/lens.h"

enum { DP_LANE_BOXES = 16384, DP_LANE_LEVELS = 250 };

/* A call, or several short ones in a row. */
struct dp_lane_box {
    int64_t start; /* real ticks, as the file has them */
    int64_t end;
    uint32_t level;
    uint32_t name;  /* string of lane->names; of several calls the longest one's */
    uint64_t calls; /* 0: it is one call; else so many short ones, with what they called */
    int64_t longest;
};

struct dp_lane_label {
    int64_t at;
    uint32_t text; /* string of lane->names */
};

/* What one process or thread did. Strings are of lane->names, DP_NONE: not said. */
struct dp_lane_track {
    struct dp_lane_box *boxes; /* by level, then time, once dp_lane_fit() was called */
    uint32_t n;
    int64_t grain; /* no box is shorter */
    int64_t first;
    int64_t last;
    uint64_t hz;
    uint64_t calls;
    uint32_t pid;
    uint32_t tid;
    uint32_t started;
    struct dp_lane_label *labels;
    uint32_t nlabels;
};

struct dp_lane_open; /* a call that is open while it is read */

struct dp_lane {
    struct dp_listener listener;
    struct dp_lens lens;
    struct dp_strings names;
    uint32_t *name_of; /* per sub of the profile that is read: string of `names` */
    uint32_t nnames;
    struct dp_lane_open *open; /* open[0] is the code outside any sub */
    uint32_t nopen;
    uint32_t room;
    struct dp_lane_track *tracks;
    uint32_t ntracks;
    int anonymous; /* a track tells what happened when, but not of which process, and no labels */
};

void dp_lane_init(struct dp_lane *lane, int only_within, dp_decide *decide, void *ctx);
/* For struct dp_read_options; dp_lane_end() when the profile is read, while it is there. */
void dp_lane_begin(void *lane, struct dp_profile *prof);
void dp_lane_end(struct dp_lane *lane, const struct dp_profile *prof);
/* Makes all tracks together fit into so many boxes. */
void dp_lane_fit(struct dp_lane *lane, uint32_t most);
void dp_lane_free(struct dp_lane *lane);

#endif
