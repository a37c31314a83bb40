/*
 * Statements: a walk with a stack of its own. Each kind has a function that is called again and
 * again: it prints what comes next and returns the statement to be printed then, or 0 when it is
 * done.
 */
#include "pascal/died.h"
#include "pascal/layout.h"

#include <stdio.h>

/* How a statement stands in the one around it. */
enum {
    OWN_LINE = 0,
    PART = 1,       /* it is one step further to the right than its keyword */
    BLOCK = 2,      /* a begin behind then, else or do: its end belongs to the outer one */
    CHAINED = 4,    /* the if of an else if */
    WITH_BODY = 8,  /* as PART, but by declarations' indent, as pxp has it */
    ARM_BLOCK = 16, /* begin and end without bar */
};

#define LABELS_ON_LINE 7
#define SET_ON_LINE 8

static const struct dp_pascal_node *node(const struct dp_pascal_page *page, uint32_t n)
{
    return &page->pascal->nodes[n];
}

static uint32_t next(const struct dp_pascal_page *page, uint32_t n)
{
    return node(page, n)->next;
}

static const struct dp_pascal_counters *counters(const struct dp_pascal_page *page, uint32_t n)
{
    return &page->pascal->counters[node(page, n)->count];
}

static int is_block(const struct dp_pascal_page *page, uint32_t n)
{
    return node(page, n)->kind == DP_P_COMPOUND;
}

static struct dp_pascal_level *push(struct dp_pascal_page *page, uint32_t n, unsigned flags)
{
    struct dp_pascal_level *level;

    if (page->nlevels == page->room_levels) {
        page->room_levels = page->room_levels ? 2 * page->room_levels : 64;
        page->levels = dp_grow(page->levels, page->room_levels * sizeof *page->levels);
    }
    level = &page->levels[page->nlevels++];
    level->node = n;
    level->child = node(page, n)->child;
    level->stage = 0;
    level->value = 0;
    level->flags = (uint8_t)flags;
    return level;
}

/* An empty statement is printed as Berkeley's `null`; a program in another Pascal has no such
   thing, but a listing shows its count there. */
static int leaves_out_empty(const struct dp_pascal_page *page)
{
    return !page->counts && page->pascal->dialect == DP_PASCAL_MODERN;
}

/* --- beginnings and ends --- */

/* Does the statement have a count of its own on its line? */
static int is_counted(unsigned kind)
{
    return kind > DP_P_EMPTY && kind <= DP_P_ASSERT && kind != DP_P_COMPOUND &&
           kind != DP_P_LABELLED;
}

/* The line's count is that of its group: behind a call that never came back it is too large. */
static void mark_count(struct dp_pascal_page *page, uint32_t n)
{
    const struct dp_pascal_counts *counts = page->counts;

    if (!is_counted(node(page, n)->kind) ||
        (counts->ran[n] == page->shown.value && !counts->doubt[n]))
        return;
    snprintf(page->ran, sizeof page->ran, "ran %s%lld%s", counts->doubt[n] ? "~" : "",
             (long long)counts->ran[n], counts->ran[n] == 1 ? " time" : " times");
    page->note = page->ran;
}

/* Where the program ended, the calls that were open, counts that are not what ran. */
static void mark(struct dp_pascal_page *page, uint32_t n)
{
    unsigned char what = page->counts && page->counts->marks ? page->counts->marks[n] : 0;

    if (page->hidden)
        return;
    if (what)
        page->note = what == DP_MARK_DIED ? page->counts->death : "this call was open";
    else if (page->counts && page->counts->ran && page->style->marks)
        mark_count(page, n);
}

/* A statement's own line begins: its counter, the comments before it, a new line. */
static void start(struct dp_pascal_page *page, const struct dp_pascal_level *level)
{
    const struct dp_pascal_node *n = node(page, level->node);

    if (level->flags & CHAINED) {
        mark(page, level->node);
        return;
    }
    dp_page_take(page, counters(page, level->node)->before);
    switch (n->kind) {
    case DP_P_REPEAT:
    case DP_P_EMPTY:
        break;
    default:
        dp_page_line_of(page, n->at);
    }
    dp_page_before(page, n->tok);
    if (n->kind == DP_P_LABELLED)
        dp_page_label(page);
    else
        dp_page_item(page, level->flags & ARM_BLOCK ? DP_BAR_NONE : DP_BAR);
    mark(page, level->node);
}

