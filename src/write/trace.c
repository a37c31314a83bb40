/*
 * tmon-text and tmon-compact: a profile's calls as a tmon.out again, in their order. What reads it
 * back finds the same subs, paths, calls, times, gaps, open frames and order. A run that was killed
 * has no end there either.
 */
#include "write/trace.h"

#include <inttypes.h>
#include <string.h>

#include "base/escape.h"
#include "base/tmon_tags.h"
#include "write/tmon_parts.h"
#include "write/writers.h"

/* How a sub is written; made when it is first called. */
struct dp_trace_name {
    const char *text; /* its name, escaped; NULL: not called yet */
    size_t n;
    size_t package; /* bytes of the name before its first `::`, 0: it has none */
    uint32_t id;    /* of compact marks */
    int placed;     /* #sub is written */
};

/* --- names --- */

static char *escaped(struct dp_arena *arena, const char *bytes, size_t n, size_t *length)
{
    static const char hex[] = "0123456789abcdef";
    char *text = dp_arena_alloc(arena, 4 * n + 1), *to = text;

    for (; n; bytes++, n--) {
        unsigned char c = (unsigned char)*bytes;

        if (c > 0x20 && c != 0x7F && c != '\\') {
            *to++ = *bytes;
            continue;
        }
        *to++ = '\\';
        *to++ = 'x';
        *to++ = hex[c >> 4];
        *to++ = hex[c & 15];
    }
    *to = 0;
    *length = (size_t)(to - text);
    return text;
}

static void put_place(struct dp_trace *trace, uint32_t sub)
{
    const struct dp_sub *known = &trace->lens.prof->subs[sub];
    uint32_t as = trace->lens.nsubs > sub ? trace->lens.subs[sub].as : known->name;

    if (as == DP_NONE || (known->file == DP_NONE && known->kind == DP_KIND_UNKNOWN))
        return;
    dp_put_tmon_sub(trace->out, trace->lens.prof, known, as);
    trace->names[sub].placed = 1;
}

/* Introduces a sub: compact marks have numbers for names, but for a name without a package. */
static void introduce(struct dp_trace *trace, uint32_t sub, struct dp_trace_name *name)
{
    const char *colons;
    size_t n;
    const char *bytes = dp_string(trace->lens.prof, trace->lens.subs[sub].as, &n);

    name->text = escaped(&trace->arena, bytes, n, &name->n);
    colons = strstr(name->text, "::");
    if (colons && colons[2])
        name->package = (size_t)(colons - name->text);
    if (trace->compact && name->package) {
        name->id = trace->nids++;
        dp_putf(trace->out, "& %" PRIx32 " ", name->id);
        dp_put(trace->out, name->text, name->package);
        dp_putc(trace->out, ' ');
        dp_put(trace->out, colons + 2, name->n - name->package - 2);
        dp_putc(trace->out, '\n');
    }
    put_place(trace, sub);
}

/* Those before it that are only known so far by what was said of them: subs stay in their order. */
static void place_before(struct dp_trace *trace, uint32_t sub)
{
    for (; trace->placed < sub; trace->placed++)
        if (!trace->names[trace->placed].placed)
            put_place(trace, trace->placed);
}

static void more_names(struct dp_trace *trace, uint32_t sub)
{
    const struct dp_trace_name none = {NULL, 0, 0, 0, 0};

    while (trace->nnames <= sub) {
        trace->names = dp_more(trace->names, trace->nnames, sizeof *trace->names);
        trace->names[trace->nnames++] = none;
    }
}

static const struct dp_trace_name *name_of(struct dp_trace *trace, uint32_t sub)
{
    more_names(trace, sub);
    if (!trace->names[sub].text) {
        place_before(trace, sub);
        introduce(trace, sub, &trace->names[sub]);
    }
    return &trace->names[sub];
}

/* --- marks --- */

static void put_ticks(struct dp_out *out, int64_t ticks)
{
    if (ticks >= 0)
        dp_put_u64(out, (uint64_t)ticks);
    else
        dp_putf(out, "%" PRId64, ticks);
}

