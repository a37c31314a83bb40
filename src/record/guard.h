/*
 * Keeping out of the program's way, and keeping it alive: signals that our own writes could raise, and
 * the SIGBUS of a profile or a tree that somebody else cuts short.
 */
#ifndef DPROF_RECORD_GUARD_H
#define DPROF_RECORD_GUARD_H

#include <signal.h>
#include <stddef.h>

/* Signals held back round a write of ours, and what the program's mask was. */
struct dp_quiet {
    sigset_t before;
    sigset_t pending;
};

/* Holds SIGXFSZ and SIGPIPE back. */
void dp_quiet_begin(struct dp_quiet *quiet);

/* Takes away the signal that a failed write left, and gives the program its mask back. errno stays. */
void dp_quiet_end(struct dp_quiet *quiet, int failed);

/* From now on a SIGBUS in the *size bytes of a mapped file at `base` does not end the program: *lost becomes 1,
   and what lies there from then on is memory that belongs to no file. */
void dp_guard_watch(char *base, const size_t *size, volatile int *lost);
void dp_guard_unwatch(const char *base);

/* In a forked child: whatever another thread was doing. */
void dp_guard_forked(void);

/* One line on standard error, for what the user must know: "Devel::DProf: " and the text. */
void dp_complain(const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 1, 2)))
#endif
    ;

#endif
