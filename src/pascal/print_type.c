/*
 * Declarations: sections, types, parameter lists.
 */
#include "pascal/layout.h"

#define ITEMS_ON_LINE 7

static void type(struct dp_pascal_page *page, uint32_t n);
static void element(struct dp_pascal_page *page, uint32_t n);

static const struct dp_pascal_node *node(const struct dp_pascal_page *page, uint32_t n)
{
    return &page->pascal->nodes[n];
}

static uint32_t next(const struct dp_pascal_page *page, uint32_t n)
{
    return node(page, n)->next;
}

static void enumeration(struct dp_pascal_page *page, uint32_t n)
{
    uint32_t on_line = 0;

    dp_page_puts(page, "(");
    page->declared += page->style->unit;
    for (uint32_t child = node(page, n)->child; child; child = next(page, child)) {
        dp_page_token(page, node(page, child)->tok);
        if (!next(page, child))
            break;
        dp_page_puts(page, ",");
        dp_page_space(page);
        if (++on_line == ITEMS_ON_LINE) {
            dp_page_item(page, DP_BAR);
            on_line = 0;
        }
    }
    page->declared -= page->style->unit;
    dp_page_puts(page, ")");
}

static void named(struct dp_pascal_page *page, uint32_t n)
{
    dp_page_token(page, node(page, n)->tok);
    dp_page_line_of(page, node(page, n)->tok + 1);
}

static void packed(struct dp_pascal_page *page, uint32_t n)
{
    if (node(page, n)->op != DP_P_PACKED)
        return;
    dp_page_keyword(page, DP_T_PACKED);
    dp_page_space(page);
}

static void keyword_of(struct dp_pascal_page *page, enum dp_pascal_token_kind kind, uint32_t of)
{
    dp_page_keyword(page, kind);
    if (!of)
        return;
    dp_page_space(page);
    dp_page_keyword(page, DP_T_OF);
    dp_page_space(page);
    element(page, of);
}

static void array(struct dp_pascal_page *page, uint32_t n)
{
    uint32_t list = node(page, n)->child;

    dp_page_keyword(page, DP_T_ARRAY);
    dp_page_space(page);
    dp_page_puts(page, "[");
    for (uint32_t child = node(page, list)->child; child; child = next(page, child)) {
        element(page, child);
        if (next(page, child)) {
            dp_page_puts(page, ",");
            dp_page_space(page);
        }
    }
    dp_page_puts(page, "]");
    dp_page_space(page);
    dp_page_keyword(page, DP_T_OF);
    dp_page_space(page);
    element(page, next(page, list));
}

/* --- records --- */

static void fields(struct dp_pascal_page *page, uint32_t first);

/* A node begins a line, which shows the number of that token's. */
static void new_line(struct dp_pascal_page *page, uint32_t n, uint32_t at)
{
    dp_page_before(page, node(page, n)->tok);
    dp_page_line_of(page, at);
    dp_page_item(page, DP_BAR);
}

/* After a field or an arm: its `;` if another one follows, and the comments on its line. */
static void after_field(struct dp_pascal_page *page, uint32_t n)
{
    uint32_t last = node(page, n)->last;

    if (next(page, n)) {
        dp_page_puts(page, ";");
        last++;
    }
    dp_page_through(page, last);
}

static void choice(struct dp_pascal_page *page, uint32_t n)
{
    uint32_t list = node(page, n)->child;

    new_line(page, n, node(page, n)->at);
    dp_page_list(page, node(page, list)->child);
    dp_page_puts(page, ":");
    dp_page_space(page);
    dp_page_puts(page, "(");
    page->declared += page->style->unit;
    fields(page, next(page, list));
    page->declared -= page->style->unit;
    dp_page_item(page, DP_BAR);
    dp_page_puts(page, ")");
    after_field(page, n);
}

