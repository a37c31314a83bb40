/*
 * Reading the console. Nothing ends the walkback's last line, so whatever was printed next is glued
 * to its last name; the heading and the walkback's words are looked for anywhere in a line.
 */
#include "z80/listing.h"

#include <string.h>

#include "base/hash.h"
#include "base/mem.h"

#define HEADING "function  calls"
#define LONGEST 31 /* of a name; the original compiler cuts them to 8 */
#define CUT 8

enum { NCALLED = 3, NERRORS = 3 };
static const char *const called[NCALLED] = {"CALLED BY ", "CALLED FROM ", "CALLER: "};
static const char *const errors[NERRORS] = {"ERROR: ", "ERR: ", "ERROR "};

static int is_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/* Where `text` is in [at, end), NULL if it is not. */
static const char *find(const char *at, const char *end, const char *text)
{
    size_t n = strlen(text);

    for (; (size_t)(end - at) >= n; at++) {
        at = memchr(at, text[0], (size_t)(end - at) - n + 1);
        if (!at)
            return NULL;
        if (memcmp(at, text, n) == 0)
            return at;
    }
    return NULL;
}

static const char *line_end(const char *at, const char *end)
{
    while (at < end && *at != '\n' && *at != '\r')
        at++;
    return at;
}

/* --- rows of the profile -----------------------------------------------------------------------*/

static size_t name_length(const char *at, const char *end)
{
    size_t n = 0;

    if (at == end || !is_word(*at) || (*at >= '0' && *at <= '9'))
        return 0;
    while (at + n < end && is_word(at[n]))
        n++;
    return n <= LONGEST ? n : 0;
}

/* Digits and nothing after them but blanks and our runtime's mark: 0, or -1 if it is no row. A
   count of 0 is printed as blanks, which editors like to strip. */
static int count(struct dp_z80_row *row, const char *at, const char *end)
{
    int digits = 0;

    while (at < end && (*at == ' ' || *at == '\t'))
        at++;
    for (; at < end && *at >= '0' && *at <= '9'; at++, digits++)
        row->count = row->count * 10 + (uint32_t)(*at - '0');
    if (at < end && *at == '*') {
        row->wrapped = 1;
        at++;
    }
    while (at < end && (*at == ' ' || *at == '\t'))
        at++;
    return digits > 6 || at != end ? -1 : 0;
}

/* Six columns after a tab, or after the next stop of 8 columns. */
static int is_whole(size_t name, const char *at, const char *end)
{
    if (at < end && *at == '\t')
        return end - at >= 7;
    return (size_t)(end - at) + name >= (name / 8 + 1) * 8 + 6;
}

/* after_gap: an empty line was before it; then a word alone is no row. */
static int read_row(struct dp_z80_listing *listing, const char *at, const char *end, int last,
                    int after_gap)
{
    struct dp_z80_row row = {{at, name_length(at, end)}, 0, 0, 0};

    if (!row.name.n)
        return 0;
    if (at + row.name.n < end && at[row.name.n] != ' ' && at[row.name.n] != '\t')
        return 0;
    if (count(&row, at + row.name.n, end) < 0 || (after_gap && !row.count))
        return 0;
    row.cut = last && !is_whole(row.name.n, at + row.name.n, end);
    listing->rows = dp_more(listing->rows, listing->nrows, sizeof *listing->rows);
    listing->rows[listing->nrows++] = row;
    return 1;
}

/* The rows after a heading, up to the first line that is none. */
static const char *read_rows(struct dp_z80_listing *listing, const char *at, const char *end)
{
    listing->nprofiles++;
    while (at < end) {
        int cr = 0, lf = 0;
        const char *stop;

        for (; at < end && (*at == '\r' || *at == '\n'); at++) {
            cr += *at == '\r';
            lf += *at == '\n';
        }
        stop = line_end(at, end);
        if (!read_row(listing, at, stop, stop == end, cr > 1 || lf > 1))
            return at;
        at = stop;
    }
    return at;
}

static void read_profiles(struct dp_z80_listing *listing, const char *at, const char *end)
{
    while ((at = find(at, end, HEADING)) != NULL)
        at = read_rows(listing, line_end(at, end), end);
}

/* --- walkbacks ---------------------------------------------------------------------------------*/

/* The first of these texts that is in the line; *which: its index. */
static const char *find_any(const char *at, const char *end, const char *const *texts, size_t n,
                            size_t *which)
{
    const char *first = NULL;

    for (size_t i = 0; i < n; i++) {
        const char *found = find(at, end, texts[i]);

        if (found && (!first || found < first)) {
            first = found;
            *which = i;
        }
    }
    return first;
}

