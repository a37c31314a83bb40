/*
 * The memory of a Z80 as a file shows it: 64 kilobytes, which of them the file holds, and the
 * registers where it has them. doc/formats/z80.md section 2 lists the files.
 */
#ifndef DPROF_Z80_IMAGE_H
#define DPROF_Z80_IMAGE_H

#include <stddef.h>
#include <stdint.h>

#define DP_Z80_MEMORY 65536u

struct dp_z80_image {
    uint8_t mem[DP_Z80_MEMORY];
    uint8_t known[DP_Z80_MEMORY]; /* 1: the file holds this byte */
    uint32_t nknown;
    uint32_t first; /* lowest and highest known address, first > last: none */
    uint32_t last;
    int32_t offset; /* file offset of address 0 in raw kinds (negative: not in the file) */
    int has_pc;
    int has_sp;
    uint16_t pc;
    uint16_t sp;
    uint8_t banks; /* which of eight banks the file holds, a bit for each; 0: the machine has none */
    uint8_t bank;  /* the one at C000 */
    uint32_t bad_sums; /* records that were left out for their sum */
    uint32_t bad_line; /* of the first of them */
};

/* A kind of file. */
struct dp_z80_kind {
    const char *name; /* "z80pack core" */
    int sure;         /* 1: what loads as this kind is of this kind */
    /* Fills the empty image and returns 1, or returns 0 if the bytes are something else. */
    int (*load)(struct dp_z80_image *image, const uint8_t *bytes, size_t n);
};
extern const struct dp_z80_kind dp_z80_kinds[]; /* ends with a name of NULL */

void dp_z80_image_clear(struct dp_z80_image *image);
/* Puts n bytes from an address on; what goes beyond the memory is left out. */
void dp_z80_put(struct dp_z80_image *image, uint32_t addr, const uint8_t *bytes, size_t n);
/* A file of nothing but memory whose byte 0 belongs to `origin`, which may be negative where a
   header lies in front, or beyond the memory. */
void dp_z80_load_raw(struct dp_z80_image *image, const uint8_t *bytes, size_t n, int32_t origin);

/* The byte or word at an address; addresses wrap. Bytes that are not known are 0. */
static inline uint8_t dp_z80_byte(const struct dp_z80_image *image, uint32_t addr)
{
    return image->mem[addr & 0xFFFF];
}
static inline uint16_t dp_z80_word(const struct dp_z80_image *image, uint32_t addr)
{
    return (uint16_t)(dp_z80_byte(image, addr) | dp_z80_byte(image, addr + 1) << 8);
}
/* 1: all n bytes from there on are in the file. */
int dp_z80_has(const struct dp_z80_image *image, uint32_t addr, uint32_t n);

/* The other files of this folder: text.c, snapshots.c. */
int dp_z80_load_hex(struct dp_z80_image *image, const uint8_t *bytes, size_t n);
int dp_z80_load_srecords(struct dp_z80_image *image, const uint8_t *bytes, size_t n);
int dp_z80_load_dump(struct dp_z80_image *image, const uint8_t *bytes, size_t n);
int dp_z80_load_sna(struct dp_z80_image *image, const uint8_t *bytes, size_t n);
int dp_z80_load_z80(struct dp_z80_image *image, const uint8_t *bytes, size_t n);
int dp_z80_load_szx(struct dp_z80_image *image, const uint8_t *bytes, size_t n);
/* Any snapshot of a machine with banks, with this bank (0 to 7) at C000. */
int dp_z80_load_bank(struct dp_z80_image *image, const uint8_t *bytes, size_t n, int bank);

#endif