static void variants(struct dp_pascal_page *page, uint32_t n)
{
    uint32_t child = node(page, n)->child;

    new_line(page, n, node(page, n)->tok);
    dp_page_keyword(page, DP_T_CASE);
    dp_page_space(page);
    if (node(page, n)->op == DP_T_COLON) {
        dp_page_token(page, node(page, child)->tok);
        dp_page_puts(page, ":");
        dp_page_space(page);
        child = next(page, child);
    }
    named(page, child);
    dp_page_space(page);
    dp_page_keyword(page, DP_T_OF);
    page->declared += page->style->unit;
    for (child = next(page, child); child; child = next(page, child))
        choice(page, child);
    page->declared -= page->style->unit;
    dp_page_through(page, node(page, n)->last);
}

static void field(struct dp_pascal_page *page, uint32_t n)
{
    uint32_t names = node(page, n)->child;

    new_line(page, n, node(page, n)->at);
    dp_page_list(page, node(page, names)->child);
    dp_page_puts(page, ":");
    dp_page_space(page);
    type(page, next(page, names));
    after_field(page, n);
}

static void fields(struct dp_pascal_page *page, uint32_t first)
{
    for (uint32_t n = first; n; n = next(page, n)) {
        if (node(page, n)->kind == DP_P_VARIANTS)
            variants(page, n);
        else
            field(page, n);
    }
}

static void record(struct dp_pascal_page *page, uint32_t n)
{
    uint32_t keyword = node(page, n)->tok + (node(page, n)->op == DP_P_PACKED);

    dp_page_through(page, keyword);
    page->declared += page->style->unit;
    dp_page_item(page, DP_BAR);
    dp_page_keyword(page, DP_T_RECORD);
    dp_page_space(page);
    page->declared += page->style->unit;
    fields(page, node(page, n)->child);
    page->declared -= page->style->unit;
    dp_page_above(page, node(page, n)->at);
    dp_page_item(page, DP_BAR);
    dp_page_keyword(page, DP_T_END);
    page->declared -= page->style->unit;
}

/* The type that another one is made of does not move the line that is shown. */
static void element(struct dp_pascal_page *page, uint32_t n)
{
    uint32_t line = page->line;

    type(page, n);
    if (n && node(page, n)->kind == DP_P_NAMED)
        page->line = line;
}

static void type(struct dp_pascal_page *page, uint32_t n)
{
    if (!n)
        return;
    packed(page, n);
    switch (node(page, n)->kind) {
    case DP_P_NAMED:
        named(page, n);
        return;
    case DP_P_ENUM:
        enumeration(page, n);
        return;
    case DP_P_POINTER:
        dp_page_puts(page, "^");
        dp_page_space(page);
        element(page, node(page, n)->child);
        return;
    case DP_P_ARRAY:
        array(page, n);
        return;
    case DP_P_SETOF:
        keyword_of(page, DP_T_SET, node(page, n)->child);
        return;
    case DP_P_FILEOF:
        keyword_of(page, DP_T_FILE, node(page, n)->child);
        return;
    case DP_P_STRINGTYPE:
        dp_page_token(page, node(page, n)->tok);
        dp_page_puts(page, "[");
        dp_page_expression(page, node(page, n)->child);
        dp_page_puts(page, "]");
        return;
    case DP_P_RECORD:
        record(page, n);
        return;
    default:
        dp_page_expression(page, n);
        return;
    }
}

/* --- parameters --- */

static void bounds(struct dp_pascal_page *page, uint32_t n)
{
    uint32_t low = node(page, n)->child, high = next(page, low);

    dp_page_token(page, node(page, low)->tok);
    dp_page_puts(page, "..");
    dp_page_token(page, node(page, high)->tok);
    dp_page_puts(page, ":");
    dp_page_space(page);
    named(page, next(page, high));
}

static void conformant(struct dp_pascal_page *page, uint32_t n)
{
    uint32_t child = node(page, n)->child;

    packed(page, n);
    dp_page_keyword(page, DP_T_ARRAY);
    dp_page_space(page);
    dp_page_puts(page, "[");
    for (; child && node(page, child)->kind == DP_P_BOUNDS; child = next(page, child)) {
        bounds(page, child);
        if (next(page, child) && node(page, next(page, child))->kind == DP_P_BOUNDS) {
            dp_page_puts(page, ";");
            dp_page_space(page);
        }
    }
    dp_page_puts(page, "]");
    dp_page_space(page);
    dp_page_keyword(page, DP_T_OF);
    dp_page_space(page);
    if (child && node(page, child)->kind == DP_P_CONFORMANT)
        conformant(page, child);
    else
        type(page, child);
}

