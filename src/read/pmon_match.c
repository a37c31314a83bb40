/*
 * Putting counters in their places in the source, and refusing those that do not belong there: the
 * file itself says nothing of its program but two numbers.
 */
#include <string.h>

#include "base/mem.h"
#include "read/pmon.h"

/* Does this heading resolve a forward one? */
static int resolves(const struct dp_pascal *pascal, uint32_t r)
{
    return pascal->routines[r].other != DP_PASCAL_NOWHERE && pascal->routines[r].other < r;
}

static uint32_t resolutions(const struct dp_pascal *pascal)
{
    uint32_t n = 0;

    for (uint32_t r = 0; r < pascal->nroutines; r++)
        n += (uint32_t)resolves(pascal, r);
    return n;
}

static uint32_t line_of(const struct dp_pascal *pascal, uint32_t token)
{
    return pascal->tokens[token].line;
}

/* The token at a counter, or 0: for errors. */
static uint32_t token_of(const struct dp_pascal *pascal, uint32_t counter)
{
    for (uint32_t r = 0; r < pascal->nroutines; r++)
        if (pascal->routines[r].counter == counter)
            return pascal->routines[r].tok;
    for (uint32_t n = 1; n < pascal->nnodes; n++) {
        const struct dp_pascal_counters *c = &pascal->counters[pascal->nodes[n].count];

        if (pascal->nodes[n].count &&
            (c->before == counter || c->body == counter || c->after == counter))
            return pascal->nodes[n].tok;
    }
    return 0;
}

/* Values in the order of the source. one_for_both: the file has one counter for a forward routine
   and its resolution. Missing ones are 0. */
static int64_t *spread(const struct dp_pascal *pascal, const struct dp_pmon *pmon, int one_for_both)
{
    int64_t *values = dp_alloc_array(pascal->ntaken + 1, sizeof *values);
    unsigned char *second = dp_alloc_array(pascal->ntaken + 2, 1);

    for (uint32_t r = 0; r < pascal->nroutines; r++)
        if (resolves(pascal, r))
            second[pascal->routines[r].counter] = 1;
    for (uint32_t i = 0, k = 0; i < pascal->ntaken; i++) {
        if (one_for_both && second[i + 1])
            continue;
        values[i] = k < pmon->n ? pmon->values[k] : 0;
        k++;
    }
    /* In 3BSD the second one was never counted. */
    for (uint32_t r = 0; r < pascal->nroutines; r++) {
        const struct dp_pascal_routine *routine = &pascal->routines[r];

        if (resolves(pascal, r) && values[routine->counter - 1] == 0)
            values[routine->counter - 1] = values[pascal->routines[routine->other].counter - 1];
    }
    dp_free(second);
    return values;
}

/* A count beyond what px could print may have gone round altogether, and others with it. */
static int is_damaged(const struct dp_pmon *pmon)
{
    for (uint32_t i = 0; i < pmon->n; i++)
        if (pmon->values[i] > INT32_MAX)
            return 1;
    return 0;
}

/* Where a token stands, for an error. */
static const char *file_of(const struct dp_pascal *pascal, uint32_t token)
{
    return pascal->files[pascal->tokens[token].file].name;
}

/* The first place where the counts cannot be those of the text. */
static int part_at(const struct dp_pascal *pascal, const struct dp_pascal_clash *clash,
                   struct dp_err *err)
{
    return dp_fail(err,
                   "the profile does not belong to this source: they part at %.60s line %lu, "
                   "counter %lu, which can be %lld at most and is %lld",
                   file_of(pascal, clash->token), (unsigned long)line_of(pascal, clash->token),
                   (unsigned long)clash->counter, (long long)clash->most, (long long)clash->value);
}

static int wrong_number(const struct dp_pascal *pascal, const struct dp_pmon *pmon,
                        struct dp_err *err)
{
    int64_t *values = spread(pascal, pmon, 0);
    struct dp_pascal_flow *flow = dp_pascal_flow_new(pascal, values);
    struct dp_pascal_clash clash = flow->clash;
    uint32_t shared = pmon->n < pascal->ntaken ? pmon->n : pascal->ntaken, token;

    dp_pascal_flow_free(flow);
    dp_free(values);
    if (clash.counter && clash.counter <= shared && !is_damaged(pmon))
        return part_at(pascal, &clash, err);
    token = token_of(pascal, shared < pascal->ntaken ? shared + 1 : shared);
    return dp_fail(
        err,
        "the profile does not belong to this source, which has %lu counters and %lu "
        "headings, the profile %lu and %lu; they part at %.60s line %lu, counter %lu, or "
        "before",
        (unsigned long)pascal->ntaken, (unsigned long)pascal->nroutines, (unsigned long)pmon->n,
        (unsigned long)pmon->headings, file_of(pascal, token),
        (unsigned long)line_of(pascal, token), (unsigned long)shared + 1);
}

