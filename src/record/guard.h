/*
 * Keeping out of the program's way, and keeping it alive: signals that our own writes could raise, and
 * the SIGBUS of a profile that somebody else cuts short.
 */
#ifndef DPROF_RECORD_GUARD_H
#define DPROF_RECORD_GUARD_H

#include <signal.h>

struct dp_window;

/* Signals held back round a write of ours, and what the program's mask was. */
struct dp_quiet {
    sigset_t before;
    sigset_t pending;
};

/* Holds SIGXFSZ and SIGPIPE back. */
void dp_quiet_begin(struct dp_quiet *quiet);

/* Takes away the signal that a failed write left, and gives the program its mask back. errno stays. */
void dp_quiet_end(struct dp_quiet *quiet, int failed);

/* From now on a SIGBUS inside this window ends its profile and not the program. */
void dp_guard_watch(struct dp_window *window);
void dp_guard_unwatch(struct dp_window *window);

/* One line on standard error, for what the user must know: "Devel::DProf: " and the text. */
void dp_complain(const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 1, 2)))
#endif
    ;

#endif
