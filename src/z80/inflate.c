/* Unpacking of deflate, bit by bit: pages are small, so simple comes before fast. */
#include "z80/inflate.h"

#include <string.h>

#define LONGEST 15 /* bits of a code */
#define SYMBOLS 288

struct bits {
    const uint8_t *from;
    size_t n;
    size_t at;
    unsigned bit;
    int failed; /* asked for more than there is, or found nonsense */
    uint8_t *to;
    size_t room;
    size_t made;
};

/* A code: how many symbols each length has, and the symbols in order of their codes. */
struct code {
    uint16_t count[LONGEST + 1];
    uint16_t symbol[SYMBOLS];
};

static unsigned take(struct bits *bits, unsigned n)
{
    unsigned value = 0;

    for (unsigned i = 0; i < n; i++) {
        if (bits->at == bits->n) {
            bits->failed = 1;
            return 0;
        }
        value |= (unsigned)(bits->from[bits->at] >> bits->bit & 1) << i;
        bits->bit = (bits->bit + 1) & 7;
        bits->at += bits->bit == 0;
    }
    return value;
}

static void make_code(struct code *code, const uint8_t *lengths, unsigned n)
{
    uint16_t first[LONGEST + 2];

    memset(code, 0, sizeof *code);
    for (unsigned i = 0; i < n; i++)
        code->count[lengths[i]]++;
    code->count[0] = 0;
    first[1] = 0;
    for (unsigned i = 1; i <= LONGEST; i++)
        first[i + 1] = (uint16_t)(first[i] + code->count[i]);
    for (unsigned i = 0; i < n; i++)
        if (lengths[i])
            code->symbol[first[lengths[i]]++] = (uint16_t)i;
}

static unsigned symbol(struct bits *bits, const struct code *code)
{
    unsigned value = 0, first = 0, index = 0;

    for (unsigned length = 1; length <= LONGEST; length++) {
        unsigned count = code->count[length];

        value |= take(bits, 1);
        if (bits->failed)
            return 0;
        if (value - first < count && value >= first)
            return code->symbol[index + (value - first)];
        index += count;
        first = (first + count) << 1;
        value <<= 1;
    }
    bits->failed = 1;
    return 0;
}

static void put(struct bits *bits, uint8_t byte)
{
    if (bits->made == bits->room)
        bits->failed = 1;
    else
        bits->to[bits->made++] = byte;
}

static void copy_back(struct bits *bits, unsigned length, unsigned distance)
{
    if (distance > bits->made)
        bits->failed = 1;
    while (length-- && !bits->failed)
        put(bits, bits->to[bits->made - distance]);
}

/* Lengths 3 to 258 and distances 1 to 32768 come as a base and some bits more. */
static void match(struct bits *bits, unsigned length, const struct code *distances)
{
    static const uint16_t base[29] = {3,  4,  5,  6,   7,   8,   9,   10,  11, 13,
                                      15, 17, 19, 23,  27,  31,  35,  43,  51, 59,
                                      67, 83, 99, 115, 131, 163, 195, 227, 258};
    static const uint8_t more[29] = {0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2,
                                     2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0};
    unsigned distance, extra;

    if (length >= 29) {
        bits->failed = 1;
        return;
    }
    length = base[length] + take(bits, more[length]);
    distance = symbol(bits, distances);
    if (distance >= 30) {
        bits->failed = 1;
        return;
    }
    extra = distance < 2 ? 0 : distance / 2 - 1;
    distance = distance < 2 ? distance : (2 + (distance & 1)) << extra;
    distance += 1 + take(bits, extra);
    if (!bits->failed)
        copy_back(bits, length, distance);
}

static void codes(struct bits *bits, const struct code *literals, const struct code *distances)
{
    while (!bits->failed) {
        unsigned what = symbol(bits, literals);

        if (bits->failed || what == 256)
            return;
        if (what < 256)
            put(bits, (uint8_t)what);
        else
            match(bits, what - 257, distances);
    }
}

static void stored(struct bits *bits)
{
    size_t n;

    if (bits->bit) {
        bits->bit = 0;
        bits->at++;
    }
    if (bits->n - bits->at < 4) {
        bits->failed = 1;
        return;
    }
    n = bits->from[bits->at] | (size_t)bits->from[bits->at + 1] << 8;
    bits->at += 4;
    if (n > bits->n - bits->at)
        bits->failed = 1;
    for (; n && !bits->failed; n--)
        put(bits, bits->from[bits->at++]);
}

static void fixed(struct bits *bits)
{
    uint8_t lengths[SYMBOLS];
    struct code literals, distances;

    memset(lengths, 8, 144);
    memset(lengths + 144, 9, 112);
    memset(lengths + 256, 7, 24);
    memset(lengths + 280, 8, 8);
    make_code(&literals, lengths, SYMBOLS);
    memset(lengths, 5, 30);
    make_code(&distances, lengths, 30);
    codes(bits, &literals, &distances);
}

/* The lengths of both codes, themselves packed with a third. */
static int read_lengths(struct bits *bits, const struct code *of_lengths, uint8_t *lengths,
                        unsigned n)
{
    unsigned at = 0;

    while (at < n && !bits->failed) {
        unsigned what = symbol(bits, of_lengths), times;
        uint8_t length = 0;

        if (what < 16) {
            lengths[at++] = (uint8_t)what;
            continue;
        }
        if (what == 16 && at == 0)
            return -1;
        if (what == 16)
            length = lengths[at - 1];
        times = what == 16   ? 3 + take(bits, 2)
                : what == 17 ? 3 + take(bits, 3)
                             : 11 + take(bits, 7);
        if (times > n - at)
            return -1;
        memset(lengths + at, length, times);
        at += times;
    }
    return bits->failed ? -1 : 0;
}

static void dynamic(struct bits *bits)
{
    static const uint8_t order[19] = {16, 17, 18, 0, 8,  7, 9,  6, 10, 5,
                                      11, 4,  12, 3, 13, 2, 14, 1, 15};
    unsigned nliterals = take(bits, 5) + 257, ndistances = take(bits, 5) + 1;
    unsigned nlengths = take(bits, 4) + 4;
    uint8_t lengths[320];
    struct code literals, distances;

    memset(lengths, 0, sizeof lengths);
    for (unsigned i = 0; i < nlengths; i++)
        lengths[order[i]] = (uint8_t)take(bits, 3);
    make_code(&literals, lengths, 19);
    if (nliterals > 286 || ndistances > 30 || bits->failed ||
        read_lengths(bits, &literals, lengths, nliterals + ndistances) < 0) {
        bits->failed = 1;
        return;
    }
    make_code(&literals, lengths, nliterals);
    make_code(&distances, lengths + nliterals, ndistances);
    codes(bits, &literals, &distances);
}

size_t dp_inflate_zlib(const uint8_t *from, size_t n, uint8_t *to, size_t room)
{
    struct bits bits = {from, n, 2, 0, 0, to, room, 0};
    unsigned last = 0;

    if (n < 2 || (from[0] & 15) != 8 || (from[0] << 8 | from[1]) % 31 || from[1] & 0x20)
        return 0;
    while (!last && !bits.failed) {
        unsigned kind;

        last = take(&bits, 1);
        kind = take(&bits, 2);
        if (kind == 0)
            stored(&bits);
        else if (kind == 1)
            fixed(&bits);
        else if (kind == 2)
            dynamic(&bits);
        else
            bits.failed = 1;
    }
    return bits.made;
}
