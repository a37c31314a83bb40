/*
 * --stats: how long the calls of a sub took. From single calls where they are there; where they
 * were folded into a tree when they were recorded, from the tree's histograms, whose percentiles
 * are only right within a factor of two: these rows are marked with ~.
 */
#include "write/writers.h"

#include <inttypes.h>

#include "base/escape.h"
#include "base/mem.h"
#include "write/cells.h"
#include "write/colour.h"
#include "write/durations.h"
#include "write/rows.h"

enum { MIN, MEAN, MEDIAN, P90, P99, MAX, NFIGURES };

static const char *const heads[NFIGURES] = {"Min", "Mean", "Median", "90%", "99%", "Max"};
static const double shares[NFIGURES] = {0, 0, 0.5, 0.9, 0.99, 0};

struct line {
    uint64_t calls;
    double ticks[NFIGURES];
    int coarse;
};

static struct line from_calls(const struct dp_duration *duration)
{
    struct line line = {duration->calls, {0}, 0};

    line.ticks[MIN] = (double)duration->least;
    line.ticks[MAX] = (double)duration->most;
    line.ticks[MEAN] = (double)duration->total / (double)duration->calls;
    for (int i = MEDIAN; i <= P99; i++)
        line.ticks[i] = dp_duration_at(duration, shares[i]);
    return line;
}

static double hist_at(const struct dp_hist *hist, double wanted)
{
    double passed = 0;

    for (int b = 0; b < 64; b++) {
        passed += (double)hist->bucket[b];
        if (hist->bucket[b] && passed >= wanted)
            return b ? 0.75 * (double)(UINT64_C(1) << b) : 0;
    }
    return (double)hist->max;
}

static double between(double ticks, double least, double most)
{
    return ticks < least ? least : ticks > most ? most : ticks;
}

/* The histograms of every sub, added up over its places. */
static struct dp_hist *hists_of_subs(const struct dp_profile *prof)
{
    struct dp_hist *hists = prof->nhists ? dp_alloc_array(prof->nsubs, sizeof *hists) : NULL;

    for (uint32_t i = 0; hists && i < prof->nnodes; i++) {
        const struct dp_hist *from;
        struct dp_hist *to;
        int is_first = 1;

        if (prof->nodes[i].hist == DP_NONE || prof->nodes[i].sub == DP_NONE)
            continue;
        from = &prof->hists[prof->nodes[i].hist];
        to = &hists[prof->nodes[i].sub];
        for (int b = 0; b < 64; b++) {
            is_first = is_first && !to->bucket[b];
            to->bucket[b] += from->bucket[b];
        }
        if (is_first || from->min < to->min)
            to->min = from->min;
        if (from->max > to->max)
            to->max = from->max;
    }
    return hists;
}

/* What a tree knows of the calls of each sub: the histograms, or NULL, and how long they took together. */
struct folded {
    struct dp_hist *hists;
    double *times;
};

/* The inclusive times of a sub's calls, those that others of it were open in counted too: each lasted for itself. */
static double *inclusive_times(const struct dp_job *job)
{
    const struct dp_profile *prof = job->prof;
    double *times = dp_alloc_array((size_t)prof->nsubs + 1, sizeof *times);

    for (uint32_t i = 1; i < prof->nnodes; i++)
        times[prof->nodes[i].sub] += (double)job->sums->node_incl[i].real;
    return times;
}

static struct line from_hist(const struct dp_hist *hist, double time, uint64_t calls)
{
    struct line line = {0, {0}, 1};
    double min = (double)hist->min, max = (double)hist->max;

    for (int b = 0; b < 64; b++)
        line.calls += hist->bucket[b];
    line.ticks[MIN] = min;
    line.ticks[MAX] = max;
    if (calls)
        line.ticks[MEAN] = between(time / (double)calls, min, max);
    for (int i = MEDIAN; i <= P99; i++)
        line.ticks[i] = between(hist_at(hist, shares[i] * (double)line.calls), min, max);
    return line;
}

/* Calls of both kinds: the single ones say more, the least and the most are of all. */
static struct line line_of(const struct dp_job *job, const struct folded *all, uint32_t sub)
{
    const struct dp_duration *duration = NULL;
    struct line line = {0, {0}, 0}, folded = {0, {0}, 1};
    size_t n;
    const char *name = dp_sub_name(job->prof, sub, &n);

