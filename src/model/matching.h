/*
 * The same sub in two versions of a program.
 */
#ifndef DPROF_MODEL_MATCHING_H
#define DPROF_MODEL_MATCHING_H

#include "model/profile.h"

/* For each sub of `from` the one of `to` that it is, DP_NONE: the one of the same name, if any.
   Names decide; but the name of an anonymous sub holds its line, and lines move. Such a sub is the
   one that stands as many lines behind the start of the same outer sub; where that fits none, and
   the outer sub has as many of them left as it had, the one at the same place in their order. Free
   it with dp_free(). */
uint32_t *dp_match_subs(const struct dp_profile *from, const struct dp_profile *to);

#endif
