/*
 * speedscope: for each process or thread what happened when, in elapsed time, and its call paths
 * once for each measure. Everything is written as events that open and close: their number is that
 * of the paths, where stacks would repeat each path for each of its ends.
 */
#include "write/writers.h"

#include <inttypes.h>
#include <string.h>

#include "base/mem.h"
#include "write/frames.h"
#include "write/json.h"
#include "write/measures.h"
#include "write/parts.h"

struct speedscope {
    const struct dp_job *job;
    struct dp_out *out;
    struct dp_parts_list parts;
    struct dp_frames frames;
    const char *before; /* the next profile: a comma or nothing */
    const char *comma;  /* likewise the next event */
};

/* --- a profile ----------------------------------------------------------------------------------
 */

static void put_label(const struct speedscope *to, uint32_t part, const char *what)
{
    const struct dp_profile *prof = to->parts.all[part].prof;

    dp_putc(to->out, '"');
    if (to->parts.n > 1)
        dp_putf(to->out, "process %" PRIu64, dp_part_pid(&to->parts, part));
    if (to->parts.n > 1 && prof->run.tid != DP_NONE)
        dp_putf(to->out, " thread %" PRIu64, dp_part_tid(&to->parts, part));
    dp_putf(to->out, "%s%s\"", to->parts.n > 1 ? ": " : "", what);
}

static void begin(struct speedscope *to, uint32_t part, const char *what, const char *unit,
                  int64_t end)
{
    dp_puts(to->out, to->before);
    dp_puts(to->out, "{\"type\":\"evented\",\"name\":");
    put_label(to, part, what);
    dp_putf(to->out, ",\"unit\":\"%s\",\"startValue\":0,\"endValue\":%" PRId64 ",\"events\":[",
            unit, end);
    to->before = ",\n";
    to->comma = "";
}

static void put_event(struct speedscope *to, char type, uint32_t frame, int64_t at)
{
    dp_putf(to->out, "%s{\"type\":\"%c\",\"frame\":%" PRIu32 ",\"at\":%" PRId64 "}", to->comma,
            type, frame, at);
    to->comma = ",\n";
}

static void end(const struct speedscope *to)
{
    dp_puts(to->out, "]}");
}

/* --- call paths ---------------------------------------------------------------------------------
 */

static int64_t plus(int64_t a, int64_t b)
{
    return a > INT64_MAX - b ? INT64_MAX : a + b;
}

/* Per node, with all below it. */
static int64_t *amounts_of(const struct dp_profile *prof, const struct dp_measure *measure)
{
    int64_t *amounts = dp_alloc_array(prof->nnodes, sizeof *amounts);

    for (uint32_t i = 0; i < prof->nnodes; i++)
        amounts[i] = dp_measure_node(prof, measure, i);
    for (uint32_t i = prof->nnodes; i-- > 1;) {
        int64_t *above = &amounts[prof->nodes[i].parent];

        *above = plus(*above, amounts[i]);
    }
    return amounts;
}

/* A node begins where its elder brother ended; its own time comes after what it called. */
static void put_paths(struct speedscope *to, const struct dp_profile *prof,
                      const uint32_t *frame_of, const int64_t *amounts)
{
    int64_t *at =
        dp_alloc_array(prof->nnodes, sizeof *at); /* per node: where its next child begins */
    uint32_t node = 0;

    for (;;) {
        uint32_t next = prof->nodes[node].first_child, up;

        for (;;) {
            while (next != DP_NONE && amounts[next] == 0)
                next = prof->nodes[next].next;
            if (next != DP_NONE || node == 0)
                break;
            up = prof->nodes[node].parent;
            at[up] = plus(at[up], amounts[node]);
            put_event(to, 'C', frame_of[prof->nodes[node].sub], at[up]);
            next = prof->nodes[node].next;
            node = up;
        }
        if (next == DP_NONE)
            break;
        node = next;
        at[node] = at[prof->nodes[node].parent];
        put_event(to, 'O', frame_of[prof->nodes[node].sub], at[node]);
    }
    if (amounts[0] > at[0]) {
        put_event(to, 'O', frame_of[prof->nsubs], at[0]);
        put_event(to, 'C', frame_of[prof->nsubs], amounts[0]);
    }
    dp_free(at);
}

static void put_measure(struct speedscope *to, uint32_t part, const struct dp_measure *measure,
                        const uint32_t *frame_of)
{
    const struct dp_profile *prof = to->parts.all[part].prof;
    int64_t *amounts = amounts_of(prof, measure);

    if (amounts[0]) {
        begin(to, part, measure->name, strcmp(measure->unit, "count") == 0 ? "none" : measure->unit,
              amounts[0]);
        put_paths(to, prof, frame_of, amounts);
        end(to);
    }
    dp_free(amounts);
}

