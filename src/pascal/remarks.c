/*
 * Comments, empty lines, form feeds and include lines: where they go in the new text.
 */
#include "pascal/layout.h"

#include <string.h>

#define RIGHT_MARGIN 28
#define RIGHT_MARGIN_WIDE 44 /* and one unit */

/* A comment of several lines: the blanks before each up to the column of its opening go. */
static void comment_text(struct dp_pascal_page *page, const struct dp_pascal_remark *remark)
{
    const char *at = page->pascal->files[remark->file].text + remark->offset;
    const char *end = at + remark->bytes;

    for (;;) {
        const char *line = at;
        uint32_t column = 1;
        size_t n;

        while (at < end && *at != '\n')
            at++;
        n = (size_t)(at - line);
        if (at < end && n && line[n - 1] == '\r')
            n--;
        dp_page_text(page, line, n);
        if (at == end)
            return;
        dp_page_newline(page);
        if (remark->kind == DP_REMARK_MARGIN) {
            if (page->counts)
                dp_page_puts(page, "\t");
        } else {
            dp_page_indent(page, DP_BAR);
        }
        for (at++; at < end && column < remark->column && (*at == ' ' || *at == '\t'); at++)
            column = *at == '\t' ? ((column + 7) & ~7u) + 1 : column + 1;
    }
}

static void to_right_margin(struct dp_pascal_page *page)
{
    uint32_t goal =
        page->routine || page->counts ? RIGHT_MARGIN_WIDE + page->style->unit : RIGHT_MARGIN;

    do {
        dp_page_text(page, "\t", 1);
        page->column = (page->column | 7) + 1;
    } while (page->column < goal);
}

/* What comes before a comment on its line; 0: the comment itself is not to be printed. */
static int comment(struct dp_pascal_page *page, const struct dp_pascal_remark *remark)
{
    switch (remark->kind) {
    case DP_REMARK_MARGIN:
        dp_page_newline(page);
        if (page->counts)
            dp_page_puts(page, "\t");
        break;
    case DP_REMARK_ALIGNED:
        dp_page_item(page, DP_BAR);
        break;
    case DP_REMARK_TRAILING:
        dp_page_space(page);
        break;
    default:
        to_right_margin(page);
        break;
    }
    return !page->style->strip_comments;
}

int dp_page_folded_in(const struct dp_pascal_page *page, uint32_t token)
{
    return !page->counts && !page->style->expand_includes && page->pascal->tokens[token].file != 0;
}

/* An include line. What is expanded has only a form feed in its place, which is printed even where
   nothing else is. */
static void include(struct dp_pascal_page *page, const struct dp_pascal_remark *remark)
{
    int hidden = page->hidden;

    if (page->counts || page->style->expand_includes) {
        dp_page_newline(page);
        dp_putc(page->out, '\f');
        return;
    }
    /* What is hidden here may be so only because it is in another file. */
    page->hidden = page->style->nonly != 0;
    dp_page_newline(page);
    dp_page_text(page, page->pascal->files[remark->file].text + remark->offset, remark->bytes);
    page->hidden = hidden;
}

/* Does it end with its line? */
static int is_line_comment(const struct dp_pascal_page *page, const struct dp_pascal_remark *remark)
{
    return page->pascal->files[remark->file].text[remark->offset] == '/';
}

/* Prints one; 1 if it is an empty line or a form feed. */
static int put(struct dp_pascal_page *page, const struct dp_pascal_remark *remark)
{
    switch (remark->kind) {
    case DP_REMARK_EMPTY:
        if (!page->hidden)
            page->owed++;
        return 1;
    case DP_REMARK_BLANK:
        dp_page_newline(page);
        dp_page_text(page, " ", 1);
        return 1;
    case DP_REMARK_FEED:
        dp_page_newline(page);
        dp_page_text(page, "\f", 1);
        return 1;
    case DP_REMARK_INCLUDE:
        include(page, remark);
        return 0;
    default:
        if (!page->hidden && comment(page, remark)) {
            comment_text(page, remark);
            page->closed = is_line_comment(page, remark);
        }
        return 0;
    }
}

/* What is inside an include that is not expanded does not appear. */
static int within_include(const struct dp_pascal_page *page, const struct dp_pascal_remark *remark)
{
    return remark->file != 0 && !page->counts && !page->style->expand_includes;
}

static int flush(struct dp_pascal_page *page)
{
    const struct dp_pascal_remark *remark = &page->pascal->remarks[page->remark++];

    return within_include(page, remark) ? 0 : put(page, remark);
}

static const struct dp_pascal_remark *next(const struct dp_pascal_page *page)
{
    return page->remark < page->pascal->nremarks ? &page->pascal->remarks[page->remark] : NULL;
}

int dp_page_before(struct dp_pascal_page *page, uint32_t token)
{
    int empty = 0;

    while (next(page) && next(page)->before <= token)
        empty |= flush(page);
    return empty;
}

static int same_line(const struct dp_pascal_token *a, const struct dp_pascal_token *b)
{
    return a->line == b->line && a->file == b->file;
}

uint32_t dp_page_through(struct dp_pascal_page *page, uint32_t token)
{
    const struct dp_pascal_token *last = &page->pascal->tokens[token];
    uint32_t flushed = 0;

    if (token + 1 >= page->pascal->ntokens || same_line(last, last + 1))
        return 0;
    /* One that goes on for lines begins a line of its own: it stands with what follows, as it will
       when it is read again. */
    while (next(page) && (next(page)->before <= token ||
                          (next(page)->before == token + 1 && next(page)->line <= last->line &&
                           next(page)->file == last->file && next(page)->kind <= DP_REMARK_RIGHT &&
                           next(page)->kind != DP_REMARK_ALIGNED))) {
        flush(page);
        flushed++;
    }
    return flushed;
}

void dp_page_above(struct dp_pascal_page *page, uint32_t token)
{
    const struct dp_pascal_token *t = &page->pascal->tokens[token];

    while (next(page) && (next(page)->before < token ||
                          (next(page)->before == token &&
                           (next(page)->line < t->line || next(page)->file != t->file))))
        flush(page);
}
