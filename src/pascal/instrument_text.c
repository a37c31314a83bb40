/* The text with what is put in: its lines stay, an included text's become one. */
#include "pascal/instrument_text.h"

#include <stdlib.h>
#include <string.h>

static int by_place(const void *a, const void *b)
{
    const struct dp_piece *x = a, *y = b;

    if (x->at != y->at)
        return x->at < y->at ? -1 : 1;
    return x->order < y->order ? -1 : 1;
}

/* The end of the comment that begins here; where none begins, here. */
static const char *comment_end(const char *at, const char *end)
{
    if (*at == '{')
        at++;
    else if (*at == '(' && at + 1 < end && at[1] == '*')
        at += 2;
    else
        return at;
    while (at < end && *at != '}' && !(*at == '*' && at + 1 < end && at[1] == ')'))
        at++;
    return at;
}

/* A line comment is left out: it would hide the lines that follow it, too. */
static void put_on_one_line(struct dp_out *out, const char *at, const char *end, int modern)
{
    while (at < end) {
        const char *stop = comment_end(at, end);

        if (modern && *at == '/' && at + 1 < end && at[1] == '/') {
            while (at < end && *at != '\n')
                at++;
            continue;
        }
        do
            dp_putc(out, *at == '\n' || *at == '\r' ? ' ' : *at);
        while (++at < stop);
    }
}

/* What stands between two places of a file; an included text's lines become one. */
static void put_between(const struct dp_pascal *pascal, struct dp_out *out, uint16_t file,
                        uint32_t from, uint32_t to)
{
    const char *text = pascal->files[file].text;

    if (file == 0)
        dp_put(out, text + from, to - from);
    else
        put_on_one_line(out, text + from, text + to, pascal->dialect == DP_PASCAL_MODERN);
}

static uint64_t octal(const char *text, size_t n)
{
    uint64_t value = 0;

    for (size_t i = 0; i + 1 < n; i++)
        value = value * 8 + (uint64_t)(text[i] - '0');
    return value;
}

void dp_put_pascal_token(const struct dp_pascal *pascal, struct dp_out *out, uint32_t token)
{
    unsigned kind = pascal->tokens[token].kind;
    size_t n;
    const char *text = dp_pascal_text(pascal, token, &n);

    if (kind == DP_T_OCTAL) {
        dp_put_u64(out, octal(text, n));
    } else if (kind == DP_T_STRING && text[0] != '\'' && pascal->dialect != DP_PASCAL_MODERN) {
        dp_putc(out, '\'');
        for (size_t i = 1; i + 1 < n; i++)
            dp_puts(out, text[i] == '\'' ? "''" : (char[]){text[i], '\0'});
        dp_putc(out, '\'');
    } else if ((kind == DP_T_AND || kind == DP_T_OR || kind == DP_T_NOT) && n == 1) {
        dp_putc(out, ' ');
        dp_puts(out, dp_pascal_token_text[kind]);
        dp_putc(out, ' ');
    } else if (kind >= DP_T_UNEQUAL && kind <= DP_T_DOTDOT && kind != DP_T_LBRACKET &&
               kind != DP_T_RBRACKET) {
        dp_puts(out, dp_pascal_token_text[kind]); /* < = is one token */
    } else {
        dp_put(out, text, n);
    }
}

/* Is there an include line between two tokens of one file? */
static const struct dp_pascal_remark *next_include(const struct dp_pascal *pascal, uint32_t *remark,
                                                   uint32_t before)
{
    for (; *remark < pascal->nremarks && pascal->remarks[*remark].before <= before; ++*remark)
        if (pascal->remarks[*remark].kind == DP_REMARK_INCLUDE)
            return &pascal->remarks[(*remark)++];
    return NULL;
}

/* The blanks and comments before a token, from where the text before ended. Crossing into an
   included file and back leaves out the #include line itself. */
struct place {
    uint16_t file;
    uint32_t offset;
};

/* The rest of an included file; then it goes on in the one that includes it. */
static void leave_file(const struct dp_pascal *pascal, struct dp_out *out, struct place *at)
{
    const struct dp_pascal_file *file = &pascal->files[at->file];

    put_between(pascal, out, at->file, at->offset, file->bytes);
    at->file = (uint16_t)file->includer;
    at->offset = pascal->files[at->file].resume;
}

static void put_gap(const struct dp_pascal *pascal, struct dp_out *out, struct place *at,
                    uint32_t token, uint32_t *remark)
{
    const struct dp_pascal_token *t = &pascal->tokens[token];
    const struct dp_pascal_remark *include;

    while ((include = next_include(pascal, remark, token))) {
        while (at->file != include->file)
            leave_file(pascal, out, at);
        put_between(pascal, out, at->file, at->offset, include->offset);
        pascal->files[at->file].resume = include->offset + include->bytes;
        at->file = include->included;
        at->offset = 0;
    }
    while (at->file != t->file && at->file != 0)
        leave_file(pascal, out, at);
    put_between(pascal, out, at->file, at->offset, t->offset);
    at->offset = t->offset + t->bytes;
}

void dp_put_pieces(const struct dp_pascal *pascal, struct dp_piece *pieces, uint32_t npieces,
                   struct dp_out *out)
{
    struct place at = {0, 0};
    uint32_t piece = 0, remark = 0;

    qsort(pieces, npieces, sizeof *pieces, by_place);
    for (uint32_t i = 0; i < pascal->ntokens; i++) {
        int dropped = 0;

        put_gap(pascal, out, &at, i, &remark);
        for (; piece < npieces && pieces[piece].at == 2 * i; piece++) {
            dropped |= !pieces[piece].text;
            dp_puts(out, pieces[piece].text ? pieces[piece].text : "");
        }
        if (!dropped)
            dp_put_pascal_token(pascal, out, i);
        for (; piece < npieces && pieces[piece].at == 2 * i + 1; piece++)
            dp_puts(out, pieces[piece].text);
    }
    put_between(pascal, out, 0, at.offset, pascal->files[0].bytes);
}
