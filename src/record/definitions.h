/*
 * Which piece of perl code is which sub, and forgetting what perl has freed.
 *
 * Code of string evals comes and goes; what is remembered of it must not grow with each of them.
 */
#ifndef DPROF_RECORD_DEFINITIONS_H
#define DPROF_RECORD_DEFINITIONS_H

#include "record/names.h"

/* The sub that was called with this definition; NULL: none was. */
struct dp_sub *dp_sub_by_definition(const struct dp_known *known, UV definition);

/* The definition of this CV is that of `sub`. Without memory nothing happens. */
void dp_definition_remember(pTHX_ struct dp_known *known, CV *cv, struct dp_sub *sub);

/* Which of the nameless subs of its line it is (record/units.h). 0: that is not known. */
void dp_definition_number(pTHX_ struct dp_known *known, CV *cv, uint32_t number);
uint32_t dp_definition_number_of(pTHX_ const struct dp_known *known, CV *cv);

/* When much is remembered of evals: looks at all subs that perl has, and forgets what belongs to none. */
void dp_definitions_tidy(pTHX_ struct dp_recorder *recorder);

#endif