static void keyword(struct dp_pascal_page *page, enum dp_pascal_token_kind kind)
{
    dp_page_keyword(page, kind);
    dp_page_space(page);
}

static void begin_block(struct dp_pascal_page *page, uint32_t n)
{
    dp_page_keyword(page, DP_T_BEGIN);
    dp_page_through(page, node(page, n)->tok);
}

static void end_block(struct dp_pascal_page *page, uint32_t n, enum dp_bar bar)
{
    dp_page_above(page, node(page, n)->last);
    dp_page_item(page, bar);
    dp_page_keyword(page, DP_T_END);
}

/* Goes on with a part of a statement; a begin stands on the keyword's line. */
static uint32_t part(struct dp_pascal_page *page, uint32_t n, unsigned how)
{
    uint32_t *indent = how == WITH_BODY ? &page->declared : &page->statement;

    if (is_block(page, n)) {
        dp_page_take(page, counters(page, n)->before);
        begin_block(page, n);
        how |= BLOCK;
    }
    *indent += page->style->unit;
    push(page, n, how);
    return n;
}

static void save(const struct dp_pascal_page *page, struct dp_pascal_level *level)
{
    level->value = page->shown.value;
}

/* Back to the count before the statement, or to the counter behind it. */
static void restore(struct dp_pascal_page *page, const struct dp_pascal_level *level)
{
    page->shown.value = level->value;
    page->shown.printed = 1;
    dp_page_take(page, counters(page, level->node)->after);
}

/* --- lists --- */

static uint32_t list(struct dp_pascal_page *page, struct dp_pascal_level *level)
{
    const struct dp_pascal_node *n = node(page, level->node);
    uint32_t child = level->child;

    if (!child) {
        if (level->stage == 1) {
            dp_page_before(page, n->kind == DP_P_LIST ? n->last + 1 : n->last);
            if (leaves_out_empty(page))
                return 0;
            dp_page_item(page, DP_BAR);
            dp_page_puts(page, "null");
        }
        return 0;
    }
    if (level->stage > 1)
        dp_page_puts(page, ";");
    level->stage = 2;
    /* Statements that are included are in the #include line. */
    for (; child && dp_page_folded_in(page, node(page, child)->tok); child = next(page, child))
        dp_page_before(page, node(page, child)->last + 1);
    if (!child)
        return 0;
    level->child = next(page, child);
    push(page, child, OWN_LINE);
    return child;
}

static uint32_t compound(struct dp_pascal_page *page, struct dp_pascal_level *level)
{
    uint32_t n = level->node, flags = level->flags, unit = page->style->unit;

    if (level->stage == 0) {
        if (!(flags & BLOCK)) {
            start(page, level);
            begin_block(page, n);
            if (flags & ARM_BLOCK)
                page->statement += unit;
            else
                page->declared += unit;
        }
        level->stage = 1;
    }
    if (list(page, level))
        return 1;
    if (flags & BLOCK)
        return 0;
    if (flags & ARM_BLOCK)
        page->statement -= unit;
    else
        page->declared -= unit;
    end_block(page, n, flags & ARM_BLOCK ? DP_BAR_NONE : DP_BAR);
    return 0;
}

/* --- if --- */

static void if_head(struct dp_pascal_page *page, struct dp_pascal_level *level)
{
    start(page, level);
    keyword(page, DP_T_IF);
    dp_page_expression(page, level->child);
    dp_page_space(page);
    keyword(page, DP_T_THEN);
    save(page, level);
    dp_page_take(page, counters(page, level->node)->body);
}

static uint32_t else_part(struct dp_pascal_page *page, struct dp_pascal_level *level, uint32_t then)
{
    uint32_t other = next(page, then);

    if (is_block(page, then))
        dp_page_above(page, node(page, then)->last);
    page->shown.value = level->value - page->shown.value;
    page->shown.printed = 0;
    dp_page_item(page, DP_BAR);
    if (is_block(page, then))
        keyword(page, DP_T_END);
    keyword(page, DP_T_ELSE);
    page->shown.printed = 0;
    if (node(page, other)->kind == DP_P_IF) {
        push(page, other, CHAINED);
        return other;
    }
    return part(page, other, PART);
}

