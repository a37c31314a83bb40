/*
 * Numbers in text, eight digits at a time. What is loaded beyond the number means nothing, but at
 * least 16 bytes from `at` on must be there to be loaded.
 */
#ifndef DPROF_BASE_DIGITS_H
#define DPROF_BASE_DIGITS_H

#include <stdint.h>
#include <string.h>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#if defined(__GNUC__) && defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define DP_WORDS 1
#else
#define DP_WORDS 0
#endif

static inline uint64_t dp_load8(const char *at)
{
    uint64_t word;

    memcpy(&word, at, 8);
    return word;
}

#ifdef __SSE2__
static inline __m128i dp_load16(const char *at)
{
    __m128i words;

    memcpy(&words, at, 16);
    return words;
}
#endif

#if DP_WORDS
/* The value of eight digits, each a byte of 0 to 9, the first one lowest. Pairs, then fours, then
   all (the method is Lemire's). */
static inline uint64_t dp_eight_digits(uint64_t x)
{
    const uint64_t mask = 0x000000FF000000FFu;

    x = x * 10 + (x >> 8);
    return ((x & mask) * 0x000F424000000064u + ((x >> 16) & mask) * 0x0000271000000001u) >> 32;
}

/* Non-zero from the first byte on that is no digit; x is eight characters ^ '0' each. */
static inline uint64_t dp_no_digits(uint64_t x)
{
    return (x | (x + 0x0606060606060606u)) & 0xF0F0F0F0F0F0F0F0u;
}

/* Reads 1 to 16 digits and returns where they end; NULL if there are none or more. */
static inline const char *dp_digits(const char *at, int64_t *value)
{
    static const uint64_t ten_to[8] = {1, 10, 100, 1000, 10000, 100000, 1000000, 10000000};
    uint64_t x = dp_load8(at) ^ 0x3030303030303030u, bad = dp_no_digits(x), high;
    int n;

    if (bad) {
        n = __builtin_ctzll(bad) & ~7;
        if (n == 0)
            return NULL;
        *value = (int64_t)dp_eight_digits(x << (64 - n));
        return at + n / 8;
    }
    high = dp_eight_digits(x);
    x = dp_load8(at + 8) ^ 0x3030303030303030u;
    bad = dp_no_digits(x);
    if (!bad)
        return NULL;
    n = __builtin_ctzll(bad) & ~7;
    *value = (int64_t)(high * ten_to[n / 8] + (n ? dp_eight_digits(x << (64 - n)) : 0));
    return at + 8 + n / 8;
}
/* Bytes below the lowest one of a word that is not zero. */
static inline size_t dp_bytes_below(uint64_t word)
{
    return (size_t)__builtin_ctzll(word) / 8;
}
#else
static inline const char *dp_digits(const char *at, int64_t *value)
{
    const char *start = at;

    for (*value = 0; *at >= '0' && *at <= '9' && at - start < 16; at++)
        *value = *value * 10 + (*at - '0');
    return at == start || at - start == 16 ? NULL : at;
}
#endif

/* Are these n bytes the same? 32 bytes from either start on may be loaded, eight more where n is
   larger. The first 32 are compared without a branch: names differ in length from mark to mark, and
   a loop's end would be guessed wrongly as often. */
#ifdef __SSE2__
static inline int dp_same_bytes(const char *a, const char *b, size_t n)
{
    __m128i low = _mm_cmpeq_epi8(dp_load16(a), dp_load16(b));
    __m128i high = _mm_cmpeq_epi8(dp_load16(a + 16), dp_load16(b + 16));
    uint64_t other = ~((uint64_t)(uint32_t)_mm_movemask_epi8(low) |
                       (uint64_t)(uint32_t)_mm_movemask_epi8(high) << 16);

    if (n > 32)
        return (uint32_t)other == 0 && memcmp(a + 32, b + 32, n - 32) == 0;
    return (other & (((uint64_t)1 << n) - 1)) == 0;
}
#elif DP_WORDS
extern const uint64_t dp_byte_masks[33][4];

static inline int dp_same_bytes(const char *a, const char *b, size_t n)
{
    const uint64_t *mask = dp_byte_masks[n < 32 ? n : 32];
    uint64_t other = ((dp_load8(a) ^ dp_load8(b)) & mask[0]) |
                     ((dp_load8(a + 8) ^ dp_load8(b + 8)) & mask[1]) |
                     ((dp_load8(a + 16) ^ dp_load8(b + 16)) & mask[2]) |
                     ((dp_load8(a + 24) ^ dp_load8(b + 24)) & mask[3]);

    return other == 0 && (n <= 32 || memcmp(a + 32, b + 32, n - 32) == 0);
}
#else
static inline int dp_same_bytes(const char *a, const char *b, size_t n)
{
    return memcmp(a, b, n) == 0;
}
#endif

#endif
