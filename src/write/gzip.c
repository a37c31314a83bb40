#include "write/gzip.h"

#include <string.h>

/* Four bits at a time: a table of sixteen. */
static uint32_t crc32_of(uint32_t crc, const char *bytes, size_t n)
{
    static const uint32_t table[16] = {
        0x00000000, 0x1DB71064, 0x3B6E20C8, 0x26D930AC, 0x76DC4190, 0x6B6B51F4,
        0x4DB26158, 0x5005713C, 0xEDB88320, 0xF00F9344, 0xD6D6A3E8, 0xCB61B38C,
        0x9B64C2B0, 0x86D3D2D4, 0xA00AE278, 0xBDBDF21C,
    };

    crc = ~crc;
    for (size_t i = 0; i < n; i++) {
        crc ^= (unsigned char)bytes[i];
        crc = crc >> 4 ^ table[crc & 15];
        crc = crc >> 4 ^ table[crc & 15];
    }
    return ~crc;
}

static void put_low_first(struct dp_out *out, uint32_t value, int bytes)
{
    for (int i = 0; i < bytes; i++)
        dp_putc(out, (char)(value >> 8 * i & 0xFF));
}

static void put_block(struct dp_gzip *gzip, int last)
{
    dp_putc(gzip->out, (char)last);
    put_low_first(gzip->out, (uint32_t)gzip->used, 2);
    put_low_first(gzip->out, ~(uint32_t)gzip->used, 2);
    dp_put(gzip->out, gzip->block, gzip->used);
    gzip->used = 0;
}

void dp_gzip_begin(struct dp_gzip *gzip, struct dp_out *out)
{
    /* deflate, no name, no time, no system: the same input gives the same file */
    static const char head[] = {0x1F, (char)0x8B, 8, 0, 0, 0, 0, 0, 0, (char)0xFF};

    gzip->out = out;
    gzip->crc = 0;
    gzip->size = 0;
    gzip->used = 0;
    dp_put(out, head, sizeof head);
}

void dp_gzip_put(struct dp_gzip *gzip, const char *bytes, size_t n)
{
    gzip->crc = crc32_of(gzip->crc, bytes, n);
    gzip->size += (uint32_t)n;
    while (n) {
        size_t room = sizeof gzip->block - gzip->used, part = n < room ? n : room;

        memcpy(gzip->block + gzip->used, bytes, part);
        gzip->used += part;
        bytes += part;
        n -= part;
        if (gzip->used == sizeof gzip->block)
            put_block(gzip, 0);
    }
}

void dp_gzip_end(struct dp_gzip *gzip)
{
    put_block(gzip, 1);
    put_low_first(gzip->out, gzip->crc, 4);
    put_low_first(gzip->out, gzip->size, 4);
}
