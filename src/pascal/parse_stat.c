/*
 * Statements, with a stack of their own: those that are begun wait there for what belongs to them.
 */
#include "pascal/parse.h"

/* What the innermost unfinished statement waits for. */
enum {
    IN_COMPOUND,
    IN_REPEAT,
    IN_THEN,
    IN_ELSE,
    IN_LOOP,
    IN_WITH,
    IN_ARM,
    IN_OTHERWISE,
    IN_LABELLED
};

static struct dp_pascal_node *node(const struct dp_pascal_parser *p, uint32_t n)
{
    return &p->pascal->nodes[n];
}

static struct dp_pascal_unfinished *top_of(const struct dp_pascal_parser *p)
{
    return &p->unfinished[p->nunfinished - 1];
}

static void push(struct dp_pascal_parser *p, unsigned what, uint32_t n, uint32_t tail,
                 uint32_t list)
{
    struct dp_pascal_unfinished *top;

    if (p->nunfinished == p->room_unfinished) {
        p->room_unfinished = p->room_unfinished ? 2 * p->room_unfinished : 64;
        p->unfinished = dp_grow(p->unfinished, p->room_unfinished * sizeof *p->unfinished);
    }
    top = &p->unfinished[p->nunfinished++];
    top->what = (uint8_t)what;
    top->node = n;
    top->tail = tail;
    top->list = list;
}

static uint32_t empty(struct dp_pascal_parser *p)
{
    uint32_t n = dp_parse_node(p, DP_P_EMPTY);

    node(p, n)->last = p->at - 1;
    return n;
}

/* `:=`, or what is meant for it. */
static void becomes(struct dp_pascal_parser *p)
{
    if (dp_parse_accept(p, DP_T_ASSIGN))
        return;
    dp_parse_mended(p, "':='");
    dp_parse_accept(p, DP_T_COLON);
    dp_parse_accept(p, DP_T_EQUAL);
}

static uint32_t call(struct dp_pascal_parser *p)
{
    uint32_t n = dp_parse_node(p, DP_P_CALL);

    dp_parse_advance(p);
    node(p, n)->at = p->at; /* the parenthesis, or the token after the name */
    if (dp_parse_is(p, DP_T_LPAREN))
        dp_parse_arguments(p, n);
    else
        node(p, n)->missing = 1;
    dp_parse_close(p, n);
    return n;
}

static uint32_t assertion(struct dp_pascal_parser *p)
{
    uint32_t n = dp_parse_node(p, DP_P_ASSERT);

    dp_parse_advance(p);
    dp_parse_adopt(p, n, 0, dp_parse_expression(p));
    dp_parse_close(p, n);
    return n;
}

/* The tokens that can follow the name of a procedure `assert`. */
static int begins_assertion(const struct dp_pascal_parser *p)
{
    if (p->modern || !dp_parse_word(p, p->at, "assert"))
        return 0;
    switch (p->token[1].kind) {
    case DP_T_NAME:
    case DP_T_INTEGER:
    case DP_T_NOT:
    case DP_T_MINUS:
        return 1;
    default:
        return 0;
    }
}

static uint32_t assignment_or_call(struct dp_pascal_parser *p)
{
    uint32_t n, variable;

    if (begins_assertion(p))
        return assertion(p);
    switch (p->token[1].kind) {
    case DP_T_ASSIGN:
    case DP_T_EQUAL:
    case DP_T_COLON:
    case DP_T_LBRACKET:
    case DP_T_DOT:
    case DP_T_POINTER:
        break;
    default:
        return call(p);
    }
    n = dp_parse_node(p, DP_P_ASSIGN);
    variable = dp_parse_variable(p);
    dp_parse_adopt(p, n, 0, variable);
    node(p, n)->at = p->at;
    becomes(p);
    dp_parse_adopt(p, n, variable, dp_parse_expression(p));
    dp_parse_close(p, n);
    return n;
}

static uint32_t go_to(struct dp_pascal_parser *p)
{
    uint32_t n = dp_parse_node(p, DP_P_GOTO);

    dp_parse_advance(p);
    if (!dp_parse_accept(p, DP_T_INTEGER) && !(p->modern && dp_parse_accept(p, DP_T_NAME)))
        dp_parse_wrong(p, "a label");
    dp_parse_close(p, n);
    return n;
}

