/*
 * Profiles that left an emulated machine as text: uuencoded, or dumped by od, in the log of a
 * terminal.
 */
#include <string.h>

#include "base/mem.h"
#include "read/pmon.h"

struct text {
    const char *at;
    const char *end;
};

/* The next line without its end; 0: there is none. */
static int next_line(struct text *text, const char **line, size_t *n)
{
    const char *stop;

    if (text->at == text->end)
        return 0;
    *line = text->at;
    stop = memchr(text->at, '\n', (size_t)(text->end - text->at));
    text->at = stop ? stop + 1 : text->end;
    *n = (size_t)((stop ? stop : text->end) - *line);
    while (*n && ((*line)[*n - 1] == '\r' || (*line)[*n - 1] == ' '))
        --*n;
    return 1;
}

/* --- uuencode --- */

static unsigned six(const char *line, size_t n, size_t i)
{
    return i < n ? ((unsigned)(unsigned char)line[i] - 32) & 63 : 0;
}

/* A line of data: 1; 0: the end, or none. */
static int uu_line(const char *line, size_t n, char **to)
{
    unsigned bytes = n ? six(line, n, 0) : 0;

    if (!bytes || line[0] < ' ' || line[0] > '`' || n < 1 + (bytes * 4 + 2) / 3)
        return 0;
    for (unsigned i = 0, k = 1; i < bytes; k += 4) {
        unsigned a = six(line, n, k), b = six(line, n, k + 1), c = six(line, n, k + 2);
        unsigned triple[3];

        triple[0] = a << 2 | b >> 4;
        triple[1] = b << 4 | c >> 2;
        triple[2] = c << 6 | six(line, n, k + 3);
        for (unsigned m = 0; m < 3 && i < bytes; m++, i++)
            *(*to)++ = (char)(triple[m] & 255);
    }
    return 1;
}

static int is_uu_begin(const char *line, size_t n)
{
    if (n < 11 || memcmp(line, "begin ", 6) != 0)
        return 0;
    for (size_t i = 6; i < 9; i++)
        if (line[i] < '0' || line[i] > '7')
            return 0;
    return line[9] == ' ';
}

static char *uudecode(const char *bytes, size_t n, size_t *got)
{
    struct text text = {bytes, bytes + n};
    const char *line;
    size_t length;
    char *all, *to;

    do {
        if (!next_line(&text, &line, &length))
            return NULL;
    } while (!is_uu_begin(line, length));
    all = to = dp_alloc((size_t)(text.end - text.at) + 1);
    while (next_line(&text, &line, &length) && uu_line(line, length, &to))
        ;
    *got = (size_t)(to - all);
    return all;
}

/* --- od --- */

/* What a dump's words are: od, od -o, od -x, od -b, od -h, od -t x1 and od -t x4 of different times
   look the same but for their digits. */
struct form {
    unsigned base;
    unsigned digits; /* of a word */
    unsigned bytes;
};
static const struct form forms[] = {{8, 6, 2},  {16, 4, 2}, {8, 3, 1},
                                    {16, 2, 1}, {16, 8, 4}, {8, 11, 4}};

static int digit(char c, unsigned base)
{
    int value = c >= '0' && c <= '9'   ? c - '0'
                : c >= 'a' && c <= 'f' ? c - 'a' + 10
                : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                       : 99;

    return value < (int)base ? value : -1;
}

/* A number of exactly or up to so many digits, at *at; its length, or 0. */
static unsigned number(const char *line, size_t n, size_t at, unsigned base, uint32_t *value)
{
    unsigned length = 0;

    *value = 0;
    for (; at < n && digit(line[at], base) >= 0; at++, length++)
        *value = *value * base + (uint32_t)digit(line[at], base);
    return at == n || line[at] == ' ' || line[at] == '\t' ? length : 0;
}

static size_t blanks(const char *line, size_t n, size_t at)
{
    while (at < n && (line[at] == ' ' || line[at] == '\t'))
        at++;
    return at;
}

struct dump {
    const struct form *form;
    unsigned address_base;
    char *bytes;
    size_t n;
    size_t room;
};