static void put_three(struct dp_out *out, int64_t user, int64_t sys, int64_t real)
{
    put_ticks(out, user);
    dp_putc(out, ' ');
    put_ticks(out, sys);
    dp_putc(out, ' ');
    put_ticks(out, real);
}

/* `@`: so much time passed. */
static void put_step(struct dp_trace *trace, const struct dp_time *at)
{
    int64_t user = at->user - trace->last.user, sys = at->sys - trace->last.sys,
            real = at->real - trace->last.real;

    if (!(user | sys | real))
        return;
    dp_put(trace->out, "@ ", 2);
    put_three(trace->out, user, sys, real);
    dp_putc(trace->out, '\n');
    trace->last = *at;
}

/* Of a moment: #stop and its like. */
static void put_moment(struct dp_trace *trace, const char *word, const struct dp_time *at)
{
    dp_putc(trace->out, DP_TMON_META);
    dp_puts(trace->out, word);
    dp_putc(trace->out, ' ');
    put_three(trace->out, at->user, at->sys, at->real);
    dp_putc(trace->out, '\n');
    trace->last = *at;
}

/* The totals are not known yet: #end says them. */
static void put_beginning(struct dp_trace *trace)
{
    const struct dp_time none = {0, 0, 0};

    if (trace->begun)
        return;
    trace->begun = 1;
    dp_put_tmon_header(trace->out, trace->lens.prof, &none);
    dp_put_tmon_run(trace->out, trace->lens.prof);
    put_moment(trace, DP_TMON_BEGIN, &trace->lens.prof->first);
}

static void put_mark(struct dp_trace *trace, char sign, const struct dp_trace_name *name,
                     const struct dp_time *at)
{
    struct dp_out *out = trace->out;

    if (trace->compact)
        put_step(trace, at);
    dp_putc(out, sign);
    dp_putc(out, ' ');
    if (!trace->compact) {
        put_three(out, at->user, at->sys, at->real);
        dp_putc(out, ' ');
        dp_put(out, name->text, name->n);
        trace->last = *at;
    } else if (name->package) {
        dp_putf(out, "%" PRIx32, name->id);
    } else {
        dp_put(out, "& ", 2);
        dp_put(out, name->text, name->n);
    }
    dp_putc(out, '\n');
    trace->marks++;
}

/* --- what is heard --- */

static void open_call(struct dp_trace *trace, uint32_t sub, const struct dp_time *at, int again)
{
    const struct dp_trace_name *name;

    trace->heard = 1;
    trace->calls += !again;
    if (!dp_lens_opens(&trace->lens, sub))
        return;
    put_beginning(trace);
    name = name_of(trace, sub);
    if (again)
        dp_puts(trace->out, "#" DP_TMON_OPEN " 1\n");
    put_mark(trace, DP_TMON_ENTER, name, at);
}

static void enter(void *ctx, uint32_t sub, uint32_t depth, const struct dp_time *at)
{
    (void)depth;
    open_call(ctx, sub, at, 0);
}

static void reenter(void *ctx, uint32_t sub, uint32_t depth, const struct dp_time *at)
{
    (void)depth;
    open_call(ctx, sub, at, 1);
}

static void leave(void *ctx, uint32_t sub, uint32_t depth, const struct dp_time *at)
{
    struct dp_trace *trace = ctx;
    const struct dp_profile *prof = trace->lens.prof;

    (void)depth;
    if (!dp_lens_closes(&trace->lens, sub))
        return;
    if (prof->nopen && !prof->ended)
        return; /* the file ended with it open */
    put_mark(trace, DP_TMON_LEAVE, name_of(trace, sub), at);
}

static void stop(void *ctx, const struct dp_time *at)
{
    put_beginning(ctx);
    put_moment(ctx, DP_TMON_STOP, at);
}

