/*
 * The page: new lines, indents, bars and counts, folding.
 */
#include "pascal/layout.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

/* Deeper nesting is not indented further: ten thousand levels would make lines of forty thousand
   blanks. */
#define DEEPEST_INDENT 4000

void dp_pascal_style_init(struct dp_pascal_style *style)
{
    memset(style, 0, sizeof *style);
    style->unit = 4;
    style->program = "dprofpp";
}

/* --- characters --- */

static void raw(struct dp_pascal_page *page, const char *text, size_t n)
{
    if (!page->holding) {
        dp_put(page->out, text, n);
        return;
    }
    page->held = dp_grow(page->held, page->nheld + n + 1);
    memcpy(page->held + page->nheld, text, n);
    page->nheld += (uint32_t)n;
}

/* Behind a line comment it goes on in a new line; 1 if it does. */
static int leave_closed(struct dp_pascal_page *page)
{
    if (!page->closed)
        return 0;
    dp_page_item(page, DP_BAR_NONE);
    return 1;
}

void dp_page_text(struct dp_pascal_page *page, const char *text, size_t n)
{
    if (page->hidden)
        return;
    leave_closed(page);
    page->fresh = 0;
    raw(page, text, n);
}

void dp_page_puts(struct dp_pascal_page *page, const char *text)
{
    dp_page_text(page, text, strlen(text));
}

static void counted(struct dp_pascal_page *page, char c)
{
    raw(page, &c, 1);
    page->column = c == '\t' ? (page->column | 7) + 1 : page->column + 1;
}

void dp_page_space(struct dp_pascal_page *page)
{
    if (page->hidden || leave_closed(page))
        return;
    counted(page, ' ');
    if (page->holding) {
        page->folds = dp_more(page->folds, page->nfolds, sizeof *page->folds);
        page->folds[page->nfolds++] = page->nheld;
    }
}

static int is_bare(const char *text, size_t n)
{
    return n >= 2 && text[0] != '\'' && text[0] != '#' && (text[0] == '"' || text[0] == '`');
}

/* A string: in single quotes, whatever was around it. */
static void quoted(struct dp_pascal_page *page, const char *text, size_t n)
{
    dp_page_puts(page, "'");
    for (size_t i = 1; i + 1 < n; i++)
        dp_page_text(page, text[i] == '\'' ? "''" : text + i, text[i] == '\'' ? 2 : 1);
    dp_page_puts(page, "'");
}

void dp_page_token(struct dp_pascal_page *page, uint32_t token)
{
    const struct dp_pascal_token *t = &page->pascal->tokens[token];
    size_t n;
    const char *text = dp_pascal_text(page->pascal, token, &n);

    if (t->kind == DP_T_STRING && page->pascal->dialect != DP_PASCAL_MODERN &&
        (is_bare(text, n) || text[0] == '#')) {
        quoted(page, text, n);
    } else if (t->kind == DP_T_OCTAL) {
        dp_page_text(page, text, n - 1);
        dp_page_puts(page, "b");
    } else {
        dp_page_text(page, text, n);
    }
}

void dp_page_keyword(struct dp_pascal_page *page, enum dp_pascal_token_kind kind)
{
    const char *text = dp_pascal_token_text[kind];

    if (page->style->underline) {
        for (size_t i = strlen(text); i > 0; i--)
            dp_page_puts(page, "_");
        for (size_t i = strlen(text); i > 0; i--)
            dp_page_puts(page, "\b");
    }
    dp_page_puts(page, text);
}

/* --- folding --- */

/* Where the held line, from `start`, can be cut so that it fits: the last such place, or the first
   if none fits; 0: nowhere. */
static uint32_t fold_at(const struct dp_pascal_page *page, uint32_t start, uint32_t room)
{
    uint32_t best = 0;

    for (uint32_t i = 0; i < page->nfolds; i++) {
        uint32_t fold = page->folds[i];

        if (fold <= start || fold >= page->nheld)
            continue;
        if (fold - 1 - start > room && best)
            break;
        best = fold;
    }
    return best;
}

static void put_indent(struct dp_out *out, uint32_t columns)
{
    dp_pad(out, '\t', columns / 8);
    dp_pad(out, ' ', columns % 8);
}

/* Gives out the line that was held, in pieces if it is too long. */
static void release(struct dp_pascal_page *page)
{
    uint32_t start = 0, indent = page->indent, width = page->style->width;

    if (!page->holding)
        return;
    page->holding = 0;
    while (page->nheld - start + indent > width) {
        uint32_t room = width > indent ? width - indent : 0, fold = fold_at(page, start, room);

        if (!fold)
            break;
        dp_put(page->out, page->held + start, fold - 1 - start);
        dp_putc(page->out, '\n');
        indent = page->indent + 2 * page->style->unit;
        put_indent(page->out, indent);
        start = fold;
    }
    dp_put(page->out, page->held + start, page->nheld - start);
    page->nheld = 0;
    page->nfolds = 0;
}

/* --- lines --- */

void dp_page_newline(struct dp_pascal_page *page)
{
    if (page->hidden || page->fresh)
        return;
    page->closed = 0;
    if (page->note) {
        dp_page_puts(page, "  <--- ");
        dp_page_puts(page, page->note);
        page->note = NULL;
    }
    release(page);
    dp_putc(page->out, '\n');
    for (; page->owed; page->owed--)
        dp_putc(page->out, '\n');
    page->column = 0;
}

static void pad(struct dp_pascal_page *page, uint32_t n)
{
    for (; n > 0; n--)
        counted(page, ' ');
}

