/*
 * Telling subs of one line apart. Anonymous subs and BEGIN blocks have no name but their place; where there are
 * several on a line, they are numbered in the order in which they are compiled, from 1 in each unit: a file, or
 * a string eval. So they are called the same however often the unit is compiled again, and in whatever order its
 * subs are called.
 */
#ifndef DPROF_RECORD_UNITS_H
#define DPROF_RECORD_UNITS_H

#include "record/names.h"

/* A line of a unit, and how many there were on it. */
struct dp_line_seen {
    uint32_t unit;
    uint32_t line;
    uint32_t anonymous;
    uint32_t begins;
    UV begin; /* the definition of the last BEGIN block */
};

/* From now on perl tells us of anonymous subs that it has compiled; once in a process. */
void dp_units_install(pTHX);

/* A unit is about to be compiled. Returns the one before, for dp_unit_end(). */
uint32_t dp_unit_begin(struct dp_known *known);
void dp_unit_end(struct dp_known *known, uint32_t before);

/* The number on its line of a BEGIN block that is about to run. */
uint32_t dp_unit_begin_block(struct dp_known *known, uint32_t line, UV definition);

#endif
