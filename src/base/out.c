#include "base/out.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void dp_out_init(struct dp_out *out, int (*sink)(void *ctx, const char *bytes, size_t n), void *ctx)
{
    out->sink = sink;
    out->ctx = ctx;
    out->failed = 0;
    out->used = 0;
    out->written = 0;
}

static void hand_on(struct dp_out *out, const char *bytes, size_t n)
{
    if (out->failed || n == 0)
        return;
    if (out->sink(out->ctx, bytes, n) < 0)
        out->failed = 1;
    else
        out->written += n;
}

int dp_flush(struct dp_out *out)
{
    hand_on(out, out->bytes, out->used);
    out->used = 0;
    return out->failed ? -1 : 0;
}

void dp_put(struct dp_out *out, const char *bytes, size_t n)
{
    if (n > sizeof out->bytes - out->used)
        dp_flush(out);
    if (n > sizeof out->bytes) {
        hand_on(out, bytes, n);
        return;
    }
    if (n)
        memcpy(out->bytes + out->used, bytes, n);
    out->used += n;
}

void dp_puts(struct dp_out *out, const char *text)
{
    dp_put(out, text, strlen(text));
}

void dp_putc(struct dp_out *out, char c)
{
    dp_put(out, &c, 1);
}

void dp_pad(struct dp_out *out, char c, size_t n)
{
    while (n--)
        dp_putc(out, c);
}

void dp_put_u64(struct dp_out *out, uint64_t value)
{
    char digits[20];
    size_t at = sizeof digits;

    do
        digits[--at] = (char)('0' + value % 10);
    while (value /= 10);
    dp_put(out, digits + at, sizeof digits - at);
}

void dp_putf(struct dp_out *out, const char *format, ...)
{
    char text[512];
    va_list args;
    int n;

    va_start(args, format);
    n = vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (n > 0)
        dp_put(out, text, (size_t)n < sizeof text ? (size_t)n : sizeof text - 1);
}
