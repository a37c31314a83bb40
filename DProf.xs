/*
 * Glue between perl and the recorder; what it does is in src/record.
 */
#include "record/perl_api.h"
#include "record/recorder.h"

MODULE = Devel::DProf  PACKAGE = Devel::DProf

PROTOTYPES: DISABLE

void
_begin(options)
    const char *options
  CODE:
    dp_recorder_begin(aTHX_ options);

MODULE = Devel::DProf  PACKAGE = DB

void
sub(...)
  CODE:
    PERL_UNUSED_VAR(items);

void
lsub(...)
  CODE:
    PERL_UNUSED_VAR(items);

void
goto(...)
  CODE:
    PERL_UNUSED_VAR(items);
