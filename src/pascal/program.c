#include "pascal/program.h"

void dp_pascal_program_derive(struct dp_pascal_program *program)
{
    dp_pascal_graph_free(program->graph);
    dp_pascal_flow_free(program->flow);
    program->flow = dp_pascal_flow_new(program->pascal, program->values);
    program->unwound = dp_pascal_unwind(program->flow);
    program->graph = dp_pascal_graph_new(program->flow);
    program->counts.values = program->values;
    program->counts.n = program->pascal->ntaken;
}

void dp_pascal_program_free(struct dp_pascal_program *program)
{
    if (!program)
        return;
    dp_pascal_graph_free(program->graph);
    dp_pascal_flow_free(program->flow);
    dp_pascal_free(program->pascal);
    dp_free(program->values);
    dp_free(program->only);
    dp_free(program->text);
    dp_free(program);
}
