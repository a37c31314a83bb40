/*
 * Expressions: only the parentheses that are needed, by the rules of pxp of 1984 on. What is still
 * to be printed waits on a stack, the next thing on top.
 */
#include "pascal/layout.h"

#include <string.h>

struct dp_pascal_item {
    const char *text; /* NULL: a node; or, if node is 0, a token, or with `parens` a keyword */
    uint32_t node;
    uint32_t token;
    int parens;
};

enum { ATOM = 9 };
#define SPACE "\1" /* a blank where a line may be folded */

static const struct dp_pascal_node *node(const struct dp_pascal_page *page, uint32_t n)
{
    return &page->pascal->nodes[n];
}

static void push(struct dp_pascal_page *page, const char *text, uint32_t n, uint32_t token,
                 int parens)
{
    struct dp_pascal_item *item;

    if (page->nitems == page->room_items) {
        page->room_items = page->room_items ? 2 * page->room_items : 64;
        page->items = dp_grow(page->items, page->room_items * sizeof *page->items);
    }
    item = &page->items[page->nitems++];
    item->text = text;
    item->node = n;
    item->token = token;
    item->parens = parens;
}

static void push_text(struct dp_pascal_page *page, const char *text)
{
    push(page, text, 0, 0, 0);
}

static void push_token(struct dp_pascal_page *page, uint32_t token)
{
    push(page, NULL, 0, token, 0);
}

static void push_node(struct dp_pascal_page *page, uint32_t n, int parens)
{
    push(page, NULL, n, 0, parens || (page->style->keep_parens && node(page, n)->parens));
}

static int precedence_of(unsigned op)
{
    switch (op) {
    case DP_T_STAR:
    case DP_T_SLASH:
    case DP_T_DIV:
    case DP_T_MOD:
    case DP_T_AND:
        return 2;
    case DP_T_PLUS:
    case DP_T_MINUS:
    case DP_T_OR:
        return 1;
    default:
        return 0;
    }
}

static int precedence(const struct dp_pascal_page *page, uint32_t n)
{
    switch (node(page, n)->kind) {
    case DP_P_BINARY:
        return precedence_of(node(page, n)->op);
    case DP_P_UNARY:
        return node(page, n)->op == DP_T_NOT ? 3 : node(page, n)->op == DP_T_POINTER ? 3 : 1;
    default:
        return ATOM;
    }
}

static int around_operand(const struct dp_pascal_page *page, uint32_t n, unsigned op)
{
    int inner = precedence(page, n);

    if (inner == ATOM)
        return 0;
    return page->style->full_parens ||
           (op == DP_T_PLUS || op == DP_T_MINUS ? inner <= 1 : inner < 3);
}

static int around_left(const struct dp_pascal_page *page, uint32_t n, unsigned op)
{
    int inner = precedence(page, n), outer = precedence_of(op);

    if (inner == ATOM)
        return 0;
    return page->style->full_parens || inner < outer || (outer == 0 && op != DP_T_IN && inner == 0);
}

static int around_right(const struct dp_pascal_page *page, uint32_t n, unsigned op)
{
    int inner = precedence(page, n);

    return inner != ATOM && (page->style->full_parens || inner <= precedence_of(op));
}

/* The children from this one on, ", " between. The last goes onto the stack first. */
static void push_list(struct dp_pascal_page *page, uint32_t child, const char *between)
{
    uint32_t start = page->nitems, end;

    for (; child; child = node(page, child)->next) {
        push_node(page, child, 0);
        if (node(page, child)->next) {
            push_text(page, between);
            push_text(page, SPACE);
        }
    }
    for (end = page->nitems; start + 1 < end; start++, end--) {
        struct dp_pascal_item swap = page->items[start];

        page->items[start] = page->items[end - 1];
        page->items[end - 1] = swap;
    }
}

