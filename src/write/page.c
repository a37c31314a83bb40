/*
 * --to html: one file that explains a profile and needs nothing else. Its policy allows the one
 * script and the one style sheet that it holds, by their hashes, and no connection to anywhere.
 */
#include "write/page.h"

#include <inttypes.h>
#include <string.h>

#include "base/escape.h"
#include "base/mem.h"
#include "model/notes.h"
#include "model/time.h"
#include "write/assets.h"
#include "write/cells.h"
#include "write/json.h"
#include "write/lane.h"
#include "write/writers.h"

/* --- JSON ------------------------------------------------------------------------------------- */

/* In JSON a < can only be within a text, where it may as well be written as its code. */
static int without_tags(void *ctx, const char *bytes, size_t n)
{
    struct dp_out *out = ctx;
    size_t from = 0;

    for (size_t i = 0; i < n; i++)
        if (bytes[i] == '<') {
            dp_put(out, bytes + from, i - from);
            dp_puts(out, "\\u003c");
            from = i + 1;
        }
    dp_put(out, bytes + from, n - from);
    return 0;
}

static void put_signed(struct dp_out *out, int64_t number)
{
    if (number < 0)
        dp_putc(out, '-');
    dp_put_u64(out, number < 0 ? 0 - (uint64_t)number : (uint64_t)number);
}

void dp_html_column(struct dp_html *page, const char *key, dp_html_number *number,
                    const void *things, uint32_t n)
{
    dp_putf(page->out, ",\"%s\":[", key);
    for (uint32_t i = 0; i < n; i++) {
        if (i)
            dp_putc(page->out, ',');
        put_signed(page->out, number(page, things, i));
    }
    dp_puts(page->out, "]\n");
}

void dp_html_text(struct dp_html *page, const char *key, const char *bytes, size_t n)
{
    dp_putf(page->out, ",\"%s\":", key);
    dp_put_json_text(page->out, bytes, n);
}

void dp_html_string(struct dp_html *page, const char *key, uint32_t string)
{
    size_t n;
    const char *bytes = dp_string(page->job->prof, string, &n);

    if (string == DP_NONE)
        dp_putf(page->out, ",\"%s\":null", key);
    else
        dp_html_text(page, key, bytes, n);
}

static void put_time(struct dp_html *page, const char *key, const struct dp_time *time)
{
    dp_putf(page->out, ",\"%s\":[%" PRId64 ",%" PRId64 ",%" PRId64 "]", key, time->user, time->sys,
            time->real);
}

static void put_run(struct dp_html *page)
{
    const struct dp_profile *prof = page->job->prof;
    const struct dp_run *run = &prof->run;

    dp_putf(page->out, ",\"ended\":%d,\"lost\":%d,\"hz\":%" PRIu64 ",\"marks\":%" PRIu64,
            prof->ended, prof->lost, prof->hz, prof->marks);
    dp_html_string(page, "pid", run->pid);
    dp_html_string(page, "started", run->started);
    dp_html_string(page, "cmd", run->cmd);
    if (page->job->view->title)
        dp_html_text(page, "title", page->job->view->title, strlen(page->job->view->title));
    dp_html_string(page, "perl", run->perl);
    dp_html_string(page, "host", run->host);
    dp_html_string(page, "version", run->version);
    put_time(page, "total", &page->job->sums->total);
    put_time(page, "overhead", prof->cleaned ? &prof->taken : &page->job->sums->over);
    dp_putf(page->out, ",\"cleaned\":%d,\"clock\":\"%s\",\"within\":%d,\"processes\":%" PRIu32 "\n",
            prof->cleaned, dp_clock_names[page->job->view->clock], page->job->view->within,
            page->job->lane ? page->job->lane->ntracks : 1);
}

static void put_comparison(struct dp_html *page)
{
    const struct dp_comparison *comparison = page->cut.comparison;
    struct dp_time total = {0, 0, 0};

    if (!comparison)
        return;
    for (uint32_t run = 0; run < comparison->runs[DP_BASE]; run++)
        dp_add_time(&total, &comparison->total[DP_BASE][run]);
    dp_putf(page->out, ",\"runs\":%" PRIu32 ",\"baseRuns\":%" PRIu32, comparison->runs[DP_NOW],
            comparison->runs[DP_BASE]);
    put_time(page, "baseTotal", &total);
}

