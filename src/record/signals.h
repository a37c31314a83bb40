/*
 * Signal handlers that perl runs at once: those of POSIX::sigaction() and of PERL_SIGNALS=unsafe. One that
 * came while the recorder changes its own data would find them half changed, and a die in it would leave
 * them so. It waits until that is done, some nanoseconds later.
 */
#ifndef DPROF_RECORD_SIGNALS_H
#define DPROF_RECORD_SIGNALS_H

#include "record/recorder.h"

#define DP_BUSY 1 /* the recorder's data are being changed */
#define DP_HELD 2 /* and a signal waits for the end of that */

/* Stands between the kernel and perl from now on; once in a process. */
void dp_signals_install(pTHX);

/* Runs the handlers that had to wait. One of them may die. */
void dp_signals_deliver(void);

DP_INLINE void dp_busy(struct dp_recorder *recorder)
{
    recorder->busy = DP_BUSY;
    __asm__ volatile("" ::: "memory");
}

DP_INLINE void dp_idle(struct dp_recorder *recorder)
{
    int was;

    __asm__ volatile("" ::: "memory");
    was = recorder->busy;
    recorder->busy = 0;
    if (DP_UNLIKELY(was & DP_HELD))
        dp_signals_deliver();
}

#endif
