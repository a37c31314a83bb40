/*
 * Snapshots of the ZX Spectrum: .sna, .z80 (versions 1 to 3), .szx. Of a machine with banks the
 * memory is what the processor saw at that moment, or, if that was asked for, what it would see
 * with another bank at C000.
 */
#include "z80/image.h"

#include <string.h>

#include "base/mem.h"
#include "z80/inflate.h"

#define PAGE 16384u
#define NOTHING 0xFF /* a ROM, of which snapshots hold nothing */

static uint16_t word(const uint8_t *at)
{
    return (uint16_t)(at[0] | at[1] << 8);
}

static uint32_t word32(const uint8_t *at)
{
    return word(at) | (uint32_t)word(at + 2) << 16;
}

/* --- banks ---------------------------------------------------------------------------------------
 * Each quarter of the memory shows a bank of 16K. A 48K machine has banks 5, 2 and 0. */

struct paging {
    uint8_t bank[4];
};

/* By the last bytes that went to the ports 7FFD and, on a +2A and +3, 1FFD. `want`: the bank that
   is to lie at C000, negative: the one that does. */
static struct paging paging_of(unsigned port, unsigned second, int want)
{
    static const struct paging special[4] = {
        {{0, 1, 2, 3}}, {{4, 5, 6, 7}}, {{4, 5, 6, 3}}, {{4, 7, 6, 3}}};
    struct paging paging = {{NOTHING, 5, 2, (uint8_t)(port & 7)}};

    if (second & 1) /* RAM everywhere, as CP/M Plus has it */
        paging = special[second >> 1 & 3];
    if (want >= 0)
        paging.bank[3] = (uint8_t)want;
    return paging;
}

static void put_bank(struct dp_z80_image *image, const struct paging *paging, unsigned bank,
                     const uint8_t *bytes, size_t n)
{
    if (bank < 8)
        image->banks |= (uint8_t)(1u << bank);
    image->bank = paging->bank[3];
    for (uint32_t quarter = 0; quarter < 4; quarter++)
        if (paging->bank[quarter] == bank)
            dp_z80_put(image, quarter * PAGE, bytes, n < PAGE ? n : PAGE);
}

static int is_seen(const struct paging *paging, unsigned bank)
{
    return memchr(paging->bank, (int)bank, 4) != NULL;
}

/* A machine of 48K has no banks to choose from. */
static int forget_banks(struct dp_z80_image *image, int want)
{
    image->banks = 0;
    return want < 0;
}

/* --- .sna ----------------------------------------------------------------------------------------
 * 27 bytes with SP at 23, then 4000 to FFFF; of 48K machines PC lies on the stack. Of 128K machines
 * PC, the port 7FFD and a byte follow, and the banks that were not seen, in order. */

static int sna_48(struct dp_z80_image *image, const uint8_t *bytes, int want)
{
    dp_z80_put(image, 0x4000, bytes + 27, 3 * (size_t)PAGE);
    image->pc = dp_z80_word(image, image->sp);
    image->sp = (uint16_t)(image->sp + 2);
    return forget_banks(image, want);
}

static int sna_128(struct dp_z80_image *image, const uint8_t *bytes, int want)
{
    unsigned port = bytes[49181], upper = port & 7;
    struct paging paging = paging_of(port, 0, want);
    const uint8_t *more = bytes + 49183;

    image->pc = word(bytes + 49179);
    put_bank(image, &paging, 5, bytes + 27, PAGE);
    put_bank(image, &paging, 2, bytes + 27 + PAGE, PAGE);
    put_bank(image, &paging, upper, bytes + 27 + 2 * (size_t)PAGE, PAGE);
    for (unsigned bank = 0; bank < 8; bank++)
        if (bank != 5 && bank != 2 && bank != upper) {
            put_bank(image, &paging, bank, more, PAGE);
            more += PAGE;
        }
    return 1;
}

