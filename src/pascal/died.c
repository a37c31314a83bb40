#include "pascal/died.h"

#include <string.h>

#include "pascal/choice.h"

struct search {
    struct dp_pascal_flow *flow;
    const struct dp_pascal *pascal;
    struct dp_pascal_graph graph; /* its calls */
    const struct dp_pascal_frame *frames;
    uint32_t nframes;
    uint32_t *routines; /* per frame, DP_PASCAL_NOWHERE: unknown */
    struct dp_pascal_choice *choices; /* per frame */
    const char *death;
};

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c + 'a' - 'A') : c;
}

static int same(const char *a, const char *b, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (lower(a[i]) != lower(b[i]))
            return 0;
    return a[n] == '\0';
}

/* The routine of a frame: by its name, which may be in capitals; "main" is the program. Of several
   of one name, the one that has the line. */
static uint32_t routine_of(const struct search *s, const struct dp_pascal_frame *frame)
{
    uint32_t found = DP_PASCAL_NOWHERE;

    for (uint32_t r = 0; r < s->pascal->nroutines; r++) {
        const struct dp_pascal_routine *routine = &s->pascal->routines[r];
        size_t n;
        const char *name = dp_pascal_text(s->pascal, routine->name, &n);
        uint32_t first, last;

        if (!routine->body)
            continue;
        if (!same(frame->name, name, n) &&
            !(routine->kind == DP_T_PROGRAM && strcmp(frame->name, "main") == 0))
            continue;
        first = s->pascal->tokens[s->pascal->nodes[routine->body].tok].line;
        last = s->pascal->tokens[routine->last].line;
        if (!frame->line || (frame->line >= first && frame->line <= last))
            return r;
        found = r;
    }
    return found;
}

static int on_line(const struct search *s, uint32_t n, uint32_t line)
{
    const struct dp_pascal_node *node = &s->pascal->nodes[n];

    return line >= s->pascal->tokens[node->tok].line && line <= s->pascal->tokens[node->last].line;
}

static int counts(unsigned kind)
{
    return kind > DP_P_EMPTY && kind <= DP_P_ASSERT && kind != DP_P_COMPOUND &&
           kind != DP_P_LABELLED;
}

/* A statement's own tokens, without the statements in it. */
static void own_tokens(const struct dp_pascal *pascal, uint32_t n, uint32_t *from, uint32_t *to)
{
    const struct dp_pascal_node *nodes = pascal->nodes, *node = &nodes[n];
    uint32_t child = node->child;

    *from = node->tok;
    *to = node->last;
    switch (node->kind) {
    case DP_P_IF:
    case DP_P_WHILE:
    case DP_P_CASE:
    case DP_P_WITH:
        *to = nodes[child].last;
        return;
    case DP_P_FOR:
        *to = nodes[nodes[nodes[child].next].next].last;
        return;
    case DP_P_REPEAT:
        *from = nodes[nodes[child].next].tok;
        return;
    default:
        return;
    }
}

static int is_itself_on_line(const struct search *s, uint32_t n, uint32_t line)
{
    uint32_t from, to;

    own_tokens(s->pascal, n, &from, &to);
    return line >= s->pascal->tokens[from].line && line <= s->pascal->tokens[to].line;
}

static int divides(const struct search *s, uint32_t n)
{
    uint32_t from, to;

    for (own_tokens(s->pascal, n, &from, &to); from <= to; from++) {
        unsigned kind = s->pascal->tokens[from].kind;

        if (kind == DP_T_DIV || kind == DP_T_MOD || kind == DP_T_SLASH)
            return 1;
    }
    return 0;
}

/* A call of the predefined procedure, as far as its name tells. */
static int halts(const struct search *s, uint32_t n)
{
    const struct dp_pascal_node *node = &s->pascal->nodes[n];

    return node->kind == DP_P_CALL && dp_pascal_same(s->pascal, node->tok, "halt", 4);
}

