/*
 * Expressions, with a stack of their own: brackets and operators wait there for their operands.
 */
#include "pascal/parse.h"

enum { PAREN, SUBSCRIPTS, ARGUMENTS, ELEMENTS, LEFT, SIGN, HIGH, WIDTHS };

/* Precedences; a sign lies between the multiplying and the adding operators. */
enum { RANGE_LEVEL, RELATION, ADDING, SIGNS, MULTIPLYING, NOT_LEVEL };

static struct dp_pascal_node *node(const struct dp_pascal_parser *p, uint32_t n)
{
    return &p->pascal->nodes[n];
}

static void push(struct dp_pascal_parser *p, unsigned what, unsigned op, unsigned level, uint32_t n,
                 uint32_t tail)
{
    struct dp_pascal_pending *top;

    if (p->npending == p->room_pending) {
        p->room_pending = p->room_pending ? 2 * p->room_pending : 64;
        p->pending = dp_grow(p->pending, p->room_pending * sizeof *p->pending);
    }
    top = &p->pending[p->npending++];
    top->what = (uint8_t)what;
    top->op = (uint8_t)op;
    top->level = (uint16_t)level;
    top->node = n;
    top->tail = tail;
}

static unsigned level_of(unsigned op)
{
    switch (op) {
    case DP_T_STAR:
    case DP_T_SLASH:
    case DP_T_DIV:
    case DP_T_MOD:
    case DP_T_AND:
        return MULTIPLYING;
    case DP_T_PLUS:
    case DP_T_MINUS:
    case DP_T_OR:
        return ADDING;
    case DP_T_EQUAL:
    case DP_T_UNEQUAL:
    case DP_T_LESS:
    case DP_T_GREATER:
    case DP_T_AT_MOST:
    case DP_T_AT_LEAST:
    case DP_T_IN:
        return RELATION;
    default:
        return RANGE_LEVEL;
    }
}

/* Operators on the stack that bind at least so strongly take the operand. */
static uint32_t reduce(struct dp_pascal_parser *p, uint32_t base, unsigned level, uint32_t operand)
{
    while (p->npending > base) {
        struct dp_pascal_pending *top = &p->pending[p->npending - 1];

        if ((top->what != LEFT && top->what != SIGN && top->what != HIGH) || top->level < level)
            break;
        dp_parse_adopt(p, top->node, top->tail, operand);
        node(p, top->node)->last = node(p, operand)->last;
        operand = top->node;
        p->npending--;
    }
    return operand;
}

static void operator(struct dp_pascal_parser *p, uint32_t base, uint32_t left)
{
    unsigned op = p->token->kind, level = level_of(op);
    uint32_t n;

    left = reduce(p, base, level, left);
    n = dp_parse_node(p, DP_P_BINARY);
    node(p, n)->op = (uint8_t)op;
    node(p, n)->tok = node(p, left)->tok;
    node(p, n)->child = left;
    push(p, LEFT, op, level, n, left);
    dp_parse_advance(p);
}

static uint32_t leaf(struct dp_pascal_parser *p, enum dp_pascal_kind kind)
{
    uint32_t n = dp_parse_node(p, kind);

    dp_parse_advance(p);
    return n;
}

/* A bracket that holds a list opens; returns 0, or the node if the list is empty. */
static uint32_t open_list(struct dp_pascal_parser *p, unsigned what, uint32_t n, uint32_t tail,
                          enum dp_pascal_token_kind closing)
{
    dp_parse_advance(p);
    if (dp_parse_is(p, closing)) {
        if (what != ELEMENTS && !p->modern)
            dp_parse_wrong(p, "an expression");
        dp_parse_advance(p);
        dp_parse_close(p, n);
        return n;
    }
    push(p, what, 0, 0, n, tail);
    return 0;
}

