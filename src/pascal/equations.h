/*
 * Linear equations between numbers of calls: whole numbers, none below zero. They tell which of the
 * numbers are certain, and in which directions the others can move together.
 */
#ifndef DPROF_PASCAL_EQUATIONS_H
#define DPROF_PASCAL_EQUATIONS_H

#include <stdint.h>

enum dp_solved {
    DP_SOLVED_NEVER,  /* they contradict one another */
    DP_SOLVED_ONCE,   /* one solution: least[] is it */
    DP_SOLVED_OFTEN,  /* several: dp_equations_direction() */
    DP_SOLVED_UNKNOWN /* too many unknowns to say: one direction, in which all of them move */
};

struct dp_term {
    uint32_t row;
    uint32_t column;
    int64_t times;
};

struct dp_equations {
    uint32_t nrows;
    uint32_t ncolumns;
    int64_t *right; /* per row */
    int64_t *least; /* per column: bounds, made narrower */
    int64_t *most;
    struct dp_term *terms;
    uint32_t nterms;
    uint32_t *first; /* per row: its first term; nrows + 1 */
    /* What is left when all that is certain is out, modulo a prime: one column more than unknowns.
     */
    uint64_t *matrix;
    uint32_t *loose; /* the unknowns: columns */
    uint32_t nloose;
    uint32_t *pivots; /* per row of the matrix: its unknown */
    uint32_t rank;
    uint32_t *open; /* unknowns that no row decides */
    uint32_t nopen;
};

/* All right sides and bounds are 0 at first. Free with dp_equations_free(). */
struct dp_equations *dp_equations_new(uint32_t nrows, uint32_t ncolumns);
void dp_equations_free(struct dp_equations *e);
/* Adds times * column to a row. */
void dp_equations_add(struct dp_equations *e, uint32_t row, uint32_t column, int64_t times);
enum dp_solved dp_equations_solve(struct dp_equations *e);
/* After DP_SOLVED_OFTEN: narrows the bounds to one solution of whole numbers, any; 0: none was
   found. Directions are gone then. */
int dp_equations_choose(struct dp_equations *e);
/* The k-th of e->nopen directions, a number per column; each number is modulo a prime: what is to
   be kept of it is whether sums of it are 0 (dp_equations_is_zero()). */
void dp_equations_direction(const struct dp_equations *e, uint32_t k, int64_t *along);
int dp_equations_is_zero(int64_t sum);

#endif
