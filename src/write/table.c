/*
 * The top-15 report in the classic layout: four lines of head, a row for each sub.
 */
#include "write/writers.h"

#include <string.h>

#include "base/escape.h"
#include "write/cells.h"
#include "write/counts.h"
#include "write/statements.h"
#include "write/grid.h"
#include "write/rows.h"

enum { HEAD_LINES = 4 };

/* What is below its own uncertainty has no share either. */
static double share(const struct dp_job *job, const struct dp_time *time,
                    const struct dp_time *unsure)
{
    struct dp_cell cell = dp_time_cell(job, time, unsure);

    return cell.unsure ? 0 : (double)dp_clock_of(time, job->view->clock);
}

static struct dp_figures figures_of(const struct dp_job *job, uint32_t sub, double whole)
{
    const struct dp_sum *sum = &job->sums->subs[sub];
    int outside = sub == job->sums->nsubs; /* what subs did inside it is theirs */
    struct dp_figures figures;

    figures.self = &sum->self;
    figures.self_unsure = &sum->self_unsure;
    figures.incl = outside ? &sum->self : &sum->incl;
    figures.incl_unsure = outside ? &sum->self_unsure : &sum->incl_unsure;
    figures.calls = sum->calls;
    figures.part = share(job, job->view->inclusive ? figures.incl : figures.self,
                         job->view->inclusive ? figures.incl_unsure : figures.self_unsure);
    figures.whole = whole;
    return figures;
}

static void put_total(const struct dp_job *job, const char *label, int64_t ticks)
{
    double seconds = (double)ticks / (double)job->prof->hz;

    dp_putf(job->out, "%13s Time = ", label);
    dp_put_number(job->out, seconds, dp_clock_digits(job->prof->hz), 8);
    dp_puts(job->out, " Seconds");
}

/* What of the profiling was taken out of the time of this line, or is in it. */
static void put_overhead(const struct dp_job *job, enum dp_clock clock)
{
    const struct dp_time *over = job->prof->cleaned ? &job->prof->taken : &job->sums->over;
    double seconds = (double)dp_clock_of(over, clock) / (double)job->prof->hz;

    if (seconds <= 0)
        return;
    dp_puts(job->out, job->prof->cleaned ? ", less " : ", with ");
    dp_put_number(job->out, seconds, dp_time_digits(job->prof->hz), 0);
    dp_puts(job->out, " of profiling");
}

static void put_head(const struct dp_job *job, const struct dp_grid *grid)
{
    enum dp_clock clock = job->view->clock;

    put_total(job, "Total Elapsed", job->view->within ? job->view->elapsed : job->prof->total.real);
    dp_putc(job->out, '\n');
    put_total(job, dp_clock_labels[clock], dp_clock_of(&job->prof->total, clock));
    put_overhead(job, clock);
    if (job->prof->hz > 100 && (clock == DP_CLOCK_USER || clock == DP_CLOCK_SYSTEM))
        dp_puts(job->out, " (~: the kernel's guess)");
    dp_putc(job->out, '\n');
    dp_puts(job->out, job->view->inclusive ? "Inclusive Times\n" : "Exclusive Times\n");
    dp_grid_heads(grid, "Name");
}

/* The lines that -G has always put before the table. */
static void put_group(const struct dp_job *job, uint32_t sub)
{
    static const char *const what[] = {"Calls", "Times", "IncTimes"};
    const struct dp_sum *sum = &job->sums->subs[sub];
    struct dp_cell cells[] = {{0, 0, 0, 0},
                              dp_time_cell(job, &sum->self, &sum->self_unsure),
                              dp_time_cell(job, &sum->incl, &sum->incl_unsure)};
    size_t n;
    const char *name = dp_sub_name(job->prof, sub, &n);

    dp_puts(job->out, "Option G Grouping: [");
    dp_put_name(job->out, name, n);
    for (int i = 0; i < 3; i++) {
        dp_puts(job->out, "]\nGrouping [");
        dp_put_name(job->out, name, n);
        dp_putf(job->out, "] %s: [", what[i]);
        if (i)
            dp_put_cell(job->out, &cells[i], 0);
        else
            dp_put_u64(job->out, sum->calls);
    }
    dp_puts(job->out, "]\n");
}

static void put_groups(const struct dp_job *job)
{
    for (uint32_t i = 0; job->view->groups && i < job->sums->nsubs; i++)
        if (job->view->groups[i])
            put_group(job, i);
}

/* Waiting is not seen by the CPU's clocks: say so where it is most of the run. */
static void put_waiting(const struct dp_job *job)
{
    double hz = (double)job->prof->hz;
    double real = (double)job->prof->total.real / hz;
    double cpu = (double)dp_clock_of(&job->prof->total, DP_CLOCK_CPU) / hz;
    int digits = dp_clock_digits(job->prof->hz);

    if (job->view->clock != DP_CLOCK_CPU || real <= 2 * cpu || real - cpu < 0.01)
        return;
    dp_puts(job->out, "Waiting: ");
    dp_put_number(job->out, real - cpu, digits > 3 ? 3 : digits, 0);
    dp_puts(job->out, " of the ");
    dp_put_number(job->out, real, digits > 3 ? 3 : digits, 0);
    dp_puts(job->out, " seconds went by without CPU time; dprofpp -r shows where.\n");
}

/* What the shares are of: the run, or what was asked to be looked into. */
static double whole_of(const struct dp_job *job)
{
    const struct dp_time *total = job->view->within ? &job->sums->total : &job->prof->total;
    double run = (double)dp_clock_of(total, job->view->clock);
    double sum = (double)dp_clock_of(&job->sums->total, job->view->clock);

    return run > sum ? run : sum;
}

static void put_rows(const struct dp_job *job, const struct dp_grid *grid,
                     const struct dp_rows *rows)
{
    uint32_t page = job->view->page > HEAD_LINES ? job->view->page - HEAD_LINES : 0;
    double whole = whole_of(job);

    if (job->view->header)
        put_head(job, grid);
    for (uint32_t i = 0; i < rows->n; i++) {
        struct dp_figures figures = figures_of(job, rows->subs[i], whole);
        size_t n;
        const char *name = dp_sub_name(job->prof, rows->subs[i], &n);

        if (job->view->header && page && i && i % page == 0) {
            dp_putc(job->out, '\f');
            put_head(job, grid);
        }
        dp_grid_row(grid, &figures, name, n);
    }
}

static int write_table(const struct dp_job *job, struct dp_err *err)
{
    struct dp_rows rows;
    struct dp_grid grid;

    (void)err;
    if (job->prof->statements)
        return dp_put_statements(job);
    if (job->prof->counts) {
        dp_put_counts(job);
        return 0;
    }
    rows = dp_rows_new(job, !job->view->within);
    dp_grid_init(&grid, job);
    for (uint32_t i = 0; i < rows.n; i++) {
        struct dp_figures figures = figures_of(job, rows.subs[i], 0);

        dp_grid_fit(&grid, &figures);
    }
    if (job->view->header)
        put_groups(job);
    put_rows(job, &grid, &rows);
    if (job->view->header)
        put_waiting(job);
    dp_rows_free(&rows);
    return 0;
}

const struct dp_writer dp_write_top = {
    .name = "top",
    .about = "the subs that took most time, in the classic table",
    .ending = "",
    .needs = DP_KNOWS_HIDE,
    .write = write_table,
};
