#include "record/signals.h"

#include "record/interp.h"

#include <signal.h>

/* Faults cannot wait: the instruction would fault again. */
static int is_fault(int number)
{
    return number == SIGSEGV || number == SIGBUS || number == SIGILL || number == SIGFPE;
}

/* Makes of it what perl makes of a signal to a handler that need not run at once. */
static int put_off(int number)
{
    struct dp_recorder *recorder;
    dTHX;

    recorder = dp_interp_here(aTHX);
    if (!recorder || !recorder->busy || is_fault(number) || !PL_psig_pend)
        return 0;
    PL_psig_pend[number]++;
    PL_sig_pending = 1;
    recorder->busy |= DP_HELD;
    return 1;
}

void dp_signals_deliver(void)
{
    dTHX;

    PERL_ASYNC_CHECK();
}

#if PERL_VERSION >= 32
static Sighandler1_t perl_handler1;
static Sighandler3_t perl_handler3;

static Signal_t handler1(int number)
{
    if (!put_off(number))
        perl_handler1(number);
}

static Signal_t handler3(int number, Siginfo_t *info, void *context)
{
    if (!put_off(number))
        perl_handler3(number, info, context);
}
#endif

static Sighandler_t perl_handler;

#if defined(PERL_USE_3ARG_SIGHANDLER) || (!(PERL_VERSION >= 32) && defined(SA_SIGINFO))
static Signal_t handler(int number, Siginfo_t *info, void *context)
{
    if (!put_off(number))
        perl_handler(number, info, context);
}
#else
static Signal_t handler(int number)
{
    if (!put_off(number))
        perl_handler(number);
}
#endif

void dp_signals_install(pTHX)
{
    PERL_UNUSED_CONTEXT;
    if (perl_handler)
        return;
    perl_handler = PL_sighandlerp;
#if PERL_VERSION >= 32
    /* It looks whether this is its own, to tell handlers that it runs itself from others. */
    if (PL_signals & PERL_SIGNALS_UNSAFE_FLAG)
        PL_sighandlerp = handler;
#else
    PL_sighandlerp = handler;
#endif
#if PERL_VERSION >= 32
    perl_handler1 = PL_sighandler1p;
    PL_sighandler1p = handler1;
    perl_handler3 = PL_sighandler3p;
    PL_sighandler3p = handler3;
#endif
}
