/*
 * Which routines come to which parameters, also by way of parameters that hand them on.
 */
#ifndef DPROF_PASCAL_PASSED_H
#define DPROF_PASCAL_PASSED_H

#include "pascal/calls.h"

/* A parameter that is given to another one. PARAM nodes. */
struct dp_pascal_handed {
    uint32_t from;
    uint32_t to;
};

/* Makes graph->passed hold each routine once for each parameter that it comes to. */
void dp_pascal_hand_on(struct dp_pascal_graph *graph, const struct dp_pascal_handed *handed,
                       uint32_t n, uint32_t nnodes);

#endif
