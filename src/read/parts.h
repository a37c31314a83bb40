/*
 * Reading a large tmon.out in parts, each in a thread of its own; the threads are the caller's. The
 * caller cuts the file at line ends, reads part 0 with dp_read() and the others with
 * dp_piece_read(), and dp_read() asks for them one after the other through struct dp_parts.
 */
#ifndef DPROF_READ_PARTS_H
#define DPROF_READ_PARTS_H

#include <stdint.h>

#include "base/in.h"

struct dp_piece;

/* What dp_in's `parts` leads to. */
struct dp_parts {
    /* The part after the last one asked for, once it is read: its bytes lie from *from up to *to.
     *NULL and to 0: there is none. NULL and *to more: it was not read, it is to be read as usual.
    */
    const struct dp_piece *(*next)(void *ctx, uint64_t *from, uint64_t *to);
    /* From now on dp_in's fill() gives the bytes from `from` up to `to`. */
    void (*seek)(void *ctx, uint64_t from, uint64_t to);
    void *ctx;
};

/* Reads whole lines of marks up to the end or to a line that only makes sense with what is before
   it. hz: of the profile. Free it with dp_piece_free(). */
struct dp_piece *dp_piece_read(struct dp_in *in, uint64_t hz);
void dp_piece_free(struct dp_piece *piece);

#endif
