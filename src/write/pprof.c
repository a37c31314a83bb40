/*
 * pprof: profile.proto in gzip, a sample for each call path with all measures at once. Processes
 * and threads are told apart by labels. system_name stays empty: with the name in it too, go tool
 * pprof "demangles" and takes (eval 1) and <...> out of names.
 */
#include "write/writers.h"

#include <stdlib.h>
#include <string.h>

#include "base/escape.h"
#include "base/mem.h"
#include "write/frames.h"
#include "write/gzip.h"
#include "write/measures.h"
#include "write/parts.h"
#include "write/proto.h"
#include "write/stack.h"

/* Fields of profile.proto. */
enum {
    PROFILE_SAMPLE_TYPE = 1,
    PROFILE_SAMPLE,
    PROFILE_MAPPING,
    PROFILE_LOCATION,
    PROFILE_FUNCTION,
    PROFILE_STRING_TABLE,
    PROFILE_TIME_NANOS = 9,
    PROFILE_DURATION_NANOS,
    PROFILE_PERIOD_TYPE,
    PROFILE_PERIOD,
    PROFILE_COMMENT,
    PROFILE_DEFAULT_SAMPLE_TYPE
};
enum { TYPE_TYPE = 1, TYPE_UNIT };
enum { SAMPLE_LOCATION = 1, SAMPLE_VALUE, SAMPLE_LABEL };
enum { LABEL_KEY = 1, LABEL_STR, LABEL_NUM };
enum {
    MAPPING_ID = 1,
    MAPPING_FILENAME = 5,
    MAPPING_HAS_FUNCTIONS = 7,
    MAPPING_HAS_FILENAMES,
    MAPPING_HAS_LINES
};
enum { LOCATION_ID = 1, LOCATION_MAPPING, LOCATION_LINE = 4 };
enum { LINE_FUNCTION = 1, LINE_LINE };
enum { FUNCTION_ID = 1, FUNCTION_NAME, FUNCTION_FILENAME = 4, FUNCTION_START_LINE };

struct pprof {
    const struct dp_job *job;
    struct dp_parts_list parts;
    struct dp_gzip gzip;
    struct dp_strings strings; /* 0: "" */
    struct dp_frames frames;   /* frame i is function and location i + 1 */
    const struct dp_measure *measures;
    unsigned nmeasures;
    struct dp_proto top, message, inner;
};

/* --- parts of it --------------------------------------------------------------------------------
 */

static uint64_t string(struct pprof *to, const char *text)
{
    return dp_intern_text(&to->strings, text);
}

/* As people are shown it: proto3 wants UTF-8. */
static uint64_t shown_string(struct pprof *to, const char *bytes, size_t n)
{
    char *shown = dp_alloc(4 * n + 1);
    uint32_t index;

    n = dp_show_name(shown, 4 * n + 1, bytes, n);
    index = dp_intern(&to->strings, shown, n);
    dp_free(shown);
    return index;
}

/* Hands on what is complete. */
static void hand_on(struct pprof *to)
{
    dp_gzip_put(&to->gzip, to->top.bytes, to->top.n);
    to->top.n = 0;
}

static void put_message(struct pprof *to, unsigned field)
{
    dp_proto_message(&to->top, field, &to->message);
    hand_on(to);
}

static void put_type(struct pprof *to, unsigned field, const struct dp_measure *measure)
{
    dp_proto_number(&to->message, TYPE_TYPE, string(to, measure->name));
    dp_proto_number(&to->message, TYPE_UNIT, string(to, measure->unit));
    put_message(to, field);
}

/* --- samples ------------------------------------------------------------------------------------
 */

static void put_label(struct pprof *to, const char *key, uint64_t value)
{
    dp_proto_number(&to->inner, LABEL_KEY, string(to, key));
    dp_proto_number(&to->inner, LABEL_NUM, value);
    dp_proto_message(&to->message, SAMPLE_LABEL, &to->inner);
}

static void put_labels(struct pprof *to, uint32_t part)
{
    if (to->parts.all[part].prof->run.pid != DP_NONE)
        put_label(to, "pid", dp_part_pid(&to->parts, part));
    if (to->parts.all[part].prof->run.tid != DP_NONE)
        put_label(to, "tid", dp_part_tid(&to->parts, part));
}

/* The innermost frame first. */
static void put_locations(struct pprof *to, const struct dp_stack *stack, const uint32_t *frame_of)
{
    const struct dp_profile *prof = stack->prof;

    if (!stack->n)
        dp_proto_packed(&to->inner, (uint64_t)frame_of[prof->nsubs] + 1);
    for (uint32_t i = stack->n; i-- > 0;)
        dp_proto_packed(&to->inner, (uint64_t)frame_of[prof->nodes[stack->nodes[i]].sub] + 1);
    dp_proto_message(&to->message, SAMPLE_LOCATION, &to->inner);
}

/* 0: there is nothing to say of that node. */
static int put_values(struct pprof *to, const struct dp_profile *prof, uint32_t node)
{
    int any = 0;

    for (unsigned i = 0; i < to->nmeasures; i++) {
        int64_t amount = dp_measure_node(prof, &to->measures[i], node);

        any |= amount != 0;
        dp_proto_packed(&to->inner, (uint64_t)amount);
    }
    dp_proto_message(&to->message, SAMPLE_VALUE, &to->inner);
    return any;
}