/* --- time order ---------------------------------------------------------------------------------
 */

static uint32_t frame_of_span(struct speedscope *to, uint32_t part, const struct dp_span *span)
{
    size_t n;
    const char *name = dp_part_name(&to->parts, to->job, part, span, &n);

    return dp_frame_named(&to->frames, name, n);
}

static void close_span(struct speedscope *to, uint32_t part, const struct dp_span *span)
{
    put_event(to, 'C', frame_of_span(to, part, span), dp_part_when(&to->parts, part, span->end));
}

static void put_order(struct speedscope *to, uint32_t part)
{
    const struct dp_track *track = to->parts.tracks[part];
    const struct dp_span **open;
    uint32_t nopen = 0, deepest = 0;
    int64_t last = to->parts.all[part].prof->last.real;

    for (uint32_t i = 0; i < track->n; i++) {
        if (track->spans[i].depth > deepest)
            deepest = track->spans[i].depth;
        if (track->spans[i].end > last)
            last = track->spans[i].end;
    }
    open = dp_alloc_array((size_t)deepest + 1, sizeof *open);
    begin(to, part,
          track->left_out ? "time order, elapsed (the shortest calls left out)"
                          : "time order, elapsed",
          "nanoseconds", dp_part_when(&to->parts, part, last));
    for (uint32_t i = 0; i < track->n; i++) {
        const struct dp_span *span = &track->spans[i];

        while (nopen > span->depth)
            close_span(to, part, open[--nopen]);
        put_event(to, 'O', frame_of_span(to, part, span),
                  dp_part_when(&to->parts, part, span->start));
        open[nopen++] = span;
    }
    while (nopen)
        close_span(to, part, open[--nopen]);
    end(to);
    dp_free((void *)open);
}

/* --- all ----------------------------------------------------------------------------------------
 */

static void put_part(struct speedscope *to, uint32_t part)
{
    const struct dp_profile *prof = to->parts.all[part].prof;
    const struct dp_measure *first = dp_main_measure(to->job), *all;
    uint32_t *frame_of = dp_frames_of(&to->frames, prof);
    unsigned n;

    if (!to->parts.tracks[part]->made && !prof->counts)
        put_order(to, part);
    put_measure(to, part, first, frame_of);
    all = dp_measures(prof, &n);
    for (unsigned i = 0; i < n; i++)
        if (all[i].what != first->what)
            put_measure(to, part, &all[i], frame_of);
    dp_free(frame_of);
}

static void put_frames(const struct speedscope *to)
{
    for (uint32_t i = 0; i < to->frames.n; i++) {
        size_t n;
        const char *text = dp_frame_name(&to->frames, i, &n);

        dp_puts(to->out, i ? ",\n{\"name\":" : "\n{\"name\":");
        dp_put_json_text(to->out, text, n);
        text = dp_frame_file(&to->frames, i, &n);
        if (text) {
            dp_puts(to->out, ",\"file\":");
            dp_put_json_text(to->out, text, n);
        }
        if (to->frames.info[i].line)
            dp_putf(to->out, ",\"line\":%" PRIu32, to->frames.info[i].line);
        dp_putc(to->out, '}');
    }
}

static int write_speedscope(const struct dp_job *job, struct dp_err *err)
{
    struct speedscope to;
    size_t n;
    const char *cmd = dp_string(job->prof, job->prof->run.cmd, &n);

    (void)err;
    memset(&to, 0, sizeof to);
    to.job = job;
    to.out = job->out;
    to.before = "\n";
    dp_parts_init(&to.parts, job);
    dp_parts_tracks(&to.parts, job);
    dp_puts(to.out, "{\"$schema\":\"https://www.speedscope.app/file-format-schema.json\",\n"
                    "\"exporter\":\"dprofpp (Devel::DProf)\",\"name\":");
    dp_put_json_text(to.out, cmd, n);
    dp_puts(to.out, ",\"activeProfileIndex\":0,\n\"profiles\":[");
    for (uint32_t i = 0; i < to.parts.n; i++)
        put_part(&to, i);
    dp_puts(to.out, "],\n\"shared\":{\"frames\":[");
    put_frames(&to);
    dp_puts(to.out, "]}}\n");
    dp_frames_free(&to.frames);
    dp_parts_free(&to.parts);
    return 0;
}

const struct dp_writer dp_write_speedscope = {
    .name = "speedscope",
    .about = "time order and call paths with every measure: speedscope.app",
    .ending = ".speedscope.json",
    .writes = DP_WRITES_FORMAT,
    .needs = DP_NEEDS_TIMELINE | DP_NEEDS_APART,
    .write = write_speedscope,
};
