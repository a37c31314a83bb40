#include "pascal/died.h"

#include <string.h>

/* A place that a frame may stand for. */
struct place {
    uint32_t frame;
    uint32_t statement;
};

struct search {
    struct dp_pascal_flow *flow;
    const struct dp_pascal *pascal;
    struct dp_pascal_graph graph; /* its calls */
    const struct dp_pascal_frame *frames;
    uint32_t nframes;
    uint32_t *routines; /* per frame, DP_PASCAL_NOWHERE: unknown */
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

static uint32_t place(struct search *s, unsigned char *marks, int64_t statements)
{
    uint32_t done = 0, first = 0, i;

    for (i = 0; i < s->nframes && s->routines[i] != DP_PASCAL_NOWHERE; i++) {
        uint32_t n = i                   ? call_at(s, i)
                     : s->frames[0].line ? statement_at(s, s->routines[0], s->frames[0].line)
                                         : 0;

        if (i == 0 && !s->frames[0].line) {
            done++;
            continue; /* when those around it are known */
        }
        if (!n)
            break;
        if (i == 0)
            first = n;
        s->flow->lost[n]++;
        marks[n] = i ? DP_MARK_OPEN : DP_MARK_DIED;
        done++;
    }
    dp_pascal_flow_all(s->flow);
    if (!first && done && !s->frames[0].line) {
        uint32_t n = statement_by_total(s, s->routines[0], statements);

        if (n)
            marks[n] = DP_MARK_DIED;
    }
    return done;
}

uint32_t dp_pascal_died(struct dp_pascal_flow *flow, const struct dp_pascal_frame *frames,
                        uint32_t nframes, int64_t statements, unsigned char *marks)
{
    struct search s = {0};
    struct dp_pascal_clash clash = flow->clash;
    uint32_t done;

    s.flow = flow;
    s.pascal = flow->pascal;
    s.frames = frames;
    s.nframes = nframes;
    s.routines = dp_alloc_array(nframes + 1, sizeof *s.routines);
    for (uint32_t i = 0; i < nframes; i++)
        s.routines[i] = routine_of(&s, &frames[i]);
    dp_pascal_find_calls(&s.graph, flow);
    done = place(&s, marks, statements);
    flow->clash = clash;
    dp_free(s.routines);
    dp_free(s.graph.calls);
    dp_free(s.graph.passed);
    return done;
}
