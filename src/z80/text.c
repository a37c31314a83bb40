/*
 * Images as text: Intel HEX, S-records, and the dumps that people print (hexdump -C, xxd, DDT,
 * ucsim, MAME, tnylpo). Lines of anything else between them are passed over, so a whole console
 * log can be given.
 */
#include "z80/image.h"

#include <string.h>

/* A line without its end. */
struct line {
    const char *at;
    const char *end;
};

/* Ends at LF, CR or Control-Z, whichever comes. */
static int next_line(struct line *line, const char **at, const char *end)
{
    if (*at == end)
        return 0;
    line->at = *at;
    while (*at < end && **at != '\n' && **at != '\r' && **at != 0x1A)
        ++*at;
    line->end = *at;
    if (*at < end)
        ++*at;
    return 1;
}

static int digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* Pairs of hex digits from `at` on, at most `room`. */
static size_t pairs(const char *at, const char *end, uint8_t *bytes, size_t room)
{
    size_t n = 0;

    while (n < room && end - at >= 2 && digit(at[0]) >= 0 && digit(at[1]) >= 0) {
        bytes[n++] = (uint8_t)(digit(at[0]) * 16 + digit(at[1]));
        at += 2;
    }
    return n;
}

static const char *blanks(const char *at, const char *end)
{
    while (at < end && (*at == ' ' || *at == '\t'))
        at++;
    return at;
}

/* An address of 4 to 8 digits. */
static const char *address(const char *at, const char *end, uint32_t *addr)
{
    int n = 0;

    if (end - at > 2 && at[0] == '0' && (at[1] == 'x' || at[1] == 'X'))
        at += 2;
    for (*addr = 0; at < end && digit(*at) >= 0 && n < 8; n++)
        *addr = *addr << 4 | (uint32_t)digit(*at++);
    return n >= 4 && (at == end || digit(*at) < 0) ? at : NULL;
}

/* --- registers ---------------------------------------------------------------------------------*/

/* The number behind "=", with blanks and 0x where an emulator puts them. */
static int value_of(const char *at, const char *end, uint16_t *value)
{
    uint32_t found;

    if (!address(blanks(at, end), end, &found) || found > 0xFFFF)
        return 0;
    *value = (uint16_t)found;
    return 1;
}

/* "sp=fef5", "PC = 0x0100": looks at each "=" for the name before it. */
static void read_values(struct dp_z80_image *image, struct line line)
{
    const char *at = line.at, *equals;

    while ((equals = memchr(at, '=', (size_t)(line.end - at))) != NULL) {
        const char *name = equals;
        uint16_t value;

        at = equals + 1;
        while (name > line.at && (name[-1] == ' ' || name[-1] == '\t'))
            name--;
        if (name - line.at < 2 || !value_of(at, line.end, &value))
            continue;
        if ((name[-2] | 32) == 's' && (name[-1] | 32) == 'p') {
            image->has_sp = 1;
            image->sp = value;
        } else if ((name[-2] | 32) == 'p' && (name[-1] | 32) == 'c') {
            image->has_pc = 1;
            image->pc = value;
        }
    }
}

/* ucsim says "Stop at 0x000323: (104) Breakpoint". */
static int stopped_at(struct line line, uint16_t *pc)
{
    static const char words[] = "Stop at ";
    uint32_t found;

    if ((size_t)(line.end - line.at) < sizeof words ||
        memcmp(line.at, words, sizeof words - 1) != 0 ||
        !address(line.at + sizeof words - 1, line.end, &found) || found > 0xFFFF)
        return 0;
    *pc = (uint16_t)found;
    return 1;
}

static void read_registers(struct dp_z80_image *image, struct line line)
{
    read_values(image, line);
    if (stopped_at(line, &image->pc))
        image->has_pc = 1;
}

/* Bytes of a memory are no text, and need not be looked through line by line. */
static int looks_like_text(const uint8_t *bytes, size_t n)
{
    size_t odd = 0;

    if (n > 4096)
        n = 4096;
    for (size_t i = 0; i < n; i++)
        odd += (bytes[i] < ' ' && !(bytes[i] >= '\a' && bytes[i] <= '\r') && bytes[i] != 0x1A &&
                bytes[i] != 0x1B) ||
               bytes[i] > '~';
    return odd <= n / 4;
}

/* --- Intel HEX ---------------------------------------------------------------------------------*/

enum record { NO_RECORD, BAD_SUM, GOOD_RECORD };

