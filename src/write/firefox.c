/*
 * firefox: a processed profile of profiler.firefox.com, in the layout of its version 47, which
 * later ones upgrade. A thread for each process or thread; a sample for each stretch of time in
 * which nothing was called and nothing returned, weighed with its elapsed milliseconds, so that own
 * times are exact. The format wants columns: what is a row elsewhere is an element of several
 * arrays.
 */
#include "write/writers.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/mem.h"
#include "write/cells.h"
#include "write/frames.h"
#include "write/json.h"
#include "write/parts.h"

/* A call path of a track. */
struct path {
    uint32_t frame;
    uint32_t prefix; /* DP_NONE: outermost */
};

struct sample {
    uint32_t path;
    int64_t start;
    int64_t length;
};

struct thread {
    struct path *paths;
    uint32_t npaths;
    struct dp_hash by_path;
    struct sample *samples;
    uint32_t nsamples;
    uint32_t sample_room;
};

struct firefox {
    const struct dp_job *job;
    struct dp_out *out;
    struct dp_parts_list parts;
    struct dp_frames frames; /* of all threads; each has the whole list */
    struct dp_strings strings;
    uint32_t *name_of; /* per frame: string */
    uint32_t *file_of; /* per frame: string, DP_NONE: not known */
};

/* --- paths and samples --------------------------------------------------------------------------
 */

struct wanted_path {
    const struct path *paths;
    struct path path;
};

static int same_path(const void *ctx, uint32_t at)
{
    const struct wanted_path *want = ctx;

    return want->paths[at].frame == want->path.frame && want->paths[at].prefix == want->path.prefix;
}

static uint32_t path_of(struct thread *thread, uint32_t frame, uint32_t prefix)
{
    const struct wanted_path want = {thread->paths, {frame, prefix}};
    uint64_t hash = dp_hash_pair(frame, prefix);
    uint32_t found = dp_hash_find(&thread->by_path, hash, same_path, &want);

    if (found != DP_HASH_FREE)
        return found;
    thread->paths = dp_more(thread->paths, thread->npaths, sizeof *thread->paths);
    thread->paths[thread->npaths] = want.path;
    dp_hash_add(&thread->by_path, hash, thread->npaths);
    return thread->npaths++;
}

static void add_sample(struct thread *thread, uint32_t path, int64_t start, int64_t end)
{
    if (end <= start)
        return;
    if (thread->nsamples == thread->sample_room) {
        thread->sample_room = thread->sample_room ? 2 * thread->sample_room : 1024;
        thread->samples = dp_grow(thread->samples, thread->sample_room * sizeof *thread->samples);
    }
    thread->samples[thread->nsamples++] = (struct sample){path, start, end - start};
}

/* An open call. */
struct open {
    uint32_t path;
    int64_t end;
};

static struct open *room_for(const struct dp_track *track)
{
    uint32_t deepest = 0;

    for (uint32_t i = 0; i < track->n; i++)
        if (track->spans[i].depth > deepest)
            deepest = track->spans[i].depth;
    return dp_alloc_array((size_t)deepest + 2, sizeof(struct open));
}

/* Time goes on from `now` to `until`; calls that end before are left. Level 0 is outside any sub.
 */
static int64_t pass(struct thread *thread, struct open *open, uint32_t *n, uint32_t keep,
                    int64_t now, int64_t until)
{
    while (*n > keep) {
        int64_t end = open[*n - 1].end;

        add_sample(thread, open[*n - 1].path, now, end);
        now = end > now ? end : now;
        (*n)--;
    }
    add_sample(thread, open[*n - 1].path, now, until);
    return until > now ? until : now;
}

