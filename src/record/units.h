/*
 * Telling subs of one line apart. Anonymous subs and BEGIN blocks have no name but their place; where there are
 * several on a line, they are numbered in the order in which they are compiled, from 1 in each unit: a file, or
 * a string eval. So they are called the same however often the unit is compiled again, and in whatever order its
 * subs are called.
 */
#ifndef DPROF_RECORD_UNITS_H
#define DPROF_RECORD_UNITS_H

#include "record/names.h"

/* A unit that is being compiled. */
struct dp_unit {
    const yy_parser *outer; /* perl's parser when it began: it has another one, while it lasts */
    const char *frame;      /* where on the C stack the function lies that runs it */
    int has_started;        /* its own parser was seen */
    uint32_t id;
    U32 eval;         /* the number that perl was expected to give the eval, or 0 */
    const char *text; /* the place of the eval, or NULL */
};

/* A line of a unit, and how many there were on it. */
struct dp_line_seen {
    uint32_t unit; /* its id; 0 is the program itself */
    uint32_t line; /* 0: free */
    uint32_t anonymous;
    uint32_t begins;
};

/* From now on perl tells us of anonymous subs that it has compiled; once in a process. */
void dp_units_install(pTHX);

/* A unit is about to be compiled: a file, or the eval that was noted last (eval 0: a file). frame: the address of a
   variable of the caller, which runs it. Returns what dp_unit_end() wants. */
uint32_t dp_unit_begin(pTHX_ struct dp_known *known, const void *frame, U32 eval, const char *text);
void dp_unit_end(struct dp_known *known, uint32_t depth);

/* The number on its line of a BEGIN block that runs for the first time. */
uint32_t dp_unit_begin_block(pTHX_ struct dp_known *known, uint32_t line);

#endif
