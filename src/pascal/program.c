#include "pascal/program.h"

#include <string.h>

void dp_pascal_program_derive(struct dp_pascal_program *program)
{
    dp_pascal_graph_free(program->graph);
    dp_pascal_flow_free(program->flow);
    program->flow = dp_pascal_flow_new(program->pascal, program->values);
    if (program->nframes) {
        dp_free(program->marks);
        program->marks = dp_alloc_array(program->pascal->nnodes, 1);
        program->placed = dp_pascal_died(program->flow, program->frames, program->nframes,
                                         program->statements, program->marks);
        program->counts.marks = program->marks;
        program->counts.death = program->death;
    }
    program->unwound = 
        dp_pascal_unwind(program->flow, !program->nframes || program->placed < program->nframes);
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
    dp_free(program->only);
    dp_free(program->text);
    dp_free(program);
}
