/*
 * Protocol buffers: numbers and pieces of bytes with tags, appended to memory.
 */
#ifndef DPROF_WRITE_PROTO_H
#define DPROF_WRITE_PROTO_H

#include <stddef.h>
#include <stdint.h>

/* Starts as zeros. */
struct dp_proto {
    char *bytes;
    size_t n;
    size_t room;
};

/* A number; 0 is what a missing one means and is not written. */
void dp_proto_number(struct dp_proto *to, unsigned field, uint64_t value);
void dp_proto_bytes(struct dp_proto *to, unsigned field, const char *bytes, size_t n);
/* Another message in it, which is emptied. */
void dp_proto_message(struct dp_proto *to, unsigned field, struct dp_proto *message);
/* The next number of a packed list: zeros are written too. */
void dp_proto_packed(struct dp_proto *to, uint64_t value);
void dp_proto_free(struct dp_proto *to);

#endif
