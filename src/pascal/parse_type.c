/*
 * Types and parameter lists. They may be nested DP_PASCAL_DEEPEST_TYPE deep.
 */
#include "pascal/parse.h"

static struct dp_pascal_node *node(const struct dp_pascal_parser *p, uint32_t n)
{
    return &p->pascal->nodes[n];
}

/* One level deeper; 0 if that is too deep. */
static int deeper(struct dp_pascal_parser *p)
{
    if (p->depth == DP_PASCAL_DEEPEST_TYPE) {
        dp_parse_wrong(p, "types nested at most 1000 deep");
        p->at = p->pascal->ntokens - 1; /* no use in going on */
        p->token = p->pascal->tokens + p->at;
        return 0;
    }
    p->depth++;
    return 1;
}

static uint32_t named(struct dp_pascal_parser *p)
{
    uint32_t n = dp_parse_node(p, DP_P_NAMED);

    if (!dp_parse_accept(p, DP_T_NAME))
        dp_parse_wrong(p, "the name of a type");
    dp_parse_close(p, n);
    return n;
}

static uint32_t enumeration(struct dp_pascal_parser *p)
{
    uint32_t first = p->at, n;

    dp_parse_advance(p);
    n = dp_parse_names(p, DP_P_ENUM);
    node(p, n)->tok = first;
    dp_parse_expect(p, DP_T_RPAREN);
    dp_parse_close(p, n);
    return n;
}

/* string[80] */
static uint32_t string_type(struct dp_pascal_parser *p)
{
    uint32_t n = dp_parse_node(p, DP_P_STRINGTYPE);

    dp_parse_advance(p);
    dp_parse_advance(p);
    dp_parse_adopt(p, n, 0, dp_parse_expression(p));
    dp_parse_expect(p, DP_T_RBRACKET);
    dp_parse_close(p, n);
    return n;
}

/* A name, an enumeration or a subrange. */
static uint32_t simple(struct dp_pascal_parser *p)
{
    uint32_t n;

    if (dp_parse_is(p, DP_T_LPAREN))
        return enumeration(p);
    if (dp_parse_is(p, DP_T_NAME) && p->token[1].kind == DP_T_LBRACKET && p->modern)
        return string_type(p);
    if (dp_parse_is(p, DP_T_NAME) && p->token[1].kind != DP_T_DOTDOT &&
        (!p->modern || p->token[1].kind < DP_T_PLUS || p->token[1].kind > DP_T_SLASH))
        return named(p);
    switch (p->token->kind) {
    case DP_T_NAME:
    case DP_T_INTEGER:
    case DP_T_OCTAL:
    case DP_T_REAL:
    case DP_T_STRING:
    case DP_T_PLUS:
    case DP_T_MINUS:
        break;
    default:
        dp_parse_wrong(p, "a type");
        return named(p);
    }
    n = dp_parse_constant(p, 1);
    if (node(p, n)->kind != DP_P_SUBRANGE)
        dp_parse_wrong(p, "'..' and the end of a subrange");
    return n;
}

static uint32_t array(struct dp_pascal_parser *p)
{
    uint32_t n = dp_parse_node(p, DP_P_ARRAY), list, tail = 0;

    dp_parse_advance(p);
    dp_parse_expect(p, DP_T_LBRACKET);
    list = dp_parse_node(p, DP_P_LIST);
    do {
        tail = dp_parse_adopt(p, list, tail, simple(p));
    } while (dp_parse_accept(p, DP_T_COMMA));
    dp_parse_close(p, list);
    dp_parse_adopt(p, n, 0, list);
    dp_parse_expect(p, DP_T_RBRACKET);
    dp_parse_expect(p, DP_T_OF);
    dp_parse_adopt(p, n, list, dp_parse_type(p));
    dp_parse_close(p, n);
    return n;
}

static uint32_t set_or_file(struct dp_pascal_parser *p, enum dp_pascal_kind kind)
{
    uint32_t n = dp_parse_node(p, kind);

    dp_parse_advance(p);
    if (kind == DP_P_FILEOF && p->modern && !dp_parse_is(p, DP_T_OF)) {
        dp_parse_close(p, n);
        return n;
    }
    dp_parse_expect(p, DP_T_OF);
    dp_parse_adopt(p, n, 0, dp_parse_type(p));
    dp_parse_close(p, n);
    return n;
}

static uint32_t fields(struct dp_pascal_parser *p, uint32_t parent, uint32_t tail);