/* if and while: a condition, then what is in that place. */
static void begin_condition(struct dp_pascal_parser *p, enum dp_pascal_kind kind,
                            enum dp_pascal_token_kind word, unsigned place)
{
    uint32_t n = dp_parse_node(p, kind), condition;

    dp_parse_advance(p);
    condition = dp_parse_expression(p);
    dp_parse_adopt(p, n, 0, condition);
    dp_parse_expect(p, word);
    push(p, place, n, condition, 0);
}

static void begin_for(struct dp_pascal_parser *p)
{
    uint32_t n = dp_parse_node(p, DP_P_FOR), tail;

    dp_parse_advance(p);
    tail = dp_parse_variable(p);
    dp_parse_adopt(p, n, 0, tail);
    becomes(p);
    tail = dp_parse_adopt(p, n, tail, dp_parse_expression(p));
    node(p, n)->op = p->token->kind;
    if (!dp_parse_accept(p, DP_T_DOWNTO)) {
        node(p, n)->op = DP_T_TO;
        dp_parse_expect(p, DP_T_TO);
    }
    tail = dp_parse_adopt(p, n, tail, dp_parse_expression(p));
    dp_parse_expect(p, DP_T_DO);
    push(p, IN_LOOP, n, tail, 0);
}

static void begin_with(struct dp_pascal_parser *p)
{
    uint32_t n = dp_parse_node(p, DP_P_WITH), list, tail = 0;

    dp_parse_advance(p);
    list = dp_parse_node(p, DP_P_LIST);
    do {
        tail = dp_parse_adopt(p, list, tail, dp_parse_variable(p));
    } while (dp_parse_accept(p, DP_T_COMMA));
    dp_parse_close(p, list);
    dp_parse_adopt(p, n, 0, list);
    dp_parse_expect(p, DP_T_DO);
    push(p, IN_WITH, n, list, 0);
}

static void begin_repeat(struct dp_pascal_parser *p)
{
    uint32_t n = dp_parse_node(p, DP_P_REPEAT), list;

    dp_parse_advance(p);
    list = dp_parse_node(p, DP_P_LIST);
    dp_parse_adopt(p, n, 0, list);
    push(p, IN_REPEAT, n, 0, list);
}

static void begin_compound(struct dp_pascal_parser *p)
{
    uint32_t n = dp_parse_node(p, DP_P_COMPOUND);

    dp_parse_advance(p);
    push(p, IN_COMPOUND, n, 0, n);
}

static int begins_constant(const struct dp_pascal_parser *p)
{
    switch (p->token->kind) {
    case DP_T_NAME:
    case DP_T_INTEGER:
    case DP_T_OCTAL:
    case DP_T_REAL:
    case DP_T_STRING:
    case DP_T_PLUS:
    case DP_T_MINUS:
        return 1;
    default:
        return p->modern && (dp_parse_is(p, DP_T_LPAREN) || dp_parse_is(p, DP_T_NOT));
    }
}

/* The next arm of the case that is unfinished, or its end. Returns the whole case then, else 0. */
static uint32_t next_arm(struct dp_pascal_parser *p, uint32_t n, uint32_t tail)
{
    uint32_t arm, list, last = 0;

again:
    while (dp_parse_accept(p, DP_T_SEMICOLON))
        ;
    if (dp_parse_is(p, DP_T_ELSE) || dp_parse_word(p, p->at, "otherwise")) {
        if (p->modern && !(dp_parse_is(p, DP_T_NAME) && (p->token[1].kind == DP_T_COLON))) {
            arm = dp_parse_node(p, DP_P_OTHERWISE);
            dp_parse_advance(p);
            list = dp_parse_node(p, DP_P_LIST);
            dp_parse_adopt(p, arm, 0, list);
            tail = dp_parse_adopt(p, n, tail, arm);
            push(p, IN_OTHERWISE, n, tail, list);
            top_of(p)->tail = 0;
            return 0;
        }
    }
    if (dp_parse_is(p, DP_T_END) || dp_parse_is(p, DP_T_END_OF_FILE)) {
        dp_parse_expect(p, DP_T_END);
        dp_parse_close(p, n);
        return n;
    }
    if (!begins_constant(p)) {
        dp_parse_wrong(p, "a case label or end");
        dp_parse_advance(p);
        dp_parse_skip(p);
        goto again;
    }
    arm = dp_parse_node(p, DP_P_ARM);
    list = dp_parse_node(p, DP_P_LIST);
    do {
        uint32_t constant = dp_parse_constant(p, p->modern);

        last = dp_parse_adopt(p, list, last, constant);
    } while (dp_parse_accept(p, DP_T_COMMA));
    dp_parse_close(p, list);
    dp_parse_adopt(p, arm, 0, list);
    node(p, arm)->at = p->at;
    dp_parse_expect(p, DP_T_COLON);
    tail = dp_parse_adopt(p, n, tail, arm);
    push(p, IN_ARM, n, tail, arm);
    return 0;
}

