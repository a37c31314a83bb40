/*
 * How the recorder hears of calls: it takes the place of the ops that enter and leave subs, and of the
 * run loop. The -d machinery of perl is not used, so nothing of it can be felt.
 */
#ifndef DPROF_RECORD_HOOKS_H
#define DPROF_RECORD_HOOKS_H

#include "record/recorder.h"

/* Takes the ops (once in a process) and this interpreter's run loop, and patches code that was compiled
   before. */
void dp_hooks_install(pTHX_ const struct dp_options *options);

/* Takes only what names the code of files and string evals, and exec: for hook=sub. */
void dp_hooks_install_few(pTHX);

/* What is in a buffer would be lost in a call that ends the process. */
void dp_hooks_flush_before(struct dp_recorder *recorder, const struct dp_sub *sub);

/* Is this interpreter's run loop ours? */
int dp_hooks_present(pTHX);

/* Gives everything back, before the interpreter is gone. */
void dp_hooks_remove(pTHX);

#endif
