/* What the parts of the search for calls that did not come back share. */
#ifndef DPROF_PASCAL_UNWIND_PARTS_H
#define DPROF_PASCAL_UNWIND_PARTS_H

#include "pascal/equations.h"
#include "pascal/unwind.h"

/* What a jump out of a routine goes from and to. */
struct dp_jump {
    uint32_t routine;
    uint32_t target; /* DP_PASCAL_NOWHERE: all the way, it is a halt */
    uint32_t statement;
    int64_t count;
};

/* So many calls fewer of a routine for each call that is lost at a site. */
struct dp_effect {
    uint32_t routine;
    int64_t fewer;
};

/* A place whose calls of a routine may have been left by a jump. */
struct dp_site {
    uint32_t call; /* index in graph.calls */
    uint32_t callee;
    uint32_t next; /* with the same callee, DP_PASCAL_NOWHERE: none */
    struct dp_effect *effects;
    uint32_t neffects;
};

struct dp_unwinder {
    struct dp_pascal_flow *flow;
    const struct dp_pascal *pascal;
    struct dp_pascal_graph graph; /* only its calls and what is passed */
    uint32_t *first;              /* per routine: its first call in by_caller; nroutines + 1 */
    uint32_t *by_caller;
    struct dp_jump *jumps;
    uint32_t njumps;
    struct dp_site *sites;
    uint32_t nsites;
    uint32_t *by_callee; /* per routine: its first site */
    int64_t *excess;     /* per routine: what its sites call too often */
    uint32_t *effect_of; /* per routine: its effect of the site at hand, from 1; 0: none */
    unsigned char *free; /* per routine: 1: also called in ways that are not seen */
};

/* unwind_search.c: one way in which all jumps can have gone, taken out of the counts (flow->lost).
 */
enum dp_found {
    DP_FOUND_NOTHING,
    DP_FOUND_ONE,  /* every jump has a chain */
    DP_FOUND_ONLY, /* and there is no other */
};
enum dp_found dp_unwind_search(struct dp_unwinder *u);
/* unwind.c: the excess anew, as flow->lost is now. */
void dp_unwind_measure(struct dp_unwinder *u);

/* unwind_doubt.c: marks (flow->doubt) what would be another number if the calls that were lost were
   others, in every direction of the equations. */
void dp_unwind_doubt(struct dp_unwinder *u, const struct dp_equations *e);
/* Marks what is behind call sites that call a routine more often than it was entered. */
void dp_unwind_doubt_excess(struct dp_unwinder *u);

#endif
