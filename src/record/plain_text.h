/*
 * What a scalar of the program says, without running anything of the program's: no FETCH of a tied variable, no
 * overloading, no handler of warnings.
 */
#ifndef DPROF_RECORD_PLAIN_TEXT_H
#define DPROF_RECORD_PLAIN_TEXT_H

#include "record/recorder.h"

/* UTF-8 that lives as long as perl's temporaries do, or NULL: it says nothing. The scalar stays as it is. */
const char *dp_plain_text(pTHX_ SV *sv, STRLEN *length);

#endif