/* Lines end as next_line() ends them, but CR LF is one end. */
static uint32_t number_of_line(const char *text, const char *at)
{
    uint32_t n = 1;

    for (; text < at; text++)
        n += *text == '\n' || (*text == '\r' && text[1] != '\n');
    return n;
}

static void bad_sum(struct dp_z80_image *image, const uint8_t *text, const char *at)
{
    if (image->bad_sums++ == 0)
        image->bad_line = number_of_line((const char *)text, at);
}

static uint8_t sum_of(const uint8_t *bytes, size_t n)
{
    uint8_t sum = 0;

    for (size_t i = 0; i < n; i++)
        sum = (uint8_t)(sum + bytes[i]);
    return sum;
}

/* What goes on with hex digits behind its sum is something else that has a colon. */
static int ends_there(const char *at, const char *end)
{
    return at >= end || digit(*at) < 0;
}

/* Count, address (high byte first), type, data, sum of all of them 0. */
static enum record hex_record(struct dp_z80_image *image, const char *at, const char *end,
                              uint32_t *base)
{
    uint8_t bytes[1 + 2 + 1 + 255 + 1];
    size_t n = pairs(at, end, bytes, sizeof bytes);

    if (n < 5 || n < (size_t)bytes[0] + 5)
        return NO_RECORD;
    n = (size_t)bytes[0] + 5;
    if (sum_of(bytes, n) != 0 && !(bytes[0] == 0 && bytes[3] == 0)) /* CP/M's end has no sum */
        return ends_there(at + 2 * n, end) ? BAD_SUM : NO_RECORD;
    if (bytes[3] == 0)
        dp_z80_put(image, *base + (uint32_t)(bytes[1] << 8 | bytes[2]), bytes + 4, bytes[0]);
    else if ((bytes[3] == 2 || bytes[3] == 4) && bytes[0] == 2)
        *base = (uint32_t)(bytes[4] << 8 | bytes[5]) << (bytes[3] == 2 ? 4 : 16);
    return GOOD_RECORD;
}

int dp_z80_load_hex(struct dp_z80_image *image, const uint8_t *bytes, size_t n)
{
    const char *at = (const char *)bytes, *end = at + n;
    uint32_t base = 0;
    struct line line;

    dp_z80_image_clear(image);
    if (!looks_like_text(bytes, n))
        return 0;
    while (next_line(&line, &at, end)) {
        const char *colon = memchr(line.at, ':', (size_t)(line.end - line.at));
        enum record what = colon ? hex_record(image, colon + 1, line.end, &base) : NO_RECORD;

        if (what == BAD_SUM)
            bad_sum(image, bytes, line.at);
        else if (what == NO_RECORD)
            read_registers(image, line); /* what an emulator says between the records */
    }
    return image->nknown > 0;
}

/* --- S-records ---------------------------------------------------------------------------------*/

/* Sn, count of what follows, an address of 2 to 4 bytes, data, sum of all of them FF. */
static enum record s_record(struct dp_z80_image *image, const char *at, const char *end)
{
    size_t wide = (size_t)(at[1] - '0') + 1, n;
    uint8_t bytes[256];
    uint32_t addr = 0;

    n = pairs(at + 2, end, bytes, sizeof bytes);
    if (n == 0 || n != (size_t)bytes[0] + 1 || n < wide + 2)
        return NO_RECORD;
    if (sum_of(bytes, n) != 0xFF)
        return BAD_SUM;
    for (size_t i = 1; i <= wide; i++)
        addr = addr << 8 | bytes[i];
    dp_z80_put(image, addr, bytes + 1 + wide, n - wide - 2);
    return GOOD_RECORD;
}

int dp_z80_load_srecords(struct dp_z80_image *image, const uint8_t *bytes, size_t n)
{
    const char *at = (const char *)bytes, *end = at + n;
    struct line line;

    dp_z80_image_clear(image);
    if (!looks_like_text(bytes, n))
        return 0;
    while (next_line(&line, &at, end))
        if (line.end - line.at > 4 && line.at[0] == 'S' && line.at[1] >= '1' && line.at[1] <= '3' &&
            s_record(image, line.at, line.end) == BAD_SUM)
            bad_sum(image, bytes, line.at);
    return image->nknown > 0;
}

/* --- dumps -------------------------------------------------------------------------------------*/

struct dump {
    struct dp_z80_image *image;
    uint8_t bytes[16]; /* of the last line, for hexdump's "*" */
    size_t n;
    uint32_t next;   /* address after it */
    int star;        /* the last line is repeated up to the next address */
    uint32_t budget; /* bytes that short lines may still stand for: a file cannot keep us busy */
};