/* The names of rows, to be looked up. */
struct names {
    const struct dp_z80_listing *listing;
    struct dp_hash table; /* of indices into rows */
    struct dp_z80_text want;
};

static int same(const void *ctx, uint32_t row)
{
    const struct names *names = ctx;
    const struct dp_z80_text *name = &names->listing->rows[row].name;

    return name->n == names->want.n && memcmp(name->at, names->want.at, name->n) == 0;
}

static int is_known(struct names *names, const char *at, size_t n)
{
    names->want.at = at;
    names->want.n = n;
    return dp_hash_find(&names->table, dp_hash_bytes(at, n), same, names) != DP_HASH_FREE;
}

static void learn(struct names *names, const struct dp_z80_listing *listing)
{
    memset(names, 0, sizeof *names);
    names->listing = listing;
    for (uint32_t i = 0; i < listing->nrows; i++) {
        const struct dp_z80_text *name = &listing->rows[i].name;

        if (!is_known(names, name->at, name->n))
            dp_hash_add(&names->table, dp_hash_bytes(name->at, name->n), i);
    }
}

/* How much of a word is the name, where the next thing printed may follow it at once. */
static size_t own_part(struct names *names, const char *at, const char *end)
{
    const char *heading = find(at, end, HEADING);
    size_t n = 0, which;
    const char *error = find_any(at, end, errors, NERRORS, &which);

    while (at + n < end && is_word(at[n]))
        n++;
    if (heading && (size_t)(heading - at) <= n)
        n = (size_t)(heading - at);
    if (error && (size_t)(error - at) <= n)
        n = (size_t)(error - at);
    for (size_t part = n < LONGEST ? n : LONGEST; part > 0; part--)
        if (is_known(names, at, part))
            return part;
    return n > CUT ? CUT : n;
}

static void add_back(struct dp_z80_listing *listing, struct dp_z80_text message)
{
    struct dp_z80_back back = {message, listing->nnames, 0};

    listing->backs = dp_more(listing->backs, listing->nbacks, sizeof *listing->backs);
    listing->backs[listing->nbacks++] = back;
}

static void add_name(struct dp_z80_listing *listing, const char *at, size_t n)
{
    struct dp_z80_text name = {at, n};

    listing->names = dp_more(listing->names, listing->nnames, sizeof *listing->names);
    listing->names[listing->nnames++] = name;
    listing->backs[listing->nbacks - 1].n++;
}

/* A message is only one if a walkback follows: programs print "ERROR" of their own too. */
static void read_message(struct dp_z80_text *message, const char *at, const char *end)
{
    size_t which = 0;
    const char *found = find_any(at, end, errors, NERRORS, &which);

    message->at = found ? found + strlen(errors[which]) : at;
    message->n = found ? (size_t)(end - message->at) : 0;
}

static void read_backs(struct dp_z80_listing *listing, const char *at, const char *end)
{
    struct dp_z80_text message = {at, 0};
    struct names names;
    int open = 0;

    learn(&names, listing);
    while (at < end) {
        const char *stop = line_end(at, end), *found;
        size_t which = 0;

        if ((found = find_any(at, stop, called, NCALLED, &which)) != NULL) {
            const char *name = found + strlen(called[which]);
            size_t n = own_part(&names, name, stop);

            if (n && !open)
                add_back(listing, message);
            if (n)
                add_name(listing, name, n);
            read_message(&message, name + n, stop);
            open = n > 0 && !message.n;
        } else if (stop > at) {
            read_message(&message, at, stop);
            open = 0;
        }
        at = stop < end ? stop + 1 : end;
    }
    dp_hash_free(&names.table);
}

/* --- all of it ---------------------------------------------------------------------------------*/

struct dp_z80_listing *dp_z80_listing_new(const char *bytes, size_t n)
{
    struct dp_z80_listing *listing = dp_alloc(sizeof *listing);
    const char *end = n ? memchr(bytes, 0x1A, n) : NULL;

    if (end)
        n = (size_t)(end - bytes); /* Control-Z ends a CP/M text */
    listing->bytes = dp_alloc(n + 1);
    if (n)
        memcpy(listing->bytes, bytes, n);
    read_profiles(listing, listing->bytes, listing->bytes + n);
    read_backs(listing, listing->bytes, listing->bytes + n);
    if (listing->nrows || listing->nbacks)
        return listing;
    dp_z80_listing_free(listing);
    return NULL;
}

void dp_z80_listing_free(struct dp_z80_listing *listing)
{
    if (!listing)
        return;
    dp_free(listing->bytes);
    dp_free(listing->rows);
    dp_free(listing->backs);
    dp_free(listing->names);
    dp_free(listing);
}
