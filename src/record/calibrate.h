/*
 * What a recorded call costs on this machine: measured at the start, in one millisecond, and written
 * into the profile, so that reports can take it off.
 */
#ifndef DPROF_RECORD_CALIBRATE_H
#define DPROF_RECORD_CALIBRATE_H

#include "record/recorder.h"

/* The quickest batch, in units of the counter. */
struct dp_batches {
    uint64_t perl;
    uint64_t xsub;
};

/* Calls empty subs before the interpreter is hooked. */
void dp_calibrate_plain(pTHX_ struct dp_batches *plain);

/* Does the same while recording, takes the marks back, and keeps what a call costs. */
void dp_calibrate_recorded(pTHX_ struct dp_recorder *recorder, const struct dp_batches *plain);

/* Writes the #over lines: what the batches cost, and each call's share of the room made so far. */
void dp_calibrate_write(struct dp_recorder *recorder);

#endif
