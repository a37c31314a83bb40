/* The layouts of pmon.out. */
#include "read/pmon.h"

#include <string.h>

#include "base/mem.h"
#include "read/read.h"

#define MAGIC 0x116 /* 0426 */
#define CORE_AT 1024

struct bytes {
    const unsigned char *at;
    size_t n;
};

static uint32_t u16(const unsigned char *p)
{
    return (uint32_t)(p[0] | p[1] << 8);
}

static uint32_t u32(const unsigned char *p, int big)
{
    return big ? (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3]
               : (uint32_t)p[3] << 24 | (uint32_t)p[2] << 16 | (uint32_t)p[1] << 8 | p[0];
}

/* A long of the PDP-11: its high word comes first. */
static uint32_t pdp11(const unsigned char *p)
{
    return u16(p) << 16 | u16(p + 2);
}

static int64_t signed_of(uint32_t value)
{
    return value < 0x80000000u ? (int64_t)value : (int64_t)value - 0x100000000;
}

static int is_c(struct bytes b, int big)
{
    uint64_t cntrs;

    if (b.n < 16 || u32(b.at, big) != MAGIC)
        return 0;
    cntrs = u32(b.at + 8, big);
    return cntrs >= 4 && (cntrs + 1) * 4 == b.n && u32(b.at + 12, big) >= 1;
}

static int is_short(struct bytes b)
{
    if (b.n < 16 || u16(b.at) != MAGIC || u16(b.at + 2) != 0)
        return 0;
    return u16(b.at + 8) >= 3 && 12 + 4 * (size_t)u16(b.at + 8) == b.n && u16(b.at + 10) >= 1;
}

/* Small counts have a zero first word on the PDP-11, a zero second one elsewhere. */
static int is_pdp11(struct bytes b, uint32_t n)
{
    size_t high_first = 0, low_first = 0;

    for (uint32_t i = 0; i < n; i++) {
        const unsigned char *p = b.at + 12 + 4 * (size_t)i;

        high_first += u16(p) == 0 && u16(p + 2) != 0;
        low_first += u16(p + 2) == 0 && u16(p) != 0;
    }
    return high_first >= low_first;
}

/* px had signed counters and printed what is beyond them below zero; a count is never that. */
static void take(struct dp_pmon *pmon, struct bytes b, size_t from)
{
    pmon->values = dp_alloc_array(pmon->n, sizeof *pmon->values);
    for (uint32_t i = 0; i < pmon->n; i++) {
        const unsigned char *p = b.at + from + 4 * (size_t)i;

        pmon->values[i] = pmon->layout == DP_PMON_PDP11 ? pdp11(p) : u32(p, pmon->big_endian);
    }
}

static int layout(struct bytes b, struct dp_pmon *pmon)
{
    memset(pmon, 0, sizeof *pmon);
    pmon->big_endian = is_c(b, 1);
    if (pmon->big_endian || is_c(b, 0)) {
        pmon->layout = DP_PMON_C;
        pmon->when = signed_of(u32(b.at + 4, pmon->big_endian));
        pmon->headings = u32(b.at + 12, pmon->big_endian);
        pmon->n = u32(b.at + 8, pmon->big_endian) - 3;
        take(pmon, b, 16);
        return 1;
    }
    if (!is_short(b))
        return 0;
    pmon->n = u16(b.at + 8) - 2;
    pmon->headings = u16(b.at + 10);
    pmon->layout = is_pdp11(b, pmon->n) ? DP_PMON_PDP11 : DP_PMON_3BSD;
    pmon->when = signed_of(pmon->layout == DP_PMON_PDP11 ? pdp11(b.at + 4) : u32(b.at + 4, 0));
    take(pmon, b, 12);
    return 1;
}

/* A core image of px on the PDP-11: a block at 1024 says where the profile is. 1: found; 0: no core
   image; -1: one without a profile. */