static int may_be_any(const struct search *s, uint32_t n)
{
    (void)s;
    (void)n;
    return 1;
}

/* Is the error one that only a division has? */
static int is_division(const char *death)
{
    return death && (strstr(death, "error 200") || strstr(death, "ivision by zero"));
}

/* Did the program end itself? What is said then comes from whoever read how it ended (Pascal.pm). */
static int is_halt(const char *death)
{
    return death && strstr(death, "ended here") != NULL;
}

/* The statement of the routine that has the line and begins last, and ran. */
static uint32_t statement_at(const struct search *s, uint32_t routine, uint32_t line)
{
    uint32_t found = 0;

    for (uint32_t n = 1; n < s->pascal->nnodes; n++)
        if (counts(s->pascal->nodes[n].kind) && s->flow->owner[n] == routine &&
            s->flow->ran[n] > 0 && on_line(s, n, line) &&
            (!found || s->pascal->nodes[n].tok >= s->pascal->nodes[found].tok))
            found = n;
    return found;
}

/* The statements of the routine that the line may mean, those of a kind only. */
static void statements_at(const struct search *s, uint32_t routine, uint32_t line,
                          int (*is_of_kind)(const struct search *, uint32_t),
                          struct dp_pascal_choice *choice)
{
    for (uint32_t n = 1; n < s->pascal->nnodes; n++)
        if (counts(s->pascal->nodes[n].kind) && s->flow->owner[n] == routine &&
            s->flow->ran[n] > 0 && is_itself_on_line(s, n, line) && is_of_kind(s, n))
            dp_pascal_choice_add(choice, n);
}

static void place_of_end(const struct search *s, struct dp_pascal_choice *choice)
{
    uint32_t routine = s->routines[0], line = s->frames[0].line, whole;

    if (is_division(s->death))
        statements_at(s, routine, line, divides, choice);
    else if (is_halt(s->death))
        statements_at(s, routine, line, halts, choice);
    if (!choice->n)
        statements_at(s, routine, line, may_be_any, choice);
    if (!choice->n && (whole = statement_at(s, routine, line)) != 0)
        dp_pascal_choice_add(choice, whole);
}

static int calls(const struct search *s, const struct dp_pascal_call *call, uint32_t routine)
{
    if (call->callee != DP_PASCAL_NOWHERE)
        return call->callee == routine;
    for (uint32_t i = 0; i < s->graph.npassed; i++)
        if (s->graph.passed[i].routine == routine && s->graph.passed[i].param == call->param)
            return 1;
    return 0;
}

/* The statement that calls the routine of the frame before; on its line if that is said. */
static uint32_t call_at(const struct search *s, uint32_t frame)
{
    uint32_t routine = s->routines[frame], line = s->frames[frame].line, found = 0;

    for (uint32_t i = 0; i < s->graph.ncalls; i++) {
        const struct dp_pascal_call *call = &s->graph.calls[i];

        if (call->caller != routine || call->count <= 0 || !calls(s, call, s->routines[frame - 1]))
            continue;
        if (line && !on_line(s, call->statement, line))
            continue;
        if (!found || s->pascal->nodes[call->statement].tok >= s->pascal->nodes[found].tok)
            found = call->statement;
    }
    if (!found && line)
        found = statement_at(s, routine, line);
    return found;
}

/* If the line is said, all on it that call the routine of the frame before. */
static void places_of_call(const struct search *s, uint32_t frame, struct dp_pascal_choice *choice)
{
    uint32_t line = s->frames[frame].line, last;

    for (uint32_t i = 0; line && i < s->graph.ncalls; i++) {
        const struct dp_pascal_call *call = &s->graph.calls[i];

        if (call->caller == s->routines[frame] && call->count > 0 &&
            calls(s, call, s->routines[frame - 1]) && is_itself_on_line(s, call->statement, line))
            dp_pascal_choice_add(choice, call->statement);
    }
    if (!choice->n && (last = call_at(s, frame)) != 0)
        dp_pascal_choice_add(choice, last);
}

