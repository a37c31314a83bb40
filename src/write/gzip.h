/*
 * A gzip file whose blocks are stored, not packed: what must be gzip because its readers expect
 * that. gzip or a collector packs it anew at no loss.
 */
#ifndef DPROF_WRITE_GZIP_H
#define DPROF_WRITE_GZIP_H

#include "base/out.h"

struct dp_gzip {
    struct dp_out *out;
    uint32_t crc;
    uint32_t size; /* modulo 2^32 */
    size_t used;
    char block[65535];
};

void dp_gzip_begin(struct dp_gzip *gzip, struct dp_out *out);
void dp_gzip_put(struct dp_gzip *gzip, const char *bytes, size_t n);
void dp_gzip_end(struct dp_gzip *gzip);

#endif
