/*
 * Declarations and headings. Routines may be nested as deep as memory goes: the current one is a
 * place in the list of headings, not in the C stack.
 */
#include "pascal/parse.h"

#include <string.h>

/* The block that is being read. */
struct block {
    uint32_t routine; /* DP_PASCAL_NOWHERE: a segment's outermost level */
    uint32_t tail;    /* last section */
};

struct blocks {
    struct block *blocks;
    uint32_t n;
    uint32_t room;
};

static struct dp_pascal_node *node(const struct dp_pascal_parser *p, uint32_t n)
{
    return &p->pascal->nodes[n];
}

static struct dp_pascal_routine *routine(const struct dp_pascal_parser *p, uint32_t n)
{
    return &p->pascal->routines[n];
}

static void enter(struct blocks *open, uint32_t which)
{
    if (open->n == open->room) {
        open->room = open->room ? 2 * open->room : 16;
        open->blocks = dp_grow(open->blocks, open->room * sizeof *open->blocks);
    }
    open->blocks[open->n].routine = which;
    open->blocks[open->n++].tail = 0;
}

static void add_section(struct dp_pascal_parser *p, struct block *block, uint32_t section)
{
    if (block->tail)
        node(p, block->tail)->next = section;
    else if (block->routine == DP_PASCAL_NOWHERE)
        p->pascal->decls = section;
    else
        routine(p, block->routine)->decls = section;
    block->tail = section;
}

static uint32_t new_routine(struct dp_pascal_parser *p, uint32_t parent)
{
    struct dp_pascal *pascal = p->pascal;
    struct dp_pascal_routine *r;

    if (pascal->nroutines == p->room_routines) {
        p->room_routines = p->room_routines ? 2 * p->room_routines : 64;
        pascal->routines = dp_grow(pascal->routines, p->room_routines * sizeof *pascal->routines);
    }
    r = &pascal->routines[pascal->nroutines];
    memset(r, 0, sizeof *r);
    r->parent = parent;
    r->other = DP_PASCAL_NOWHERE;
    r->tok = p->at;
    r->kind = p->token->kind;
    if (parent != DP_PASCAL_NOWHERE)
        r->level = (uint16_t)(pascal->routines[parent].level + 1);
    else
        r->level = r->kind == DP_T_PROGRAM ? 0 : 1;
    return pascal->nroutines++;
}

/* --- sections --- */

static uint32_t label_section(struct dp_pascal_parser *p)
{
    uint32_t n = dp_parse_node(p, DP_P_LABELS), tail = 0;

    dp_parse_advance(p);
    do {
        uint32_t label = dp_parse_node(p, DP_P_NUMBER);

        if (!dp_parse_accept(p, DP_T_INTEGER) && !(p->modern && dp_parse_accept(p, DP_T_NAME)))
            dp_parse_wrong(p, "a label");
        tail = dp_parse_adopt(p, n, tail, label);
    } while (dp_parse_accept(p, DP_T_COMMA));
    dp_parse_expect(p, DP_T_SEMICOLON);
    dp_parse_close(p, n);
    return n;
}

/* name = value; or, today, name: type = value; */
static uint32_t equation(struct dp_pascal_parser *p, enum dp_pascal_kind kind)
{
    uint32_t n = dp_parse_node(p, kind), value, tail = 0;

    dp_parse_advance(p);
    if (p->modern && kind == DP_P_CONST && dp_parse_accept(p, DP_T_COLON))
        tail = dp_parse_adopt(p, n, 0, dp_parse_type(p));
    node(p, n)->op = tail != 0;
    node(p, n)->at = p->at;
    dp_parse_expect(p, DP_T_EQUAL);
    value = kind == DP_P_CONST ? dp_parse_constant(p, 0) : dp_parse_type(p);
    dp_parse_adopt(p, n, tail, value);
    dp_parse_expect(p, DP_T_SEMICOLON);
    dp_parse_close(p, n);
    return n;
}

static uint32_t variable(struct dp_pascal_parser *p)
{
    uint32_t n = dp_parse_typed_names(p, DP_P_VAR);

    dp_parse_expect(p, DP_T_SEMICOLON);
    dp_parse_close(p, n);
    return n;
}