static uint32_t if_statement(struct dp_pascal_page *page, struct dp_pascal_level *level)
{
    uint32_t then, other;

    switch (level->stage++) {
    case 0:
        if_head(page, level);
        return part(page, next(page, level->child), PART);
    case 1:
        then = next(page, level->child);
        if (next(page, then))
            return else_part(page, level, then);
        break;
    default:
        break;
    }
    then = next(page, level->child);
    other = next(page, then);
    restore(page, level);
    if (other && node(page, other)->kind != DP_P_EMPTY)
        page->shown.printed = 0;
    if (is_block(page, other ? other : then))
        end_block(page, other ? other : then, DP_BAR);
    return 0;
}

/* --- loops --- */

/* What is the same for while and for: the body and what comes after it. */
static uint32_t loop(struct dp_pascal_page *page, struct dp_pascal_level *level, uint32_t body)
{
    if (level->stage++ == 0) {
        dp_page_space(page);
        keyword(page, DP_T_DO);
        save(page, level);
        dp_page_take(page, counters(page, level->node)->body);
        return part(page, body, PART);
    }
    if (is_block(page, body))
        end_block(page, body, DP_BAR);
    restore(page, level);
    return 0;
}

static uint32_t while_statement(struct dp_pascal_page *page, struct dp_pascal_level *level)
{
    if (level->stage == 0) {
        start(page, level);
        keyword(page, DP_T_WHILE);
        dp_page_expression(page, level->child);
    }
    return loop(page, level, next(page, level->child));
}

static uint32_t for_statement(struct dp_pascal_page *page, struct dp_pascal_level *level)
{
    uint32_t variable = level->child, from = next(page, variable), to = next(page, from);

    if (level->stage == 0) {
        start(page, level);
        keyword(page, DP_T_FOR);
        dp_page_expression(page, variable);
        dp_page_space(page);
        dp_page_puts(page, ":=");
        dp_page_space(page);
        dp_page_expression(page, from);
        dp_page_space(page);
        keyword(page, (enum dp_pascal_token_kind)node(page, level->node)->op);
        dp_page_expression(page, to);
    }
    return loop(page, level, next(page, to));
}

static uint32_t repeat(struct dp_pascal_page *page, struct dp_pascal_level *level)
{
    uint32_t statements = level->child, condition = next(page, statements);
    uint32_t unit = page->style->unit;

    if (level->stage++ == 0) {
        start(page, level);
        dp_page_keyword(page, DP_T_REPEAT);
        save(page, level);
        dp_page_take(page, counters(page, level->node)->body);
        page->statement += unit;
        push(page, statements, OWN_LINE)->stage = 1;
        return statements;
    }
    dp_page_above(page, node(page, statements)->last + 1);
    page->declared -= unit;
    dp_page_item(page, DP_BAR);
    keyword(page, DP_T_UNTIL);
    dp_page_expression(page, condition);
    page->declared += unit;
    page->statement -= unit;
    restore(page, level);
    return 0;
}

static uint32_t with(struct dp_pascal_page *page, struct dp_pascal_level *level)
{
    uint32_t variables = level->child, body = next(page, variables);

    if (level->stage++ == 0) {
        start(page, level);
        keyword(page, DP_T_WITH);
        dp_page_list(page, node(page, variables)->child);
        dp_page_space(page);
        keyword(page, DP_T_DO);
        return part(page, body, WITH_BODY);
    }
    if (is_block(page, body))
        end_block(page, body, DP_BAR);
    return 0;
}

/* --- case --- */

/* The constants of a label list, so many on a line. */
static void constants(struct dp_pascal_page *page, uint32_t n, uint32_t most, uint32_t *on_line)
{
    for (; n; n = next(page, n)) {
        dp_page_expression(page, n);
        if (!next(page, n))
            return;
        dp_page_puts(page, ",");
        if (++*on_line == most) {
            dp_page_item(page, DP_BAR_NONE);
            *on_line = 0;
        } else {
            dp_page_space(page);
        }
    }
}