/* Do the rest of a line and these bytes say the same? Blanks at its end may be gone. */
static int is_their_text(const char *at, const char *end, const uint8_t *bytes, size_t n)
{
    size_t shown = (size_t)(end - at);

    for (size_t i = 0; i < n; i++) {
        char c = bytes[i] < ' ' || bytes[i] > '~' ? '.' : (char)bytes[i];

        if (i < shown ? at[i] != c && at[i] != '.' : c != ' ')
            return 0;
    }
    return n > 0 && shown <= n;
}

/* Groups of 1, 2, 4 or 8 bytes with blanks between, up to 16 bytes; what follows is their text,
   which may look like more of them. */
static size_t groups(const char *at, const char *end, uint8_t bytes[16])
{
    size_t n = 0;

    while (n < 16 && (at = blanks(at, end)) < end) {
        const char *from = at;

        if (is_their_text(at, end, bytes, n))
            break;
        while (at < end && digit(*at) >= 0)
            at++;
        if ((at < end && *at != ' ' && *at != '\t') || at == from || (at - from) % 2 ||
            at - from > 16)
            break;
        n += pairs(from, at, bytes + n, 16 - n);
    }
    return n;
}

/* Fills up to an address with bytes again and again, a piece at a time. */
static void repeat(struct dump *dump, uint32_t from, uint32_t upto, const uint8_t *bytes, size_t n)
{
    uint8_t piece[256];
    size_t length = sizeof piece - sizeof piece % n;

    if (dump->budget < sizeof piece)
        return;
    for (size_t i = 0; i < length; i++)
        piece[i] = bytes[i % n];
    while (from < upto && dump->budget >= sizeof piece) {
        size_t part = upto - from < length ? upto - from : length;

        dp_z80_put(dump->image, from, piece, part);
        from += (uint32_t)part;
        dump->budget -= (uint32_t)(part < 16 ? 16 : part); /* to look at it costs too */
    }
}

/* tnylpo shortens what is the same: "0010-004f: all 76 (v)". */
static int run_of(struct dump *dump, const char *at, const char *end, uint32_t from)
{
    uint8_t byte;
    uint32_t to;

    if (end - at < 13 || *at != '-' || !(at = address(at + 1, end, &to)) || to < from ||
        to >= DP_Z80_MEMORY || end - at < 8 || memcmp(at, ": all ", 6) != 0 ||
        pairs(at + 6, end, &byte, 1) != 1)
        return 0;
    repeat(dump, from, to + 1, &byte, 1);
    return 1;
}

/* What "*" left out. */
static void fill_gap(struct dump *dump, uint32_t upto)
{
    if (dump->star && dump->n && upto <= DP_Z80_MEMORY)
        repeat(dump, dump->next, upto, dump->bytes, dump->n);
    dump->star = 0;
}

static int dump_line(struct dump *dump, const char *at, const char *end)
{
    uint8_t bytes[16];
    uint32_t addr;
    size_t n;

    if (!(at = address(at, end, &addr)))
        return 0;
    if (run_of(dump, at, end, addr))
        return 1;
    if (at < end && *at == ':')
        at++;
    n = at == end || *at == ' ' || *at == '\t' ? groups(at, end, bytes) : 0;
    if (n == 0) {
        fill_gap(dump, addr); /* hexdump ends with an address alone */
        return 0;
    }
    fill_gap(dump, addr);
    dp_z80_put(dump->image, addr, bytes, n);
    memcpy(dump->bytes, bytes, n);
    dump->n = n;
    dump->next = addr + (uint32_t)n;
    return 1;
}

/* A log has the time in front of each line. */
static void log_line(struct dump *dump, struct line line)
{
    for (const char *at = line.at; line.end - at > 2; at++)
        if (at[0] == ':' && at[1] == ' ' && dump_line(dump, at + 2, line.end))
            return;
}

int dp_z80_load_dump(struct dp_z80_image *image, const uint8_t *bytes, size_t n)
{
    struct dump dump = {image, {0}, 0, 0, 0, 8 * DP_Z80_MEMORY};
    const char *at = (const char *)bytes, *end = at + n;
    struct line line;

    dp_z80_image_clear(image);
    if (!looks_like_text(bytes, n))
        return 0;
    while (next_line(&line, &at, end)) {
        line.at = blanks(line.at, line.end);
        if (line.end - line.at == 1 && *line.at == '*')
            dump.star = 1;
        else if (!dump_line(&dump, line.at, line.end))
            log_line(&dump, line);
        read_registers(image, line);
    }
    return image->nknown > 0;
}