static void bar(struct dp_pascal_page *page, enum dp_bar bar)
{
    uint32_t unit = page->style->unit;

    if (bar == DP_BAR && !page->shown.printed) {
        char count[24];
        int n = snprintf(count, sizeof count, "%7lld.", (long long)page->shown.value);

        raw(page, count, (size_t)n);
        page->shown.printed = 1;
        for (uint32_t i = 1; i < unit; i++)
            counted(page, '-');
        raw(page, "|", 1);
        return;
    }
    raw(page, "        ", 8);
    pad(page, unit - 1);
    counted(page, bar == DP_BAR ? '|' : ' ');
}

static uint32_t most(uint32_t columns)
{
    return columns < DEEPEST_INDENT ? columns : DEEPEST_INDENT;
}

static void number(struct dp_pascal_page *page)
{
    char text[16];
    int n = snprintf(text, sizeof text, "%6lu  ", (unsigned long)page->line);

    raw(page, text, (size_t)n);
}

void dp_page_indent(struct dp_pascal_page *page, enum dp_bar on)
{
    uint32_t columns;

    if (page->hidden)
        return;
    page->fresh = 0;
    if (page->counts) {
        number(page);
        pad(page, most(page->routine + page->statement));
        bar(page, on);
        pad(page, most(page->declared));
        return;
    }
    columns = most(page->routine + page->statement + page->declared);
    for (uint32_t i = columns / 8; i > 0; i--)
        counted(page, '\t');
    pad(page, columns % 8);
    if (page->style->width) {
        page->holding = 1;
        page->indent = columns;
    }
}

void dp_page_item(struct dp_pascal_page *page, enum dp_bar on)
{
    dp_page_newline(page);
    dp_page_indent(page, on);
}

void dp_page_label(struct dp_pascal_page *page)
{
    uint32_t statement = page->statement, declared = page->declared;

    dp_page_newline(page);
    if (page->hidden)
        return;
    if (page->counts) {
        number(page);
        pad(page, most(page->routine));
        return;
    }
    page->statement = page->declared = 0;
    dp_page_indent(page, DP_BAR_NONE);
    page->statement = statement;
    page->declared = declared;
}

void dp_page_line_of(struct dp_pascal_page *page, uint32_t token)
{
    page->line = page->pascal->tokens[token].line;
}

/* --- headings --- */

void dp_pascal_put_date(struct dp_out *out, int64_t seconds)
{
    static const char days[] = "SunMonTueWedThuFriSat";
    static const char months[] = "JanFebMarAprMayJunJulAugSepOctNovDec";
    time_t when = (time_t)seconds;
    const struct tm *tm = localtime(&when);

    if (!tm || tm->tm_wday < 0 || tm->tm_wday > 6 || tm->tm_mon < 0 || tm->tm_mon > 11)
        dp_puts(out, "(no date)");
    else
        dp_putf(out, "%.3s %.3s %2d %02d:%02d %d", days + 3 * tm->tm_wday, months + 3 * tm->tm_mon,
                tm->tm_mday, tm->tm_hour, tm->tm_min, tm->tm_year + 1900);
}

void dp_page_heading(struct dp_pascal_page *page, uint16_t file)
{
    const struct dp_pascal_file *f = &page->pascal->files[file];

    dp_puts(page->out, page->style->program);
    dp_puts(page->out, "\n\n");
    dp_pascal_put_date(page->out, f->mtime);
    dp_puts(page->out, "  ");
    dp_puts(page->out, f->name);
    dp_puts(page->out, "\n\nProfiled ");
    dp_pascal_put_date(page->out, page->counts ? page->counts->when : 0);
    dp_puts(page->out, "\n\n");
    page->column = 0;
}

void dp_page_echo(struct dp_pascal_page *page, uint32_t token)
{
    const struct dp_pascal_token *t = &page->pascal->tokens[token];
    const struct dp_pascal_file *file = &page->pascal->files[0];
    const char *at = file->text + page->echoed_to, *end = file->text + file->bytes;

    if (!page->style->echo || t->file != 0)
        return;
    while (page->echoed < t->line && at < end) {
        const char *line = at;

        while (at < end && *at != '\n')
            at++;
        dp_putf(page->out, "%6lu  ", (unsigned long)++page->echoed);
        dp_put(page->out, line, (size_t)(at - line));
        dp_putc(page->out, '\n');
        at += at < end;
        page->fresh = 0;
    }
    page->echoed_to = (size_t)(at - file->text);
}

void dp_page_end(struct dp_pascal_page *page)
{
    page->hidden = 0;
    dp_page_newline(page);
}

void dp_page_start(struct dp_pascal_page *page, const struct dp_pascal *pascal,
                   const struct dp_pascal_counts *counts, const struct dp_pascal_style *style,
                   struct dp_out *out)
{
    memset(page, 0, sizeof *page);
    page->pascal = pascal;
    page->counts = counts;
    page->style = style;
    page->out = out;
    page->fresh = 1;
    page->line = 1;
}

void dp_page_free(struct dp_pascal_page *page)
{
    dp_free(page->held);
    dp_free(page->folds);
    dp_free(page->items);
    dp_free(page->levels);
}

/* --- counts --- */

int64_t dp_page_count(const struct dp_pascal_page *page, uint32_t counter)
{
    if (!page->counts || counter == 0 || counter > page->counts->n)
        return 0;
    return page->counts->values[counter - 1];
}

void dp_page_take(struct dp_pascal_page *page, uint32_t counter)
{
    if (!counter)
        return;
    page->shown.value = dp_page_count(page, counter);
    page->shown.printed = 0;
}