    if (all->hists)
        folded = from_hist(&all->hists[sub], all->times[sub], job->sums->subs[sub].calls);
    if (job->durations)
        duration = dp_duration_of(job->durations, name, n);
    if (!duration)
        return folded;
    line = from_calls(duration);
    if (!folded.calls)
        return line;
    for (int i = MEAN; i <= P99; i++)
        line.ticks[i] =
            (line.ticks[i] * (double)line.calls + folded.ticks[i] * (double)folded.calls) /
            (double)(line.calls + folded.calls);
    line.ticks[MIN] = line.ticks[MIN] < folded.ticks[MIN] ? line.ticks[MIN] : folded.ticks[MIN];
    line.ticks[MAX] = line.ticks[MAX] > folded.ticks[MAX] ? line.ticks[MAX] : folded.ticks[MAX];
    line.calls += folded.calls;
    line.coarse = 1;
    return line;
}

static struct dp_cell cell(const struct dp_job *job, const struct line *line, int figure)
{
    struct dp_cell shown = {line->ticks[figure] / (double)job->prof->hz,
                            dp_clock_digits(job->prof->hz), line->ticks[figure] < 0.5,
                            line->coarse && figure >= MEDIAN && figure <= P99};

    if (figure == MEAN)
        shown.digits = dp_average_digits(job->prof->hz);
    return shown;
}

struct widths {
    int calls;
    int figure[NFIGURES];
};

static struct widths measure(const struct dp_job *job, const struct dp_rows *rows,
                             const struct folded *all)
{
    struct widths widths = {6, {8, 8, 8, 8, 8, 8}};

    for (uint32_t i = 0; i < rows->n; i++) {
        struct line line = line_of(job, all, rows->subs[i]);

        if (dp_count_width(line.calls) > widths.calls)
            widths.calls = dp_count_width(line.calls);
        for (int f = 0; f < NFIGURES; f++) {
            struct dp_cell shown = cell(job, &line, f);

            if (dp_cell_width(&shown) > widths.figure[f])
                widths.figure[f] = dp_cell_width(&shown);
        }
    }
    return widths;
}

static void put_head(const struct dp_job *job, const struct widths *widths)
{
    dp_puts(job->out, "Elapsed seconds of single calls, with all that they called\n");
    dp_colour_head(job);
    dp_putf(job->out, "%*s", widths->calls, "#Calls");
    for (int f = 0; f < NFIGURES; f++)
        dp_putf(job->out, " %*s", widths->figure[f], heads[f]);
    dp_puts(job->out, "  Name");
    dp_colour_end(job);
    dp_putc(job->out, '\n');
}

static void put_line(const struct dp_job *job, const struct widths *widths, const struct line *line,
                     uint32_t sub)
{
    size_t n, used = (size_t)widths->calls + 2;
    const char *name = dp_sub_name(job->prof, sub, &n);

    dp_put_count(job->out, line->calls, widths->calls);
    for (int f = 0; f < NFIGURES; f++) {
        struct dp_cell shown = cell(job, line, f);

        dp_putc(job->out, ' ');
        dp_put_cell(job->out, &shown, widths->figure[f]);
        used += (size_t)widths->figure[f] + 1;
    }
    dp_puts(job->out, "  ");
    dp_put_fitted(job->out, name, n,
                  !job->view->width              ? 0
                  : job->view->width > used + 20 ? job->view->width - used
                                                 : 20);
    dp_putc(job->out, '\n');
}

static int write_stats(const struct dp_job *job, struct dp_err *err)
{
    struct dp_rows rows = dp_rows_new(job, 0);
    struct folded all = {hists_of_subs(job->prof), inclusive_times(job)};
    struct widths widths = measure(job, &rows, &all);

    (void)err;
    if (job->view->header)
        put_head(job, &widths);
    for (uint32_t i = 0; i < rows.n; i++) {
        struct line line = line_of(job, &all, rows.subs[i]);

        if (line.calls)
            put_line(job, &widths, &line, rows.subs[i]);
    }
    dp_free(all.hists);
    dp_free(all.times);
    dp_rows_free(&rows);
    return 0;
}

const struct dp_writer dp_write_stats = {
    .name = "stats",
    .about = "how long single calls took: least, mean, percentiles, most",
    .ending = "",
    .needs = DP_NEEDS_DURATIONS | DP_KNOWS_HIDE,
    .write = write_stats,
};
