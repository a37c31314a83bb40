/*
 * Looking at a profile that is still being built.
 */
#ifndef DPROF_MODEL_PEEK_H
#define DPROF_MODEL_PEEK_H

#include "model/build.h"

/* Brings build->prof to where the reader is: calls and times of all nodes, the totals, the open
   frames. It may be cleaned and summed then. */
void dp_build_peek(struct dp_build *build);
/* Takes back what dp_build_peek() and dp_profile_clean() did, before the building goes on. */
void dp_build_unpeek(struct dp_build *build);

#endif
