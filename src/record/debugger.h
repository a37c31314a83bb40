/*
 * What -d:DProf leaves in the program, besides the recorder: taken away.
 */
#ifndef DPROF_RECORD_DEBUGGER_H
#define DPROF_RECORD_DEBUGGER_H

#include "record/perl_api.h"

/* Switches perl's debugger off, or the program would run slower and see $^P; and gives $ENV{PERL5DB} the
   value back that it had. Does nothing if perl was started without -d. */
void dp_debugger_stop(pTHX);

#endif
