/*
 * compare: what is slower, faster, called more or less often, new and gone since the base, dearest
 * first. Numbers of calls are exact and differ if they differ. Times differ by chance too: by how
 * much is measured where a side has several runs; a difference counts that chance would make once
 * in a hundred times.
 */
#include "write/writers.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "model/compare.h"
#include "write/cells.h"
#include "write/colour.h"

/* With one run a side chance is not known: what is less than this part of the time is not listed.
 */
#define BELIEVED 0.1

struct side {
    double mean;     /* seconds a run */
    double variance; /* of a run */
    double grain;    /* what the clock can be wrong by, in the mean */
    double calls;    /* a run */
    uint64_t least;  /* calls */
    uint64_t most;
};

/* In the order of the report. */
enum verdict { SLOWER, FASTER, MORE, LESS, NEW, GONE, NVERDICTS, SAME = NVERDICTS };

static const char *const titles[NVERDICTS] = {
    "Slower", "Faster", "Called more often", "Called less often", "New", "Gone"};

struct row {
    uint32_t sub;
    enum verdict verdict;
    struct side sides[2];
    double effect;
};

struct report {
    const struct dp_job *job;
    const struct dp_comparison *comparison;
    struct row *rows;
    uint32_t n;
    int digits;
    int time_width;
    int calls_width;
};

/* --- figures ------------------------------------------------------------------------------------
 */

static double square_root(double x)
{
    double root = x > 1 ? x : 1;

    if (!(x > 0))
        return 0;
    for (int i = 0; i < 200; i++) {
        double next = (root + x / root) / 2;

        if (next >= root)
            break;
        root = next;
    }
    return root;
}

/* Of the code outside any sub its own time, which is not all of the run's. */
static double seconds(const struct report *report, uint32_t sub, const struct dp_run_of_sub *run,
                      int unsure)
{
    const struct dp_view *view = report->job->view;
    int inclusive = view->inclusive && sub < report->comparison->nsubs;
    const struct dp_time *time = inclusive ? unsure ? &run->incl_unsure : &run->incl
                                 : unsure  ? &run->self_unsure
                                           : &run->self;
    int64_t ticks = unsure ? dp_unsure_of(time, view->clock) : dp_clock_of(time, view->clock);

    return (double)ticks / (double)report->job->prof->hz;
}

static struct side side_of(const struct report *report, int side, uint32_t sub)
{
    const struct dp_comparison *comparison = report->comparison;
    uint32_t runs = comparison->runs[side];
    struct side sum = {0, 0, 0, 0, UINT64_MAX, 0};
    const struct dp_run_of_sub *run = comparison->subs[side] + sub;

    for (uint32_t i = 0; i < runs; i++, run += (size_t)comparison->nsubs + 1) {
        sum.mean += seconds(report, sub, run, 0) / runs;
        sum.grain += seconds(report, sub, run, 1) / runs;
        sum.calls += (double)run->calls / runs;
        sum.least = run->calls < sum.least ? run->calls : sum.least;
        sum.most = run->calls > sum.most ? run->calls : sum.most;
    }
    run = comparison->subs[side] + sub;
    for (uint32_t i = 0; i < runs && runs > 1; i++, run += (size_t)comparison->nsubs + 1) {
        double off = seconds(report, sub, run, 0) - sum.mean;

        sum.variance += off * off / (runs - 1);
    }
    return sum;
}

/* Student's t: beyond it lies one in a hundred, both ends together. */
static double student(uint32_t freedom)
{
    static const double few[] = {63.7, 9.92, 5.84, 4.60, 4.03, 3.71, 3.50, 3.36, 3.25, 3.17};

    if (freedom <= 10)
        return few[freedom - 1];
    return freedom < 20 ? 3.05 : freedom < 40 ? 2.80 : 2.65;
}

/* Differences up to this one may be chance. A side with one run is taken to vary as the other. */
static double chance(const struct report *report, const struct side *was, const struct side *now)
{
    uint32_t n = report->comparison->runs[DP_BASE], m = report->comparison->runs[DP_NOW];
    uint32_t freedom = n + m - 2;
    double pooled, noise;

    if (!freedom) {
        noise = BELIEVED * (was->mean > now->mean ? was->mean : now->mean);
    } else {
        pooled = ((n - 1) * was->variance + (m - 1) * now->variance) / freedom;
        noise = student(freedom) * square_root(pooled / n + pooled / m);
    }
    return noise > was->grain + now->grain ? noise : was->grain + now->grain;
}

/* Calls may not have been counted. */
static int is_there(const struct side *side)
{
    return side->most || side->mean > 0;
}