static uint32_t begin_case(struct dp_pascal_parser *p)
{
    uint32_t n = dp_parse_node(p, DP_P_CASE), selector;

    dp_parse_advance(p);
    selector = dp_parse_expression(p);
    dp_parse_adopt(p, n, 0, selector);
    dp_parse_expect(p, DP_T_OF);
    return next_arm(p, n, selector);
}

static void begin_labelled(struct dp_pascal_parser *p)
{
    uint32_t n = dp_parse_node(p, DP_P_LABELLED);

    dp_parse_advance(p);
    node(p, n)->at = p->at;
    dp_parse_advance(p);
    push(p, IN_LABELLED, n, 0, 0);
}

static int ends_statement(const struct dp_pascal_parser *p)
{
    switch (p->token->kind) {
    case DP_T_SEMICOLON:
    case DP_T_END:
    case DP_T_ELSE:
    case DP_T_UNTIL:
    case DP_T_END_OF_FILE:
        return 1;
    default:
        /* `otherwise` without a semicolon before it */
        return p->modern && dp_parse_word(p, p->at, "otherwise") && p->token[1].kind != DP_T_ASSIGN;
    }
}

/* Begins a statement. Returns it if it is whole already, 0 if something must be parsed first. */
static uint32_t begin_statement(struct dp_pascal_parser *p)
{
    if (ends_statement(p))
        return empty(p);
    switch (p->token->kind) {
    case DP_T_INTEGER:
        if (p->token[1].kind != DP_T_COLON)
            break;
        begin_labelled(p);
        return 0;
    case DP_T_NAME:
        if (p->modern && p->token[1].kind == DP_T_COLON) {
            begin_labelled(p); /* today's labels may be names */
            return 0;
        }
        return assignment_or_call(p);
    case DP_T_GOTO:
        return go_to(p);
    case DP_T_BEGIN:
        begin_compound(p);
        return 0;
    case DP_T_IF:
        begin_condition(p, DP_P_IF, DP_T_THEN, IN_THEN);
        return 0;
    case DP_T_WHILE:
        begin_condition(p, DP_P_WHILE, DP_T_DO, IN_LOOP);
        return 0;
    case DP_T_FOR:
        begin_for(p);
        return 0;
    case DP_T_REPEAT:
        begin_repeat(p);
        return 0;
    case DP_T_CASE:
        return begin_case(p);
    case DP_T_WITH:
        begin_with(p);
        return 0;
    default:
        break;
    }
    dp_parse_wrong(p, "a statement");
    dp_parse_skip(p);
    return empty(p);
}

/* Adds the statement to the list on top; what is empty does not count there. */
static void into_list(struct dp_pascal_parser *p, uint32_t done)
{
    struct dp_pascal_unfinished *top = top_of(p);

    if (node(p, done)->kind != DP_P_EMPTY)
        top->tail = dp_parse_adopt(p, top->list, top->tail, done);
}

static int begins_statement(const struct dp_pascal_parser *p)
{
    switch (p->token->kind) {
    case DP_T_NAME:
    case DP_T_INTEGER:
    case DP_T_BEGIN:
    case DP_T_CASE:
    case DP_T_FOR:
    case DP_T_GOTO:
    case DP_T_IF:
    case DP_T_REPEAT:
    case DP_T_WHILE:
    case DP_T_WITH:
        return 1;
    default:
        return 0;
    }
}