/* The end of a section's items. */
static int ends_items(const struct dp_pascal_parser *p)
{
    return dp_parse_begins_section(p) || dp_parse_is(p, DP_T_BEGIN) ||
           dp_parse_is(p, DP_T_END_OF_FILE);
}

static uint32_t section(struct dp_pascal_parser *p)
{
    unsigned kind = p->token->kind;
    uint32_t n = dp_parse_node(p, kind == DP_T_CONST  ? DP_P_CONSTS
                                  : kind == DP_T_TYPE ? DP_P_TYPES
                                                      : DP_P_VARS);
    uint32_t tail = 0;

    dp_parse_advance(p);
    do {
        uint32_t before = p->at;

        if (!dp_parse_is(p, DP_T_NAME)) {
            dp_parse_wrong(p, "a declaration");
            dp_parse_skip(p);
            dp_parse_accept(p, DP_T_SEMICOLON);
        } else {
            tail = dp_parse_adopt(p, n, tail,
                                  kind == DP_T_CONST  ? equation(p, DP_P_CONST)
                                  : kind == DP_T_TYPE ? equation(p, DP_P_TYPE)
                                                      : variable(p));
        }
        if (p->at == before)
            dp_parse_advance(p);
    } while (!ends_items(p) && !(dp_parse_is(p, DP_T_DOT) || dp_parse_is(p, DP_T_END)));
    dp_parse_close(p, n);
    return n;
}

/* --- headings --- */

static void program_heading(struct dp_pascal_parser *p, uint32_t which)
{
    uint32_t params = 0;

    dp_parse_advance(p);
    routine(p, which)->name = p->at;
    dp_parse_expect(p, DP_T_NAME);
    if (dp_parse_accept(p, DP_T_LPAREN)) {
        params = dp_parse_names(p, DP_P_NAMES);
        dp_parse_expect(p, DP_T_RPAREN);
    }
    routine(p, which)->params = params;
    dp_parse_expect(p, DP_T_SEMICOLON);
    routine(p, which)->semi = p->at - 1;
}

static void routine_heading(struct dp_pascal_parser *p, uint32_t which)
{
    uint32_t params = 0;

    dp_parse_advance(p);
    routine(p, which)->name = p->at;
    dp_parse_expect(p, DP_T_NAME);
    if (dp_parse_is(p, DP_T_LPAREN))
        params = dp_parse_params(p);
    routine(p, which)->params = params;
    if (routine(p, which)->kind == DP_T_FUNCTION && dp_parse_accept(p, DP_T_COLON)) {
        routine(p, which)->result = p->at;
        dp_parse_expect(p, DP_T_NAME);
    }
    dp_parse_expect(p, DP_T_SEMICOLON);
    routine(p, which)->semi = p->at - 1;
}

/* Was a heading of this name given before, with forward, in the same block? */
static void find_forward(struct dp_pascal_parser *p, uint32_t which, const uint32_t *forwards,
                         uint32_t n)
{
    size_t bytes;
    const char *name = dp_pascal_text(p->pascal, routine(p, which)->name, &bytes);

    for (uint32_t i = n; i-- > 0;) {
        struct dp_pascal_routine *other = routine(p, forwards[i]);

        if (other->parent == routine(p, which)->parent && other->other == DP_PASCAL_NOWHERE &&
            dp_pascal_same(p->pascal, other->name, name, bytes)) {
            other->other = which;
            routine(p, which)->other = forwards[i];
            return;
        }
    }
}

static unsigned directive(const struct dp_pascal_parser *p)
{
    if (dp_parse_is(p, DP_T_FORWARD) || dp_parse_word(p, p->at, "forward"))
        return DP_T_FORWARD;
    if (dp_parse_is(p, DP_T_EXTERNAL) || dp_parse_word(p, p->at, "external") ||
        dp_parse_word(p, p->at, "extern"))
        return DP_T_EXTERNAL;
    return 0;
}

/* --- blocks --- */

struct reading {
    struct blocks open;
    uint32_t *forwards; /* headings with that directive */
    uint32_t nforwards;
};