static void sample_track(struct firefox *to, uint32_t part, struct thread *thread)
{
    const struct dp_track *track = to->parts.tracks[part];
    const struct dp_profile *prof = to->parts.all[part].prof;
    struct open *open = room_for(track);
    uint32_t n = 1;
    int64_t now = to->parts.begin[part], end;

    end = dp_part_when(&to->parts, part, track->made ? prof->total.real : prof->last.real);
    open[0].path =
        path_of(thread, dp_frame_named(&to->frames, DP_OUTSIDE, sizeof DP_OUTSIDE - 1), DP_NONE);
    for (uint32_t i = 0; i < track->n; i++) {
        const struct dp_span *span = &track->spans[i];
        size_t length;
        const char *name = dp_part_name(&to->parts, to->job, part, span, &length);
        uint32_t above = span->depth ? open[span->depth].path : DP_NONE;

        now = pass(thread, open, &n, span->depth + 1, now,
                   dp_part_when(&to->parts, part, span->start));
        open[n].path = path_of(thread, dp_frame_named(&to->frames, name, length), above);
        open[n++].end = dp_part_when(&to->parts, part, span->end);
    }
    pass(thread, open, &n, 1, now, end);
    dp_free(open);
}

/* --- columns ------------------------------------------------------------------------------------
 */

/* "name":[v,v,...] of one value n times. */
static void put_same(const struct firefox *to, const char *name, const char *value, uint32_t n)
{
    dp_putf(to->out, "\"%s\":[", name);
    for (uint32_t i = 0; i < n; i++) {
        if (i)
            dp_putc(to->out, ',');
        dp_puts(to->out, value);
    }
    dp_puts(to->out, "],");
}

static void put_index(const struct firefox *to, uint32_t i, uint32_t value)
{
    if (i)
        dp_putc(to->out, ',');
    if (value == DP_NONE)
        dp_puts(to->out, "null");
    else
        dp_put_u64(to->out, value);
}

static void put_milliseconds(struct dp_out *out, int64_t nanoseconds)
{
    dp_putf(out, "%" PRId64 ".%06d", nanoseconds / 1000000, (int)(nanoseconds % 1000000));
}

static void put_samples(const struct firefox *to, const struct thread *thread)
{
    dp_puts(to->out, "\"samples\":{\"stack\":[");
    for (uint32_t i = 0; i < thread->nsamples; i++)
        put_index(to, i, thread->samples[i].path);
    dp_puts(to->out, "],\"time\":[");
    for (uint32_t i = 0; i < thread->nsamples; i++) {
        if (i)
            dp_putc(to->out, ',');
        put_milliseconds(to->out, thread->samples[i].start);
    }
    dp_puts(to->out, "],\"weight\":[");
    for (uint32_t i = 0; i < thread->nsamples; i++) {
        if (i)
            dp_putc(to->out, ',');
        put_milliseconds(to->out, thread->samples[i].length);
    }
    dp_putf(to->out, "],\"weightType\":\"tracing-ms\",\"length\":%" PRIu32 "},\n",
            thread->nsamples);
}

static void put_stack_table(const struct firefox *to, const struct thread *thread)
{
    dp_puts(to->out, "\"stackTable\":{\"frame\":[");
    for (uint32_t i = 0; i < thread->npaths; i++)
        put_index(to, i, thread->paths[i].frame);
    dp_puts(to->out, "],\"prefix\":[");
    for (uint32_t i = 0; i < thread->npaths; i++)
        put_index(to, i, thread->paths[i].prefix);
    dp_puts(to->out, "],");
    put_same(to, "category", "0", thread->npaths);
    put_same(to, "subcategory", "0", thread->npaths);
    dp_putf(to->out, "\"length\":%" PRIu32 "},\n", thread->npaths);
}

static void put_lines(const struct firefox *to, const char *name)
{
    dp_putf(to->out, "\"%s\":[", name);
    for (uint32_t i = 0; i < to->frames.n; i++)
        put_index(to, i, to->frames.info[i].line ? to->frames.info[i].line : DP_NONE);
    dp_puts(to->out, "],");
}

/* A frame of the list is a frame and a function: nothing is known of places inside a sub. */
static void put_frame_table(const struct firefox *to)
{
    uint32_t n = to->frames.n;

    dp_puts(to->out, "\"frameTable\":{\"func\":[");
    for (uint32_t i = 0; i < n; i++)
        put_index(to, i, i);
    dp_puts(to->out, "],");
    put_same(to, "address", "-1", n);
    put_same(to, "inlineDepth", "0", n);
    put_same(to, "category", "0", n);
    put_same(to, "subcategory", "0", n);
    put_same(to, "nativeSymbol", "null", n);
    put_same(to, "innerWindowID", "0", n);
    put_same(to, "implementation", "null", n);
    put_lines(to, "line");
    put_same(to, "column", "null", n);
    dp_putf(to->out, "\"length\":%" PRIu32 "},\n", n);
}