/* What the call sites of each routine add up to, when no call is taken to have been left; -1: it is
   called in ways that are not seen. */
static int64_t *most_calls(const struct dp_pascal_program *program)
{
    const struct dp_pascal *pascal = program->pascal;
    struct dp_pascal_flow *flow = dp_pascal_flow_new(pascal, program->values);
    struct dp_pascal_graph *graph = dp_pascal_graph_new(flow);
    int64_t *most = dp_alloc_array(pascal->nroutines + 1, sizeof *most);

    for (uint32_t r = 0; r < pascal->nroutines; r++)
        most[r] = graph->costs[r].sites;
    dp_pascal_graph_free(graph);
    dp_pascal_flow_free(flow);
    return most;
}

static int is_entered_too_often(const struct dp_pascal *pascal, uint32_t r, int64_t calls,
                                int64_t most)
{
    const struct dp_pascal_routine *routine = &pascal->routines[r];

    return routine->body && routine->kind != DP_T_PROGRAM && most >= 0 && calls > most &&
           pascal->has_program;
}

/* A routine cannot be entered more often than it is called. */
static int entered_too_often(const struct dp_pascal_program *program, struct dp_err *err)
{
    const struct dp_pascal *pascal = program->pascal;
    const struct dp_pascal_cost_of *costs = program->graph->costs;
    int64_t *most;
    uint32_t r = 0;
    int found = 0;

    while (r < pascal->nroutines &&
           !is_entered_too_often(pascal, r, costs[r].calls, costs[r].sites))
        r++;
    if (r == pascal->nroutines)
        return 0;
    most =
        most_calls(program); /* of those that did not come back too many may have been taken off */
    for (; r < pascal->nroutines && !found; r++) {
        struct dp_pascal_clash clash = {pascal->routines[r].counter, pascal->routines[r].tok,
                                        costs[r].calls, most[r]};

        found = is_entered_too_often(pascal, r, costs[r].calls, most[r]);
        if (found)
            part_at(pascal, &clash, err);
    }
    dp_free(most);
    return found;
}

static int check(const struct dp_pascal_program *program, struct dp_err *err)
{
    if (program->damaged)
        return 0;
    if (program->flow->clash.counter)
        return part_at(program->pascal, &program->flow->clash, err);
    return entered_too_often(program, err) ? -1 : 0;
}

struct dp_pascal_program *dp_pmon_match(struct dp_pascal *pascal, const struct dp_pmon *pmon,
                                        struct dp_err *err)
{
    struct dp_pascal_program *program;
    uint32_t forwards = resolutions(pascal);
    int one_for_both = forwards && pmon->n == pascal->ntaken - forwards;

    if ((pmon->n != pascal->ntaken && !one_for_both) || pmon->headings != pascal->nroutines) {
        wrong_number(pascal, pmon, err);
        dp_pascal_free(pascal);
        return NULL;
    }
    program = dp_alloc(sizeof *program);
    program->pascal = pascal;
    program->values = spread(pascal, pmon, one_for_both);
    program->forwards = one_for_both ? forwards : 0;
    program->damaged = is_damaged(pmon);
    program->runs = 1;
    program->counts.when = pmon->when;
    dp_pascal_style_init(&program->style);
    dp_pascal_program_derive(program);
    if (check(program, err) == 0)
        return program;
    dp_pascal_program_free(program);
    return NULL;
}

int dp_pmon_add(struct dp_pascal_program *program, const struct dp_pmon *pmon, struct dp_err *err)
{
    const struct dp_pascal *pascal = program->pascal;
    uint32_t forwards = resolutions(pascal);
    int one_for_both = forwards && pmon->n == pascal->ntaken - forwards;
    int64_t *values;

    if ((pmon->n != pascal->ntaken && !one_for_both) || pmon->headings != pascal->nroutines)
        return wrong_number(pascal, pmon, err);
    values = spread(pascal, pmon, one_for_both);
    for (uint32_t i = 0; i < pascal->ntaken; i++)
        program->values[i] += values[i];
    dp_free(values);
    program->damaged |= is_damaged(pmon);
    program->runs++;
    if (pmon->when > program->counts.when)
        program->counts.when = pmon->when;
    dp_pascal_program_derive(program);
    return check(program, err);
}
