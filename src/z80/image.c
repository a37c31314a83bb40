/* Images: the kinds of plain memory, and the table of all kinds. */
#include "z80/image.h"

#include <string.h>

void dp_z80_image_clear(struct dp_z80_image *image)
{
    memset(image, 0, sizeof *image);
    image->first = DP_Z80_MEMORY;
}

void dp_z80_put(struct dp_z80_image *image, uint32_t addr, const uint8_t *bytes, size_t n)
{
    if (addr >= DP_Z80_MEMORY || n == 0)
        return;
    if (n > DP_Z80_MEMORY - addr)
        n = DP_Z80_MEMORY - addr;
    memcpy(image->mem + addr, bytes, n);
    for (size_t i = 0; i < n; i++) {
        image->nknown += !image->known[addr + i];
        image->known[addr + i] = 1;
    }
    if (image->first > image->last || addr < image->first)
        image->first = addr;
    if (addr + n - 1 > image->last)
        image->last = (uint32_t)(addr + n - 1);
}

int dp_z80_has(const struct dp_z80_image *image, uint32_t addr, uint32_t n)
{
    if (addr + n > DP_Z80_MEMORY)
        return 0;
    for (uint32_t i = 0; i < n; i++)
        if (!image->known[addr + i])
            return 0;
    return 1;
}

void dp_z80_load_raw(struct dp_z80_image *image, const uint8_t *bytes, size_t n, int32_t origin)
{
    size_t skip = origin < 0 ? (size_t) - (int64_t)origin : 0;

    dp_z80_image_clear(image);
    image->offset = -origin;
    if (skip < n)
        dp_z80_put(image, origin < 0 ? 0 : (uint32_t)origin, bytes + skip, n - skip);
}

static uint16_t word(const uint8_t *at)
{
    return (uint16_t)(at[0] | at[1] << 8);
}

static void registers(struct dp_z80_image *image, uint16_t pc, uint16_t sp)
{
    image->has_pc = image->has_sp = 1;
    image->pc = pc;
    image->sp = sp;
}

static int whole(struct dp_z80_image *image, const uint8_t *bytes, size_t n)
{
    if (n != DP_Z80_MEMORY)
        return 0;
    dp_z80_load_raw(image, bytes, n, 0);
    return 1;
}

/* A, F as an int of 4, B C D E H L, A', F', B' C' D' E' H' L', I, IFF, R, R7, PC, SP, IX, IY. */
static int core_z80(struct dp_z80_image *image, const uint8_t *bytes, size_t n)
{
    if (n != DP_Z80_MEMORY + 34)
        return 0;
    dp_z80_load_raw(image, bytes, n, -34);
    registers(image, word(bytes + 26), word(bytes + 28));
    return 1;
}

/* A, F as an int of 4, B C D E H L, IFF, PC, SP. */
static int core_8080(struct dp_z80_image *image, const uint8_t *bytes, size_t n)
{
    if (n != DP_Z80_MEMORY + 16)
        return 0;
    dp_z80_load_raw(image, bytes, n, -16);
    registers(image, word(bytes + 12), word(bytes + 14));
    return 1;
}

/* The memory, then 38 bytes of registers. */
static int ticks(struct dp_z80_image *image, const uint8_t *bytes, size_t n)
{
    if (n != DP_Z80_MEMORY + 38)
        return 0;
    dp_z80_load_raw(image, bytes, DP_Z80_MEMORY, 0);
    registers(image, word(bytes + DP_Z80_MEMORY + 6), word(bytes + DP_Z80_MEMORY + 8));
    return 1;
}

/* A program file of CP/M, or what SAVE made of one: it lies at 0100. */
static int com(struct dp_z80_image *image, const uint8_t *bytes, size_t n)
{
    if (n == 0 || n > DP_Z80_MEMORY - 0x100)
        return 0;
    dp_z80_load_raw(image, bytes, n, 0x100);
    return 1;
}

const struct dp_z80_kind dp_z80_kinds[] = {
    {"ZX snapshot (.szx)", 1, dp_z80_load_szx},
    {"ZX snapshot (.sna)", 1, dp_z80_load_sna},
    {"ZX snapshot (.z80)", 1, dp_z80_load_z80},
    {"memory of 64K", 1, whole},
    {"z80pack core file", 1, core_z80},
    {"z80pack core file of an 8080", 1, core_8080},
    {"z88dk-ticks memory", 1, ticks},
    {"Intel HEX", 1, dp_z80_load_hex},
    {"Motorola S-records", 1, dp_z80_load_srecords},
    {"text dump of memory", 0, dp_z80_load_dump},
    {"CP/M program at 0100", 0, com},
    {NULL, 0, NULL},
};