/* An arm: constants `:` `(` fields `)`. */
static uint32_t choice(struct dp_pascal_parser *p)
{
    uint32_t n = dp_parse_node(p, DP_P_CHOICE), list = dp_parse_node(p, DP_P_LIST), tail = 0;

    do {
        tail = dp_parse_adopt(p, list, tail, dp_parse_constant(p, p->modern));
    } while (dp_parse_accept(p, DP_T_COMMA));
    dp_parse_close(p, list);
    dp_parse_adopt(p, n, 0, list);
    node(p, n)->at = p->at;
    dp_parse_expect(p, DP_T_COLON);
    dp_parse_expect(p, DP_T_LPAREN);
    fields(p, n, list);
    dp_parse_expect(p, DP_T_RPAREN);
    dp_parse_close(p, n);
    return n;
}

static int ends_fields(const struct dp_pascal_parser *p)
{
    return dp_parse_is(p, DP_T_END) || dp_parse_is(p, DP_T_RPAREN) ||
           dp_parse_is(p, DP_T_END_OF_FILE);
}

/* case [tag:] type of arms. The tag is child one (NAME) where op is DP_T_COLON. */
static uint32_t variants(struct dp_pascal_parser *p)
{
    uint32_t n = dp_parse_node(p, DP_P_VARIANTS), tail = 0;

    dp_parse_advance(p);
    if (p->token->kind == DP_T_NAME && p->token[1].kind == DP_T_COLON) {
        node(p, n)->op = DP_T_COLON;
        tail = dp_parse_adopt(p, n, 0, dp_parse_node(p, DP_P_NAME));
        dp_parse_advance(p);
        dp_parse_advance(p);
    }
    tail = dp_parse_adopt(p, n, tail, named(p));
    node(p, n)->at = p->at;
    dp_parse_expect(p, DP_T_OF);
    while (!ends_fields(p)) {
        uint32_t before = p->at;

        if (dp_parse_accept(p, DP_T_SEMICOLON))
            continue;
        tail = dp_parse_adopt(p, n, tail, choice(p));
        if (!ends_fields(p))
            dp_parse_expect(p, DP_T_SEMICOLON);
        if (p->at == before)
            break;
    }
    dp_parse_close(p, n);
    return n;
}

uint32_t dp_parse_typed_names(struct dp_pascal_parser *p, enum dp_pascal_kind kind)
{
    uint32_t n = dp_parse_node(p, kind), names = dp_parse_names(p, DP_P_NAMES);

    dp_parse_adopt(p, n, 0, names);
    node(p, n)->at = p->at;
    dp_parse_expect(p, DP_T_COLON);
    dp_parse_adopt(p, n, names, dp_parse_type(p));
    dp_parse_close(p, n);
    return n;
}

static uint32_t fields(struct dp_pascal_parser *p, uint32_t parent, uint32_t tail)
{
    if (!deeper(p))
        return tail;
    while (!ends_fields(p)) {
        uint32_t before = p->at;

        if (dp_parse_accept(p, DP_T_SEMICOLON))
            continue;
        tail = dp_parse_adopt(p, parent, tail, dp_parse_is(p, DP_T_CASE) ? variants(p) : dp_parse_typed_names(p, DP_P_FIELD));
        if (!ends_fields(p))
            dp_parse_expect(p, DP_T_SEMICOLON);
        if (p->at == before)
            break;
    }
    p->depth--;
    return tail;
}

static uint32_t record(struct dp_pascal_parser *p)
{
    uint32_t n = dp_parse_node(p, DP_P_RECORD);

    dp_parse_advance(p);
    fields(p, n, 0);
    node(p, n)->at = p->at; /* its end */
    dp_parse_expect(p, DP_T_END);
    dp_parse_close(p, n);
    return n;
}

static uint32_t pointer(struct dp_pascal_parser *p)
{
    uint32_t n = dp_parse_node(p, DP_P_POINTER);

    dp_parse_advance(p);
    dp_parse_adopt(p, n, 0, named(p));
    dp_parse_close(p, n);
    return n;
}

static uint32_t structured(struct dp_pascal_parser *p)
{
    switch (p->token->kind) {
    case DP_T_ARRAY:
        return array(p);
    case DP_T_SET:
        return set_or_file(p, DP_P_SETOF);
    case DP_T_FILE:
        return set_or_file(p, DP_P_FILEOF);
    case DP_T_RECORD:
        return record(p);
    default:
        return 0;
    }
}

uint32_t dp_parse_type(struct dp_pascal_parser *p)
{
    uint32_t n, first = p->at;
    int is_packed;

    if (dp_parse_is(p, DP_T_POINTER))
        return pointer(p);
    if (!deeper(p))
        return 0;
    is_packed = dp_parse_accept(p, DP_T_PACKED);
    n = structured(p);
    if (n && is_packed) {
        node(p, n)->op = DP_P_PACKED;
        node(p, n)->tok = first;
    } else if (!n) {
        if (is_packed)
            dp_parse_wrong(p, "array, file, set or record after packed");
        n = simple(p);
    }
    p->depth--;
    return n;
}

