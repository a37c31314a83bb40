/*
 * What is not a sub but can be shown as one: required files and string evals (files=1), and builtin
 * functions that can be slow (builtins=1). Ops that nobody asked for are not hooked.
 */
#ifndef DPROF_RECORD_EXTRAS_H
#define DPROF_RECORD_EXTRAS_H

#include "record/recorder.h"

/* Takes the ops that the options ask for. Once in a process. */
void dp_extras_install(pTHX_ const struct dp_options *options);

/* The same for an op that was compiled before. */
void dp_extras_patch(OP *op);

/* 1: string evals are frames, and dp_extras_eval() enters them. */
extern int dp_extras_evals;

/* 1: builtins are calls, and dp_extras_exec() enters exec. */
extern int dp_extras_builtins;

/* Runs an exec as a call of "CORE::exec", which stands in the profile before the program is gone. */
OP *dp_extras_exec(pTHX_ struct dp_recorder *recorder, Perl_ppaddr_t run);

/* Runs an entereval as a frame "(eval)[FILE:LINE]". */
OP *dp_extras_eval(pTHX_ struct dp_recorder *recorder, Perl_ppaddr_t run);

#endif
