/*
 * Unit tests in C: they print TAP. Include it in one file, say ok() and is_text(), end with
 * `return done();`.
 */
#ifndef DPROF_T_TAP_H
#define DPROF_T_TAP_H

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static int tap_tests, tap_failed;

static inline int ok(int good, const char *format, ...)
{
    va_list args;

    printf("%sok %d - ", good ? "" : "not ", ++tap_tests);
    va_start(args, format);
    vprintf(format, args);
    va_end(args);
    printf("\n");
    tap_failed += !good;
    return good;
}

static inline void explain(const char *what, const char *text)
{
    printf("# %s:\n", what);
    while (*text) {
        size_t n = strcspn(text, "\n");

        printf("#   %.*s\n", (int)n, text);
        text += n + (text[n] == '\n');
    }
}

static inline int is_text(const char *found, const char *wanted, const char *name)
{
    if (ok(strcmp(found, wanted) == 0, "%s", name))
        return 1;
    explain("found", found);
    explain("wanted", wanted);
    return 0;
}

static inline int done(void)
{
    printf("1..%d\n", tap_tests);
    return tap_failed != 0;
}

#endif
