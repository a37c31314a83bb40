/*
 * Starting and stopping from within the program and from outside.
 */
#ifndef DPROF_RECORD_CONTROL_H
#define DPROF_RECORD_CONTROL_H

#include "record/recorder.h"

/* Set by the handler of the toggle signal; dp_look() acts on it. */
extern volatile int dp_toggle_asked;
void dp_control_toggle(pTHX);

/* Takes the signal that options.toggle names. */
void dp_control_take_signal(struct dp_recorder *recorder);

/* Recording goes on while start() was called more often than stop(). A file: the profile so far ends,
   and goes on in that file. Without a profile nothing happens. */
void dp_control_start(pTHX_ const char *file);
void dp_control_stop(pTHX);

/* On or off, however often either was said before. */
void dp_control_switch(pTHX_ int on);

/* Everything written so far can be read by others. */
void dp_control_flush(pTHX);

/* The profile ends here, with its totals. */
void dp_control_finish(pTHX);

/* "#mark U S R TEXT"; nothing where the scalar says nothing. */
void dp_control_mark(pTHX_ SV *sv);

/* The moment of start=init and start=end has come. */
void dp_control_begin(pTHX_ struct dp_recorder *recorder);

/* "#sub ... uncalled" for each Perl sub that was defined and never called. */
void dp_control_uncalled(pTHX_ struct dp_recorder *recorder);

#endif
