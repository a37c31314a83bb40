/*
 * Glue between perl and the recorder; what it does is in src/record.
 */
#include "record/perl_api.h"
#include "record/recorder.h"
#include "record/classic.h"
#include "record/control.h"
#include "record/interp.h"

MODULE = Devel::DProf  PACKAGE = Devel::DProf

PROTOTYPES: DISABLE

void
_begin(options, file = NULL)
    const char *options
    const char *file
  CODE:
    dp_recorder_begin(aTHX_ options, file);

void
_begin_now(...)
  PREINIT:
    struct dp_recorder *recorder = dp_interp_find(aTHX);
  CODE:
    PERL_UNUSED_VAR(items);
    if (recorder)
        dp_control_begin(aTHX_ recorder);

void
_start(file = NULL)
    const char *file
  CODE:
    dp_control_start(aTHX_ file);

void
_stop()
  CODE:
    dp_control_stop(aTHX);

void
_switch(on)
    int on
  CODE:
    dp_control_switch(aTHX_ on);

void
_flush()
  CODE:
    dp_control_flush(aTHX);

void
_finish()
  CODE:
    dp_control_finish(aTHX);

void
_mark(text)
    SV *text
  CODE:
    dp_control_mark(aTHX_ text);

BOOT:
    dp_classic_define(aTHX);