/* Operators that are words may be underlined. */
static void push_operator(struct dp_pascal_page *page, unsigned op)
{
    if (op >= DP_T_AND && page->style->underline)
        push(page, NULL, 0, op, 1);
    else
        push_text(page, dp_pascal_token_text[op]);
}

static void binary(struct dp_pascal_page *page, const struct dp_pascal_node *n)
{
    uint32_t left = n->child, right = node(page, left)->next;

    push_node(page, right, around_right(page, right, n->op));
    push_text(page, SPACE);
    push_operator(page, n->op);
    push_text(page, SPACE);
    push_node(page, left, around_left(page, left, n->op));
}

static void unary(struct dp_pascal_page *page, const struct dp_pascal_node *n)
{
    push_node(page, n->child, around_operand(page, n->child, n->op));
    if (n->op == DP_T_NOT)
        push_text(page, SPACE);
    if (n->op == DP_T_POINTER)
        push_text(page, "@");
    else
        push_operator(page, n->op);
}

/* The first token of an atom lies behind the parentheses around it. */
static uint32_t atom_token(const struct dp_pascal_page *page, uint32_t which)
{
    uint32_t token = node(page, which)->tok;

    while (page->pascal->tokens[token].kind == DP_T_LPAREN)
        token++;
    return token;
}

static void one(struct dp_pascal_page *page, uint32_t which)
{
    const struct dp_pascal_node *n = node(page, which);

    switch (n->kind) {
    case DP_P_INDEX:
        push_text(page, "]");
        push_list(page, node(page, n->child)->next, ",");
        push_text(page, "[");
        push_node(page, n->child, 0);
        return;
    case DP_P_SELECT:
        push_token(page, n->at);
        push_text(page, ".");
        push_node(page, n->child, 0);
        return;
    case DP_P_FOLLOW:
        push_text(page, "^");
        push_node(page, n->child, 0);
        return;
    case DP_P_APPLY:
        push_text(page, ")");
        push_list(page, n->child, ",");
        push_text(page, "(");
        push_token(page, atom_token(page, which));
        return;
    case DP_P_BINARY:
        binary(page, n);
        return;
    case DP_P_UNARY:
        unary(page, n);
        return;
    case DP_P_SET:
        push_text(page, "]");
        push_list(page, n->child, ",");
        push_text(page, "[");
        return;
    case DP_P_RANGE:
    case DP_P_SUBRANGE:
        push_node(page, node(page, n->child)->next, 0);
        push_text(page, "..");
        push_node(page, n->child, 0);
        return;
    case DP_P_WIDTH:
        push_list(page, n->child, ":");
        return;
    case DP_P_FORMAT:
        push_text(page, dp_pascal_token_text[n->op]);
        push_text(page, SPACE);
        push_node(page, n->child, 0);
        return;
    case DP_P_NIL:
        dp_page_keyword(page, DP_T_NIL);
        return;
    default:
        dp_page_token(page, atom_token(page, which));
        return;
    }
}

static void print(struct dp_pascal_page *page, uint32_t base)
{
    while (page->nitems > base) {
        struct dp_pascal_item item = page->items[--page->nitems];

        if (item.text && item.text[0] == SPACE[0]) {
            dp_page_space(page);
        } else if (item.text) {
            dp_page_puts(page, item.text);
        } else if (!item.node && item.parens) {
            dp_page_keyword(page, (enum dp_pascal_token_kind)item.token);
        } else if (!item.node) {
            dp_page_token(page, item.token);
        } else if (item.parens) {
            push_text(page, ")");
            push(page, NULL, item.node, 0, 0);
            push_text(page, "(");
        } else {
            one(page, item.node);
        }
    }
}

void dp_page_expression(struct dp_pascal_page *page, uint32_t n)
{
    uint32_t base = page->nitems;

    if (!n)
        return;
    push_node(page, n, 0);
    print(page, base);
}

void dp_page_list(struct dp_pascal_page *page, uint32_t n)
{
    uint32_t base = page->nitems;

    push_list(page, n, ",");
    print(page, base);
}