static enum verdict verdict_of(const struct report *report, uint32_t sub, const struct side *was,
                               const struct side *now)
{
    double more = now->mean - was->mean, noise = chance(report, was, now);

    if (sub < report->comparison->nsubs && is_there(was) != is_there(now))
        return is_there(was) ? GONE : NEW;
    if (more > noise || -more > noise)
        return more > 0 ? SLOWER : FASTER;
    if (now->least > was->most)
        return MORE;
    return now->most < was->least ? LESS : SAME;
}

/* --- rows ---------------------------------------------------------------------------------------
 */

static double absolute(double x)
{
    return x < 0 ? -x : x;
}

static int by_effect(const void *a, const void *b)
{
    const struct row *x = a, *y = b;

    if (x->verdict != y->verdict)
        return x->verdict < y->verdict ? -1 : 1;
    if (x->effect != y->effect)
        return x->effect > y->effect ? -1 : 1;
    return x->sub < y->sub ? -1 : x->sub > y->sub;
}

/* How much it matters: time; of what only its number of calls tells, that. */
static double effect_of(const struct row *row)
{
    if (row->verdict == MORE || row->verdict == LESS)
        return absolute(row->sides[DP_NOW].calls - row->sides[DP_BASE].calls);
    return absolute(row->sides[DP_NOW].mean - row->sides[DP_BASE].mean);
}

static void find_rows(struct report *report)
{
    const unsigned char *hide = report->job->view->hide;
    uint32_t nsubs = report->comparison->nsubs;

    report->rows = dp_alloc_array((size_t)nsubs + 1, sizeof *report->rows);
    for (uint32_t i = 0; i <= nsubs; i++) {
        struct row *row = &report->rows[report->n];

        if (i < nsubs && hide && hide[i])
            continue;
        row->sub = i;
        for (int side = 0; side < 2; side++)
            row->sides[side] = side_of(report, side, i);
        row->verdict = verdict_of(report, i, &row->sides[DP_BASE], &row->sides[DP_NOW]);
        row->effect = effect_of(row);
        if (row->verdict != SAME)
            report->n++;
    }
    qsort(report->rows, report->n, sizeof *report->rows, by_effect);
}

/* --- printing -----------------------------------------------------------------------------------
 */

static void put_signed(const struct report *report, double value, int width)
{
    int own = dp_number_width(absolute(value), report->digits) + 1;

    dp_pad(report->job->out, ' ', width > own ? (size_t)(width - own) : 0);
    dp_putc(report->job->out, value < 0 ? '-' : '+');
    dp_put_number(report->job->out, absolute(value), report->digits, 0);
}

/* Calls of a run; where runs of a side differ, about so many. */
static int calls_width(const struct side *side)
{
    return dp_number_width(side->calls, 0) + (side->least != side->most);
}

static void put_calls(const struct report *report, const struct side *side)
{
    int own = calls_width(side), width = report->calls_width;

    dp_pad(report->job->out, ' ', (size_t)(width > own ? width - own : 0) + 2);
    if (side->least != side->most)
        dp_putc(report->job->out, '~');
    dp_put_number(report->job->out, side->calls, 0, 0);
}

static void put_row(const struct report *report, const struct row *row)
{
    struct dp_out *out = report->job->out;
    size_t n;
    const char *name = dp_sub_name(report->job->prof, row->sub, &n);
    const struct side *was = &row->sides[DP_BASE], *now = &row->sides[DP_NOW];
    size_t width = report->job->view->width,
           before = 3 * (size_t)report->time_width + 2 * (size_t)report->calls_width + 10;

    dp_colour_change(report->job, row->verdict == SLOWER || row->verdict == MORE || row->verdict == NEW);
    put_signed(report, now->mean - was->mean, report->time_width);
    dp_puts(out, "  ");
    dp_put_number(out, was->mean, report->digits, report->time_width);
    dp_puts(out, "  ");
    dp_put_number(out, now->mean, report->digits, report->time_width);
    put_calls(report, was);
    put_calls(report, now);
    dp_puts(out, "  ");
    dp_put_fitted(out, name, n, width > before + 20 ? width - before : width ? 20 : 0);
    dp_colour_end(report->job);
    dp_putc(out, '\n');
}

static void put_right(const struct report *report, const char *text, int width)
{
    int n = (int)strlen(text);

    dp_pad(report->job->out, ' ', (size_t)(width > n ? width - n : 0));
    dp_puts(report->job->out, text);
}

