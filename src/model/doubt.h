/*
 * What a time can be wrong by: the grain of the clock, and that of the calibration.
 */
#ifndef DPROF_MODEL_DOUBT_H
#define DPROF_MODEL_DOUBT_H

#include "model/time.h"

/* Of a time that is made of so many stretches, with an error of the calibration beside it. */
struct dp_time dp_unsure(double stretches, const struct dp_amount *err);

/* The same for each node of the tree. */
struct dp_node_doubt {
    struct dp_time self;
    struct dp_time below; /* of the time of what it called */
    struct dp_time incl;
};
struct dp_node_doubt *dp_node_doubts(const struct dp_profile *prof);

#endif
