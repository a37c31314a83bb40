/*
 * Unpacking of deflate (RFC 1951) in a zlib wrapper (RFC 1950), for the pages of .szx snapshots.
 */
#ifndef DPROF_Z80_INFLATE_H
#define DPROF_Z80_INFLATE_H

#include <stddef.h>
#include <stdint.h>

/* Unpacks n bytes and returns how many came out, at most `room`: up to the first error. */
size_t dp_inflate_zlib(const uint8_t *from, size_t n, uint8_t *to, size_t room);

#endif
