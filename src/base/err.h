/*
 * What went wrong and where. Whoever sees the mistake fills it with dp_fail(), everybody else
 * passes it on untouched; it is printed in one place, on the Perl side.
 */
#ifndef DPROF_BASE_ERR_H
#define DPROF_BASE_ERR_H

#include <stdint.h>

#ifdef __GNUC__
#define DP_PRINTF(text, args) __attribute__((format(printf, text, args)))
#else
#define DP_PRINTF(text, args)
#endif

struct dp_err {
    uint64_t line;   /* from 1; 0: the input has no lines, or none is to blame */
    uint64_t offset; /* bytes from the start */
    char text[240];  /* what was expected, what was found: one line, no full stop; not escaped */
};

/* Fills the text and returns -1, so that a reader can say `return dp_fail(...)`. err may be NULL.
 */
int dp_fail(struct dp_err *err, const char *format, ...) DP_PRINTF(2, 3);

#endif
