/*
 * Places in the code from which calls were made: known where the recorder folded calls into a tree.
 */
#ifndef DPROF_MODEL_CALLSITES_H
#define DPROF_MODEL_CALLSITES_H

#include "model/profile.h"

void dp_add_callsite(struct dp_profile *prof, const struct dp_callsite *site);
/* After adding: puts them in order of node, file and line; what is there twice becomes one. */
void dp_settle_callsites(struct dp_profile *prof);
/* Those of one node, n of them; NULL if none is known. Together they need not have all of the
   node's calls: calls of a trace have no site. */
const struct dp_callsite *dp_callsites_of(const struct dp_profile *prof, uint32_t node,
                                          uint32_t *n);

#endif
