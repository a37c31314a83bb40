/*
 * Of several statements on one line, those that a line of a trace can mean.
 */
#ifndef DPROF_PASCAL_CHOICE_H
#define DPROF_PASCAL_CHOICE_H

#include "pascal/calls.h"

/* The statements that one frame may stand for, in the order of the text. */
struct dp_pascal_choice {
    uint32_t *statements; /* nodes */
    uint32_t n;
    uint32_t taken; /* index; flow->lost has been raised for it */
    int open;       /* 1: others fit as well */
};

void dp_pascal_choice_add(struct dp_pascal_choice *choice, uint32_t statement);
/* Takes of each the last statement with which routines were entered as often as they were called,
   and `total` (-1: it is not known) statements ran; what is another number with others that fit is
   marked in flow->doubt. graph: the calls. */
void dp_pascal_choose(struct dp_pascal_flow *flow, const struct dp_pascal_graph *graph,
                      struct dp_pascal_choice *choices, uint32_t n, int64_t total);

#endif
