/*
 * What a reader reads: a window over bytes that are all there (tests, fuzzing, a mapped file) or
 * that come from a callback (a pipe, a decompressor). A reader looks at [at, end) and moves `at`;
 * when it needs more it calls dp_in_more(). DP_IN_PAD bytes before `at`... and after `end` may
 * always be loaded (their value means nothing), so that numbers can be read eight bytes at a time.
 */
#ifndef DPROF_BASE_IN_H
#define DPROF_BASE_IN_H

#include <stddef.h>
#include <stdint.h>

#define DP_IN_PAD 128
#define DP_IN_AGAIN (-2)

struct dp_parts;

struct dp_in {
    const char *at;
    const char *end;
    uint64_t passed; /* bytes before the window's `base` */
    const char *base;

    /* Puts up to `room` bytes at `to` and returns how many, 0 at the end, -1 on an error, which
       stays the callback's to report, DP_IN_AGAIN where a signal came first. */
    ptrdiff_t (*fill)(void *ctx, char *to, size_t room);
    /* Called now and then, every few megabytes, and after DP_IN_AGAIN: nonzero stops the reading here, as if the input
       ended
       (`stopped` is set). May be NULL. */
    int (*progress)(void *ctx, uint64_t bytes);
    void *ctx;
    const char *beside; /* a file that belongs to it (FILE.tree of a tmon.out), or NULL */
    size_t nbeside;
    const struct dp_parts *parts; /* read/parts.h; NULL: the input is one */
    int stopped;
    int failed; /* fill() said -1 */

    const char *rest; /* bytes that are there but not in the window yet */
    const char *limit;
    char *own; /* the window's own memory, for pipes and for the end of mapped bytes */
    size_t room;
};

/* All n bytes are there and stay until dp_in_free(). */
void dp_in_bytes(struct dp_in *in, const char *bytes, size_t n);
/* Bytes come from `fill`. */
void dp_in_source(struct dp_in *in, ptrdiff_t (*fill)(void *ctx, char *to, size_t room), void *ctx);
/* Widens the window at its end, keeping what lies between at and end; the window may move. 1: there
   is more now; 0: that was all. */
int dp_in_more(struct dp_in *in);
/* fill() goes on elsewhere: at that offset, with nothing in the window. */
void dp_in_moved(struct dp_in *in, uint64_t offset);
/* Offset of `at` from the start of the input. */
uint64_t dp_in_offset(const struct dp_in *in);
void dp_in_free(struct dp_in *in);

#endif
