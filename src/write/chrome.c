/*
 * chrome: trace events, what happened when: Perfetto, chrome://tracing, speedscope, Firefox. A
 * complete event ("X") for each call, in microseconds, a process and a thread for each profile.
 */
#include "write/writers.h"

#include <inttypes.h>

#include "write/json.h"
#include "write/parts.h"

struct chrome {
    const struct dp_job *job;
    struct dp_out *out;
    struct dp_parts_list parts;
};

/* Nanoseconds as microseconds. */
static void put_micro(struct dp_out *out, int64_t nanoseconds)
{
    dp_putf(out, "%" PRId64 ".%03d", nanoseconds / 1000, (int)(nanoseconds % 1000));
}

static void put_ids(const struct chrome *to, uint32_t part)
{
    dp_putf(to->out, "\"pid\":%" PRIu64 ",\"tid\":%" PRIu64, dp_part_pid(&to->parts, part),
            dp_part_tid(&to->parts, part));
}

static void put_names(const struct chrome *to, uint32_t part)
{
    const struct dp_profile *prof = to->parts.all[part].prof;
    size_t n;
    const char *cmd = dp_string(prof, prof->run.cmd, &n);

    dp_puts(to->out, part ? ",\n{\"ph\":\"M\"," : "{\"ph\":\"M\",");
    put_ids(to, part);
    dp_puts(to->out, ",\"name\":\"process_name\",\"args\":{\"name\":");
    if (prof->run.cmd == DP_NONE)
        dp_puts(to->out, "\"perl\"");
    else
        dp_put_json_text(to->out, cmd, n);
    dp_puts(to->out, "}}");
}

static void put_call(const struct chrome *to, uint32_t part, const struct dp_span *span)
{
    int64_t start = dp_part_when(&to->parts, part, span->start);
    size_t n;
    const char *name = dp_part_name(&to->parts, to->job, part, span, &n);

    dp_puts(to->out, ",\n{\"ph\":\"X\",");
    put_ids(to, part);
    dp_puts(to->out, ",\"cat\":\"sub\",\"name\":");
    dp_put_json_text(to->out, name, n);
    dp_puts(to->out, ",\"ts\":");
    put_micro(to->out, start);
    dp_puts(to->out, ",\"dur\":");
    put_micro(to->out, dp_part_when(&to->parts, part, span->end) - start);
    dp_putc(to->out, '}');
}

/* Moments that the program marked. */
static void put_labels(const struct chrome *to, uint32_t part)
{
    const struct dp_profile *prof = to->parts.all[part].prof;

    for (uint32_t i = 0; i < prof->nlabels && !to->parts.tracks[part]->made; i++) {
        size_t n;
        const char *text = dp_string(prof, prof->labels[i].text, &n);

        dp_puts(to->out, ",\n{\"ph\":\"i\",\"s\":\"t\",");
        put_ids(to, part);
        dp_puts(to->out, ",\"cat\":\"mark\",\"name\":");
        dp_put_json_text(to->out, text, n);
        dp_puts(to->out, ",\"ts\":");
        put_micro(to->out, dp_part_when(&to->parts, part, prof->labels[i].at.real));
        dp_putc(to->out, '}');
    }
}

/* What the picture does not show, in words. */
static void put_remarks(const struct chrome *to)
{
    uint64_t left_out = 0;
    int made = 0;

    for (uint32_t i = 0; i < to->parts.n; i++) {
        left_out += to->parts.tracks[i]->left_out;
        made |= to->parts.tracks[i]->made;
    }
    dp_puts(to->out, "\"otherData\":{\"creator\":\"dprofpp (Devel::DProf)\"");
    if (left_out)
        dp_putf(to->out, ",\"left out\":\"%" PRIu64 " short calls; their time is their callers'\"",
                left_out);
    if (made)
        dp_puts(to->out, ",\"order\":\"not known: call paths stand side by side, each once, with "
                         "the time of all its calls\"");
    dp_puts(to->out, "},\n");
}

static int write_chrome(const struct dp_job *job, struct dp_err *err)
{
    struct chrome to;

    if (job->prof->counts)
        return dp_fail(err, "counts have no times: there is nothing to draw over time");
    to.job = job;
    to.out = job->out;
    dp_parts_init(&to.parts, job);
    dp_parts_tracks(&to.parts, job);
    dp_puts(to.out, "{\"displayTimeUnit\":\"ns\",\n");
    put_remarks(&to);
    dp_puts(to.out, "\"traceEvents\":[\n");
    for (uint32_t i = 0; i < to.parts.n; i++)
        put_names(&to, i);
    for (uint32_t i = 0; i < to.parts.n; i++) {
        for (uint32_t k = 0; k < to.parts.tracks[i]->n; k++)
            put_call(&to, i, &to.parts.tracks[i]->spans[k]);
        put_labels(&to, i);
    }
    dp_puts(to.out, "\n]}\n");
    dp_parts_free(&to.parts);
    return 0;
}

const struct dp_writer dp_write_chrome = {
    .name = "chrome",
    .about = "what happened when, as trace events: Perfetto, chrome://tracing",
    .ending = ".trace.json",
    .writes = DP_WRITES_FORMAT,
    .needs = DP_NEEDS_TIMELINE | DP_NEEDS_APART,
    .write = write_chrome,
};
