/*
 * The top-15 report in the classic layout: four lines of head, a row for each sub. Columns keep their
 * classic widths until a number needs more.
 */
#include "write/writers.h"

#include <string.h>

#include "base/escape.h"
#include "write/cells.h"
#include "write/rows.h"

enum column { PERCENT, EXCLUSIVE, CUMULATIVE, CALLS, EACH, CUMULATIVE_EACH, NCOLUMNS };

/* Heads and widths of old; `gap` blanks come before a column. */
static const struct {
    const char *head;
    int width;
    int gap;
} columns[NCOLUMNS] = {
    {"%Time", 5, 0}, {"ExclSec", 7, 1},  {"CumulS", 6, 1},
    {"#Calls", 6, 1}, {"sec/call", 8, 1}, {"Csec/c", 6, 1},
};

struct row {
    double part; /* of the whole, in ticks */
    struct dp_cell cell[NCOLUMNS];
    uint64_t calls;
};

static struct row row_of(const struct dp_job *job, uint32_t sub)
{
    const struct dp_sum *sum = &job->sums->subs[sub];
    const struct dp_time *shown = job->view->inclusive && sub < job->sums->nsubs ? &sum->incl : &sum->self;
    struct row row;

    memset(&row, 0, sizeof row);
    row.part = (double)dp_clock_of(shown, job->view->clock);
    row.calls = sum->calls;
    row.cell[EXCLUSIVE] = dp_time_cell(job, &sum->self, &sum->self_unsure);
    row.cell[CUMULATIVE] = sub == job->sums->nsubs
        ? row.cell[EXCLUSIVE] /* what subs did inside it is theirs */
        : dp_time_cell(job, &sum->incl, &sum->incl_unsure);
    row.cell[EACH] = dp_average_cell(job, &sum->self, &sum->self_unsure, sum->calls);
    row.cell[CUMULATIVE_EACH] = dp_average_cell(job, &sum->incl, &sum->incl_unsure, sum->calls);
    return row;
}

static void measure(const struct dp_job *job, const struct dp_rows *rows, int width[NCOLUMNS])
{
    for (int c = 0; c < NCOLUMNS; c++)
        width[c] = columns[c].width;
    for (uint32_t i = 0; i < rows->n; i++) {
        struct row row = row_of(job, rows->subs[i]);
        int calls = dp_count_width(row.calls);

        if (calls > width[CALLS])
            width[CALLS] = calls;
        for (int c = 0; c < NCOLUMNS; c++) {
            int need = c == PERCENT || c == CALLS ? 0 : dp_cell_width(&row.cell[c]);

            if (need > width[c])
                width[c] = need;
        }
    }
}

static void put_total(const struct dp_job *job, const char *label, int room, enum dp_clock clock)
{
    double seconds = (double)dp_clock_of(&job->prof->total, clock) / (double)job->prof->hz;
    struct dp_out *out = job->out;

    dp_pad(out, ' ', (size_t)room - strlen(label));
    dp_puts(out, label);
    dp_puts(out, " Time = ");
    dp_put_number(out, seconds, dp_clock_digits(job->prof->hz), 8);
    dp_puts(out, " Seconds");
}

/* What of the profiling was taken out of the line's time. */
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

static void put_head(const struct dp_job *job, const int width[NCOLUMNS])
{
    struct dp_out *out = job->out;

    put_total(job, "Total Elapsed", 13, DP_CLOCK_REAL);
    dp_putc(out, '\n');
    put_total(job, dp_clock_labels[job->view->clock], 13, job->view->clock);
    put_overhead(job, job->view->clock);
    dp_putc(out, '\n');
    dp_puts(out, job->view->inclusive ? "Inclusive Times\n" : "Exclusive Times\n");
    for (int c = 0; c < NCOLUMNS; c++) {
        dp_pad(out, ' ', (size_t)(columns[c].gap + width[c]) - strlen(columns[c].head));
        dp_puts(out, columns[c].head);
    }
    dp_puts(out, "  Name\n");
}

static size_t name_room(const struct dp_job *job, const int width[NCOLUMNS])
{
    size_t used = 2;

    if (!job->view->width)
        return 0;
    for (int c = 0; c < NCOLUMNS; c++)
        used += (size_t)(columns[c].gap + width[c]);
    return job->view->width < used + 20 ? 20 : job->view->width - used;
}

static void put_row(const struct dp_job *job, uint32_t sub, double whole, const int width[NCOLUMNS],
                    size_t room)
{
    struct row row = row_of(job, sub);
    struct dp_out *out = job->out;
    size_t n;
    const char *name = dp_sub_name(job->prof, sub, &n);

    for (int c = 0; c < NCOLUMNS; c++) {
        dp_pad(out, ' ', (size_t)columns[c].gap);
        if (c == PERCENT)
            dp_put_percent(out, row.part, whole, width[c]);
        else if (row.calls == 0 && c >= CALLS)
            dp_pad(out, ' ', (size_t)width[c]); /* nobody calls the code outside subs */
        else if (c == CALLS)
            dp_put_count(out, row.calls, width[c]);
        else
            dp_put_cell(out, &row.cell[c], width[c]);
    }
    dp_put(out, "  ", 2);
    dp_put_fitted(out, name, n, room);
    dp_putc(out, '\n');
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
    dp_puts(job->out, "Waiting took ");
    dp_put_number(job->out, real - cpu, digits > 3 ? 3 : digits, 0);
    dp_puts(job->out, " of the ");
    dp_put_number(job->out, real, digits > 3 ? 3 : digits, 0);
    dp_puts(job->out, " seconds: dprofpp -r shows where.\n");
}

/* What the shares are of: the run, or what was asked to be looked into. */
static double whole_of(const struct dp_job *job)
{
    const struct dp_time *total = job->view->within ? &job->sums->total : &job->prof->total;
    double run = (double)dp_clock_of(total, job->view->clock);
    double sum = (double)dp_clock_of(&job->sums->total, job->view->clock);

    return run > sum ? run : sum;
}

static int write_table(const struct dp_job *job, struct dp_err *err)
{
    struct dp_rows rows = dp_rows_new(job, !job->view->within);
    double whole = whole_of(job);
    int width[NCOLUMNS];
    size_t room;

    (void)err;
    measure(job, &rows, width);
    room = name_room(job, width);
    for (uint32_t i = 0, lines = 0; i < rows.n || !i; i++, lines++) {
        if (job->view->header && (!i || (job->view->page > 4 && lines + 4 >= job->view->page))) {
            if (i)
                dp_putc(job->out, '\f');
            put_head(job, width);
            lines = 0;
        }
        if (i < rows.n)
            put_row(job, rows.subs[i], whole, width, room);
    }
    if (job->view->header)
        put_waiting(job);
    dp_rows_free(&rows);
    return 0;
}

const struct dp_writer dp_write_top = {
    .name = "top",
    .about = "the subs that took most time, in the classic table",
    .ending = "",
    .write = write_table,
};
