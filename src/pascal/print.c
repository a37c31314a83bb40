/*
 * Programs and routines: headings, selection, the order of it all.
 */
#include "pascal/layout.h"

#include <string.h>

/* A routine that is being printed. */
struct open {
    uint32_t routine; /* DP_PASCAL_NOWHERE: a segment */
    uint32_t section; /* the next one */
    struct dp_pascal_shown shown;
    int selected;    /* by --only, itself or a routine around it */
    int hidden;      /* its declarations and its body */
    int nested;      /* a routine stood in it */
    uint32_t indent; /* page->routine in it */
};

struct opens {
    struct open *opens;
    uint32_t n;
    uint32_t room;
};

static const struct dp_pascal_routine *routine(const struct dp_pascal_page *page, uint32_t r)
{
    return &page->pascal->routines[r];
}

static uint16_t file_of(const struct dp_pascal_page *page, uint32_t token)
{
    return page->pascal->tokens[token].file;
}

/* --- what is shown --- */

/* Does --only name this routine? */
static int is_named(const struct dp_pascal_page *page, uint32_t r)
{
    const struct dp_pascal_style *style = page->style;

    for (uint32_t i = 0; i < style->nonly; i++)
        if (dp_pascal_same(page->pascal, routine(page, r)->name, style->only[i],
                           strlen(style->only[i])))
            return 1;
    return 0;
}

/* Does it name the file that the routine is in? */
static int is_in_named_file(const struct dp_pascal_page *page, uint32_t r)
{
    const struct dp_pascal_style *style = page->style;
    const char *file = page->pascal->files[file_of(page, routine(page, r)->tok)].name;

    for (uint32_t i = 0; i < style->nonly; i++)
        if (strcmp(file, style->only[i]) == 0)
            return 1;
    return 0;
}

static int is_run(const struct dp_pascal_page *page)
{
    return !page->counts || page->style->all_bodies || page->shown.value != 0;
}

/* --- the name of the file --- */

/* Where the text comes from another file than what was printed last. */
static void file_line(struct dp_pascal_page *page, uint32_t token)
{
    uint16_t file = file_of(page, token);

    if (page->hidden || file == page->named || dp_page_folded_in(page, token))
        return;
    page->named = file;
    dp_page_newline(page);
    if (page->style->pages && page->counts) {
        dp_putc(page->out, '\f');
        dp_page_heading(page, file);
        page->fresh = 0;
        return;
    }
    dp_page_puts(page, page->pascal->files[file].name);
    dp_page_puts(page, ":");
    dp_page_newline(page);
}

/* --- headings --- */

static void heading_text(struct dp_pascal_page *page, uint32_t r)
{
    const struct dp_pascal_routine *head = routine(page, r);

    dp_page_keyword(page, (enum dp_pascal_token_kind)head->kind);
    dp_page_space(page);
    dp_page_token(page, head->name);
    if (head->kind == DP_T_PROGRAM && head->params) {
        dp_page_puts(page, "(");
        dp_page_list(page, page->pascal->nodes[head->params].child);
        dp_page_puts(page, ")");
    } else if (head->params) {
        dp_page_params(page, head->params);
    }
    if (head->result) {
        dp_page_puts(page, ":");
        dp_page_space(page);
        dp_page_token(page, head->result);
    }
    dp_page_puts(page, ";");
}

/* The heading, with what comes before and behind it. */
static void heading(struct dp_pascal_page *page, uint32_t r)
{
    const struct dp_pascal_routine *head = routine(page, r);
    int empty;

    dp_page_echo(page, head->semi);
    dp_page_line_of(page, head->kind == DP_T_PROGRAM ? head->tok : head->semi);
    file_line(page, head->tok);
    empty = dp_page_before(page, head->tok);
    if (!empty)
        dp_page_newline(page);
    dp_page_item(page, DP_BAR);
    heading_text(page, r);
    dp_page_through(page, head->semi);
}

