/*
 * What a recorded call costs on this machine: measured at the start, in one millisecond, and written
 * into the profile, so that reports can take it off.
 */
#ifndef DPROF_RECORD_CALIBRATE_H
#define DPROF_RECORD_CALIBRATE_H

#include "record/recorder.h"

/* Calls empty subs with and without the recorder and writes the #over lines. The marks made for it are
   taken back. */
void dp_calibrate(pTHX_ struct dp_recorder *recorder);

#endif
