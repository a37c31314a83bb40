/*
 * What statements cost with what they called, in profiles that were made of others: there subs are
 * one that were several, and have callers that they did not have.
 */
#ifndef DPROF_MODEL_INCLUSIVE_H
#define DPROF_MODEL_INCLUSIVE_H

#include "model/profile.h"

/* Apportions what the marked subs cost with all below to their callers, by numbers of calls. Calls
   within a circle cost nothing, as the circle is one thing. marked has prof->nsubs elements. */
void dp_apportion_costs(struct dp_profile *prof, const unsigned char *marked);

/* Of each new sub that several old ones became: what happened inside any of them, once. sub_of has
   the new sub of each old one, DP_NONE where it was left out. After the links. */
void dp_include_groups(struct dp_profile *to, const struct dp_profile *from,
                       const uint32_t *sub_of);

#endif
