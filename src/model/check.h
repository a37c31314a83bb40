/*
 * Is the model whole? Called after every read in tests and under fuzzing.
 */
#ifndef DPROF_MODEL_CHECK_H
#define DPROF_MODEL_CHECK_H

#include "base/err.h"
#include "model/profile.h"

/* Parents before children, links that agree, indices in range, no negative amounts, the sum of all
   nodes' own time equal to the total. 0, or -1 with the first fault. */
int dp_profile_check(const struct dp_profile *prof, struct dp_err *err);

#endif
