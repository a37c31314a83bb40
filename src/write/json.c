/*
 * --json: the table for programs. `schema` grows by one when anything that is here changes its
 * meaning or goes away; what is new may be added without. Times are seconds, overhead taken off as
 * the text reports do.
 */
#include "write/writers.h"

#include <inttypes.h>

#include "base/escape.h"
#include "model/notes.h"
#include "write/cells.h"
#include "write/json.h"
#include "write/rows.h"

enum { SCHEMA = 1 };

/* A string. What is not UTF-8 becomes \xHH in text, since JSON cannot say bytes. */
void dp_put_json_text(struct dp_out *out, const char *bytes, size_t n)
{
    const char *end = bytes + n;

    dp_putc(out, '"');
    while (bytes < end) {
        size_t length;
        int32_t code = dp_utf8(bytes, end, &length);

        if (code < 0)
            dp_putf(out, "\\\\x%02x", (unsigned)(unsigned char)*bytes);
        else if (code == '"' || code == '\\')
            dp_putf(out, "\\%c", (int)code);
        else if (!dp_is_printable(code) && code < 0x10000)
            dp_putf(out, "\\u%04x", (unsigned)code);
        else
            dp_put(out, bytes, length);
        bytes += length;
    }
    dp_putc(out, '"');
}

static void put_string(const struct dp_job *job, const char *key, uint32_t string)
{
    size_t n;
    const char *bytes = dp_string(job->prof, string, &n);

    dp_putf(job->out, "\"%s\":", key);
    if (string == DP_NONE)
        dp_puts(job->out, "null");
    else
        dp_put_json_text(job->out, bytes, n);
}

static void put_seconds(const struct dp_job *job, int64_t ticks)
{
    dp_put_number(job->out, (double)ticks / (double)job->prof->hz, dp_time_digits(job->prof->hz),
                  0);
}

static void put_time(const struct dp_job *job, const char *key, const struct dp_time *time)
{
    dp_putf(job->out, "\"%s\":{\"cpu\":", key);
    put_seconds(job, time->user + time->sys);
    dp_puts(job->out, ",\"user\":");
    put_seconds(job, time->user);
    dp_puts(job->out, ",\"system\":");
    put_seconds(job, time->sys);
    dp_puts(job->out, ",\"real\":");
    put_seconds(job, time->real);
    dp_putc(job->out, '}');
}

static void put_run(const struct dp_job *job)
{
    const struct dp_run *run = &job->prof->run;
    const struct {
        const char *key;
        uint32_t string;
    } words[] = {{"id", run->id},     {"pid", run->pid},        {"started", run->started},
                 {"cpu", run->cpu},   {"cmd", run->cmd},        {"perl", run->perl},
                 {"host", run->host}, {"version", run->version}};

    dp_puts(job->out, "\"run\":{");
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        put_string(job, words[i].key, words[i].string);
        dp_putc(job->out, ',');
    }
    dp_putf(job->out, "\"hz\":%" PRIu64 ",\"marks\":%" PRIu64 ",\"ended\":%s,\"lost\":%s},\n",
            job->prof->hz, job->prof->marks, job->prof->ended ? "true" : "false",
            job->prof->lost ? "true" : "false");
}

static void put_sub(const struct dp_job *job, uint32_t sub)
{
    const struct dp_sum *sum = &job->sums->subs[sub];
    int outside = sub == job->sums->nsubs;
    struct dp_out *out = job->out;

    if (outside) {
        dp_puts(out, "{\"name\":null,\"file\":null,\"line\":0,\"kind\":\"outside\"");
    } else {
        dp_putc(out, '{');
        put_string(job, "name", job->prof->subs[sub].name);
        dp_putc(out, ',');
        put_string(job, "file", job->prof->subs[sub].file);
        dp_putf(out, ",\"line\":%" PRIu32 ",\"kind\":\"%s\"", job->prof->subs[sub].line,
                dp_kind_names[job->prof->subs[sub].kind]);
    }
    if (sum->calls || outside || !job->prof->uncounted)
        dp_putf(out, ",\"calls\":%" PRIu64 ",", sum->calls);
    else
        dp_puts(out, ",\"calls\":null,");
    put_time(job, "exclusive", &sum->self);
    dp_putc(out, ',');
    put_time(job, "inclusive", outside ? &sum->self : &sum->incl);
    dp_putc(out, ',');
    put_time(job, "exclusive_unsure", &sum->self_unsure);
    dp_putc(out, ',');
    put_time(job, "inclusive_unsure", outside ? &sum->self_unsure : &sum->incl_unsure);
    dp_putc(out, '}');
}

static void put_notes(const struct dp_job *job)
{
    dp_puts(job->out, "\"notes\":[");
    for (uint32_t i = 0; i < job->prof->nnotes; i++) {
        const struct dp_note *note = &job->prof->notes[i];
        size_t n = 0;

        while (note->text[n])
            n++;
        dp_putf(job->out, "%s{\"code\":\"%s\",\"count\":%" PRIu64 ",\"line\":%" PRIu64 ",\"text\":",
                i ? "," : "", dp_note_names[note->code], note->count, note->line);
        dp_put_json_text(job->out, note->text, n);
        dp_putc(job->out, '}');
    }
    dp_puts(job->out, "],\n");
}

static int write_json(const struct dp_job *job, struct dp_err *err)
{
    struct dp_rows rows = dp_rows_new(job, !job->view->within);

    (void)err;
    dp_putf(job->out, "{\"format\":\"dprofpp\",\"schema\":%d,\n", SCHEMA);
    put_run(job);
    put_notes(job);
    if (job->prof->counts) {
        if (job->prof->statements)
            dp_put_json_statements(job);
        else
            dp_put_json_counts(job);
        dp_rows_free(&rows);
        return 0;
    }
    put_time(job, "total", &job->prof->total);
    dp_puts(job->out, ",\n");
    put_time(job, "overhead", job->prof->cleaned ? &job->prof->taken : &job->sums->over);
    dp_putf(job->out, ",\"overhead_taken_off\":%s,\n\"subs\":[\n",
            job->prof->cleaned ? "true" : "false");
    for (uint32_t i = 0; i < rows.n; i++) {
        put_sub(job, rows.subs[i]);
        dp_puts(job->out, i + 1 < rows.n ? ",\n" : "\n");
    }
    dp_puts(job->out, "]}\n");
    dp_rows_free(&rows);
    return 0;
}

const struct dp_writer dp_write_json = {
    .name = "json",
    .about = "the table of subs for programs (schema 1)",
    .ending = ".json",
    .writes = DP_WRITES_FORMAT,
    .needs = DP_KNOWS_HIDE,
    .write = write_json,
};
