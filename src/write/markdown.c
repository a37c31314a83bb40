/*
 * markdown: the table of subs for a pull request or a chat. A name stands between backticks, where
 * nothing of it means anything but a backtick and, in a table, a bar.
 */
#include "write/writers.h"

#include <string.h>

#include "base/escape.h"
#include "write/cells.h"
#include "write/measures.h"
#include "write/rows.h"

static size_t longest_run(const char *bytes, size_t n, char of)
{
    size_t longest = 0, run = 0;

    for (size_t i = 0; i < n; i++) {
        run = bytes[i] == of ? run + 1 : 0;
        if (run > longest)
            longest = run;
    }
    return longest;
}

static void put_code(struct dp_out *out, const char *bytes, size_t n)
{
    size_t fence = longest_run(bytes, n, '`') + 1;
    int apart = n && (*bytes == '`' || bytes[n - 1] == '`' || *bytes == ' ');
    const char *bar;

    dp_pad(out, '`', fence);
    dp_pad(out, ' ', (size_t)apart);
    while ((bar = n ? memchr(bytes, '|', n) : NULL)) {
        size_t upto = (size_t)(bar - bytes);

        dp_put_name(out, bytes, upto);
        dp_puts(out, "\\|");
        bytes += upto + 1;
        n -= upto + 1;
    }
    dp_put_name(out, bytes, n);
    dp_pad(out, ' ', (size_t)apart);
    dp_pad(out, '`', fence);
}

static void put_name_cell(const struct dp_job *job, uint32_t sub)
{
    size_t n;
    const char *name = dp_sub_name(job->prof, sub, &n);

    dp_puts(job->out, " | ");
    if (sub < job->prof->nsubs)
        put_code(job->out, name, n);
    else
        dp_puts(job->out, name);
    dp_puts(job->out, " |\n");
}

static void put_times_row(const struct dp_job *job, uint32_t sub, double whole)
{
    const struct dp_sum *sum = &job->sums->subs[sub];
    int outside = sub == job->prof->nsubs;
    const struct dp_time *incl = outside ? &sum->self : &sum->incl;
    struct dp_cell own = dp_time_cell(job, &sum->self, &sum->self_unsure);
    struct dp_cell all = dp_time_cell(job, incl, outside ? &sum->self_unsure : &sum->incl_unsure);
    double part = (double)dp_clock_of(job->view->inclusive ? incl : &sum->self, job->view->clock);

    dp_puts(job->out, "| ");
    dp_put_percent(job->out, part, whole, 0);
    dp_puts(job->out, " | ");
    dp_put_cell(job->out, &own, 0);
    dp_puts(job->out, " | ");
    dp_put_cell(job->out, &all, 0);
    dp_puts(job->out, " | ");
    if (!outside && sum->calls)
        dp_put_u64(job->out, sum->calls);
    put_name_cell(job, sub);
}

static void put_counts_row(const struct dp_job *job, uint32_t sub)
{
    const struct dp_sum *sum = &job->sums->subs[sub];

    dp_puts(job->out, "| ");
    dp_put_u64(job->out, sum->calls);
    if (job->prof->statements) {
        dp_puts(job->out, " | ");
        dp_put_u64(job->out, (uint64_t)sum->self.user);
        dp_puts(job->out, sum->guessed ? " | ~" : " | ");
        dp_put_u64(job->out, (uint64_t)sum->incl.user);
    }
    put_name_cell(job, sub);
}

static void put_heads(const struct dp_job *job)
{
    if (job->prof->statements)
        dp_puts(job->out, "| Calls | Statements | with callees | Name |\n|---:|---:|---:|:---|\n");
    else if (job->prof->counts)
        dp_puts(job->out, "| Calls | Name |\n|---:|:---|\n");
    else
        dp_putf(job->out, "| %%Time | Exclusive s | Inclusive s | Calls | Name |\n"
                          "|---:|---:|---:|---:|:---|\n");
}

static int write_markdown(const struct dp_job *job, struct dp_err *err)
{
    struct dp_rows rows = dp_rows_new(job, !job->view->within && !job->prof->counts);
    double whole = (double)dp_clock_of(&job->sums->total, job->view->clock);

    (void)err;
    if (!job->prof->counts && job->view->header) {
        dp_putf(job->out, "%s time: ", dp_clock_labels[job->view->clock]);
        dp_put_number(job->out, whole / (double)job->prof->hz, dp_time_digits(job->prof->hz), 0);
        dp_puts(job->out, " s\n\n");
    }
    put_heads(job);
    for (uint32_t i = 0; i < rows.n; i++) {
        if (job->prof->counts)
            put_counts_row(job, rows.subs[i]);
        else
            put_times_row(job, rows.subs[i], whole);
    }
    dp_rows_free(&rows);
    return 0;
}

const struct dp_writer dp_write_markdown = {
    .name = "markdown",
    .about = "the table of subs for a pull request, a wiki or a chat",
    .ending = ".md",
    .writes = DP_WRITES_FORMAT,
    .needs = DP_KNOWS_HIDE,
    .write = write_markdown,
};