/* --- parameters --- */

static uint32_t bounds(struct dp_pascal_parser *p)
{
    uint32_t n = dp_parse_node(p, DP_P_BOUNDS), tail;

    tail = dp_parse_adopt(p, n, 0, dp_parse_node(p, DP_P_NAME));
    dp_parse_expect(p, DP_T_NAME);
    dp_parse_expect(p, DP_T_DOTDOT);
    tail = dp_parse_adopt(p, n, tail, dp_parse_node(p, DP_P_NAME));
    dp_parse_expect(p, DP_T_NAME);
    dp_parse_expect(p, DP_T_COLON);
    dp_parse_adopt(p, n, tail, named(p));
    dp_parse_close(p, n);
    return n;
}

static int begins_conformant(const struct dp_pascal_parser *p)
{
    const struct dp_pascal_token *t = p->token + (p->token->kind == DP_T_PACKED);

    return t[0].kind == DP_T_ARRAY && t[1].kind == DP_T_LBRACKET && t[2].kind == DP_T_NAME &&
           t[3].kind == DP_T_DOTDOT && t[4].kind == DP_T_NAME && t[5].kind == DP_T_COLON;
}

/* array [low..high: type; ...] of ..., of ISO 7185 level 1. */
static uint32_t conformant(struct dp_pascal_parser *p)
{
    uint32_t n = dp_parse_node(p, DP_P_CONFORMANT), tail = 0;

    if (!deeper(p))
        return n;
    if (dp_parse_accept(p, DP_T_PACKED))
        node(p, n)->op = DP_P_PACKED;
    dp_parse_expect(p, DP_T_ARRAY);
    dp_parse_expect(p, DP_T_LBRACKET);
    do {
        tail = dp_parse_adopt(p, n, tail, bounds(p));
    } while (dp_parse_accept(p, DP_T_SEMICOLON));
    dp_parse_expect(p, DP_T_RBRACKET);
    dp_parse_expect(p, DP_T_OF);
    dp_parse_adopt(p, n, tail, begins_conformant(p) ? conformant(p) : named(p));
    dp_parse_close(p, n);
    p->depth--;
    return n;
}

static uint32_t param_type(struct dp_pascal_parser *p)
{
    if (begins_conformant(p))
        return conformant(p);
    /* In Berkeley's grammar any type may stand here. */
    return dp_parse_type(p);
}

/* procedure p(...) or function f(...): t as a parameter. */
static void procedural(struct dp_pascal_parser *p, uint32_t n, int function)
{
    uint32_t tail = dp_parse_adopt(p, n, 0, dp_parse_names(p, DP_P_NAMES));

    if (dp_parse_is(p, DP_T_LPAREN))
        tail = dp_parse_adopt(p, n, tail, dp_parse_params(p));
    if (!function)
        return;
    dp_parse_expect(p, DP_T_COLON);
    dp_parse_adopt(p, n, tail, named(p));
}

static uint32_t param(struct dp_pascal_parser *p)
{
    uint32_t n = dp_parse_node(p, DP_P_PARAM), names;
    unsigned kind = p->token->kind;

    if (kind == DP_T_PROCEDURE || kind == DP_T_FUNCTION || kind == DP_T_VAR ||
        (kind == DP_T_CONST && p->modern)) {
        node(p, n)->op = (uint8_t)kind;
        dp_parse_advance(p);
    }
    if (kind == DP_T_PROCEDURE || kind == DP_T_FUNCTION) {
        procedural(p, n, kind == DP_T_FUNCTION);
    } else {
        names = dp_parse_names(p, DP_P_NAMES);
        dp_parse_adopt(p, n, 0, names);
        if (dp_parse_is(p, DP_T_COLON) || node(p, n)->op == 0 || !p->modern) {
            dp_parse_expect(p, DP_T_COLON);
            dp_parse_adopt(p, n, names, param_type(p));
        }
    }
    dp_parse_close(p, n);
    return n;
}

uint32_t dp_parse_params(struct dp_pascal_parser *p)
{
    uint32_t n = dp_parse_node(p, DP_P_PARAMS), tail = 0;

    if (!deeper(p))
        return n;
    dp_parse_expect(p, DP_T_LPAREN);
    do {
        tail = dp_parse_adopt(p, n, tail, param(p));
    } while (dp_parse_accept(p, DP_T_SEMICOLON));
    dp_parse_expect(p, DP_T_RPAREN);
    dp_parse_close(p, n);
    p->depth--;
    return n;
}
