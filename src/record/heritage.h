/*
 * What a thread knows from the interpreter that it was cloned from: the places of string evals, and which subs of a line
 * are which; so that a sub has one name in all profiles of a family.
 */
#ifndef DPROF_RECORD_HERITAGE_H
#define DPROF_RECORD_HERITAGE_H

#include "record/names.h"

/* From now on, when this interpreter is cloned, what its recorder knows is kept for the clone; and so on in the clone. */
void dp_heritage_follow(pTHX);

/* Gives a new thread's recorder what was kept for it. */
void dp_heritage_take(pTHX_ struct dp_known *known);

/* In a forked child: whatever another thread was doing. */
void dp_heritage_forked(void);

#endif