static int core(struct bytes b, struct bytes *inside)
{
    const unsigned char *block = b.at + CORE_AT;
    size_t room = b.n > CORE_AT ? b.n - CORE_AT : 0, bp, buf, size;
    uint32_t offset;

    if (room < 6 || u16(block + 2) > 1)
        return 0;
    offset = u16(block + 2) == 1 ? u16(block) : 0;
    bp = (u16(block + 4) - offset) & 0xffff;
    if (bp + 4 > room)
        return 0;
    buf = u16(block + bp);
    size = u16(block + bp + 2);
    if (!buf)
        return -1;
    buf = (buf - offset) & 0xffff;
    if (buf + 12 > room || u16(block + buf) != MAGIC || u16(block + buf + 2) != 0)
        return 0;
    inside->at = block + buf;
    inside->n = 12 + 4 * (size_t)u16(inside->at + 8);
    return inside->n <= size + 4 && buf + inside->n <= room && is_short(*inside);
}

static int has_magic(struct bytes b)
{
    return b.n >= 4 && ((u16(b.at) == MAGIC && u16(b.at + 2) == 0) || u32(b.at, 1) == MAGIC);
}

/* What is wrong with a file that begins as one and is none. */
static int refuse(struct bytes b, struct dp_err *err)
{
    int big = b.n >= 4 && u32(b.at, 1) == MAGIC;
    unsigned long n = (unsigned long)b.n, c = 0, a = 0;

    if (!has_magic(b))
        return dp_fail(err, "no pmon.out: expected the magic number 0426 (octal) at its start");
    if (n < 16)
        return dp_fail(err, "a pmon.out of %lu bytes: expected a header of 16 bytes at least", n);
    c = 4 * ((unsigned long)u32(b.at + 8, big) + 1);
    a = 12 + 4 * (unsigned long)u16(b.at + 8);
    if (!big && u32(b.at + 8, 0) >= 65536)
        return dp_fail(err, "a pmon.out for which its header says %lu bytes: found %lu", a, n);
    return dp_fail(err, "a pmon.out for which its header says %lu bytes: found %lu", c, n);
}

int dp_pmon_decode(const char *bytes, size_t n, struct dp_pmon *pmon, struct dp_err *err)
{
    struct bytes all = {(const unsigned char *)bytes, n}, inside;
    char *text;
    size_t ntext;
    int found;

    if (layout(all, pmon))
        return 0;
    if (has_magic(all))
        return refuse(all, err);
    found = core(all, &inside);
    if (found < 0)
        return dp_fail(err, "a core image of px: there is no profile in it");
    if (found > 0 && layout(inside, pmon))
        return 0;
    text = dp_pmon_from_text(bytes, n, &ntext);
    if (!text)
        return refuse(all, err);
    inside.at = (const unsigned char *)text;
    inside.n = ntext;
    found = layout(inside, pmon);
    if (!found)
        refuse(inside, err);
    dp_free(text);
    return found ? 0 : -1;
}

int dp_pmon_is(const char *bytes, size_t n)
{
    struct dp_pmon pmon;
    struct dp_err err;

    if (dp_pmon_decode(bytes, n, &pmon, &err) < 0)
        return has_magic((struct bytes){(const unsigned char *)bytes, n});
    dp_pmon_free(&pmon);
    return 1;
}

void dp_pmon_free(struct dp_pmon *pmon)
{
    dp_free(pmon->values);
    pmon->values = NULL;
}

/* --- without its source --- */

static enum dp_claim claims(const char *bytes, size_t n)
{
    struct bytes b = {(const unsigned char *)bytes, n};

    if (n < 4)
        return DP_CLAIM_MORE;
    return has_magic(b) ? DP_CLAIM_YES : DP_CLAIM_NO;
}

static int alone(struct dp_in *in, struct dp_build *build, struct dp_err *err)
{
    (void)in;
    (void)build;
    return dp_fail(err, "a pmon.out has numbers only: give the program that wrote it too, as "
                        "dprofpp pmon.out prog.p");
}

const struct dp_reader dp_read_pmon = {
    .name = "pmon",
    .about = "pmon.out of Berkeley Pascal, with the program's source",
    .claims = claims,
    .read = alone,
};