static void put_heads(const struct report *report)
{
    dp_colour_head(report->job);
    put_right(report, "Change", report->time_width);
    put_right(report, "Was", report->time_width + 2);
    put_right(report, "Now", report->time_width + 2);
    put_right(report, "#Was", report->calls_width + 2);
    put_right(report, "#Now", report->calls_width + 2);
    dp_puts(report->job->out, "  Name");
    dp_colour_end(report->job);
    dp_putc(report->job->out, '\n');
}

static void put_section(const struct report *report, uint32_t from, uint32_t to)
{
    int64_t rows = report->job->view->rows;
    uint32_t shown = rows < 0 || to - from < rows ? to - from : (uint32_t)rows;

    dp_putf(report->job->out, "\n%s:\n", titles[report->rows[from].verdict]);
    if (report->job->view->header)
        put_heads(report);
    for (uint32_t i = from; i < from + shown; i++)
        put_row(report, &report->rows[i]);
    if (shown < to - from)
        dp_putf(report->job->out, "  and %lu more: -O -1 shows all\n",
                (unsigned long)(to - from - shown));
}

static double total(const struct report *report, int side)
{
    double sum = 0;

    for (uint32_t i = 0; i < report->comparison->runs[side]; i++)
        sum += (double)dp_clock_of(&report->comparison->total[side][i], report->job->view->clock);
    return sum / report->comparison->runs[side] / (double)report->job->prof->hz;
}

static void put_runs(struct dp_out *out, uint32_t n)
{
    dp_put_u64(out, n);
    dp_puts(out, n == 1 ? " run" : " runs");
}

static void put_head(const struct report *report)
{
    const uint32_t *runs = report->comparison->runs;
    double was = total(report, DP_BASE), now = total(report, DP_NOW);
    struct dp_out *out = report->job->out;

    dp_putf(out, "%s Time a run: ", dp_clock_labels[report->job->view->clock]);
    dp_put_number(out, now, report->digits, 0);
    dp_puts(out, " seconds (");
    put_runs(out, runs[DP_NOW]);
    dp_puts(out, "), was ");
    dp_put_number(out, was, report->digits, 0);
    dp_puts(out, " (");
    put_runs(out, runs[DP_BASE]);
    dp_puts(out, "): ");
    put_signed(report, now - was, 0);
    if (was > 0) {
        dp_puts(out, now < was ? ", -" : ", +");
        dp_put_percent(out, absolute(now - was), was, 0);
        dp_putc(out, '%');
    }
    dp_putf(out, "\n%s times of subs. ", report->job->view->inclusive ? "Inclusive" : "Exclusive");
    dp_puts(out, runs[DP_BASE] + runs[DP_NOW] > 2
                     ? "A time is listed where chance would make such a difference less than "
                       "once in a hundred times.\nNumbers of calls are exact.\n"
                     : "One run a side: how much times vary by chance is not known, differences "
                       "below 10% are left out;\nseveral profiles a side would tell. Numbers of "
                       "calls are exact.\n");
}

static void fit(struct report *report)
{
    report->digits = dp_time_digits(report->job->prof->hz);
    if (report->digits > 6)
        report->digits = 6;
    report->time_width = 7;
    report->calls_width = 5;
    for (uint32_t i = 0; i < report->n; i++)
        for (int side = 0; side < 2; side++) {
            int time = dp_number_width(report->rows[i].sides[side].mean, report->digits) + 1;
            int calls = calls_width(&report->rows[i].sides[side]);

            report->time_width = time > report->time_width ? time : report->time_width;
            report->calls_width = calls > report->calls_width ? calls : report->calls_width;
        }
}

static int write_compare(const struct dp_job *job, struct dp_err *err)
{
    struct report report;

    memset(&report, 0, sizeof report);
    report.job = job;
    report.comparison = dp_comparison_of(job->prof);
    if (!report.comparison)
        return dp_fail(err, "a comparison needs something to compare with: --base FILE");
    find_rows(&report);
    fit(&report);
    if (job->view->header)
        put_head(&report);
    for (uint32_t from = 0, to = 0; from < report.n; from = to) {
        while (to < report.n && report.rows[to].verdict == report.rows[from].verdict)
            to++;
        put_section(&report, from, to);
    }
    if (!report.n)
        dp_puts(job->out, "\nNothing differs.\n");
    dp_free(report.rows);
    return 0;
}

const struct dp_writer dp_write_compare = {
    .name = "compare",
    .about = "with --base: what is slower, faster, called more or less often, new, gone",
    .ending = "",
    .needs = DP_KNOWS_BASE | DP_KNOWS_HIDE,
    .write = write_compare,
};