static void directive(struct dp_pascal_page *page, uint32_t r)
{
    uint32_t word = routine(page, r)->last - 1;

    dp_page_before(page, word);
    dp_page_item(page, DP_BAR_NONE);
    dp_page_token(page, word);
    dp_page_puts(page, ";");
    dp_page_through(page, routine(page, r)->last);
}

/* --- bodies --- */

static void name_after_end(struct dp_pascal_page *page, uint32_t r)
{
    uint32_t last = routine(page, r)->last;
    const struct dp_pascal_token *t = &page->pascal->tokens[last];
    int through = t[0].line != t[1].line || t[0].file != t[1].file;
    uint32_t flushed = dp_page_through(page, last);

    if (flushed || (routine(page, r)->kind == DP_T_PROGRAM && !through))
        return;
    dp_page_space(page);
    dp_page_puts(page, "{");
    dp_page_space(page);
    dp_page_token(page, routine(page, r)->name);
    dp_page_space(page);
    dp_page_puts(page, "}");
}

static void body(struct dp_pascal_page *page, struct open *open)
{
    const struct dp_pascal_routine *r = routine(page, open->routine);
    const struct dp_pascal_node *block = &page->pascal->nodes[r->body];
    int empty;

    dp_page_echo(page, r->last);
    page->shown = open->shown;
    page->shown.printed = 1;
    page->routine = open->indent;
    page->hidden = open->hidden || dp_page_folded_in(page, block->tok);
    if (open->nested)
        page->shown.printed = 0;
    if (r->kind == DP_T_PROGRAM)
        file_line(page, block->tok);
    dp_page_line_of(page, block->tok);
    empty = dp_page_before(page, block->tok);
    if (open->nested && !empty)
        dp_page_newline(page);
    dp_page_item(page, DP_BAR);
    dp_page_keyword(page, DP_T_BEGIN);
    dp_page_through(page, block->tok);
    page->declared += page->style->unit;
    dp_page_statements(page, r->body);
    page->declared -= page->style->unit;
    dp_page_above(page, block->last);
    dp_page_item(page, DP_BAR);
    dp_page_keyword(page, DP_T_END);
    dp_page_puts(page, r->kind == DP_T_PROGRAM ? "." : ";");
    name_after_end(page, open->routine);
}

/* --- all routines --- */

static struct open *enter(struct opens *opens, uint32_t r, uint32_t sections)
{
    struct open *open;

    if (opens->n == opens->room) {
        opens->room = opens->room ? 2 * opens->room : 16;
        opens->opens = dp_grow(opens->opens, opens->room * sizeof *opens->opens);
    }
    open = &opens->opens[opens->n++];
    memset(open, 0, sizeof *open);
    open->routine = r;
    open->section = sections;
    return open;
}

/* A heading is met: prints it, and its declarations and body come next. */
static void meet(struct dp_pascal_page *page, struct opens *opens, uint32_t r)
{
    const struct dp_pascal_routine *head = routine(page, r);
    int selected = opens->n && opens->opens[opens->n - 1].selected, named;
    uint32_t level = head->level ? head->level : 0;
    struct open *open;

    if (opens->n && !dp_page_folded_in(page, head->tok))
        opens->opens[opens->n - 1].nested = 1;
    dp_page_take(page, head->counter);
    page->routine = page->style->flat ? 0 : level * page->style->unit;
    named = page->style->nonly ? is_named(page, r) : 0;
    if (page->style->nonly && !named)
        selected = selected || is_in_named_file(page, r);
    if (page->style->nonly)
        page->hidden = !named && !(selected && is_run(page));
    else if (page->counts || !page->style->no_declarations)
        page->hidden = 0;
    if (dp_page_folded_in(page, head->tok))
        page->hidden = 1;
    selected = selected || named;
    heading(page, r);
    page->hidden = page->hidden || !is_run(page);
    if (head->directive) {
        directive(page, r);
        return;
    }
    open = enter(opens, r, head->decls);
    open->selected = selected;
    open->hidden = page->hidden && (page->counts || page->style->nonly);
    open->shown = page->shown;
    open->indent = page->routine;
}

