/* Numbers, names, windows, tables: what everything stands on. */
#include <inttypes.h>
#include <stdlib.h>

#include "base/circles.h"
#include "base/digits.h"
#include "base/escape.h"
#include "base/fields.h"
#include "base/hash.h"
#include "base/in.h"
#include "base/mem.h"
#include "base/out.h"
#include "tap.h"

static uint64_t state = 5;

static uint64_t chance(uint64_t n)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (state >> 11) % n;
}

/* --- numbers --- */

/* A number of so many digits with `after` behind it and whatever behind that. */
static void spell(char *to, int digits, char after)
{
    memset(to, '7', 64);
    for (int i = 0; i < digits; i++)
        to[i] = (char)('0' + chance(10));
    to[digits] = after;
}

static void digits(void)
{
    char text[80];
    int wrong = 0;
    int64_t value;

    for (int i = 0; i < 20000; i++) {
        int n = (int)chance(19);
        char after = (char)chance(256);
        const char *end;

        if (after >= '0' && after <= '9')
            after = ' ';
        spell(text, n, after);
        end = dp_digits(text, &value);
        if (n == 0 || n > 15)
            wrong += end != NULL;
        else
            wrong += end != text + n || value != strtoll(text, NULL, 10);
    }
    ok(wrong == 0, "1 to 15 digits are a number, none and more are not: %d wrong", wrong);
}

static void fields(void)
{
    struct dp_field field = {0}, same = {0};
    char text[80];
    int wrong = 0;
    int64_t value, found;
    uint64_t number = 0;

    for (int i = 0; i < 50000; i++) {
        if (chance(50) == 0)
            number = chance(1) + chance((uint64_t)1 << chance(50));
        number += chance(3) ? chance(3) : chance(100000);
        snprintf(text, sizeof text, "%" PRIu64 " %" PRIu64 " tail of a line", number, chance(999));
        value = (int64_t)number;
        wrong += dp_field_read(&field, text, &found) != strchr(text, ' ') + 1 || found != value;
        wrong += dp_field_read_same(&same, text, &found) != strchr(text, ' ') + 1 || found != value;
    }
    ok(wrong == 0, "numbers that grow slowly, and leap: %d wrong", wrong);
    snprintf(text, sizeof text, "%" PRIu64 "x 1 1 1 1 1 1 1", number);
    ok(!dp_field_read(&field, text, &found), "a number without a blank behind it is none");
    ok(!dp_field_read_same(&same, "-5 1 1 1 1 1 1 1 1 1", &found), "a sign is none");
    snprintf(text, sizeof text, " %" PRIu64 " 1 1 1 1 1 1 1 1", number);
    ok(!dp_field_read(&field, text, &found), "nor is a blank");
}

static void same_bytes(void)
{
    char a[128], b[128];
    int wrong = 0;

    memset(a, 'a', sizeof a);
    for (size_t n = 0; n <= 70; n++)
        for (size_t at = 0; at <= 71; at++) {
            memcpy(b, a, sizeof b);
            b[at] = 'b';
            wrong += dp_same_bytes(a, b, n) != (at >= n);
        }
    ok(wrong == 0, "n bytes are the same if no byte below n is another: %d wrong", wrong);
}

/* --- names --- */

static void shows(const char *name, size_t n, const char *wanted, size_t columns)
{
    char shown[200];

    dp_show_name(shown, sizeof shown, name, n);
    is_text(shown, wanted, "shown");
    ok(dp_name_columns(name, n) == columns, "%s: %lu columns, found %lu", wanted,
       (unsigned long)columns, (unsigned long)dp_name_columns(name, n));
}