static int load_sna(struct dp_z80_image *image, const uint8_t *bytes, size_t n, int want)
{
    unsigned upper;

    dp_z80_image_clear(image);
    if (n != 49179 && n != 131103 && n != 147487)
        return 0;
    image->has_pc = image->has_sp = 1;
    image->sp = word(bytes + 23);
    if (n == 49179)
        return sna_48(image, bytes, want);
    upper = bytes[49181] & 7;
    if ((upper == 5 || upper == 2) != (n == 147487)) /* then one is there twice */
        return 0;
    return sna_128(image, bytes, want);
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

/* What the header of a version 2 or 3 file says of the machine. */
struct hardware {
    int banked;
    struct paging paging;
};

static struct hardware hardware_of(const uint8_t *bytes, unsigned extra, int want)
{
    unsigned machine = bytes[34], first = extra == 23 ? 3 : 4;
    int plus3 = machine == 7 || machine == 8 || machine == 13;
    struct hardware hardware;

    /* 11: Didaktik Kompakt, 14, 15, 128: Timex: no banks like those of a Spectrum 128 */
    hardware.banked = machine >= first && machine != 11 && machine < 14;
    hardware.paging =
        paging_of(hardware.banked ? bytes[35] : 0, plus3 && extra == 55 ? bytes[86] : 0, want);
    return hardware;
}

/* The bank that a page of the file holds. */
static unsigned bank_of(unsigned page, int banked)
{
    if (banked)
        return page >= 3 && page <= 10 ? page - 3 : NOTHING;
    return page == 8 ? 5 : page == 4 ? 2 : page == 5 ? 0 : NOTHING;
}

/* Length (FFFF: not packed), page, data. Returns how much that is, 0 if it is no block. */
static size_t z80_block(struct dp_z80_image *image, const uint8_t *at, size_t n,
                        const struct hardware *hardware, uint8_t memory[PAGE])
{
    size_t length, used;
    unsigned bank;

    if (n < 3)
        return 0;
    bank = bank_of(at[2], hardware->banked);
    length = word(at);
    if (length == 0xFFFF) {
        if (n - 3 < PAGE)
            return 0;
        memcpy(memory, at + 3, PAGE);
        length = PAGE;
    } else if (length > n - 3 || unpack(at + 3, length, memory, PAGE, &used) != PAGE ||
               used != length) {
        return 0;
    }
    if (bank != NOTHING)
        put_bank(image, &hardware->paging, bank, memory, PAGE);
    return 3 + length;
}

static int z80_blocks(struct dp_z80_image *image, const uint8_t *at, size_t n,
                      const struct hardware *hardware)
{
    uint8_t *memory = dp_alloc(PAGE);
    int good = n > 0;

    while (good && n) {
        size_t length = z80_block(image, at, n, hardware, memory);

        good = length > 0;
        at += length;
        n -= length;
    }
    dp_free(memory);
    return good;
}

static int load_z80(struct dp_z80_image *image, const uint8_t *bytes, size_t n, int want)
{
    struct hardware hardware;
    unsigned extra;

    dp_z80_image_clear(image);
    if (n < 34 || bytes[27] > 1 || bytes[28] > 1 || (bytes[29] & 3) == 3)
        return 0;
    image->has_pc = image->has_sp = 1;
    image->sp = word(bytes + 8);
    image->pc = word(bytes + 6);
    if (image->pc)
        return want < 0 && z80_version_1(image, bytes, n);
    extra = word(bytes + 30);
    if ((extra != 23 && extra != 54 && extra != 55) || n < 32 + extra)
        return 0;
    image->pc = word(bytes + 32);
    hardware = hardware_of(bytes, extra, want);
    if (!z80_blocks(image, bytes + 32 + extra, n - 32 - extra, &hardware))
        return 0;
    return hardware.banked ? 1 : forget_banks(image, want);
}

/* --- .szx ----------------------------------------------------------------------------------------
 * ZXST, version, machine, flags; then blocks of a name, a length and data. */

enum { SZX_16K = 0, SZX_48K = 1, SZX_PLUS2A = 4, SZX_PLUS3E = 6, SZX_NTSC_48K = 15 };

/* Flags (1: packed), the bank, its bytes. */
static void szx_bank(struct dp_z80_image *image, const uint8_t *data, size_t n,
                     const struct paging *paging)
{
    uint8_t *memory;

    if (n < 3)
        return;
    if (!(word(data) & 1) || !is_seen(paging, data[2])) {
        put_bank(image, paging, data[2], data + 3, n - 3);
        return;
    }
    memory = dp_alloc(PAGE);
    put_bank(image, paging, data[2], memory, dp_inflate_zlib(data + 3, n - 3, memory, PAGE));
    dp_free(memory);
}

static void szx_registers(struct dp_z80_image *image, const uint8_t *data)
{
    image->has_sp = image->has_pc = 1;
    image->sp = word(data + 20);
    image->pc = word(data + 22);
}

static int is_48k(unsigned machine)
{
    return machine == SZX_16K || machine == SZX_48K || machine == SZX_NTSC_48K;
}

/* The ports, whichever block comes first. */
static struct paging szx_paging(unsigned machine, const uint8_t *data, int want)
{
    int plus3 = machine >= SZX_PLUS2A && machine <= SZX_PLUS3E;

    return paging_of(is_48k(machine) ? 0 : data[1], plus3 ? data[2] : 0, want);
}

/* Looks at each whole block; what is cut off is lost, what is before it is used. With `paging` the
   banks, else what tells where they lie. */
static struct paging szx_blocks(struct dp_z80_image *image, const uint8_t *bytes, size_t n,
                                int want, const struct paging *paging)
{
    struct paging found = paging_of(0, 0, want);
    size_t at = 8;

    while (n - at >= 8) {
        const uint8_t *data = bytes + at + 8;
        size_t length = word32(bytes + at + 4);

        if (length > n - at - 8)
            break;
        if (!paging && memcmp(bytes + at, "SPCR", 4) == 0 && length >= 3)
            found = szx_paging(bytes[6], data, want);
        if (!paging && memcmp(bytes + at, "Z80R", 4) == 0 && length >= 24)
            szx_registers(image, data);
        if (paging && memcmp(bytes + at, "RAMP", 4) == 0)
            szx_bank(image, data, length, paging);
        at += 8 + length;
    }
    return found;
}

static int load_szx(struct dp_z80_image *image, const uint8_t *bytes, size_t n, int want)
{
    struct paging paging;

    dp_z80_image_clear(image);
    if (n < 8 || memcmp(bytes, "ZXST", 4) != 0)
        return 0;
    paging = szx_blocks(image, bytes, n, want, NULL);
    szx_blocks(image, bytes, n, want, &paging);
    return is_48k(bytes[6]) ? forget_banks(image, want) : 1;
}

/* --- all of them ---------------------------------------------------------------------------------
 */

int dp_z80_load_sna(struct dp_z80_image *image, const uint8_t *bytes, size_t n)
{
    return load_sna(image, bytes, n, -1);
}

int dp_z80_load_z80(struct dp_z80_image *image, const uint8_t *bytes, size_t n)
{
    return load_z80(image, bytes, n, -1);
}

int dp_z80_load_szx(struct dp_z80_image *image, const uint8_t *bytes, size_t n)
{
    return load_szx(image, bytes, n, -1);
}

int dp_z80_load_bank(struct dp_z80_image *image, const uint8_t *bytes, size_t n, int bank)
{
    return (load_szx(image, bytes, n, bank) || load_sna(image, bytes, n, bank) ||
            load_z80(image, bytes, n, bank)) &&
           image->banks >> bank & 1;
}