/* What can begin an operand. Returns a whole one, or 0 if more of it must follow. */
static uint32_t operand(struct dp_pascal_parser *p, int *failed)
{
    uint32_t n;

    switch (p->token->kind) {
    case DP_T_NAME:
        return leaf(p, DP_P_NAME);
    case DP_T_INTEGER:
    case DP_T_OCTAL:
    case DP_T_REAL:
        return leaf(p, DP_P_NUMBER);
    case DP_T_STRING:
        return leaf(p, DP_P_STRING);
    case DP_T_NIL:
        return leaf(p, DP_P_NIL);
    case DP_T_PLUS:
    case DP_T_MINUS:
    case DP_T_NOT:
        n = dp_parse_node(p, DP_P_UNARY);
        node(p, n)->op = p->token->kind;
        push(p, SIGN, p->token->kind, p->token->kind == DP_T_NOT ? NOT_LEVEL : SIGNS, n, 0);
        dp_parse_advance(p);
        return 0;
    case DP_T_LPAREN:
        push(p, PAREN, 0, 0, p->at, 0);
        dp_parse_advance(p);
        return 0;
    case DP_T_LBRACKET:
        return open_list(p, ELEMENTS, dp_parse_node(p, DP_P_SET), 0, DP_T_RBRACKET);
    case DP_T_POINTER: /* today's address of something */
        if (p->modern) {
            n = dp_parse_node(p, DP_P_UNARY);
            node(p, n)->op = DP_T_POINTER;
            push(p, SIGN, DP_T_POINTER, NOT_LEVEL, n, 0);
            dp_parse_advance(p);
            return 0;
        }
        break;
    default:
        break;
    }
    dp_parse_wrong(p, "an expression");
    *failed = 1;
    return 0;
}

static int is_place(const struct dp_pascal_parser *p, uint32_t n)
{
    unsigned kind = node(p, n)->kind;

    return !node(p, n)->parens && (kind == DP_P_NAME || kind == DP_P_INDEX || kind == DP_P_SELECT ||
                                   kind == DP_P_FOLLOW || kind == DP_P_APPLY);
}

/* A node that has the place as its first child. */
static uint32_t wrap(struct dp_pascal_parser *p, enum dp_pascal_kind kind, uint32_t place)
{
    uint32_t n = dp_parse_node(p, kind);

    node(p, n)->tok = node(p, place)->tok;
    node(p, n)->child = place;
    return n;
}

/* One step further into a variable: subscripts, a field, a pointer. 0: there is none, else *whole
   is the node, or 0 if it waits on the stack. */
static int postfix(struct dp_pascal_parser *p, uint32_t place, uint32_t *whole)
{
    uint32_t n;

    switch (p->token->kind) {
    case DP_T_LBRACKET:
        n = wrap(p, DP_P_INDEX, place);
        *whole = open_list(p, SUBSCRIPTS, n, place, DP_T_RBRACKET);
        return 1;
    case DP_T_DOT:
        n = wrap(p, DP_P_SELECT, place);
        dp_parse_advance(p);
        node(p, n)->at = p->at;
        dp_parse_expect(p, DP_T_NAME);
        dp_parse_close(p, n);
        *whole = n;
        return 1;
    case DP_T_POINTER:
        n = wrap(p, DP_P_FOLLOW, place);
        dp_parse_advance(p);
        *whole = n;
        return 1;
    case DP_T_LPAREN:
        if (node(p, place)->kind != DP_P_NAME)
            return 0;
        n = dp_parse_node(p, DP_P_APPLY);
        node(p, n)->tok = node(p, place)->tok;
        *whole = open_list(p, ARGUMENTS, n, 0, DP_T_RPAREN);
        return 1;
    default:
        return 0;
    }
}

static struct dp_pascal_pending *top_of(struct dp_pascal_parser *p, uint32_t base)
{
    return p->npending > base ? &p->pending[p->npending - 1] : NULL;
}

/* The expression goes into the bracket that is open. */
static void into_list(struct dp_pascal_parser *p, uint32_t base, uint32_t whole)
{
    struct dp_pascal_pending *top = top_of(p, base);

    if (top->what == WIDTHS) {
        dp_parse_adopt(p, top->node, top->tail, whole);
        node(p, top->node)->last = node(p, whole)->last;
        whole = top->node;
        p->npending--;
        top = top_of(p, base);
    }
    if (dp_parse_is(p, DP_T_OCT) || dp_parse_is(p, DP_T_HEX)) {
        uint32_t n = wrap(p, DP_P_FORMAT, whole);

        node(p, n)->op = p->token->kind;
        dp_parse_advance(p);
        whole = n;
    }
    top->tail = dp_parse_adopt(p, top->node, top->tail, whole);
}

/* `:` in the arguments of write: a width follows, or the digits after it. */
static int width(struct dp_pascal_parser *p, uint32_t base, uint32_t whole)
{
    struct dp_pascal_pending *top = top_of(p, base);
    uint32_t n;

    if (!top || (top->what != ARGUMENTS && top->what != WIDTHS))
        return 0;
    if (top->what == WIDTHS) {
        top->tail = dp_parse_adopt(p, top->node, top->tail, whole);
    } else {
        n = wrap(p, DP_P_WIDTH, whole);
        push(p, WIDTHS, 0, 0, n, whole);
    }
    dp_parse_advance(p);
    return 1;
}