static void names(void)
{
    char shown[8], plain[40];

    shows("main::foo", 9, "main::foo", 9);
    shows("a\033[31m", 6, "a\\x1b[31m", 9);
    shows("a\0b\n\x7f", 5, "a\\x00b\\x0a\\x7f", 14);
    shows("\xc3\xa9t\xc3\xa9", 5, "\xc3\xa9t\xc3\xa9", 3);
    shows("\xc2\x9b"
          "1m",
          4, "\\xc2\\x9b1m", 10);                    /* a C1 control */
    shows("\xe2\x80\xae", 3, "\\xe2\\x80\\xae", 12); /* turns text around */
    shows("\xff\xc3", 2, "\\xff\\xc3", 8);
    shows("\xc0\xaf", 2, "\\xc0\\xaf", 8);           /* an overlong slash */
    shows("\xed\xa0\x80", 3, "\\xed\\xa0\\x80", 12); /* half a surrogate pair */
    shows("\xf0\x9f\x98\x80", 4, "\xf0\x9f\x98\x80", 2);
    shows("\xe6\xbc\xa2\xe5\xad\x97", 6, "\xe6\xbc\xa2\xe5\xad\x97", 4);
    shows("e\xcc\x81", 3, "e\xcc\x81", 1); /* a combining accent */
    ok(dp_show_name(shown, sizeof shown, "abc\n\n", 5) == 7, "cut at a whole character");
    is_text(shown, "abc\\x0a", "what fits");
    ok(dp_name_fit("\xe6\xbc\xa2\xe5\xad\x97", 6, 3) == 3, "one wide character in three columns");
    ok(dp_unescape(plain, "a\\x20b\\x5C\\x4\\xzz\\", 18) == 12 &&
           memcmp(plain, "a b\\\\x4\\xzz\\", 12) == 0,
       "escapes are undone, what is none stays");
}

/* --- windows --- */

static ptrdiff_t in_steps(void *ctx, char *to, size_t room)
{
    const char **left = ctx;
    size_t n = strlen(*left) < 3 ? strlen(*left) : 3;

    if (n > room)
        n = room;
    memcpy(to, *left, n);
    *left += n;
    return (ptrdiff_t)n;
}

static int enough(void *ctx, uint64_t bytes)
{
    (void)ctx;
    return bytes >= 6;
}

static void windows(void)
{
    const char *text = "0123456789abcdef", *left = text;
    struct dp_in in;

    dp_in_source(&in, in_steps, &left);
    ok(in.at == in.end && dp_in_more(&in) && in.end - in.at == 3, "a source fills the window");
    in.at += 2;
    ok(dp_in_more(&in) && in.end - in.at == 4 && memcmp(in.at, "2345", 4) == 0 &&
           dp_in_offset(&in) == 2,
       "what is kept stays in front");
    while (dp_in_more(&in))
        in.at = in.end;
    ok(dp_in_offset(&in) == 16 && !dp_in_more(&in), "all of it, then no more");
    dp_in_free(&in);

    left = text;
    dp_in_source(&in, in_steps, &left);
    in.progress = enough;
    while (dp_in_more(&in))
        in.at = in.end;
    ok(in.stopped && dp_in_offset(&in) == 6, "a progress that says stop is the end");
    dp_in_free(&in);

    dp_in_bytes(&in, text, 16);
    ok(dp_in_more(&in) && in.end - in.at == 16 && memcmp(in.at, text, 16) == 0, "bytes");
    ok(!dp_in_more(&in), "no more of them");
    dp_in_free(&in);
    dp_in_bytes(&in, NULL, 0);
    ok(!dp_in_more(&in) && in.at == in.end, "no bytes at all");
    dp_in_free(&in);
}

/* --- tables --- */

static int same_number(const void *ctx, uint32_t index)
{
    return index * 7 == *(const uint32_t *)ctx;
}

static void tables(void)
{
    struct dp_hash table = {NULL, 0, 0};
    int wrong = 0;

    for (uint32_t i = 0; i < 5000; i++)
        dp_hash_add(&table, i % 3 ? dp_hash_pair(i * 7, 0) : 42, i); /* many with one hash */
    for (uint32_t key = 0; key < 35000; key++) {
        uint64_t hash = key % 7 == 0 && key / 7 % 3 == 0 ? 42 : dp_hash_pair(key, 0);
        uint32_t found = dp_hash_find(&table, hash, same_number, &key);

        wrong += found != (key % 7 ? DP_HASH_FREE : key / 7);
    }
    ok(wrong == 0, "what was added is found, the rest is not: %d wrong", wrong);
    dp_hash_free(&table);
}

static int by_value(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

    return x < y ? -1 : x > y;
}

