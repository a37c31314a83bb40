/*
 * Colours on a terminal (view->colour): what is dear stands out, heads are bold. Nothing of it
 * without: not a byte. Colours are the eight that every terminal has, in its own theme.
 */
#ifndef DPROF_WRITE_COLOUR_H
#define DPROF_WRITE_COLOUR_H

#include "write/write.h"

void dp_colour_head(const struct dp_job *job);
/* Of a row with this share: red from a fifth on, yellow from a twentieth on. */
void dp_colour_share(const struct dp_job *job, double part, double whole);
/* Of a change: red for the worse, green for the better. */
void dp_colour_change(const struct dp_job *job, int worse);
/* Before the end of the line. */
void dp_colour_end(const struct dp_job *job);

#endif