static void add(struct dump *dump, uint32_t word)
{
    for (unsigned i = 0; i < dump->form->bytes; i++) {
        if (dump->n == dump->room) {
            dump->room = dump->room ? 2 * dump->room : 256;
            dump->bytes = dp_grow(dump->bytes, dump->room);
        }
        dump->bytes[dump->n++] = (char)(word >> 8 * i & 255);
    }
}

/* od puts a star where lines repeat: the last line again, up to this address. */
static int repeat(struct dump *dump, size_t address, size_t last)
{
    if (!last || address < dump->n || address > 1u << 22)
        return 0;
    while (dump->n < address)
        for (size_t i = 0, from = dump->n - last; i < last && dump->n < address; i++) {
            const struct form one = {16, 2, 1}, *form = dump->form;

            dump->form = &one;
            add(dump, (unsigned char)dump->bytes[from + i]);
            dump->form = form;
        }
    return 1;
}

/* A line of words after an address. Returns how many bytes came, -1: it is no such line. */
static int words(struct dump *dump, const char *line, size_t n, size_t at)
{
    size_t before = dump->n;

    for (at = blanks(line, n, at); at < n; at = blanks(line, n, at)) {
        uint32_t word;
        unsigned length = number(line, n, at, dump->form->base, &word);

        if (length != dump->form->digits) {
            dump->n = before;
            return -1;
        }
        add(dump, word);
        at += length;
    }
    return (int)(dump->n - before);
}

/* All lines of the dump, from the one of address 0. The last one has an address only. */
static int dumped(struct dump *dump, struct text text)
{
    const char *line;
    size_t n, last = 0;
    int star = 0;

    while (next_line(&text, &line, &n)) {
        uint32_t address;
        unsigned length;
        int got;

        if (n == 1 && line[0] == '*') {
            star = dump->n > 0;
            continue;
        }
        length = number(line, n, 0, dump->address_base, &address);
        if (length < 5)
            continue; /* something else on the terminal */
        if (address < dump->n && !star && length != n)
            continue;
        if (star && !repeat(dump, address, last))
            return 0;
        star = 0;
        if (length == n) { /* the size: an odd last byte was padded */
            if (address <= dump->n && dump->n - address < 4 && dump->n) {
                dump->n = address;
                return 1;
            }
            continue;
        }
        if (address != dump->n)
            continue;
        got = words(dump, line, n, length);
        if (got > 0)
            last = (size_t)got;
    }
    return 0;
}

/* Words of a machine with the other byte order are turned round. */
static int has_magic(struct dump *dump)
{
    static const char little[4] = {0x16, 1, 0, 0}, big[4] = {0, 0, 1, 0x16},
                      turned[4] = {0, 0, 0x16, 1};

    if (memcmp(dump->bytes, little, 4) == 0 || memcmp(dump->bytes, big, 4) == 0)
        return 1;
    if (memcmp(dump->bytes, turned, 4) != 0 || dump->form->bytes != 2)
        return 0;
    for (size_t i = 0; i + 1 < dump->n; i += 2) {
        char swap = dump->bytes[i];

        dump->bytes[i] = dump->bytes[i + 1];
        dump->bytes[i + 1] = swap;
    }
    return 1;
}

static char *undump(const char *bytes, size_t n, size_t *got)
{
    static const unsigned bases[] = {8, 16, 10};

    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        for (size_t k = 0; k < 3; k++) {
            struct text text = {bytes, bytes + n};
            struct dump dump = {&forms[i], bases[k], NULL, 0, 0};
            if (dumped(&dump, text) && dump.n >= 16 && has_magic(&dump)) {
                *got = dump.n;
                return dump.bytes;
            }
            dp_free(dump.bytes);
        }
    }
    return NULL;
}

char *dp_pmon_from_text(const char *text, size_t n, size_t *bytes)
{
    char *all;

    if (n > 1u << 28)
        return NULL;
    all = uudecode(text, n, bytes);
    return all ? all : undump(text, n, bytes);
}
