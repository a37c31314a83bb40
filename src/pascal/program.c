#include "pascal/program.h"

#include <string.h>

#include "pascal/returns.h"

/* "~" in front of how it ended: that was there, or beside it on that line. */
static char *uncertain(struct dp_pascal_program *program)
{
    size_t n = strlen(program->death);
    char *text = dp_arena_alloc(&program->pascal->arena, n + 2);

    text[0] = '~';
    memcpy(text + 1, program->death, n + 1);
    return text;
}

static void mark_death(struct dp_pascal_program *program)
{
    struct dp_pascal_death death = {program->frames, program->nframes, program->statements,
                                    program->death};

    dp_free(program->marks);
    program->marks = dp_alloc_array(program->pascal->nnodes, 1);
    program->placed = dp_pascal_died(program->flow, &death, program->marks, &program->certain);
    program->counts.marks = program->marks;
    program->counts.death =
        program->certain == DP_END_GUESSED ? uncertain(program) : program->death;
}

void dp_pascal_program_derive(struct dp_pascal_program *program)
{
    unsigned what = 0;

    dp_pascal_graph_free(program->graph);
    dp_pascal_flow_free(program->flow);
    program->flow = dp_pascal_flow_new(program->pascal, program->values);
    program->flow->completed = program->completed;
    if (program->completed)
        dp_pascal_flow_all(program->flow);
    if (program->nframes)
        mark_death(program);
    if (!program->nframes || program->placed < program->nframes)
        what |= DP_UNWIND_HALTS;
    if (!program->completed || !program->returns_whole)
        what |= DP_UNWIND_GOTOS;
    program->unwound = dp_pascal_unwind(program->flow, what);
    program->graph = dp_pascal_graph_new(program->flow);
    program->counts.values = program->values;
    program->counts.n = program->pascal->ntaken;
    program->counts.ran = program->flow->ran;
    program->counts.doubt = program->flow->doubt;
}

void dp_pascal_program_died(struct dp_pascal_program *program, struct dp_pascal_frame *frames,
                            uint32_t nframes, int64_t statements, const char *death)
{
    program->frames = frames;
    program->nframes = nframes;
    program->statements = statements;
    program->death = dp_arena_copy(&program->pascal->arena, death, strlen(death));
    dp_pascal_program_derive(program);
}

/* None came back more often than it was begun: else they belong to other counters. */
static int are_possible(const struct dp_pascal_flow *flow)
{
    for (uint32_t n = 1; n < flow->pascal->nnodes; n++)
        if (flow->completed[n] >= 0 && flow->lost[n] < 0)
            return 0;
    return 1;
}

int dp_pascal_program_returned(struct dp_pascal_program *program, const uint32_t *values,
                               uint32_t n)
{
    struct dp_pascal_returns returns;
    int good;

    dp_pascal_returns_init(&returns, program->pascal);
    good = n == returns.n && n && program->runs == 1;
    if (good) {
        program->completed = dp_alloc_array(program->pascal->nnodes, sizeof *program->completed);
        program->returns_whole = returns.whole;
        for (uint32_t i = 0; i < program->pascal->nnodes; i++)
            program->completed[i] = returns.number[i] ? (int64_t)values[returns.number[i] - 1] : -1;
        dp_pascal_program_derive(program);
        good = are_possible(program->flow);
    }
    if (!good && program->completed) {
        dp_free(program->completed);
        program->completed = NULL;
        dp_pascal_program_derive(program);
    }
    dp_pascal_returns_free(&returns);
    return good;
}

void dp_pascal_program_free(struct dp_pascal_program *program)
{
    if (!program)
        return;
    dp_pascal_graph_free(program->graph);
    dp_pascal_flow_free(program->flow);
    dp_pascal_free(program->pascal);
    dp_free(program->frames);
    dp_free(program->marks);
    dp_free(program->values);
    dp_free(program->completed);
    dp_free(program->only);
    dp_free(program->text);
    dp_free(program);
}