static uint32_t arm(struct dp_pascal_page *page, struct dp_pascal_level *level)
{
    uint32_t labels = level->child, unit = page->style->unit, body = next(page, labels);
    const struct dp_pascal_node *n = node(page, level->node);
    uint32_t on_line = 0;

    if (level->stage++ == 0) {
        page->declared += unit;
        dp_page_line_of(page, n->at);
        dp_page_before(page, n->tok);
        dp_page_item(page, DP_BAR_NONE);
        constants(page, node(page, labels)->child, LABELS_ON_LINE, &on_line);
        dp_page_puts(page, ":");
        dp_page_take(page, counters(page, level->node)->body);
        page->statement += unit;
        push(page, body, is_block(page, body) ? ARM_BLOCK : OWN_LINE);
        return body;
    }
    page->statement -= unit;
    page->declared -= unit;
    return 0;
}

static uint32_t otherwise(struct dp_pascal_page *page, struct dp_pascal_level *level)
{
    uint32_t unit = page->style->unit;

    if (level->stage++ == 0) {
        page->declared += unit;
        dp_page_line_of(page, node(page, level->node)->tok);
        dp_page_before(page, node(page, level->node)->tok);
        dp_page_item(page, DP_BAR_NONE);
        dp_page_token(page, node(page, level->node)->tok);
        dp_page_take(page, counters(page, level->node)->body);
        page->statement += unit;
        push(page, level->child, OWN_LINE)->stage = 1;
        return level->child;
    }
    page->statement -= unit;
    page->declared -= unit;
    return 0;
}

/* Is the last arm labelled `others`, and is it to be printed as an else? */
static uint32_t others_arm(const struct dp_pascal_page *page, uint32_t first)
{
    uint32_t last = first, label;

    if (!page->style->others || !first || page->counts)
        return 0;
    while (next(page, last))
        last = next(page, last);
    if (last == first || node(page, last)->kind != DP_P_ARM)
        return 0;
    label = node(page, node(page, last)->child)->child;
    if (next(page, label) || node(page, label)->kind != DP_P_NAME ||
        !dp_pascal_same(page->pascal, node(page, label)->tok, "others", 6))
        return 0;
    return last;
}

/* if e in [labels] then, in front of a case whose last arm is `others`. */
static void others_head(struct dp_pascal_page *page, const struct dp_pascal_level *level,
                        uint32_t others)
{
    uint32_t on_line = 0;

    keyword(page, DP_T_IF);
    dp_page_expression(page, level->child);
    dp_page_space(page);
    dp_page_keyword(page, DP_T_IN);
    page->statement += page->style->unit;
    dp_page_item(page, DP_BAR_NONE);
    dp_page_puts(page, "[");
    for (uint32_t a = next(page, level->child); a != others; a = next(page, a)) {
        constants(page, node(page, node(page, a)->child)->child, SET_ON_LINE, &on_line);
        if (next(page, a) == others)
            break;
        dp_page_puts(page, ",");
        if (++on_line == SET_ON_LINE) {
            dp_page_item(page, DP_BAR_NONE);
            on_line = 0;
        } else {
            dp_page_space(page);
        }
    }
    dp_page_puts(page, "]");
    dp_page_space(page);
    dp_page_keyword(page, DP_T_THEN);
    dp_page_item(page, DP_BAR_NONE);
}

/* The else of such a case; the arm's statement stands as an else part does. */
static uint32_t others_else(struct dp_pascal_page *page, uint32_t others)
{
    uint32_t body = next(page, node(page, others)->child);

    page->statement -= page->style->unit;
    dp_page_item(page, DP_BAR_NONE);
    dp_page_keyword(page, DP_T_ELSE);
    page->statement += page->style->unit;
    push(page, body, OWN_LINE);
    return body;
}

static uint32_t case_statement(struct dp_pascal_page *page, struct dp_pascal_level *level)
{
    uint32_t first = next(page, node(page, level->node)->child);
    uint32_t others = others_arm(page, first), child;

    if (level->stage == 2 && others) {
        page->statement -= page->style->unit;
        return 0;
    }
    if (level->stage == 0) {
        start(page, level);
        if (others)
            others_head(page, level, others);
        keyword(page, DP_T_CASE);
        dp_page_expression(page, level->child);
        dp_page_space(page);
        dp_page_keyword(page, DP_T_OF);
        save(page, level);
        level->child = first;
        level->stage = 1;
    } else if (level->child && level->child != others) {
        dp_page_puts(page, ";");
    }
    child = level->child;
    if (child && child != others) {
        level->child = next(page, child);
        push(page, child, OWN_LINE);
        return child;
    }
    restore(page, level);
    end_block(page, level->node, DP_BAR);
    if (!others)
        return 0;
    level->stage = 2;
    return others_else(page, others);
}