static void section(struct dp_pascal_page *page, struct open *open, uint32_t n)
{
    page->routine = open->indent;
    page->hidden = open->hidden || page->style->no_declarations ||
                   dp_page_folded_in(page, page->pascal->nodes[n].tok);
    /* As pxp has it, what comes between declarations that are left out and the next begin goes with
       them when there are no counts. */
    file_line(page, page->pascal->nodes[n].tok);
    dp_page_section(page, n);
}

static void walk(struct dp_pascal_page *page)
{
    struct opens opens = {NULL, 0, 0};

    if (page->pascal->has_program) {
        meet(page, &opens, 0);
    } else {
        enter(&opens, DP_PASCAL_NOWHERE, page->pascal->decls)->indent = 0;
        opens.opens[0].selected = 0;
        opens.opens[0].hidden = page->style->nonly != 0;
    }
    while (opens.n) {
        struct open *open = &opens.opens[opens.n - 1];
        uint32_t n = open->section;

        if (n) {
            open->section = page->pascal->nodes[n].next;
            if (page->pascal->nodes[n].kind == DP_P_ROUTINE)
                meet(page, &opens, page->pascal->nodes[n].at);
            else
                section(page, open, n);
            continue;
        }
        if (open->routine != DP_PASCAL_NOWHERE)
            body(page, open);
        opens.n--;
        page->hidden = 0;
    }
    dp_free(opens.opens);
}

static void rest(struct dp_pascal_page *page)
{
    page->hidden = page->style->nonly != 0;
    dp_page_before(page, page->pascal->ntokens - 1);
    dp_page_end(page);
}

void dp_pascal_pretty(const struct dp_pascal *pascal, const struct dp_pascal_style *style,
                      struct dp_out *out)
{
    struct dp_pascal_page page;

    dp_page_start(&page, pascal, NULL, style, out);
    walk(&page);
    rest(&page);
    dp_page_free(&page);
}

void dp_pascal_listing(const struct dp_pascal *pascal, const struct dp_pascal_counts *counts,
                       const struct dp_pascal_style *style, struct dp_out *out)
{
    struct dp_pascal_page page;

    dp_page_start(&page, pascal, counts, style, out);
    dp_page_heading(&page, 0);
    walk(&page);
    rest(&page);
    dp_page_free(&page);
}

void dp_pascal_routines(const struct dp_pascal *pascal, const struct dp_pascal_counts *counts,
                        const struct dp_pascal_style *style, int after_listing, struct dp_out *out)
{
    struct dp_pascal_page page;

    dp_page_start(&page, pascal, counts, style, out);
    /* pxp's walk through the text leaves a form feed for each include. */
    for (uint32_t i = 0; !after_listing && i < pascal->nremarks; i++)
        if (pascal->remarks[i].kind == DP_REMARK_INCLUDE)
            dp_putc(out, '\f');
    if (after_listing)
        dp_puts(out, "\f\n\f");
    dp_page_heading(&page, 0);
    dp_puts(out, "\n\tLine\t   Count\n\n");
    for (uint32_t r = 0; r < pascal->nroutines; r++) {
        const struct dp_pascal_routine *head = &pascal->routines[r];
        uint32_t line = pascal->tokens[head->kind == DP_T_PROGRAM ? head->tok : head->semi].line;
        size_t n;
        const char *name = dp_pascal_text(pascal, head->name, &n);

        dp_putf(out, "\t%4lu\t%8lld\t", (unsigned long)line,
                (long long)dp_page_count(&page, head->counter));
        if (!style->flat)
            dp_pad(out, ' ', (head->level + 1) * style->unit - 1);
        dp_put(out, name, n);
        dp_putc(out, '\n');
    }
    if (!style->flat)
        dp_putc(out, '\n');
    dp_page_free(&page);
}
