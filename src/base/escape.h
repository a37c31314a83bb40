/*
 * Names on their way in and out. In tmon.out every byte up to 20 hex, 7f and the backslash is \xHH.
 * On a terminal or in a text report, valid printable UTF-8 passes and every other byte (controls,
 * C1, invalid UTF-8, direction overrides) is shown as \xHH, so that a profile cannot steer a
 * terminal.
 */
#ifndef DPROF_BASE_ESCAPE_H
#define DPROF_BASE_ESCAPE_H

#include <stddef.h>
#include <stdint.h>

#include "base/out.h"

/* The value of a hex digit of either case, or -1. */
int dp_hex_digit(char c);

/* Undoes \xHH (two hex digits, either case); anything else stays. `to` holds n bytes and may be
   `bytes` itself. Returns the new length. */
size_t dp_unescape(char *to, const char *bytes, size_t n);

/* The code point at s and its length in *n (1 to 4), or -1 with *n = 1 where there is no valid
   UTF-8: overlong forms, surrogates and what lies beyond 10ffff are not valid. s < end. */
int32_t dp_utf8(const char *s, const char *end, size_t *n);

/* May this code point be shown as it is? */
int dp_is_printable(int32_t code);

/* A name for people: what may not pass is \xHH. */
void dp_put_name(struct dp_out *out, const char *bytes, size_t n);
/* The same into memory, NUL-terminated and cut at a whole character if it does not fit; the length.
 */
size_t dp_show_name(char *to, size_t room, const char *bytes, size_t n);
/* Terminal columns that dp_put_name() takes: wide characters count two, combining ones none. */
size_t dp_name_columns(const char *bytes, size_t n);
/* How many of the n bytes fit into so many columns, whole characters only. */
size_t dp_name_fit(const char *bytes, size_t n, size_t columns);

/* A name as tmon.out has it. */
void dp_put_tmon(struct dp_out *out, const char *bytes, size_t n);

#endif
