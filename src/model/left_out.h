/*
 * Statements of routines that are left out of a profile: they go to who called them, by numbers of
 * calls where there are several.
 */
#ifndef DPROF_MODEL_LEFT_OUT_H
#define DPROF_MODEL_LEFT_OUT_H

#include "model/profile.h"

/* A profile of statements, and the new sub of each old one (DP_NONE: left out). Gives `to`, which
   has the nodes of those that stay, what the others cost; what nobody called goes to the root. */
void dp_give_to_callers(struct dp_profile *to, const struct dp_profile *from,
                        const uint32_t *sub_of);

#endif