/* --- the simple ones --- */

static void call(struct dp_pascal_page *page, const struct dp_pascal_node *n)
{
    dp_page_token(page, n->tok);
    if (n->missing)
        return;
    dp_page_puts(page, "(");
    dp_page_list(page, n->child);
    dp_page_puts(page, ")");
}

static uint32_t simple(struct dp_pascal_page *page, const struct dp_pascal_level *level)
{
    const struct dp_pascal_node *n = node(page, level->node);

    if (n->kind == DP_P_EMPTY && leaves_out_empty(page)) {
        dp_page_before(page, n->tok);
        return 0;
    }
    start(page, level);
    switch (n->kind) {
    case DP_P_ASSIGN:
        dp_page_expression(page, n->child);
        dp_page_space(page);
        dp_page_puts(page, ":=");
        dp_page_space(page);
        dp_page_expression(page, next(page, n->child));
        break;
    case DP_P_CALL:
        call(page, n);
        break;
    case DP_P_GOTO:
        keyword(page, DP_T_GOTO);
        dp_page_token(page, n->tok + 1);
        break;
    case DP_P_ASSERT:
        keyword(page, DP_T_ASSERT);
        dp_page_expression(page, n->child);
        break;
    default:
        dp_page_puts(page, "null");
        break;
    }
    return 0;
}

static uint32_t labelled(struct dp_pascal_page *page, struct dp_pascal_level *level)
{
    if (level->stage++)
        return 0;
    start(page, level);
    dp_page_token(page, node(page, level->node)->tok);
    dp_page_puts(page, ":");
    push(page, level->child, OWN_LINE);
    return level->child;
}

static uint32_t step(struct dp_pascal_page *page, struct dp_pascal_level *level)
{
    switch (node(page, level->node)->kind) {
    case DP_P_COMPOUND:
        return compound(page, level);
    case DP_P_LIST:
        return list(page, level);
    case DP_P_IF:
        return if_statement(page, level);
    case DP_P_WHILE:
        return while_statement(page, level);
    case DP_P_FOR:
        return for_statement(page, level);
    case DP_P_REPEAT:
        return repeat(page, level);
    case DP_P_WITH:
        return with(page, level);
    case DP_P_CASE:
        return case_statement(page, level);
    case DP_P_ARM:
        return arm(page, level);
    case DP_P_OTHERWISE:
        return otherwise(page, level);
    case DP_P_LABELLED:
        return labelled(page, level);
    default:
        return simple(page, level);
    }
}

/* The token behind a statement; a `;` before end or until is not printed, and what stands behind it
   would be read again as standing before it. */
static uint32_t behind(const struct dp_pascal_page *page, uint32_t n)
{
    const struct dp_pascal_token *tokens = page->pascal->tokens;
    uint32_t first = node(page, n)->last + 1, token = first;

    while (tokens[token].kind == DP_T_SEMICOLON)
        token++;
    return tokens[token].kind == DP_T_END || tokens[token].kind == DP_T_UNTIL ? token : first;
}

/* A statement is done: the comments behind it, and the indent as it was. */
static void leave(struct dp_pascal_page *page, uint32_t n, unsigned flags)
{
    unsigned kind = node(page, n)->kind;

    if (!(flags & BLOCK) && kind != DP_P_LIST && kind != DP_P_ARM && kind != DP_P_OTHERWISE)
        dp_page_before(page, behind(page, n));
    if (flags & PART)
        page->statement -= page->style->unit;
    if (flags & WITH_BODY)
        page->declared -= page->style->unit;
}

void dp_page_statements(struct dp_pascal_page *page, uint32_t n)
{
    push(page, n, BLOCK);
    while (page->nlevels) {
        uint32_t at = page->nlevels - 1;
        uint32_t which = page->levels[at].node, flags;

        if (step(page, &page->levels[at]))
            continue;
        flags = page->levels[at].flags;
        page->nlevels--;
        leave(page, which, flags);
    }
}