/* After a statement of a list: 1 if another one follows, 0 if the list ends here. */
static int another(struct dp_pascal_parser *p, enum dp_pascal_token_kind closing)
{
    while (!dp_parse_accept(p, DP_T_SEMICOLON)) {
        if (dp_parse_is(p, closing) || dp_parse_is(p, DP_T_END_OF_FILE) || dp_parse_begins_section(p) || dp_parse_is(p, DP_T_PROGRAM) ||
            dp_parse_is(p, DP_T_END) || dp_parse_is(p, DP_T_UNTIL))
            return 0;
        if (begins_statement(p) && !ends_statement(p)) {
            dp_parse_expect(p, DP_T_SEMICOLON);
            return 1;
        }
        dp_parse_wrong(p, "';'");
        dp_parse_advance(p);
        dp_parse_skip(p);
    }
    return 1;
}

/* `;` before else is too much; Berkeley's compiler takes it out. */
static int else_follows(struct dp_pascal_parser *p)
{
    if (dp_parse_is(p, DP_T_ELSE))
        return 1;
    if (!p->modern && dp_parse_is(p, DP_T_SEMICOLON) && p->token[1].kind == DP_T_ELSE) {
        dp_parse_mended(p, "else without ';' before it");
        dp_parse_advance(p);
        return 1;
    }
    return 0;
}

/* The innermost one is whole. */
static uint32_t pop(struct dp_pascal_parser *p)
{
    uint32_t n = top_of(p)->node;

    p->nunfinished--;
    dp_parse_close(p, n);
    return n;
}

/* The statement `done` is whole: gives it to the one that waits for it. Returns that one if it is
   whole now too, else 0: a statement must follow. */
static uint32_t finish(struct dp_pascal_parser *p, uint32_t done)
{
    struct dp_pascal_unfinished *top = top_of(p);
    uint32_t n, tail;

    switch (top->what) {
    case IN_COMPOUND:
        into_list(p, done);
        if (another(p, DP_T_END))
            return 0;
        dp_parse_expect(p, DP_T_END);
        return pop(p);
    case IN_REPEAT:
        into_list(p, done);
        if (another(p, DP_T_UNTIL))
            return 0;
        top = top_of(p);
        dp_parse_close(p, top->list);
        dp_parse_expect(p, DP_T_UNTIL);
        dp_parse_adopt(p, top->node, top->list, dp_parse_expression(p));
        return pop(p);
    case IN_OTHERWISE:
        into_list(p, done);
        if (another(p, DP_T_END))
            return 0;
        dp_parse_close(p, top_of(p)->list);
        dp_parse_expect(p, DP_T_END);
        return pop(p);
    case IN_THEN:
        top->tail = dp_parse_adopt(p, top->node, top->tail, done);
        if (!else_follows(p))
            return pop(p);
        dp_parse_advance(p);
        top->what = IN_ELSE;
        return 0;
    case IN_ARM:
        n = top->node;
        tail = top->tail;
        dp_parse_adopt(p, top->list, node(p, top->list)->child, done);
        dp_parse_close(p, top->list);
        p->nunfinished--;
        if (!dp_parse_is(p, DP_T_END) && !dp_parse_is(p, DP_T_ELSE) &&
            !dp_parse_word(p, p->at, "otherwise"))
            dp_parse_expect(p, DP_T_SEMICOLON);
        return next_arm(p, n, tail);
    default: /* IN_ELSE, IN_LOOP, IN_WITH, IN_LABELLED */
        dp_parse_adopt(p, top->node, top->tail, done);
        return pop(p);
    }
}

uint32_t dp_parse_body(struct dp_pascal_parser *p)
{
    uint32_t base = p->nunfinished, body;

    begin_compound(p);
    body = top_of(p)->node;
    while (p->nunfinished > base) {
        uint32_t done = begin_statement(p);

        while (done && p->nunfinished > base)
            done = finish(p, done);
    }
    return body;
}
