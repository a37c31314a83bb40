/*
 * hook=sub: the way of the original. perl calls DB::sub in the place of every sub, and DB::goto before a
 * `goto &sub`. It sees less and disturbs more (recursion nests C calls, `&foo;` gets a copy of @_, a sub
 * cannot be left by last or next), but needs nothing of perl's inside: it is the fallback, and the
 * cross-check of the other way.
 */
#ifndef DPROF_RECORD_CLASSIC_H
#define DPROF_RECORD_CLASSIC_H

#include "record/recorder.h"

/* Defines DB::sub, DB::lsub and DB::goto, which -d promises; they do their work in either way, since a
   program may set $^P itself. */
void dp_classic_define(pTHX);

/* Turns perl's own machinery on. */
void dp_classic_install(pTHX);

/* Does this interpreter call our DB::sub? */
int dp_classic_present(pTHX);

#endif
