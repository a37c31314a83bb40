/*
 * The call graph of a Pascal program as a tree: from the program on, what each routine calls below
 * it, once; where it is met again it says so.
 */
#include "write/statements.h"

#include <inttypes.h>

#include "base/escape.h"
#include "base/mem.h"
#include "pascal/program.h"
#include "write/cells.h"

/* A routine whose calls are being printed. */
struct level {
    uint32_t routine;
    uint32_t edge; /* the next one */
};

struct tree {
    const struct dp_job *job;
    const struct dp_pascal_program *program;
    uint32_t *first;      /* per routine: its first edge; nroutines + 1 */
    unsigned char *shown; /* per routine: 1 its calls are printed, 2 it is open */
    struct level *levels;
    uint32_t n;
};

static void put_name(const struct tree *tree, uint32_t routine)
{
    size_t n;
    const char *name =
        dp_pascal_text(tree->program->pascal, tree->program->pascal->routines[routine].name, &n);

    dp_put_name(tree->job->out, name, n);
}

/* guessed: enum dp_guessed, of the cost and of the calls. */
static void put_counts(const struct tree *tree, int64_t calls, double cost, unsigned guessed)
{
    dp_putf(tree->job->out, "  %s%" PRId64 "x", guessed & DP_GUESSED_CALLS ? "~" : "", calls);
    if (cost > 0)
        dp_putf(tree->job->out, "  %s%.0f stmts", guessed & DP_GUESSED_COST ? "~" : "", cost);
}

static void open_routine(struct tree *tree, uint32_t routine)
{
    tree->shown[routine] = 2;
    tree->levels[tree->n].routine = routine;
    tree->levels[tree->n++].edge = tree->first[routine];
}

static void put_edge(struct tree *tree, const struct dp_pascal_edge *edge)
{
    struct dp_out *out = tree->job->out;
    int calls_something = tree->first[edge->callee] < tree->first[edge->callee + 1];
    unsigned guessed = 0;

    dp_put_indent(out, tree->n, 3);
    put_name(tree, edge->callee);
    if (edge->guessed)
        guessed = DP_GUESSED_COST | DP_GUESSED_CALLS;
    else if (tree->program->graph->costs[edge->callee].guessed)
        guessed = DP_GUESSED_COST;
    put_counts(tree, edge->count, edge->cost, guessed);
    if (edge->through)
        dp_puts(out, "  (through a parameter)");
    if (tree->shown[edge->callee] == 2)
        dp_puts(out, "  (recursive)");
    else if (tree->shown[edge->callee] && calls_something)
        dp_puts(out, "  (see above)");
    dp_putc(out, '\n');
    if (!tree->shown[edge->callee])
        open_routine(tree, edge->callee);
}

static void put_from(struct tree *tree, uint32_t root)
{
    const struct dp_pascal_cost_of *cost = &tree->program->graph->costs[root];

    put_name(tree, root);
    put_counts(tree, cost->calls, cost->all, cost->guessed ? DP_GUESSED_COST : 0);
    dp_putc(tree->job->out, '\n');
    open_routine(tree, root);
    while (tree->n) {
        struct level *level = &tree->levels[tree->n - 1];

        if (level->edge == tree->first[level->routine + 1]) {
            tree->shown[level->routine] = 1;
            tree->n--;
            continue;
        }
        put_edge(tree, &tree->program->graph->edges[level->edge++]);
    }
}

int dp_put_statement_tree(const struct dp_job *job)
{
    struct tree tree = {0};
    const struct dp_pascal_graph *graph;
    uint32_t n;

    tree.job = job;
    tree.program = dp_foreign(job->prof, "pascal");
    if (!tree.program)
        return 0;
    graph = tree.program->graph;
    n = tree.program->pascal->nroutines;
    tree.first = dp_alloc_array(n + 2, sizeof *tree.first);
    tree.shown = dp_alloc_array(n + 1, 1);
    tree.levels = dp_alloc_array(n + 1, sizeof *tree.levels);
    for (uint32_t i = 0; i < graph->nedges; i++)
        tree.first[graph->edges[i].caller + 1]++;
    for (uint32_t r = 0; r < n; r++)
        tree.first[r + 1] += tree.first[r];
    for (uint32_t r = 0; r < n; r++)
        if (!tree.shown[r] && tree.program->pascal->routines[r].body &&
            (r == 0 || graph->costs[r].calls))
            put_from(&tree, r);
    dp_free(tree.first);
    dp_free(tree.shown);
    dp_free(tree.levels);
    return 0;
}
