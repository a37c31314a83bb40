/*
 * Calls: each place in the text that calls a routine, how often it did, and what routines cost with
 * all that they call.
 */
#ifndef DPROF_PASCAL_CALLS_H
#define DPROF_PASCAL_CALLS_H

#include "pascal/flow.h"

/* A place that calls. Routines are named by the heading that has the body. */
struct dp_pascal_call {
    uint32_t statement; /* node */
    uint32_t token;     /* the name there */
    uint32_t caller;
    uint32_t callee; /* DP_PASCAL_NOWHERE: whatever a parameter stands for */
    uint32_t param;  /* the PARAM node then */
    int64_t count;
    int maybe; /* 1: a compiler of today may have called less often, or twice where `twice` is 1,
                  or it is no call but a field of a with whose type is not known */
    int twice; /* 1: in the left side of mod, which Free Pascal evaluates twice in its ISO mode */
};

/* A routine that comes to a parameter, given to it or handed on by another one. */
struct dp_pascal_passed {
    uint32_t routine;
    uint32_t param; /* PARAM node */
};

/* All calls of one routine by another. */
struct dp_pascal_edge {
    uint32_t caller; /* routines */
    uint32_t callee;
    uint32_t sites;
    int64_t count;
    int guessed; /* 1: other numbers fit as well: of calls that are `maybe`, or through parameters */
    int through; /* 1: through a procedural parameter */
    double cost; /* of the callee and all below, for this caller */
};

/* What a routine cost, in statements. */
struct dp_pascal_cost_of {
    int64_t calls;
    int64_t own;
    double all;  /* with what it called */
    int guessed; /* `all` was apportioned by numbers of calls */
    int doubt;   /* `own` is not certain (flow->own_doubt) */
    int64_t
        sites; /* calls that its call sites may add up to, -1: it is called through parameters too */
};

struct dp_pascal_graph {
    const struct dp_pascal *pascal;
    struct dp_pascal_call *calls;
    uint32_t ncalls;
    struct dp_pascal_passed *passed;
    uint32_t npassed;
    struct dp_pascal_edge *edges; /* those of a caller together */
    uint32_t nedges;
    struct dp_pascal_cost_of *costs; /* per routine */
    int64_t total;
};

struct dp_pascal_graph *dp_pascal_graph_new(const struct dp_pascal_flow *flow);
void dp_pascal_graph_free(struct dp_pascal_graph *graph);

/* How often a call site called, as the flow has it now. */
int64_t dp_pascal_call_count(const struct dp_pascal_flow *flow, const struct dp_pascal_call *call);
/* calls.c: finds the call sites, with their counts. */
void dp_pascal_find_calls(struct dp_pascal_graph *graph, const struct dp_pascal_flow *flow);

#endif