static void put_func_table(const struct firefox *to)
{
    uint32_t n = to->frames.n;

    dp_puts(to->out, "\"funcTable\":{\"name\":[");
    for (uint32_t i = 0; i < n; i++)
        put_index(to, i, to->name_of[i]);
    dp_puts(to->out, "],\"fileName\":[");
    for (uint32_t i = 0; i < n; i++)
        put_index(to, i, to->file_of[i]);
    dp_puts(to->out, "],");
    put_same(to, "isJS", "false", n);
    put_same(to, "relevantForJS", "false", n);
    put_same(to, "resource", "-1", n);
    put_lines(to, "lineNumber");
    put_same(to, "columnNumber", "null", n);
    dp_putf(to->out, "\"length\":%" PRIu32 "},\n", n);
}

static void put_strings(const struct firefox *to)
{
    dp_puts(to->out, "\"stringArray\":[");
    for (uint32_t i = 0; i < to->strings.n; i++) {
        if (i)
            dp_putc(to->out, ',');
        dp_put_json_text(to->out, to->strings.bytes[i], to->strings.length[i]);
    }
    dp_puts(to->out, "]");
}

/* Times of marks are points: phase 0. */
static void put_markers(const struct firefox *to, uint32_t part)
{
    const struct dp_profile *prof = to->parts.all[part].prof;
    uint32_t n = to->parts.tracks[part]->made ? 0 : prof->nlabels;

    dp_puts(to->out, "\"markers\":{");
    put_same(to, "data", "null", n);
    dp_puts(to->out, "\"name\":[");
    for (uint32_t i = 0; i < n; i++) {
        size_t length;
        const char *text = dp_string(prof, prof->labels[i].text, &length);

        put_index(to, i, dp_find_string(&to->strings, text, length));
    }
    dp_puts(to->out, "],\"startTime\":[");
    for (uint32_t i = 0; i < n; i++) {
        if (i)
            dp_putc(to->out, ',');
        put_milliseconds(to->out, dp_part_when(&to->parts, part, prof->labels[i].at.real));
    }
    dp_puts(to->out, "],");
    put_same(to, "endTime", "null", n);
    put_same(to, "phase", "0", n);
    put_same(to, "category", "0", n);
    dp_putf(to->out, "\"length\":%" PRIu32 "},\n", n);
}

/* --- threads ------------------------------------------------------------------------------------
 */

static void put_thread_head(const struct firefox *to, uint32_t part)
{
    const struct dp_profile *prof = to->parts.all[part].prof;
    uint64_t tid = dp_part_tid(&to->parts, part);
    size_t n;
    const char *cmd = dp_string(prof, prof->run.cmd, &n);

    dp_puts(to->out, part ? ",\n{" : "{");
    if (tid)
        dp_putf(to->out, "\"name\":\"thread %" PRIu64 "\",\"isMainThread\":false", tid);
    else
        dp_puts(to->out, "\"name\":\"main\",\"isMainThread\":true");
    dp_puts(to->out, ",\"processType\":\"default\",\"processName\":");
    if (prof->run.cmd == DP_NONE)
        dp_puts(to->out, "\"perl\"");
    else
        dp_put_json_text(to->out, cmd, n);
    dp_puts(to->out, ",\"processStartupTime\":");
    put_milliseconds(to->out, to->parts.begin[part]);
    dp_puts(to->out, ",\"processShutdownTime\":null,\"registerTime\":");
    put_milliseconds(to->out, to->parts.begin[part]);
    dp_putf(to->out,
            ",\"unregisterTime\":null,\"pausedRanges\":[],\"pid\":\"%" PRIu64 "\",\"tid\":%" PRIu64
            ",\n",
            dp_part_pid(&to->parts, part), tid);
}

static void put_thread(struct firefox *to, uint32_t part, const struct thread *thread)
{
    put_thread_head(to, part);
    put_samples(to, thread);
    put_stack_table(to, thread);
    put_frame_table(to);
    put_func_table(to);
    dp_puts(to->out,
            "\"resourceTable\":{\"lib\":[],\"name\":[],\"host\":[],\"type\":[],"
            "\"length\":0},\n\"nativeSymbols\":{\"libIndex\":[],\"address\":[],\"name\":[],"
            "\"functionSize\":[],\"length\":0},\n");
    put_markers(to, part);
    put_strings(to);
    dp_putc(to->out, '}');
}

