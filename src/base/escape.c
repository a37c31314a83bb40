#include "base/escape.h"

#include <string.h>

int dp_hex_digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'F')
        return c - 'A' + 10;
    return -1;
}

size_t dp_unescape(char *to, const char *bytes, size_t n)
{
    size_t used = 0;

    for (size_t i = 0; i < n; i++) {
        int high, low;

        if (n - i >= 4 && bytes[i] == '\\' && bytes[i + 1] == 'x' &&
            (high = dp_hex_digit(bytes[i + 2])) >= 0 && (low = dp_hex_digit(bytes[i + 3])) >= 0) {
            to[used++] = (char)(high * 16 + low);
            i += 3;
        } else {
            to[used++] = bytes[i];
        }
    }
    return used;
}

/* How many bytes follow this first byte, -1: none can. */
static int followers(unsigned char first)
{
    if (first < 0x80)
        return 0;
    if (first >= 0xC2 && first <= 0xDF)
        return 1;
    if (first >= 0xE0 && first <= 0xEF)
        return 2;
    if (first >= 0xF0 && first <= 0xF4)
        return 3;
    return -1;
}

int32_t dp_utf8(const char *s, const char *end, size_t *n)
{
    static const int32_t least[4] = {0, 0x80, 0x800, 0x10000};
    const unsigned char *u = (const unsigned char *)s;
    int more = followers(u[0]);
    int32_t code;

    *n = 1;
    if (more < 0 || end - s <= more)
        return -1;
    code = more ? u[0] & (0x3F >> more) : u[0];
    for (int i = 1; i <= more; i++) {
        if ((u[i] & 0xC0) != 0x80)
            return -1;
        code = code << 6 | (u[i] & 0x3F);
    }
    if (code < least[more] || code > 0x10FFFF || (code >= 0xD800 && code <= 0xDFFF))
        return -1;
    *n = (size_t)more + 1;
    return code;
}

struct range {
    int32_t first;
    int32_t last;
};

static int within(int32_t code, const struct range *ranges, size_t n)
{
    for (size_t i = 0; i < n && code >= ranges[i].first; i++)
        if (code <= ranges[i].last)
            return 1;
    return 0;
}

int dp_is_printable(int32_t code)
{
    /* Controls, what turns the direction of text or hides in it, line and paragraph separators,
       private and tag characters, non-characters. */
    static const struct range never[] = {
        {0, 0x1F},        {0x7F, 0x9F},       {0xAD, 0xAD},        {0x61C, 0x61C},
        {0x180E, 0x180E}, {0x200B, 0x200F},   {0x2028, 0x202E},    {0x2060, 0x206F},
        {0xD800, 0xF8FF}, {0xFDD0, 0xFDEF},   {0xFEFF, 0xFEFF},    {0xFFF0, 0xFFFB},
        {0xFFFE, 0xFFFF}, {0xE0000, 0xE0FFF}, {0xF0000, 0x10FFFF},
    };

    return code >= 0 && !within(code, never, sizeof never / sizeof *never);
}

/* Columns of a printable character: 0 for the common combining marks, 2 for the wide scripts. */
static size_t columns_of(int32_t code)
{
    static const struct range none[] = {
        {0x300, 0x36F},   {0x483, 0x489},   {0x591, 0x5BD},   {0x610, 0x61A},   {0x64B, 0x65F},
        {0x6D6, 0x6DC},   {0x93C, 0x93C},   {0x941, 0x948},   {0x94D, 0x94D},   {0xE31, 0xE31},
        {0xE34, 0xE3A},   {0xE47, 0xE4E},   {0x1AB0, 0x1AFF}, {0x1DC0, 0x1DFF}, {0x20D0, 0x20FF},
        {0xFE00, 0xFE0F}, {0xFE20, 0xFE2F},
    };
    static const struct range two[] = {
        {0x1100, 0x115F},   {0x2E80, 0x303E},   {0x3041, 0x33FF},   {0x3400, 0x4DBF},
        {0x4E00, 0x9FFF},   {0xA000, 0xA4CF},   {0xA960, 0xA97F},   {0xAC00, 0xD7A3},
        {0xF900, 0xFAFF},   {0xFE30, 0xFE6F},   {0xFF00, 0xFF60},   {0xFFE0, 0xFFE6},
        {0x1F300, 0x1F64F}, {0x1F680, 0x1F6FF}, {0x1F900, 0x1F9FF}, {0x20000, 0x3FFFD},
    };

    if (code < 0x300)
        return 1;
    if (within(code, none, sizeof none / sizeof *none))
        return 0;
    return within(code, two, sizeof two / sizeof *two) ? 2 : 1;
}

/* One step through a name: the bytes at s that belong together, and how they are shown. */
struct shown {
    size_t n;       /* bytes of the name */
    size_t columns; /* on a terminal */
    int escaped;    /* as \xHH, one byte each */
};

static struct shown step(const char *s, const char *end)
{
    struct shown shown;
    int32_t code = dp_utf8(s, end, &shown.n);

    shown.escaped = !dp_is_printable(code);
    shown.columns = shown.escaped ? 4 * shown.n : columns_of(code);
    return shown;
}

/* The bytes of a step as they are shown, at most 16; how many. */
static size_t spell(char *to, const char *s, const struct shown *shown)
{
    static const char digits[] = "0123456789abcdef";

    if (!shown->escaped) {
        memcpy(to, s, shown->n);
        return shown->n;
    }
    for (size_t i = 0; i < shown->n; i++) {
        unsigned char c = (unsigned char)s[i];

        *to++ = '\\';
        *to++ = 'x';
        *to++ = digits[c >> 4];
        *to++ = digits[c & 15];
    }
    return 4 * shown->n;
}

void dp_put_name(struct dp_out *out, const char *bytes, size_t n)
{
    const char *end = bytes + n;
    char text[16];

    while (bytes < end) {
        struct shown shown = step(bytes, end);

        dp_put(out, text, spell(text, bytes, &shown));
        bytes += shown.n;
    }
}

size_t dp_show_name(char *to, size_t room, const char *bytes, size_t n)
{
    const char *end = bytes + n;
    size_t used = 0;
    char text[16];

    while (bytes < end) {
        struct shown shown = step(bytes, end);
        size_t length = spell(text, bytes, &shown);

        if (used + length >= room)
            break;
        memcpy(to + used, text, length);
        used += length;
        bytes += shown.n;
    }
    if (room)
        to[used] = '\0';
    return used;
}

size_t dp_name_columns(const char *bytes, size_t n)
{
    const char *end = bytes + n;
    size_t columns = 0;

    while (bytes < end) {
        struct shown shown = step(bytes, end);

        columns += shown.columns;
        bytes += shown.n;
    }
    return columns;
}

size_t dp_name_fit(const char *bytes, size_t n, size_t columns)
{
    const char *at = bytes, *end = bytes + n;

    while (at < end) {
        struct shown shown = step(at, end);

        if (shown.columns > columns)
            break;
        columns -= shown.columns;
        at += shown.n;
    }
    return (size_t)(at - bytes);
}

void dp_put_tmon(struct dp_out *out, const char *bytes, size_t n)
{
    const struct shown escaped = {1, 4, 1};
    char text[16];

    for (; n; bytes++, n--) {
        unsigned char c = (unsigned char)*bytes;

        if (c <= 0x20 || c == 0x7F || c == '\\')
            dp_put(out, text, spell(text, bytes, &escaped));
        else
            dp_putc(out, *bytes);
    }
}