static void heading(struct dp_pascal_parser *p, struct reading *reading)
{
    struct block *outer = &reading->open.blocks[reading->open.n - 1];
    uint32_t n = dp_parse_node(p, DP_P_ROUTINE), which = new_routine(p, outer->routine);
    unsigned word;

    node(p, n)->at = which;
    add_section(p, outer, n);
    if (routine(p, which)->level == UINT16_MAX)
        dp_parse_wrong(p, "fewer nested routines");
    routine_heading(p, which);
    word = directive(p);
    if (!word) {
        find_forward(p, which, reading->forwards, reading->nforwards);
        enter(&reading->open, which);
        return;
    }
    routine(p, which)->directive = (uint8_t)word;
    dp_parse_advance(p);
    dp_parse_expect(p, DP_T_SEMICOLON);
    routine(p, which)->last = p->at - 1;
    if (word == DP_T_FORWARD) {
        reading->forwards = dp_more(reading->forwards, reading->nforwards, sizeof(uint32_t));
        reading->forwards[reading->nforwards++] = which;
    }
}

/* `begin`: the statements of the innermost block, which ends with them. */
static void body(struct dp_pascal_parser *p, struct reading *reading)
{
    struct block block = reading->open.blocks[reading->open.n - 1];
    uint32_t n = dp_parse_body(p);
    int is_program;

    if (block.routine == DP_PASCAL_NOWHERE) {
        dp_parse_wrong(p, "a program heading before the statements");
        return;
    }
    is_program = routine(p, block.routine)->kind == DP_T_PROGRAM;
    routine(p, block.routine)->body = n;
    dp_parse_expect(p, is_program ? DP_T_DOT : DP_T_SEMICOLON);
    routine(p, block.routine)->last = p->at - 1;
    routine(p, block.routine)->inside = p->pascal->nroutines - block.routine - 1;
    reading->open.n--;
}

static uint32_t uses(struct dp_pascal_parser *p)
{
    uint32_t n, first = p->at;

    dp_parse_advance(p);
    n = dp_parse_names(p, DP_P_USES);
    node(p, n)->tok = node(p, n)->at = first;
    dp_parse_expect(p, DP_T_SEMICOLON);
    dp_parse_close(p, n);
    return n;
}

static void declaration(struct dp_pascal_parser *p, struct reading *reading)
{
    struct block *block = &reading->open.blocks[reading->open.n - 1];

    switch (p->token->kind) {
    case DP_T_LABEL:
        add_section(p, block, label_section(p));
        return;
    case DP_T_CONST:
    case DP_T_TYPE:
    case DP_T_VAR:
        add_section(p, block, section(p));
        return;
    case DP_T_PROCEDURE:
    case DP_T_FUNCTION:
        heading(p, reading);
        return;
    case DP_T_BEGIN:
        body(p, reading);
        return;
    default:
        break;
    }
    if (p->modern && dp_parse_word(p, p->at, "uses") && p->token[1].kind == DP_T_NAME) {
        add_section(p, block, uses(p));
        return;
    }
    dp_parse_wrong(p, "a declaration or begin");
    dp_parse_advance(p);
    dp_parse_skip(p);
}

void dp_parse_program(struct dp_pascal_parser *p)
{
    struct reading reading = {{NULL, 0, 0}, NULL, 0};
    int segment = !dp_parse_is(p, DP_T_PROGRAM);

    if (dp_parse_is(p, DP_T_END_OF_FILE) ||
        (dp_parse_is(p, DP_T_DOT) && p->token[1].kind == DP_T_END_OF_FILE)) {
        dp_parse_wrong(p, "a program");
        return;
    }
    p->pascal->has_program = !segment;
    enter(&reading.open, DP_PASCAL_NOWHERE);
    if (!segment) {
        uint32_t which = new_routine(p, DP_PASCAL_NOWHERE);

        program_heading(p, which);
        reading.open.blocks[0].routine = which;
    }
    while (reading.open.n > 0 && !dp_parse_is(p, DP_T_END_OF_FILE)) {
        if (segment && reading.open.n == 1 && dp_parse_is(p, DP_T_DOT) &&
            p->token[1].kind == DP_T_END_OF_FILE) {
            dp_parse_advance(p);
            break;
        }
        declaration(p, &reading);
    }
    if (reading.open.n > (segment ? 1u : 0u))
        dp_parse_wrong(p, "begin and the statements of the program");
    else if (!segment && !dp_parse_is(p, DP_T_END_OF_FILE))
        dp_parse_wrong(p, "the end of the file after the program");
    dp_free(reading.open.blocks);
    dp_free(reading.forwards);
}
