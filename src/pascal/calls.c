/*
 * Finding calls: Berkeley Pascal evaluates whole expressions, so a call in one runs as often as its
 * statement; in the condition of a while once more for each time the loop is entered, in that of a
 * repeat each time its end is reached.
 */
#include "pascal/calls.h"

#include "pascal/passed.h"
#include "pascal/with.h"

struct search {
    struct dp_pascal_graph *graph;
    const struct dp_pascal_flow *flow;
    const struct dp_pascal *pascal;
    struct dp_pascal_names names;
    struct dp_pascal_withs withs; /* around the statement */
    uint32_t statement;
    uint32_t scope;
    int64_t count;
    int maybe; /* what is visited stands right of and, or, or left of mod */
    int twice;
    struct pending {
        uint32_t node;
        uint32_t param; /* the procedural parameter that it is an argument for, or 0 */
        int maybe;
        int twice;
    } * pending;
    uint32_t npending;
    uint32_t room;
    struct dp_pascal_handed *handed; /* parameters that are given to others */
    uint32_t nhanded;
};

static const struct dp_pascal_node *node(const struct search *s, uint32_t n)
{
    return &s->pascal->nodes[n];
}

static void add_call(struct search *s, uint32_t token, const struct dp_pascal_symbol *symbol)
{
    struct dp_pascal_graph *graph = s->graph;
    struct dp_pascal_call *call;

    graph->calls = dp_more(graph->calls, graph->ncalls, sizeof *graph->calls);
    call = &graph->calls[graph->ncalls++];
    call->statement = s->statement;
    call->token = token;
    call->caller = s->scope;
    call->count = s->count;
    call->maybe = s->maybe || dp_pascal_with_has(&s->withs, token) == DP_FIELD_MAYBE;
    call->twice = s->twice;
    call->param = symbol->param;
    call->callee = symbol->means == DP_MEANS_ROUTINE
                       ? dp_pascal_with_body(s->pascal, symbol->routine)
                       : DP_PASCAL_NOWHERE;
}

static void add_passed(struct search *s, const struct dp_pascal_symbol *symbol, uint32_t param)
{
    struct dp_pascal_graph *graph = s->graph;

    if (symbol->means != DP_MEANS_ROUTINE) {
        s->handed = dp_more(s->handed, s->nhanded, sizeof *s->handed);
        s->handed[s->nhanded].from = symbol->param;
        s->handed[s->nhanded++].to = param;
        return;
    }
    graph->passed = dp_more(graph->passed, graph->npassed, sizeof *graph->passed);
    graph->passed[graph->npassed].routine = dp_pascal_with_body(s->pascal, symbol->routine);
    graph->passed[graph->npassed++].param = param;
}

static void push(struct search *s, uint32_t n, uint32_t param)
{
    if (!n)
        return;
    if (s->npending == s->room) {
        s->room = s->room ? 2 * s->room : 64;
        s->pending = dp_grow(s->pending, s->room * sizeof *s->pending);
    }
    s->pending[s->npending].node = n;
    s->pending[s->npending].maybe = s->maybe;
    s->pending[s->npending].twice = s->twice;
    s->pending[s->npending++].param = param;
}

static const struct dp_pascal_symbol *meaning(const struct search *s, uint32_t token)
{
    const struct dp_pascal_symbol *symbol = NULL;

    if (dp_pascal_with_has(&s->withs, token) != DP_FIELD_YES)
        symbol = dp_pascal_name(&s->names, token, s->scope);
    return symbol && symbol->means != DP_MEANS_DATA ? symbol : NULL;
}

/* The parameters that a call of this goes to. */
static uint32_t params_of(const struct search *s, const struct dp_pascal_symbol *symbol)
{
    uint32_t child;

    if (!symbol)
        return 0;
    if (symbol->means == DP_MEANS_ROUTINE)
        return s->pascal->routines[dp_pascal_first_heading(s->pascal, symbol->routine)].params;
    child = node(s, node(s, symbol->param)->child)->next;
    return child && node(s, child)->kind == DP_P_PARAMS ? child : 0;
}

/* Arguments, each with the parameter it is for. */
static void push_arguments(struct search *s, uint32_t argument, uint32_t params)
{
    uint32_t group = params ? node(s, params)->child : 0;
    uint32_t name = group ? node(s, node(s, group)->child)->child : 0;

    for (; argument; argument = node(s, argument)->next) {
        unsigned op = group ? node(s, group)->op : 0;

        push(s, argument, op == DP_T_PROCEDURE || op == DP_T_FUNCTION ? group : 0);
        if (name)
            name = node(s, name)->next;
        if (!name && group) {
            group = node(s, group)->next;
            name = group ? node(s, node(s, group)->child)->child : 0;
        }
    }
}

static uint32_t name_token(const struct search *s, uint32_t n)
{
    uint32_t token = node(s, n)->tok;

    while (s->pascal->tokens[token].kind == DP_T_LPAREN)
        token++;
    return token;
}

/* Compilers of today evaluate the right side of and and or only where it decides; Free Pascal's mod of
   ISO evaluates its left side twice. */