/* Where one word's uppermost bit is turned and two bits of the next, a hash that multiplies and
   shifts by 29 comes to the same, whatever it began with: of k such pairs 2^k names can be made. */
static void hostile_names(void)
{
    enum { PAIRS = 12 };
    static uint64_t hashes[1 << PAIRS];
    char name[PAIRS * 16];
    int together = 0;

    for (uint32_t i = 0; i < 1 << PAIRS; i++) {
        for (int j = 0; j < PAIRS; j++) {
            memcpy(name + j * 16, "abcdefghijklmnop", 16);
            if (i >> j & 1) {
                name[j * 16 + 7] = (char)((unsigned char)name[j * 16 + 7] ^ 0x80);
                name[j * 16 + 12] = (char)((unsigned char)name[j * 16 + 12] ^ 0x04);
                name[j * 16 + 15] = (char)((unsigned char)name[j * 16 + 15] ^ 0x80);
            }
        }
        hashes[i] = (uint32_t)dp_hash_bytes(name, sizeof name);
    }
    qsort(hashes, 1 << PAIRS, sizeof *hashes, by_value);
    for (uint32_t i = 1; i < 1 << PAIRS; i++)
        together += hashes[i] == hashes[i - 1];
    ok(together == 0, "names made to fall together do not: %d of %d do", together, 1 << PAIRS);
}

static void hash_keys(void)
{
    uint64_t bytes = dp_hash_bytes("main::f", 7), pair = dp_hash_pair(3, 4);

    dp_hash_key(0x0706050403020100u, 0x0f0e0d0c0b0a0908u);
    ok(dp_hash_bytes("main::f", 7) != bytes && dp_hash_pair(3, 4) != pair,
       "hashes depend on the key");
    dp_hash_key(0, 0);
    ok(dp_hash_bytes("main::f", 7) == bytes && dp_hash_pair(3, 4) == pair, "... and only on it");
}

static void arenas(void)
{
    struct dp_arena arena = {NULL, NULL, NULL};
    char *first = dp_arena_copy(&arena, "abc", 3), *block;
    int wrong = 0;

    for (int i = 0; i < 2000; i++) {
        size_t n = chance(100) ? chance(50) : 70000;

        block = dp_arena_alloc(&arena, n);
        wrong += ((uintptr_t)block & 15) != 0;
        memset(block, 1, n);
        memset(dp_arena_copy(&arena, "x", 1), 2, 1);
    }
    ok(strcmp(first, "abc") == 0 && wrong == 0, "blocks are apart, and aligned");
    dp_arena_free(&arena);
}

static int refuse(void *ctx, const char *bytes, size_t n)
{
    int *calls = ctx;

    (void)bytes, (void)n;
    return ++*calls > 1 ? -1 : 0;
}

static void outputs(void)
{
    struct dp_out *out = malloc(sizeof *out);
    int calls = 0;

    dp_out_init(out, refuse, &calls);
    for (int i = 0; i < 10; i++) {
        dp_pad(out, ' ', sizeof out->bytes - 1);
        dp_put_u64(out, UINT64_MAX);
    }
    ok(dp_flush(out) == -1 && calls == 2, "a failure stays, and nobody is asked again");
    free(out);
}

/* 0 -> 1 -> 2 -> 1, 2 -> 3 -> 3, 4 -> 0, 5. */
static void circles(void)
{
    static const uint32_t first[7] = {0, 1, 2, 4, 5, 6, 6}, to[6] = {1, 2, 1, 3, 3, 0};
    uint32_t circle[6];

    ok(dp_circles(6, first, to, circle) == 5, "six in five circles");
    ok(circle[1] == circle[2], "two that reach one another are in one");
    ok(circle[3] < circle[2] && circle[1] < circle[0] && circle[0] < circle[4],
       "arrows lead to smaller numbers");
    ok(circle[5] != circle[0] && circle[5] != circle[3], "what nothing reaches is alone");
}

int main(void)
{
    circles();
    digits();
    fields();
    same_bytes();
    names();
    windows();
    tables();
    hostile_names();
    hash_keys();
    arenas();
    outputs();
    return done();
}
