/*
 * Snapshots of the ZX Spectrum: .sna, .z80 (versions 1 to 3), .szx. Of a machine with banks the
 * memory is what the processor saw at that moment.
 */
#include "z80/image.h"

#include <string.h>

#include "base/mem.h"
#include "z80/inflate.h"

#define PAGE 16384u

static uint16_t word(const uint8_t *at)
{
    return (uint16_t)(at[0] | at[1] << 8);
}

static uint32_t word32(const uint8_t *at)
{
    return word(at) | (uint32_t)word(at + 2) << 16;
}

/* --- .sna ----------------------------------------------------------------------------------------
 * 27 bytes with SP at 23, then 4000 to FFFF; of 48K machines PC lies on the stack. */

static int sna_48(struct dp_z80_image *image, const uint8_t *bytes)
{
    dp_z80_load_raw(image, bytes, 27 + 3 * PAGE, 0x4000 - 27);
    memset(image->mem, 0, 0x4000); /* the header is no memory */
    memset(image->known, 0, 0x4000);
    image->first = 0x4000;
    image->nknown = 3 * PAGE;
    image->sp = word(bytes + 23);
    image->has_sp = 1;
    return 1;
}

int dp_z80_load_sna(struct dp_z80_image *image, const uint8_t *bytes, size_t n)
{
    if (n != 49179 && n != 131103 && n != 147487)
        return 0;
    sna_48(image, bytes);
    image->has_pc = 1;
    if (n == 49179) {
        image->pc = dp_z80_word(image, image->sp);
        image->sp = (uint16_t)(image->sp + 2);
    } else {
        image->pc = word(bytes + 49179);
    }
    return 1;
}

/* --- .z80 ------------------------------------------------------------------------------------- */

/* ED ED n b stands for n times b. Returns how many bytes came out; *used: how many went in. */
static size_t unpack(const uint8_t *from, size_t n, uint8_t *to, size_t room, size_t *used)
{
    size_t at = 0, made = 0;

    while (at < n && made < room) {
        if (n - at >= 4 && from[at] == 0xED && from[at + 1] == 0xED) {
            for (unsigned i = from[at + 2]; i && made < room; i--)
                to[made++] = from[at + 3];
            at += 4;
        } else {
            to[made++] = from[at++];
        }
    }
    *used = at;
    return made;
}

static int z80_version_1(struct dp_z80_image *image, const uint8_t *bytes, size_t n)
{
    static const uint8_t end[4] = {0x00, 0xED, 0xED, 0x00};
    uint8_t *memory;
    size_t used, made;

    if (!(bytes[12] != 0xFF && bytes[12] & 0x20)) {
        if (n != 30 + 3 * PAGE)
            return 0;
        dp_z80_put(image, 0x4000, bytes + 30, 3 * PAGE);
        return 1;
    }
    memory = dp_alloc(3 * PAGE);
    made = unpack(bytes + 30, n - 30, memory, 3 * PAGE, &used);
    dp_z80_put(image, 0x4000, memory, made);
    dp_free(memory);
    return made == 3 * PAGE && n - 30 - used == sizeof end &&
           memcmp(bytes + 30 + used, end, sizeof end) == 0;
}

/* Where a page of a version 2 or 3 file is seen by the processor, 0 if it is not. */
static uint32_t place_of(unsigned page, int banked, unsigned port)
{
    if (page == 8)
        return 0x4000;
    if (!banked)
        return page == 4 ? 0x8000 : page == 5 ? 0xC000 : 0;
    if (page == 5)
        return 0x8000;
    return page == (port & 7) + 3 ? 0xC000 : 0;
}

/* Length (FFFF: not packed), page, data. */
static int z80_blocks(struct dp_z80_image *image, const uint8_t *at, size_t n, int banked,
                      unsigned port)
{
    uint8_t *memory = dp_alloc(PAGE);
    int good = n > 0;

    while (good && n) {
        size_t length = n < 3 ? 0 : word(at), made = PAGE, used;
        const uint8_t *page = at + 3;
        uint32_t place;

        good = n >= 3 && (length == 0xFFFF ? PAGE : length) <= n - 3;
        if (!good)
            break;
        if (length != 0xFFFF) {
            made = unpack(page, length, memory, PAGE, &used);
            good = made == PAGE && used == length;
        } else {
            length = PAGE;
            memcpy(memory, page, PAGE);
        }
        place = place_of(at[2], banked, port);
        if (good && place)
            dp_z80_put(image, place, memory, PAGE);
        at += 3 + length;
        n -= 3 + length;
    }
    dp_free(memory);
    return good;
}

int dp_z80_load_z80(struct dp_z80_image *image, const uint8_t *bytes, size_t n)
{
    unsigned extra;

    dp_z80_image_clear(image);
    if (n < 34 || bytes[27] > 1 || bytes[28] > 1 || (bytes[29] & 3) == 3)
        return 0;
    image->has_pc = image->has_sp = 1;
    image->sp = word(bytes + 8);
    image->pc = word(bytes + 6);
    if (image->pc)
        return z80_version_1(image, bytes, n);
    extra = word(bytes + 30);
    if ((extra != 23 && extra != 54 && extra != 55) || n < 32 + extra)
        return 0;
    image->pc = word(bytes + 32);
    return z80_blocks(image, bytes + 32 + extra, n - 32 - extra, bytes[34] >= (extra == 23 ? 3 : 4),
                      bytes[35]);
}

/* --- .szx --------------------------------------------------------------------------------------
 * ZXST, version, machine, flags; then blocks of a name, a length and data. */

static void szx_page(struct dp_z80_image *image, const uint8_t *data, size_t n, unsigned upper)
{
    uint8_t *memory;
    uint32_t place;

    if (n < 3)
        return;
    place = data[2] == 5 ? 0x4000 : data[2] == 2 ? 0x8000 : data[2] == upper ? 0xC000 : 0;
    if (!place)
        return;
    if (!(word(data) & 1)) {
        dp_z80_put(image, place, data + 3, n - 3 < PAGE ? n - 3 : PAGE);
        return;
    }
    memory = dp_alloc(PAGE);
    dp_z80_put(image, place, memory, dp_inflate_zlib(data + 3, n - 3, memory, PAGE));
    dp_free(memory);
}

/* Calls for each whole block; what is cut off is lost, what is before it is used. */
static void szx_blocks(struct dp_z80_image *image, const uint8_t *bytes, size_t n, unsigned *upper,
                       int pages)
{
    size_t at = 8;

    while (n - at >= 8) {
        const uint8_t *data = bytes + at + 8;
        size_t length = word32(bytes + at + 4);

        if (length > n - at - 8)
            break;
        if (!pages && memcmp(bytes + at, "SPCR", 4) == 0 && length >= 2)
            *upper = data[1] & 7;
        if (!pages && memcmp(bytes + at, "Z80R", 4) == 0 && length >= 24) {
            image->has_sp = image->has_pc = 1;
            image->sp = word(data + 20);
            image->pc = word(data + 22);
        }
        if (pages && memcmp(bytes + at, "RAMP", 4) == 0)
            szx_page(image, data, length, *upper);
        at += 8 + length;
    }
}

int dp_z80_load_szx(struct dp_z80_image *image, const uint8_t *bytes, size_t n)
{
    unsigned upper = 0;

    if (n < 8 || memcmp(bytes, "ZXST", 4) != 0)
        return 0;
    dp_z80_image_clear(image);
    szx_blocks(image, bytes, n, &upper, 0);
    szx_blocks(image, bytes, n, &upper, 1);
    return 1;
}