static int64_t total(const struct dp_pascal_flow *flow)
{
    int64_t sum = 0;

    for (uint32_t n = 1; n < flow->pascal->nnodes; n++)
        sum += dp_pascal_cost(flow, n);
    return sum;
}

/* Where only the routine is known, the number of statements that ran tells the place: the first
   that makes the sum right. Otherwise the last that could be. */
static uint32_t statement_by_total(struct search *s, uint32_t routine, int64_t statements)
{
    for (uint32_t n = 1; statements >= 0 && n < s->pascal->nnodes; n++) {
        if (!counts(s->pascal->nodes[n].kind) || s->flow->owner[n] != routine ||
            s->flow->ran[n] <= 0)
            continue;
        s->flow->lost[n]++;
        dp_pascal_flow_all(s->flow);
        if (total(s->flow) == statements)
            return n;
        s->flow->lost[n]--;
    }
    dp_pascal_flow_all(s->flow);
    return 0;
}

/* What each frame may stand for, the last of it taken. Returns how many have a place, or may have
   one when those around it are known: the innermost without a line. */
static uint32_t find_places(struct search *s)
{
    uint32_t i;

    for (i = 0; i < s->nframes && s->routines[i] != DP_PASCAL_NOWHERE; i++) {
        struct dp_pascal_choice *choice = &s->choices[i];

        if (i == 0 && !s->frames[0].line)
            continue;
        if (i)
            places_of_call(s, i, choice);
        else
            place_of_end(s, choice);
        if (!choice->n)
            break;
        choice->taken = choice->n - 1;
        s->flow->lost[choice->statements[choice->taken]]++;
    }
    dp_pascal_flow_all(s->flow);
    return i;
}

static uint32_t place(struct search *s, unsigned char *marks, int64_t statements)
{
    uint32_t done = find_places(s);
    int by_total = done && !s->frames[0].line;

    dp_pascal_choose(s->flow, &s->graph, s->choices, done, by_total ? -1 : statements);
    for (uint32_t i = done; i-- > 0;)
        if (s->choices[i].n)
            marks[s->choices[i].statements[s->choices[i].taken]] =
                i ? DP_MARK_OPEN : DP_MARK_DIED;
    if (by_total) {
        uint32_t n = statement_by_total(s, s->routines[0], statements);

        if (n)
            marks[n] = DP_MARK_DIED;
    }
    return done;
}

static int any_open(const struct search *s)
{
    for (uint32_t i = 0; i < s->nframes; i++)
        if (s->choices[i].open)
            return 1;
    return 0;
}

static void free_search(struct search *s)
{
    for (uint32_t i = 0; i < s->nframes; i++)
        dp_free(s->choices[i].statements);
    dp_free(s->choices);
    dp_free(s->routines);
    dp_free(s->graph.calls);
    dp_free(s->graph.passed);
}

uint32_t dp_pascal_died(struct dp_pascal_flow *flow, const struct dp_pascal_death *death,
                        unsigned char *marks, enum dp_pascal_certain *certain)
{
    struct search s = {0};
    struct dp_pascal_clash clash = flow->clash;
    uint32_t done;

    s.flow = flow;
    s.pascal = flow->pascal;
    s.frames = death->frames;
    s.nframes = death->nframes;
    s.death = death->text;
    s.routines = dp_alloc_array(s.nframes + 1, sizeof *s.routines);
    s.choices = dp_alloc_array(s.nframes + 1, sizeof *s.choices);
    for (uint32_t i = 0; i < s.nframes; i++)
        s.routines[i] = routine_of(&s, &s.frames[i]);
    dp_pascal_find_calls(&s.graph, flow);
    done = place(&s, marks, death->statements);
    *certain = !any_open(&s)        ? DP_PLACES_CERTAIN
               : s.choices[0].open ? DP_END_GUESSED
                                   : DP_CALLS_GUESSED;
    flow->clash = clash;
    free_search(&s);
    return done;
}
