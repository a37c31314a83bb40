/*
 * csv: the table of subs for spreadsheets, a column for each clock, times in seconds.
 */
#include "write/writers.h"

#include <string.h>

#include "base/escape.h"
#include "write/cells.h"
#include "write/rows.h"

/* Always quoted. A spreadsheet takes what begins with one of these signs for a formula and runs it:
   an apostrophe in front makes it text. */
static void put_text(struct dp_out *out, const char *bytes, size_t n)
{
    const char *quote;

    dp_putc(out, '"');
    if (n && strchr("=+-@", *bytes) && *bytes)
        dp_putc(out, '\'');
    while ((quote = n ? memchr(bytes, '"', n) : NULL)) {
        size_t upto = (size_t)(quote - bytes);

        dp_put_name(out, bytes, upto);
        dp_puts(out, "\"\"");
        bytes += upto + 1;
        n -= upto + 1;
    }
    dp_put_name(out, bytes, n);
    dp_putc(out, '"');
}

static void put_times(const struct dp_job *job, const struct dp_time *time)
{
    const int64_t ticks[] = {time->user + time->sys, time->user, time->sys, time->real};

    for (size_t i = 0; i < sizeof ticks / sizeof *ticks; i++) {
        dp_putc(job->out, ',');
        dp_put_number(job->out, (double)ticks[i] / (double)job->prof->hz,
                      dp_time_digits(job->prof->hz), 0);
    }
}

static void put_amounts(const struct dp_job *job, uint32_t sub)
{
    const struct dp_sum *sum = &job->sums->subs[sub];

    if (job->prof->statements) {
        dp_putc(job->out, ',');
        dp_put_u64(job->out, (uint64_t)sum->self.user);
        dp_putc(job->out, ',');
        dp_put_u64(job->out, (uint64_t)sum->incl.user);
    } else if (!job->prof->counts) {
        int outside = sub == job->prof->nsubs;

        put_times(job, &sum->self);
        put_times(job, outside ? &sum->self : &sum->incl);
        put_times(job, &sum->self_unsure);
        put_times(job, outside ? &sum->self_unsure : &sum->incl_unsure);
    }
}

static void put_row(const struct dp_job *job, uint32_t sub)
{
    const struct dp_profile *prof = job->prof;
    struct dp_out *out = job->out;
    const char *text;
    size_t n;

    text = dp_sub_name(prof, sub, &n);
    put_text(out, text, n);
    dp_putc(out, ',');
    if (sub < prof->nsubs) {
        if (prof->subs[sub].file != DP_NONE) {
            text = dp_string(prof, prof->subs[sub].file, &n);
            put_text(out, text, n);
        }
        dp_putc(out, ',');
        if (prof->subs[sub].line)
            dp_put_u64(out, prof->subs[sub].line);
        dp_putf(out, ",%s,", dp_kind_names[prof->subs[sub].kind]);
        if (job->sums->subs[sub].calls || !prof->uncounted)
            dp_put_u64(out, job->sums->subs[sub].calls);
    } else {
        dp_puts(out, ",,outside,");
    }
    put_amounts(job, sub);
    dp_putc(out, '\n');
}

static void put_heads(const struct dp_job *job)
{
    static const char *const groups[] = {"exclusive", "inclusive", "exclusive_unsure",
                                         "inclusive_unsure"};

    dp_puts(job->out, "name,file,line,kind,calls");
    if (job->prof->statements)
        dp_puts(job->out, ",own_statements,cumulative_statements");
    for (size_t i = 0; i < sizeof groups / sizeof *groups && !job->prof->counts; i++)
        for (int clock = 0; clock < DP_NCLOCKS; clock++)
            dp_putf(job->out, ",%s_%s", groups[i], dp_clock_names[clock]);
    dp_putc(job->out, '\n');
}

static int write_csv(const struct dp_job *job, struct dp_err *err)
{
    struct dp_rows rows = dp_rows_new(job, !job->view->within && !job->prof->counts);

    (void)err;
    put_heads(job);
    for (uint32_t i = 0; i < rows.n; i++)
        put_row(job, rows.subs[i]);
    dp_rows_free(&rows);
    return 0;
}

const struct dp_writer dp_write_csv = {
    .name = "csv",
    .about = "the table of subs with every clock in seconds: spreadsheets, databases",
    .ending = ".csv",
    .writes = DP_WRITES_FORMAT,
    .needs = DP_KNOWS_HIDE,
    .write = write_csv,
};
