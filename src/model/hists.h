/*
 * Histograms of the calls of a node.
 */
#ifndef DPROF_MODEL_HISTS_H
#define DPROF_MODEL_HISTS_H

#include "model/profile.h"

/* The node's, made if it has none. */
struct dp_hist *dp_hist_of(struct dp_profile *prof, uint32_t node);
void dp_hist_count(struct dp_hist *hist, uint64_t ticks);
void dp_hist_add(struct dp_hist *to, const struct dp_hist *from);
/* From a clock of `from` ticks a second to one of `to`: each bucket goes where its middle goes. */
void dp_hist_rescale(struct dp_hist *hist, uint64_t from, uint64_t to);
/* Ticks below which that part of the calls lies, 0 to 1: the middle of the bucket, held between min
   and max; exact only within a factor of two. 0 if it counts no calls. */
uint64_t dp_hist_quantile(const struct dp_hist *hist, double part);

#endif