static void put_samples(struct pprof *to, uint32_t part)
{
    struct dp_stack stack;
    uint32_t *frame_of, node;

    dp_stack_init(&stack, to->parts.all[part].prof, DP_STACK_MOST);
    dp_free(dp_frames_of(&to->frames, to->parts.all[part].prof));
    /* Of a shallow copy, which does not live as long, only "(deeper)" is new, and has no file. */
    frame_of = dp_frames_of(&to->frames, stack.prof);
    while (dp_stack_next(&stack, &node)) {
        put_locations(to, &stack, frame_of);
        if (put_values(to, stack.prof, node)) {
            put_labels(to, part);
            put_message(to, PROFILE_SAMPLE);
        }
        to->message.n = 0;
    }
    dp_free(frame_of);
    dp_stack_free(&stack);
}

/* --- functions ----------------------------------------------------------------------------------
 */

/* One mapping, so that nobody looks for a binary to find names in. */
static void put_mapping(struct pprof *to)
{
    size_t n;
    const char *cmd = dp_string(to->job->prof, to->job->prof->run.cmd, &n);

    dp_proto_number(&to->message, MAPPING_ID, 1);
    dp_proto_number(&to->message, MAPPING_FILENAME,
                    n ? shown_string(to, cmd, n) : string(to, "perl"));
    dp_proto_number(&to->message, MAPPING_HAS_FUNCTIONS, 1);
    dp_proto_number(&to->message, MAPPING_HAS_FILENAMES, 1);
    dp_proto_number(&to->message, MAPPING_HAS_LINES, 1);
    put_message(to, PROFILE_MAPPING);
}

static void put_function(struct pprof *to, uint32_t frame)
{
    size_t n;
    const char *text = dp_frame_name(&to->frames, frame, &n);

    dp_proto_number(&to->message, FUNCTION_ID, (uint64_t)frame + 1);
    dp_proto_number(&to->message, FUNCTION_NAME, shown_string(to, text, n));
    text = dp_frame_file(&to->frames, frame, &n);
    if (text)
        dp_proto_number(&to->message, FUNCTION_FILENAME, shown_string(to, text, n));
    dp_proto_number(&to->message, FUNCTION_START_LINE, to->frames.info[frame].line);
    put_message(to, PROFILE_FUNCTION);
}

static void put_location(struct pprof *to, uint32_t frame)
{
    dp_proto_number(&to->inner, LINE_FUNCTION, (uint64_t)frame + 1);
    dp_proto_number(&to->inner, LINE_LINE, to->frames.info[frame].line);
    dp_proto_number(&to->message, LOCATION_ID, (uint64_t)frame + 1);
    dp_proto_number(&to->message, LOCATION_MAPPING, 1);
    dp_proto_message(&to->message, LOCATION_LINE, &to->inner);
    put_message(to, PROFILE_LOCATION);
}

/* --- all ----------------------------------------------------------------------------------------
 */

static void put_comment(struct pprof *to, uint32_t text)
{
    size_t n;
    const char *bytes = dp_string(to->job->prof, text, &n);

    if (text != DP_NONE && n)
        dp_proto_number(&to->top, PROFILE_COMMENT, shown_string(to, bytes, n));
}

static void put_time(struct pprof *to)
{
    const struct dp_profile *prof = to->job->prof;
    double started =
        prof->run.started == DP_NONE ? 0 : strtod(dp_string(prof, prof->run.started, NULL), NULL);

    if (started > 0 && started < 9e9)
        dp_proto_number(&to->top, PROFILE_TIME_NANOS, (uint64_t)(started * 1e9));
    if (!prof->counts)
        dp_proto_number(&to->top, PROFILE_DURATION_NANOS,
                        (uint64_t)dp_nanoseconds(prof->total.real, prof->hz));
    hand_on(to);
}

static void put_strings(struct pprof *to)
{
    for (uint32_t i = 0; i < to->strings.n; i++) {
        dp_proto_bytes(&to->top, PROFILE_STRING_TABLE, to->strings.bytes[i], to->strings.length[i]);
        hand_on(to);
    }
}

static int write_pprof(const struct dp_job *job, struct dp_err *err)
{
    struct pprof *to = dp_alloc(sizeof *to);
    const struct dp_measure *first = dp_main_measure(job);

    (void)err;
    to->job = job;
    to->measures = dp_measures(job->prof, &to->nmeasures);
    dp_parts_init(&to->parts, job);
    dp_gzip_begin(&to->gzip, job->out);
    dp_intern(&to->strings, "", 0);
    for (unsigned i = 0; i < to->nmeasures; i++)
        put_type(to, PROFILE_SAMPLE_TYPE, &to->measures[i]);
    for (uint32_t i = 0; i < to->parts.n; i++)
        put_samples(to, i);
    put_mapping(to);
    for (uint32_t i = 0; i < to->frames.n; i++) {
        put_function(to, i);
        put_location(to, i);
    }
    put_time(to);
    put_comment(to, job->prof->run.cmd);
    put_comment(to, job->prof->run.perl);
    put_comment(to, job->prof->run.host);
    put_type(to, PROFILE_PERIOD_TYPE, first);
    dp_proto_number(&to->top, PROFILE_PERIOD, 1);
    dp_proto_number(&to->top, PROFILE_DEFAULT_SAMPLE_TYPE, string(to, first->name));
    put_strings(to);
    dp_gzip_end(&to->gzip);
    dp_proto_free(&to->top);
    dp_proto_free(&to->message);
    dp_proto_free(&to->inner);
    dp_frames_free(&to->frames);
    dp_strings_free(&to->strings);
    dp_parts_free(&to->parts);
    dp_free(to);
    return 0;
}

const struct dp_writer dp_write_pprof = {
    .name = "pprof",
    .about = "call paths with every measure in profile.proto: go tool pprof, Pyroscope, Parca",
    .ending = ".pb.gz",
    .writes = DP_WRITES_FORMAT,
    .needs = DP_NEEDS_APART,
    .write = write_pprof,
};