static void start(void *ctx, const struct dp_time *at)
{
    struct dp_trace *trace = ctx;

    put_beginning(trace);
    trace->gone.user += at->user - trace->last.user;
    trace->gone.sys += at->sys - trace->last.sys;
    trace->gone.real += at->real - trace->last.real;
    put_moment(trace, DP_TMON_START, at);
}

/* --- what the outside sees --- */

static struct dp_lens_sub as_it_is(void *ctx, struct dp_profile *prof, uint32_t sub)
{
    const struct dp_lens_sub shown = {prof->subs[sub].name, 0};

    (void)ctx;
    return shown;
}

void dp_trace_init(struct dp_trace *trace, struct dp_out *out, int compact, int only_within,
                   dp_decide *decide, void *ctx)
{
    memset(trace, 0, sizeof *trace);
    trace->listener.enter = enter;
    trace->listener.reenter = reenter;
    trace->listener.leave = leave;
    trace->listener.stop = stop;
    trace->listener.start = start;
    trace->listener.ctx = trace;
    trace->out = out;
    trace->compact = compact;
    dp_lens_init(&trace->lens, only_within, decide ? decide : as_it_is, ctx);
}

void dp_trace_begin(void *ctx, struct dp_profile *prof)
{
    struct dp_trace *trace = ctx;

    dp_lens_begin(&trace->lens, prof);
}

/* The end in one clock's ticks: the file may have stated more time than its marks cover. */
static int64_t end_of(int64_t last, int64_t first, int64_t total, int64_t gone)
{
    return first + gone + total > last ? first + gone + total : last;
}

static void put_end(struct dp_trace *trace, const struct dp_profile *prof)
{
    const struct dp_time *last = &prof->last, *first = &prof->first, *total = &prof->total,
                         *gone = &trace->gone;

    if (!prof->ended) {
        put_step(trace, last);
        return;
    }
    dp_puts(trace->out, "#" DP_TMON_END " 0 ");
    put_three(trace->out, end_of(last->user, first->user, total->user, gone->user),
              end_of(last->sys, first->sys, total->sys, gone->sys),
              end_of(last->real, first->real, total->real, gone->real));
    dp_putf(trace->out, " %" PRIu64 "\n", trace->marks);
}

uint64_t dp_trace_end(struct dp_trace *trace, const struct dp_profile *prof)
{
    uint64_t folded = 0;

    for (uint32_t i = 0; i < prof->nnodes; i++)
        folded += prof->nodes[i].calls;
    folded -= trace->calls < folded ? trace->calls : folded;
    if (!trace->heard && prof->nnodes > 1)
        return folded ? folded : DP_TRACE_NONE;
    put_beginning(trace);
    if (prof->nsubs)
        more_names(trace, prof->nsubs - 1);
    for (uint32_t i = 0; i < prof->nsubs; i++)
        if (!trace->names[i].placed)
            put_place(trace, i);
    dp_put_tmon_notes(trace->out, prof, 1);
    dp_put_tmon_overs(trace->out, prof);
    dp_put_tmon_lists(trace->out, prof);
    put_end(trace, prof);
    return folded;
}

void dp_trace_free(struct dp_trace *trace)
{
    dp_lens_free(&trace->lens);
    dp_arena_free(&trace->arena);
    dp_free(trace->names);
}

/* All is written by dp_trace_end(). */
static int write_trace(const struct dp_job *job, struct dp_err *err)
{
    (void)job, (void)err;
    return 0;
}

const struct dp_writer dp_write_trace_text = {
    .name = "tmon-text",
    .about = "the calls of one profile in their order, each as a line of text: dprofpp reads it",
    .ending = "",
    .writes = DP_WRITES_FORMAT,
    .needs = DP_NEEDS_ORDER | DP_NEEDS_PLAIN,
    .write = write_trace,
};

const struct dp_writer dp_write_trace_compact = {
    .name = "tmon-compact",
    .about = "the same, five times smaller",
    .ending = "",
    .writes = DP_WRITES_FORMAT,
    .needs = DP_NEEDS_ORDER | DP_NEEDS_PLAIN,
    .write = write_trace,
};