/* Frames and labels as strings, the same ones for every thread. */
static void name_frames(struct firefox *to)
{
    to->name_of = dp_alloc_array(to->frames.n, sizeof *to->name_of);
    to->file_of = dp_alloc_array(to->frames.n, sizeof *to->file_of);
    for (uint32_t i = 0; i < to->frames.n; i++) {
        size_t n;
        const char *text = dp_frame_name(&to->frames, i, &n);

        to->name_of[i] = dp_intern(&to->strings, text, n);
        text = dp_frame_file(&to->frames, i, &n);
        to->file_of[i] = text ? dp_intern(&to->strings, text, n) : DP_NONE;
    }
    for (uint32_t i = 0; i < to->parts.n; i++) {
        const struct dp_profile *prof = to->parts.all[i].prof;

        for (uint32_t k = 0; k < prof->nlabels; k++) {
            size_t n;
            const char *text = dp_string(prof, prof->labels[k].text, &n);

            dp_intern(&to->strings, text, n);
        }
    }
}

static void put_meta(const struct firefox *to)
{
    const struct dp_profile *prof = to->job->prof;
    double started =
        prof->run.started == DP_NONE ? 0 : strtod(dp_string(prof, prof->run.started, NULL), NULL);
    size_t n;
    const char *cmd = dp_string(prof, prof->run.cmd, &n);

    started = started > 0 && started < 1e10 ? started : 0;
    dp_putf(to->out, "{\"meta\":{\"interval\":1,\"startTime\":%.3f,\"processType\":0,\"product\":",
            started * 1000);
    if (prof->run.cmd == DP_NONE)
        dp_puts(to->out, "\"perl\"");
    else
        dp_put_json_text(to->out, cmd, n);
    dp_puts(to->out, ",\"stackwalk\":1,\"version\":28,\"preprocessedProfileVersion\":47,"
                     "\"symbolicated\":true,\"markerSchema\":[],\"categories\":[{\"name\":\"Perl\","
                     "\"color\":\"blue\",\"subcategories\":[\"Other\"]}],\"sampleUnits\":{\"time\":"
                     "\"ms\",\"eventDelay\":\"ms\",\"threadCPUDelta\":\"ns\"},"
                     "\"sourceCodeIsNotOnSearchfox\":true},\n\"libs\":[],\n\"threads\":[\n");
}

static int write_firefox(const struct dp_job *job, struct dp_err *err)
{
    struct firefox to;
    struct thread *threads;

    if (job->prof->counts)
        return dp_fail(err, "counts have no times: there are no samples to write");
    memset(&to, 0, sizeof to);
    to.job = job;
    to.out = job->out;
    dp_parts_init(&to.parts, job);
    dp_parts_tracks(&to.parts, job);
    threads = dp_alloc_array(to.parts.n, sizeof *threads);
    for (uint32_t i = 0; i < to.parts.n; i++) {
        dp_free(dp_frames_of(&to.frames, to.parts.all[i].prof));
        sample_track(&to, i, &threads[i]);
    }
    name_frames(&to);
    put_meta(&to);
    for (uint32_t i = 0; i < to.parts.n; i++) {
        put_thread(&to, i, &threads[i]);
        dp_free(threads[i].paths);
        dp_free(threads[i].samples);
        dp_hash_free(&threads[i].by_path);
    }
    dp_puts(to.out, "\n]}\n");
    dp_free(threads);
    dp_free(to.name_of);
    dp_free(to.file_of);
    dp_strings_free(&to.strings);
    dp_frames_free(&to.frames);
    dp_parts_free(&to.parts);
    return 0;
}

const struct dp_writer dp_write_firefox = {
    .name = "firefox",
    .about = "elapsed time as samples, processes and threads apart: profiler.firefox.com",
    .ending = ".firefox.json",
    .writes = DP_WRITES_FORMAT,
    .needs = DP_NEEDS_TIMELINE | DP_NEEDS_APART,
    .write = write_firefox,
};
