/*
 * Callers and callees: a block for each sub, a row for each sub at the other end, in the columns of
 * the top report. Of a callee's time the share is of its caller's, of a caller's calls the share is
 * of the callee's.
 */
#include "write/writers.h"

#include <stdlib.h>

#include "base/escape.h"
#include "base/mem.h"
#include "write/counts.h"
#include "write/statements.h"
#include "write/grid.h"
#include "write/rows.h"

/* The edges of one sub, dearest first. */
struct end {
    const struct dp_edge *edge;
    int64_t ticks;
};
struct ends {
    struct end *all;
    uint32_t n;
};

static int dearest(const void *a, const void *b)
{
    const struct end *x = a, *y = b;

    if (x->ticks != y->ticks)
        return x->ticks > y->ticks ? -1 : 1;
    if (x->edge->calls != y->edge->calls)
        return x->edge->calls > y->edge->calls ? -1 : 1;
    return x->edge < y->edge ? -1 : x->edge > y->edge;
}

static struct ends ends_of(const struct dp_job *job, uint32_t sub, int callers)
{
    const struct dp_sums *sums = job->sums;
    uint32_t from = callers ? sums->first_caller[sub] : sums->first_callee[sub];
    uint32_t to = callers ? sums->first_caller[sub + 1] : sums->first_callee[sub + 1];
    struct ends ends = {dp_alloc_array(to - from + 1, sizeof *ends.all), to - from};

    for (uint32_t i = from; i < to; i++) {
        const struct dp_edge *edge = &sums->edges[callers ? sums->by_callee[i] : i];

        ends.all[i - from] = (struct end){edge, dp_clock_of(&edge->incl, job->view->clock)};
    }
    qsort(ends.all, ends.n, sizeof *ends.all, dearest);
    return ends;
}

static struct dp_figures figures_of(const struct dp_job *job, const struct dp_edge *edge,
                                    double whole)
{
    struct dp_figures figures = {0, whole, edge->calls, &edge->self, &edge->incl, NULL, NULL};

    figures.part = (double)dp_clock_of(&edge->incl, job->view->clock);
    return figures;
}

static void put_title(const struct dp_job *job, uint32_t sub, int callers)
{
    const struct dp_sum *sum = &job->sums->subs[sub];
    struct dp_cell incl = dp_time_cell(job, &sum->incl, &sum->incl_unsure);
    struct dp_cell self = dp_time_cell(job, &sum->self, &sum->self_unsure);
    size_t n;
    const char *name = dp_sub_name(job->prof, sub, &n);

    dp_puts(job->out, callers ? "Callers of " : "Callees of ");
    dp_put_name(job->out, name, n);
    dp_puts(job->out, ": ");
    if (sum->calls) {
        dp_put_u64(job->out, sum->calls);
        dp_puts(job->out, sum->calls == 1 ? " call, " : " calls, ");
    }
    dp_put_cell(job->out, &incl, 0);
    dp_puts(job->out, " seconds, of them ");
    dp_put_cell(job->out, &self, 0);
    dp_puts(job->out, " its own\n");
}

static void put_block(const struct dp_job *job, uint32_t sub, int callers)
{
    struct ends ends = ends_of(job, sub, callers);
    double whole = (double)dp_clock_of(&job->sums->subs[sub].incl, job->view->clock);
    uint32_t shown =
        job->view->rows < 0 || ends.n < job->view->rows ? ends.n : (uint32_t)job->view->rows;
    struct dp_grid grid;

    dp_grid_init(&grid, job);
    for (uint32_t i = 0; i < shown; i++) {
        struct dp_figures figures = figures_of(job, ends.all[i].edge, whole);

        dp_grid_fit(&grid, &figures);
    }
    put_title(job, sub, callers);
    if (job->view->header && shown)
        dp_grid_heads(&grid, callers ? "Called from" : "Called");
    for (uint32_t i = 0; i < shown; i++) {
        const struct dp_edge *edge = ends.all[i].edge;
        struct dp_figures figures = figures_of(job, edge, whole);
        size_t n;
        const char *name = dp_sub_name(job->prof, callers ? edge->caller : edge->callee, &n);

        dp_grid_row(&grid, &figures, name, n);
    }
    if (!ends.n)
        dp_puts(job->out, callers ? "  nobody\n" : "  nothing\n");
    if (shown < ends.n)
        dp_putf(job->out, "  and %lu more: dprofpp -O -1 shows all\n",
                (unsigned long)(ends.n - shown));
    dp_free(ends.all);
}

/* The subs that were asked for, all of them; else those that the top report would show. */
static int write_edges(const struct dp_job *job, int callers)
{
    struct dp_view all = *job->view;
    struct dp_job choice = *job;
    struct dp_rows rows;
    int blocks = 0;

    if (job->view->of)
        all.rows = -1;
    choice.view = &all;
    rows = dp_rows_new(&choice, 0);
    for (uint32_t i = 0; i < rows.n; i++) {
        if (job->view->of && !job->view->of[rows.subs[i]])
            continue;
        if (blocks++)
            dp_putc(job->out, '\n');
        if (job->prof->statements)
            dp_put_statement_edges(job, rows.subs[i], callers);
        else if (job->prof->counts)
            dp_put_count_edges(job, rows.subs[i], callers);
        else
            put_block(job, rows.subs[i], callers);
    }
    dp_rows_free(&rows);
    return 0;
}

static int write_callers(const struct dp_job *job, struct dp_err *err)
{
    (void)err;
    return write_edges(job, 1);
}

static int write_callees(const struct dp_job *job, struct dp_err *err)
{
    (void)err;
    return write_edges(job, 0);
}

const struct dp_writer dp_write_callers = {
    .name = "callers",
    .about = "who called a sub, how often, and the time of those calls",
    .ending = "",
    .needs = DP_KNOWS_HIDE,
    .write = write_callers,
};

const struct dp_writer dp_write_callees = {
    .name = "callees",
    .about = "what a sub called, how often, and the time of those calls",
    .ending = "",
    .needs = DP_KNOWS_HIDE,
    .write = write_callees,
};
