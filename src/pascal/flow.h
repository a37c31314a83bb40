/*
 * From counters to what ran how often: statements, routines, lines, calls.
 */
#ifndef DPROF_PASCAL_FLOW_H
#define DPROF_PASCAL_FLOW_H

#include "base/err.h"
#include "pascal/pascal.h"

/* The place where counts contradict the text. */
struct dp_pascal_clash {
    uint32_t counter; /* number, from 1; 0: none */
    uint32_t token;   /* where it stands in the text */
    int64_t value;
    int64_t most; /* what it can be at most */
};

struct dp_pascal_flow {
    const struct dp_pascal *pascal;
    const int64_t *values; /* the counters, values[0] is counter 1 */
    const int64_t *completed; /* per node: how often its calls came back, -1: not known; or NULL */
    int64_t *ran;          /* per node: how often a statement was begun, 0 for other nodes */
    int64_t *back;         /* per node: how often the end of a loop's body was reached */
    int64_t *lost;         /* per node: how often a statement was begun and never left behind */
    unsigned char *doubt;  /* per node: 1: calls that did not come back may make it another number */
    unsigned char *own_doubt; /* per routine: 1: and the sum of its statements */
    uint32_t *owner;       /* per node: the routine it is a statement of */
    struct dp_pascal_clash clash; /* the first one */
};

/* Free with dp_pascal_flow_free(); `values` must have pascal->ntaken of them and stay. */
struct dp_pascal_flow *dp_pascal_flow_new(const struct dp_pascal *pascal, const int64_t *values);
/* What a statement cost without those inside it, as the original interpreter counts: "N statements
   executed". A loop costs one at its beginning and one each time its body ends; begin, repeat and
   labels are free. */
int64_t dp_pascal_costs(unsigned kind, int64_t ran, int64_t back);
int64_t dp_pascal_cost(const struct dp_pascal_flow *flow, uint32_t node);
/* Computes it anew for one routine, or for all, after `lost` was changed. */
void dp_pascal_flow_routine(struct dp_pascal_flow *flow, uint32_t routine);
void dp_pascal_flow_all(struct dp_pascal_flow *flow);
void dp_pascal_flow_free(struct dp_pascal_flow *flow);

#endif
