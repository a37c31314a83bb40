/*
 * Where a writer prints. The sink remembers a failure, and whoever made it looks once, at the end,
 * at what dp_flush() returns: writers do not fail in the middle.
 */
#ifndef DPROF_BASE_OUT_H
#define DPROF_BASE_OUT_H

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

struct dp_out {
    /* Takes all n bytes and returns 0, or returns -1 and is never called again. */
    int (*sink)(void *ctx, const char *bytes, size_t n);
    void *ctx;
    int failed;
    size_t used;
    uint64_t written; /* bytes given to the sink so far */
    char bytes[16384];
};

void dp_out_init(struct dp_out *out, int (*sink)(void *ctx, const char *bytes, size_t n),
                 void *ctx);
void dp_put(struct dp_out *out, const char *bytes, size_t n);
void dp_puts(struct dp_out *out, const char *text);
void dp_putc(struct dp_out *out, char c);
/* n times the same byte: columns and indents. */
void dp_pad(struct dp_out *out, char c, size_t n);
void dp_put_u64(struct dp_out *out, uint64_t value);
/* For short things with numbers: at most 500 bytes of output, never for names. */
void dp_putf(struct dp_out *out, const char *format, ...) DP_PRINTF(2, 3);
/* Hands on what is buffered; 0, or -1 if anything was ever lost. */
int dp_flush(struct dp_out *out);

#endif