static void push_operands(struct search *s, uint32_t n)
{
    unsigned op = node(s, n)->op;
    uint32_t left = node(s, n)->child;
    int maybe = s->maybe, twice = s->twice;

    s->maybe = maybe || op == DP_T_MOD;
    s->twice = twice || op == DP_T_MOD;
    push(s, left, 0);
    s->maybe = maybe || op == DP_T_AND || op == DP_T_OR;
    s->twice = twice;
    push(s, node(s, left)->next, 0);
}

static void visit(struct search *s, uint32_t n, uint32_t param)
{
    const struct dp_pascal_symbol *symbol;
    uint32_t token;

    switch (node(s, n)->kind) {
    case DP_P_NAME:
        token = name_token(s, n);
        symbol = meaning(s, token);
        if (symbol && param)
            add_passed(s, symbol, param);
        else if (symbol)
            add_call(s, token, symbol);
        return;
    case DP_P_APPLY:
        token = name_token(s, n);
        symbol = meaning(s, token);
        if (symbol)
            add_call(s, token, symbol);
        push_arguments(s, node(s, n)->child, params_of(s, symbol));
        return;
    case DP_P_BINARY:
        push_operands(s, n);
        return;
    default:
        for (uint32_t child = node(s, n)->child; child; child = node(s, child)->next)
            push(s, child, 0);
    }
}

static void visit_all(struct search *s, uint32_t base)
{
    while (s->npending > base) {
        struct pending next = s->pending[--s->npending];

        s->maybe = next.maybe;
        s->twice = next.twice;
        visit(s, next.node, next.param);
    }
    s->maybe = s->twice = 0;
}

static void expression(struct search *s, uint32_t n)
{
    uint32_t base = s->npending;

    push(s, n, 0);
    visit_all(s, base);
}

/* The left side of an assignment: what is assigned to is no call, its subscripts may hold some. */
static void assigned(struct search *s, uint32_t n)
{
    if (node(s, n)->kind != DP_P_NAME)
        expression(s, n);
}

static void call(struct search *s, uint32_t n)
{
    const struct dp_pascal_symbol *symbol = meaning(s, node(s, n)->tok);
    uint32_t base = s->npending;

    if (symbol)
        add_call(s, node(s, n)->tok, symbol);
    push_arguments(s, node(s, n)->child, params_of(s, symbol));
    visit_all(s, base);
}

/* Each variable stands inside the with of those before it. */
static void with(struct search *s, uint32_t n)
{
    uint32_t variable = node(s, node(s, n)->child)->child;

    for (; variable; variable = node(s, variable)->next) {
        expression(s, variable);
        dp_pascal_with_open(&s->withs, variable, s->scope, node(s, n)->last);
    }
}

static void statement(struct search *s, uint32_t n)
{
    uint32_t child = node(s, n)->child;

    dp_pascal_with_close(&s->withs, node(s, n)->tok);
    s->statement = n;
    s->scope = s->flow->owner[n];
    s->count = s->flow->ran[n];
    switch (node(s, n)->kind) {
    case DP_P_ASSIGN:
        assigned(s, child);
        expression(s, node(s, child)->next);
        return;
    case DP_P_CALL:
        call(s, n);
        return;
    case DP_P_WHILE:
        s->count += s->flow->back[n];
        expression(s, child);
        return;
    case DP_P_REPEAT:
        s->count = s->flow->back[n];
        expression(s, node(s, child)->next);
        return;
    case DP_P_FOR:
        child = node(s, child)->next;
        expression(s, child);
        expression(s, node(s, child)->next);
        return;
    case DP_P_WITH:
        with(s, n);
        return;
    case DP_P_IF:
    case DP_P_CASE:
    case DP_P_ASSERT:
        expression(s, child);
        return;
    default:
        return;
    }
}

int64_t dp_pascal_call_count(const struct dp_pascal_flow *flow, const struct dp_pascal_call *call)
{
    uint32_t n = call->statement;

    switch (flow->pascal->nodes[n].kind) {
    case DP_P_WHILE:
        return flow->ran[n] + flow->back[n];
    case DP_P_REPEAT:
        return flow->back[n];
    default:
        return flow->ran[n];
    }
}

static int is_statement(unsigned kind)
{
    return kind >= DP_P_EMPTY && kind <= DP_P_ASSERT;
}

void dp_pascal_find_calls(struct dp_pascal_graph *graph, const struct dp_pascal_flow *flow)
{
    struct search s = {0};

    s.graph = graph;
    s.flow = flow;
    s.pascal = flow->pascal;
    dp_pascal_names_init(&s.names, s.pascal);
    s.withs.names = &s.names;
    for (uint32_t n = 1; n < s.pascal->nnodes; n++)
        if (is_statement(s.pascal->nodes[n].kind))
            statement(&s, n);
    dp_pascal_hand_on(graph, s.handed, s.nhanded, s.pascal->nnodes);
    dp_free(s.handed);
    dp_pascal_with_free(&s.withs);
    dp_pascal_names_free(&s.names);
    dp_free(s.pending);
}