/* What follows an operand that is whole. 0: the expression ends here, *whole is all of it. 1: an
   operand must follow. 2: *whole is a new operand. */
static int after_operand(struct dp_pascal_parser *p, uint32_t base, uint32_t *whole)
{
    struct dp_pascal_pending *top;
    unsigned kind;
    uint32_t n;

    if (is_place(p, *whole) && postfix(p, *whole, &n)) {
        *whole = n;
        return n ? 2 : 1;
    }
    if (level_of(p->token->kind) != RANGE_LEVEL) {
        operator(p, base, *whole);
        return 1;
    }
    *whole = reduce(p, base, RANGE_LEVEL, *whole);
    if (!(top = top_of(p, base)))
        return 0;
    if (dp_parse_is(p, DP_T_COLON) && width(p, base, *whole))
        return 1;
    if (top->what == ELEMENTS && dp_parse_is(p, DP_T_DOTDOT)) {
        n = wrap(p, DP_P_RANGE, *whole);
        push(p, HIGH, 0, RANGE_LEVEL, n, *whole);
        dp_parse_advance(p);
        return 1;
    }
    if (top->what == PAREN) {
        node(p, *whole)->parens = 1;
        node(p, *whole)->tok = top->node;
        dp_parse_expect(p, DP_T_RPAREN);
        dp_parse_close(p, *whole);
        p->npending--;
        return 2;
    }
    into_list(p, base, *whole);
    if (dp_parse_accept(p, DP_T_COMMA))
        return 1;
    top = top_of(p, base);
    kind = top->what == ARGUMENTS ? DP_T_RPAREN : DP_T_RBRACKET;
    dp_parse_expect(p, (enum dp_pascal_token_kind)kind);
    *whole = top->node;
    dp_parse_close(p, *whole);
    p->npending--;
    return 2;
}

/* Parses until the stack is back at `base`; whole: an operand to begin with, or 0. */
static uint32_t parse(struct dp_pascal_parser *p, uint32_t base, uint32_t whole)
{
    int failed = 0;

    for (;;) {
        int then;

        if (!whole)
            whole = operand(p, &failed);
        if (failed) {
            whole = dp_parse_node(p, DP_P_NIL);
            p->npending = base;
            return whole;
        }
        if (!whole)
            continue;
        then = after_operand(p, base, &whole);
        if (then == 0)
            return whole;
        if (then == 1)
            whole = 0;
    }
}

uint32_t dp_parse_expression(struct dp_pascal_parser *p)
{
    return parse(p, p->npending, 0);
}

void dp_parse_arguments(struct dp_pascal_parser *p, uint32_t call)
{
    uint32_t base = p->npending;

    if (open_list(p, ARGUMENTS, call, 0, DP_T_RPAREN))
        return;
    for (;;) {
        uint32_t whole;
        int failed = 0;

        whole = parse(p, p->npending, 0);
        while (dp_parse_is(p, DP_T_COLON) && width(p, base, whole))
            whole = parse(p, p->npending, 0);
        (void)failed;
        into_list(p, base, whole);
        if (!dp_parse_accept(p, DP_T_COMMA))
            break;
    }
    p->npending = base;
    dp_parse_expect(p, DP_T_RPAREN);
    dp_parse_close(p, call);
}

uint32_t dp_parse_variable(struct dp_pascal_parser *p)
{
    uint32_t whole;

    if (!dp_parse_is(p, DP_T_NAME)) {
        dp_parse_wrong(p, "a variable");
        return 0;
    }
    whole = leaf(p, DP_P_NAME);
    while (!dp_parse_is(p, DP_T_LPAREN)) {
        uint32_t base = p->npending, n;

        if (!postfix(p, whole, &n))
            break;
        if (n) {
            whole = n;
            continue;
        }
        /* The subscripts wait on the stack. */
        n = p->pending[base].node;
        do {
            into_list(p, base, parse(p, p->npending, 0));
        } while (dp_parse_accept(p, DP_T_COMMA));
        p->npending = base;
        dp_parse_expect(p, DP_T_RBRACKET);
        dp_parse_close(p, n);
        whole = n;
    }
    return whole;
}

/* A constant has a sign at most; the modern dialect allows whole expressions. */
uint32_t dp_parse_constant(struct dp_pascal_parser *p, int range)
{
    uint32_t low = dp_parse_expression(p), n;

    if (!range || !dp_parse_is(p, DP_T_DOTDOT))
        return low;
    n = wrap(p, DP_P_SUBRANGE, low);
    dp_parse_advance(p);
    dp_parse_adopt(p, n, low, dp_parse_expression(p));
    dp_parse_close(p, n);
    return n;
}
