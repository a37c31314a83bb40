/* What the page shows where scripts do not run: a mail program, a previewer. */
#include <inttypes.h>

#include "base/escape.h"
#include "write/cells.h"
#include "write/page.h"
#include "write/rows.h"

enum { PLAIN_ROWS = 30 };

static void put_seconds(const struct dp_job *job, int64_t ticks)
{
    dp_put_number(job->out, (double)ticks / (double)job->prof->hz, dp_time_digits(job->prof->hz),
                  0);
}

static void put_head(const struct dp_job *job)
{
    const struct dp_time *total = &job->sums->total;
    size_t n;
    const char *cmd = dp_string(job->prof, job->prof->run.cmd, &n);

    dp_puts(job->out, "<h1>");
    if (n)
        dp_put_html(job->out, cmd, n > 300 ? 300 : n);
    else
        dp_puts(job->out, "Profile");
    dp_puts(job->out, "</h1>\n<p>Scripts do not run here, so this is the short form. ");
    if (!job->prof->counts) {
        put_seconds(job, total->real);
        dp_puts(job->out, " seconds went by, ");
        put_seconds(job, total->user + total->sys);
        dp_puts(job->out, " of them with work of the processor.");
    }
    dp_puts(job->out, "</p>\n");
}

static void put_row(const struct dp_job *job, uint32_t sub)
{
    const struct dp_sum *sum = &job->sums->subs[sub];
    size_t n;
    const char *name = dp_sub_name(job->prof, sub, &n);

    dp_puts(job->out, "<tr><td>");
    dp_put_html(job->out, name, n > 300 ? 300 : n);
    dp_putf(job->out, "</td><td>%" PRIu64 "</td>", sum->calls);
    if (job->prof->statements) {
        dp_putf(job->out, "<td>%" PRId64 "</td><td>%" PRId64 "</td>", sum->self.user,
                sum->incl.user);
    } else if (!job->prof->counts) {
        dp_puts(job->out, "<td>");
        put_seconds(job, dp_clock_of(&sum->self, job->view->clock));
        dp_puts(job->out, "</td><td>");
        put_seconds(
            job, dp_clock_of(sub < job->sums->nsubs ? &sum->incl : &sum->self, job->view->clock));
        dp_puts(job->out, "</td>");
    }
    dp_puts(job->out, "</tr>\n");
}

void dp_html_put_plain(const struct dp_job *job)
{
    struct dp_rows rows = dp_rows_new(job, 0);

    put_head(job);
    dp_puts(job->out, "<table><tr><th>Sub</th><th>Calls</th>");
    if (job->prof->statements)
        dp_puts(job->out, "<th>Own statements</th><th>With what it called</th>");
    else if (!job->prof->counts)
        dp_puts(job->out, "<th>Own seconds</th><th>With what it called</th>");
    dp_puts(job->out, "</tr>\n");
    for (uint32_t i = 0; i < rows.n && i < PLAIN_ROWS; i++)
        put_row(job, rows.subs[i]);
    dp_puts(job->out, "</table>\n");
    if (rows.n > PLAIN_ROWS)
        dp_putf(job->out, "<p>%" PRIu32 " more subs.</p>\n", rows.n - PLAIN_ROWS);
    dp_rows_free(&rows);
}