static void param(struct dp_pascal_page *page, uint32_t n)
{
    uint32_t child = node(page, n)->child;

    if (node(page, n)->op) {
        dp_page_keyword(page, (enum dp_pascal_token_kind)node(page, n)->op);
        dp_page_space(page);
    }
    dp_page_list(page, node(page, child)->child);
    child = next(page, child);
    if (child && node(page, child)->kind == DP_P_PARAMS) {
        dp_page_params(page, child);
        child = next(page, child);
    }
    if (!child)
        return;
    dp_page_puts(page, ":");
    dp_page_space(page);
    if (node(page, child)->kind == DP_P_CONFORMANT)
        conformant(page, child);
    else
        type(page, child);
}

void dp_page_params(struct dp_pascal_page *page, uint32_t params)
{
    dp_page_puts(page, "(");
    for (uint32_t n = node(page, params)->child; n; n = next(page, n)) {
        param(page, n);
        if (next(page, n)) {
            dp_page_puts(page, ";");
            dp_page_space(page);
        }
    }
    dp_page_puts(page, ")");
}

/* --- sections --- */

static void equation(struct dp_pascal_page *page, uint32_t n)
{
    uint32_t value = node(page, n)->child;

    dp_page_token(page, node(page, n)->tok);
    if (node(page, n)->op) { /* name: type = value */
        dp_page_puts(page, ":");
        dp_page_space(page);
        type(page, value);
        value = next(page, value);
    }
    dp_page_space(page);
    dp_page_puts(page, "=");
    dp_page_space(page);
    if (node(page, n)->kind == DP_P_CONST)
        dp_page_expression(page, value);
    else
        type(page, value);
}

static void variable(struct dp_pascal_page *page, uint32_t n)
{
    uint32_t names = node(page, n)->child;

    dp_page_list(page, node(page, names)->child);
    dp_page_puts(page, ":");
    dp_page_space(page);
    type(page, next(page, names));
}

static void item(struct dp_pascal_page *page, uint32_t n)
{
    dp_page_echo(page, node(page, n)->last);
    new_line(page, n, node(page, n)->at);
    if (node(page, n)->kind == DP_P_VAR)
        variable(page, n);
    else
        equation(page, n);
    dp_page_puts(page, ";");
    dp_page_through(page, node(page, n)->last);
}

static void names(struct dp_pascal_page *page, uint32_t n)
{
    dp_page_before(page, node(page, node(page, n)->child)->tok);
    dp_page_item(page, DP_BAR);
    dp_page_list(page, node(page, n)->child);
    dp_page_puts(page, ";");
    dp_page_through(page, node(page, n)->last);
}

static enum dp_pascal_token_kind section_keyword(unsigned kind)
{
    switch (kind) {
    case DP_P_LABELS:
        return DP_T_LABEL;
    case DP_P_CONSTS:
        return DP_T_CONST;
    case DP_P_TYPES:
        return DP_T_TYPE;
    default:
        return DP_T_VAR;
    }
}

void dp_page_section(struct dp_pascal_page *page, uint32_t section)
{
    unsigned kind = node(page, section)->kind;

    dp_page_echo(page, node(page, section)->tok + 1);
    dp_page_line_of(page, node(page, section)->tok);
    dp_page_before(page, node(page, section)->tok);
    dp_page_item(page, DP_BAR);
    if (kind == DP_P_USES)
        dp_page_token(page, node(page, section)->tok);
    else
        dp_page_keyword(page, section_keyword(kind));
    page->declared += page->style->unit;
    if (kind == DP_P_LABELS || kind == DP_P_USES) {
        names(page, section);
    } else {
        for (uint32_t n = node(page, section)->child; n; n = next(page, n))
            item(page, n);
    }
    page->declared -= page->style->unit;
}