static void put_notes(struct dp_html *page)
{
    const struct dp_profile *prof = page->job->prof;

    dp_puts(page->out, ",\"notes\":[");
    for (uint32_t i = 0; i < prof->nnotes; i++) {
        const struct dp_note *note = &prof->notes[i];

        dp_putf(page->out, "%s{\"count\":%" PRIu64 ",\"line\":%" PRIu64 ",\"loss\":%d",
                i ? "," : "", note->count, note->line, note->code >= DP_NOTE_LOSS);
        dp_html_text(page, "text", note->text, strlen(note->text));
        dp_putc(page->out, '}');
    }
    dp_puts(page->out, "]\n");
}

static const char *kind_of(const struct dp_profile *prof)
{
    if (prof->statements)
        return "statements";
    return prof->counts ? "counts" : "times";
}

static void put_data(const struct dp_job *job)
{
    struct dp_out *out = dp_alloc(sizeof *out);
    struct dp_html page;

    memset(&page, 0, sizeof page);
    dp_out_init(out, without_tags, job->out);
    page.job = job;
    page.out = out;
    page.cut = dp_cut_new(job, DP_HTML_PATHS, DP_HTML_LEVELS);
    if (job->lane)
        dp_lane_fit(job->lane, DP_HTML_BOXES);
    dp_putf(out, "{\"kind\":\"%s\"", kind_of(job->prof));
    put_run(&page);
    put_comparison(&page);
    put_notes(&page);
    dp_html_put_subs(&page);
    dp_html_put_edges(&page);
    if (!job->prof->counts)
        dp_html_put_paths(&page);
    dp_html_put_lane(&page);
    dp_html_put_sources(&page);
    dp_html_put_listings(&page);
    dp_puts(out, "}\n");
    dp_flush(out);
    dp_cut_free(&page.cut);
    dp_free(page.subs);
    dp_free(page.row);
    dp_free(page.listed);
    dp_free(out);
}

/* --- HTML ------------------------------------------------------------------------------------- */

/* U+FFFE and U+FFFF are no characters of XML; the rest of what dp_put_name() leaves is. */
void dp_put_html(struct dp_out *out, const char *bytes, size_t n)
{
    size_t from = 0;

    for (size_t i = 0; i < n; i++) {
        const char *as = bytes[i] == '<'   ? "&lt;"
                         : bytes[i] == '>' ? "&gt;"
                         : bytes[i] == '&' ? "&amp;"
                         : bytes[i] == '"' ? "&quot;"
                                           : NULL;

        if (!as)
            continue;
        dp_put_name(out, bytes + from, i - from);
        dp_puts(out, as);
        from = i + 1;
    }
    dp_put_name(out, bytes + from, n - from);
}

static void put_title(const struct dp_job *job)
{
    size_t n;
    const char *cmd = dp_string(job->prof, job->prof->run.cmd, &n);

    if (!n && job->view->title) {
        cmd = job->view->title;
        n = strlen(cmd);
    }
    dp_puts(job->out, "<title>");
    dp_put_html(job->out, cmd, n > 200 ? 200 : n);
    dp_puts(job->out, n ? " - profile</title>\n" : "Profile</title>\n");
}

static int write_html(const struct dp_job *job, struct dp_err *err)
{
    struct dp_out *out = job->out;

    (void)err;
    dp_puts(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                 "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
                 "base-uri 'none'; form-action 'none'; script-src 'sha256-");
    dp_puts(out, dp_page_js.sha256);
    dp_puts(out, "'; style-src 'sha256-");
    dp_puts(out, dp_page_css.sha256);
    dp_puts(out, "'\">\n"
                 "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                 "<meta name=\"color-scheme\" content=\"light dark\">\n"
                 "<meta name=\"referrer\" content=\"no-referrer\">\n"
                 "<meta name=\"generator\" content=\"dprofpp\">\n");
    put_title(job);
    dp_puts(out, "<style>");
    dp_put(out, dp_page_css.bytes, dp_page_css.n);
    dp_puts(out, "</style>\n</head>\n<body>\n<noscript>\n");
    dp_html_put_plain(job);
    dp_puts(out, "</noscript>\n<script type=\"application/json\" id=\"data\">\n");
    put_data(job);
    dp_puts(out, "</script>\n<script>");
    dp_put(out, dp_page_js.bytes, dp_page_js.n);
    dp_puts(out, "</script>\n</body>\n</html>\n");
    return 0;
}

const struct dp_writer dp_write_html = {
    .name = "html",
    .about = "a page that explains the profile: flame graphs, subs, source; one file",
    .ending = ".html",
    .writes = DP_WRITES_FORMAT,
    .needs = DP_NEEDS_LANE | DP_NEEDS_SOURCE | DP_KNOWS_BASE | DP_KNOWS_HIDE,
    .write = write_html,
};
