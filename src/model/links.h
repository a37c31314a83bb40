/*
 * Links: who called whom in a profile of counts, as far as it is known.
 */
#ifndef DPROF_MODEL_LINKS_H
#define DPROF_MODEL_LINKS_H

#include "model/profile.h"

/* Adds a link; between two subs there is one at most. */
void dp_add_link(struct dp_profile *prof, const struct dp_link *link);
/* Adds the links of another profile, those between the same two subs up: sub_of has the new sub of
   each of its subs, DP_NONE where it was left out. What those called, their callers call: exactly
   where one caller is behind it, else by numbers of calls (statements), or no more is known than how
   often at most. After the nodes. */
void dp_take_links(struct dp_profile *to, const struct dp_profile *from, const uint32_t *sub_of);
/* Per sub, its calls. */
uint64_t *dp_calls_of(const struct dp_profile *prof);

#endif
