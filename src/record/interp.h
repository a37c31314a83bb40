/*
 * Interpreters: which recorder belongs to which, and what happens when they come and go.
 */
#ifndef DPROF_RECORD_INTERP_H
#define DPROF_RECORD_INTERP_H

#include "record/recorder.h"

/* Follows this interpreter to its end: the recording goes on through global destruction, then the
   profile is finished. */
void dp_interp_follow(pTHX);

/* A recorder for this interpreter that has none yet: dp_main if that is free, else a new one. NULL: no
   memory. */
struct dp_recorder *dp_interp_recorder(pTHX);

/* The recorder that this interpreter has, recording or not; NULL: none. */
struct dp_recorder *dp_interp_find(pTHX);

/* The same of any interpreter. */
struct dp_recorder *dp_interp_of(const PerlInterpreter *perl);

/* That of this one without a lock, for signal handlers: NULL also where this thread never asked. */
struct dp_recorder *dp_interp_here(pTHX);

/* Forgets a recorder whose interpreter is gone. */
void dp_interp_drop(struct dp_recorder *recorder);

/* After dp_main stops or starts: sets dp_look_closer. */
void dp_interp_update(void);

/* The process ends: finishes what this thread can finish. status: -1 where the C library does not tell;
   then it is what the interpreter said when it was destroyed. */
void dp_interp_exit(int status);

/* In a forked child: locks are free, only this thread is left. */
void dp_interp_forked(void);

#endif
