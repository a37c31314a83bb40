/*
 * Reports that need the text of a Pascal program: its listing, the table of its routines, what
 * never ran.
 */
#include <stdlib.h>
#include <string.h>

#include "base/escape.h"
#include "base/mem.h"
#include "pascal/program.h"
#include "write/cells.h"
#include "write/statements.h"
#include "write/writers.h"

static const char only_pascal[] = "is for Pascal: give a pmon.out and the program that wrote it";

int dp_put_pascal_listing(const struct dp_job *job)
{
    const struct dp_pascal_program *program = dp_foreign(job->prof, "pascal");

    if (program)
        dp_pascal_listing(program->pascal, &program->counts, &program->style, job->out);
    return 0;
}

static int write_routines(const struct dp_job *job, struct dp_err *err)
{
    const struct dp_pascal_program *program = dp_foreign(job->prof, "pascal");

    if (!program)
        return dp_fail(err, "the table of routines %s", only_pascal);
    dp_pascal_routines(program->pascal, &program->counts, &program->style, program->after_listing,
                       job->out);
    return 0;
}

const struct dp_writer dp_write_routines = {
    .name = "routines",
    .about = "every routine's heading with its count (Pascal)",
    .ending = "",
    .needs = DP_NEEDS_PLAIN | DP_KNOWS_HIDE,
    .write = write_routines,
};

static int write_pretty(const struct dp_job *job, struct dp_err *err)
{
    const struct dp_pascal_program *program = dp_foreign(job->prof, "pascal");

    if (!program)
        return dp_fail(err, "the pretty printer %s", only_pascal);
    dp_pascal_pretty(program->pascal, &program->style, job->out);
    return 0;
}

const struct dp_writer dp_write_pretty = {
    .name = "pretty",
    .about = "the program re-formatted, no counts needed (Pascal)",
    .ending = "",
    .needs = DP_NEEDS_PLAIN,
    .write = write_pretty,
};

/* --- what never ran --------------------------------------------------------------------------- */

/* A line of the source, without the blanks around it. */
static void put_source_line(const struct dp_job *job, const struct dp_pascal *pascal,
                            uint32_t token)
{
    const struct dp_pascal_token *t = &pascal->tokens[token];
    const struct dp_pascal_file *file = &pascal->files[t->file];
    const char *start = file->text + t->offset, *end = start, *stop = file->text + file->bytes;

    while (end < stop && *end != '\n' && end - start < 120)
        end++;
    while (end > start && (end[-1] == ' ' || end[-1] == '\t' || end[-1] == '\r'))
        end--;
    dp_put_name(job->out, start, (size_t)(end - start));
}

static void put_place(const struct dp_job *job, const struct dp_pascal *pascal, uint32_t token,
                      uint16_t *file)
{
    const struct dp_pascal_token *t = &pascal->tokens[token];

    if (job->view->header && t->file != *file) {
        dp_put_name(job->out, pascal->files[t->file].name, strlen(pascal->files[t->file].name));
        dp_puts(job->out, ":\n");
    }
    *file = t->file;
    dp_put_count(job->out, t->line, 7);
    dp_puts(job->out, "  ");
}

/* A thing that never ran, by its first token. */
struct dead {
    uint32_t token;
    uint32_t last;
    uint32_t routine; /* its heading, or DP_PASCAL_NOWHERE: a statement */
};

static int by_token(const void *a, const void *b)
{
    const struct dead *x = a, *y = b;

    return x->token < y->token ? -1 : x->token > y->token;
}

/* Per routine: 1 if its sub is hidden, or left out by --only or --skip. */
static unsigned char *hidden_routines(const struct dp_job *job, uint32_t nroutines)
{
    unsigned char *hidden = dp_alloc_array(nroutines + 1, 1);

    memset(hidden, 1, nroutines + 1);
    for (uint32_t i = 0; i < job->prof->nsubs; i++)
        if (job->prof->subs[i].addr < nroutines)
            hidden[job->prof->subs[i].addr] = job->view->hide && job->view->hide[i];
    return hidden;
}

int dp_put_unexecuted_statements(const struct dp_job *job)
{
    const struct dp_pascal_program *program = dp_foreign(job->prof, "pascal");
    const struct dp_pascal *pascal = program ? program->pascal : NULL;
    struct dead *all;
    unsigned char *hidden;
    uint32_t n = 0, within = 0;
    uint16_t file = UINT16_MAX;

    if (!program)
        return 0;
    all = dp_alloc_array(pascal->nnodes + pascal->nroutines, sizeof *all);
    hidden = hidden_routines(job, pascal->nroutines);
    for (uint32_t r = 0; r < pascal->nroutines; r++) {
        if (pascal->routines[r].body && !program->graph->costs[r].calls && !hidden[r])
            all[n++] = (struct dead){pascal->routines[r].tok, pascal->routines[r].last, r};
    }
    for (uint32_t i = 1; i < pascal->nnodes; i++) {
        const struct dp_pascal_node *node = &pascal->nodes[i];
        uint32_t owner = program->flow->owner[i];

        if (node->kind <= DP_P_EMPTY || node->kind > DP_P_ASSERT || program->flow->ran[i] > 0 ||
            hidden[owner] || !program->graph->costs[owner].calls)
            continue;
        all[n++] = (struct dead){node->tok, node->last, DP_PASCAL_NOWHERE};
    }
    qsort(all, n, sizeof *all, by_token);
    for (uint32_t i = 0; i < n; i++) {
        if (all[i].routine == DP_PASCAL_NOWHERE && all[i].token < within)
            continue; /* inside one that is listed */
        put_place(job, pascal, all[i].token, &file);
        put_source_line(job, pascal, all[i].token);
        dp_putc(job->out, '\n');
        if (all[i].routine == DP_PASCAL_NOWHERE)
            within = all[i].last + 1;
    }
    dp_free(all);
    dp_free(hidden);
    return 0;
}
