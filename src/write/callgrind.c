/*
 * callgrind: per sub its own costs and those of its calls, for KCachegrind and callgrind_annotate.
 * Numbers stand for names after their first use: "fn=(1) name", then "fn=(1)". Every line of costs
 * begins with a line number, 0 where it is not known: without one the readers drop it.
 */
#include "write/writers.h"

#include <inttypes.h>
#include <string.h>

#include "base/escape.h"
#include "base/mem.h"
#include "model/strings.h"
#include "write/cells.h"
#include "write/measures.h"

struct callgrind {
    const struct dp_job *job;
    struct dp_out *out;
    const struct dp_measure *events[6]; /* the one that was asked for first; no calls, which every
                                           "calls=" has */
    unsigned nevents;
    unsigned char *named; /* per sub: its name was said */
    unsigned char *filed; /* per string: likewise as a file */
};

static void choose_events(struct callgrind *to)
{
    unsigned n;
    const struct dp_measure *all = dp_measures(to->job->prof, &n);
    const struct dp_measure *first = dp_main_measure(to->job);

    to->events[to->nevents++] = first;
    for (unsigned i = 0; i < n; i++)
        if (all[i].what != DP_CALLS && all[i].what != first->what)
            to->events[to->nevents++] = &all[i];
}

static void put_costs(const struct callgrind *to, uint32_t line, uint64_t calls,
                      const struct dp_time *time)
{
    dp_put_u64(to->out, line);
    for (unsigned i = 0; i < to->nevents; i++) {
        dp_putc(to->out, ' ');
        dp_put_u64(to->out, (uint64_t)dp_measure(to->job->prof, to->events[i], calls, time));
    }
    dp_putc(to->out, '\n');
}

static uint32_t line_of(const struct callgrind *to, uint32_t sub)
{
    return sub < to->job->prof->nsubs ? to->job->prof->subs[sub].line : 0;
}

/* "fl=(3) path" or "cfi=..." */
static void put_file(struct callgrind *to, const char *key, uint32_t sub)
{
    const struct dp_profile *prof = to->job->prof;
    uint32_t file = sub < prof->nsubs ? prof->subs[sub].file : DP_NONE;
    size_t n;
    const char *path = dp_string(prof, file, &n);

    if (file == DP_NONE) {
        dp_putf(to->out, "%s=(0) ???\n", key);
        return;
    }
    dp_putf(to->out, "%s=(%" PRIu32 ")", key, file + 1);
    if (!to->filed[file]) {
        to->filed[file] = 1;
        dp_putc(to->out, ' ');
        dp_put_name(to->out, path, n);
    }
    dp_putc(to->out, '\n');
}

static void put_sub(struct callgrind *to, const char *key, uint32_t sub)
{
    size_t n;
    const char *name = dp_sub_name(to->job->prof, sub, &n);

    dp_putf(to->out, "%s=(%" PRIu32 ")", key, sub + 1);
    if (!to->named[sub]) {
        to->named[sub] = 1;
        dp_putc(to->out, ' ');
        if (n)
            dp_put_name(to->out, name, n);
        else
            dp_puts(to->out, "(no name)");
    }
    dp_putc(to->out, '\n');
}

static void put_calls(struct callgrind *to, uint32_t sub)
{
    const struct dp_sums *sums = to->job->sums;

    for (uint32_t i = sums->first_callee[sub]; i < sums->first_callee[sub + 1]; i++) {
        const struct dp_edge *edge = &sums->edges[i];

        put_file(to, "cfi", edge->callee);
        put_sub(to, "cfn", edge->callee);
        dp_putf(to->out, "calls=%" PRIu64 " %" PRIu32 "\n", edge->calls, line_of(to, edge->callee));
        put_costs(to, line_of(to, sub), edge->calls, &edge->incl);
    }
}

static void put_block(struct callgrind *to, uint32_t sub)
{
    const struct dp_sums *sums = to->job->sums;
    const struct dp_sum *sum = &sums->subs[sub];

    if (!sum->calls && !sum->self.user && !sum->self.sys && !sum->self.real &&
        sums->first_callee[sub] == sums->first_callee[sub + 1])
        return;
    dp_putc(to->out, '\n');
    put_file(to, "fl", sub);
    put_sub(to, "fn", sub);
    put_costs(to, line_of(to, sub), sum->calls, &sum->self);
    put_calls(to, sub);
}

static void put_word(const struct callgrind *to, const char *key, uint32_t string)
{
    size_t n;
    const char *bytes = dp_string(to->job->prof, string, &n);

    if (string == DP_NONE || !n)
        return;
    dp_puts(to->out, key);
    dp_put_name(to->out, bytes, n);
    dp_putc(to->out, '\n');
}

static void put_totals(const struct callgrind *to, const char *key)
{
    uint64_t calls = 0;

    for (uint32_t i = 0; i < to->job->prof->nsubs; i++)
        calls += to->job->sums->subs[i].calls;
    dp_puts(to->out, key);
    for (unsigned i = 0; i < to->nevents; i++) {
        dp_putc(to->out, ' ');
        dp_put_u64(to->out, (uint64_t)dp_measure(to->job->prof, to->events[i], calls,
                                                 &to->job->sums->total));
    }
    dp_putc(to->out, '\n');
}

static void put_head(const struct callgrind *to)
{
    const struct dp_run *run = &to->job->prof->run;

    dp_puts(to->out, "# callgrind format\nversion: 1\ncreator: dprofpp (Devel::DProf)\n");
    put_word(to, "pid: ", run->pid);
    put_word(to, "cmd: ", run->cmd);
    dp_puts(to->out, "part: 1\n");
    put_word(to, "desc: Perl: ", run->perl);
    put_word(to, "desc: Host: ", run->host);
    dp_puts(to->out, "positions: line\n");
    for (unsigned i = 0; i < to->nevents; i++)
        dp_putf(to->out, "event: %s : %s\n", to->events[i]->name, to->events[i]->about);
    dp_puts(to->out, "events:");
    for (unsigned i = 0; i < to->nevents; i++)
        dp_putf(to->out, " %s", to->events[i]->name);
    dp_putc(to->out, '\n');
    put_totals(to, "summary:");
}

static int write_callgrind(const struct dp_job *job, struct dp_err *err)
{
    struct callgrind to;

    (void)err;
    memset(&to, 0, sizeof to);
    to.job = job;
    to.out = job->out;
    to.named = dp_alloc((size_t)job->prof->nsubs + 1);
    to.filed = dp_alloc(job->prof->strings->n);
    choose_events(&to);
    put_head(&to);
    for (uint32_t i = 0; i <= job->prof->nsubs; i++)
        put_block(&to, i);
    dp_putc(to.out, '\n');
    put_totals(&to, "totals:");
    dp_free(to.named);
    dp_free(to.filed);
    return 0;
}

const struct dp_writer dp_write_callgrind = {
    .name = "callgrind",
    .about = "subs and calls with every clock: KCachegrind, qcachegrind, callgrind_annotate",
    .ending = ".callgrind",
    .writes = DP_WRITES_FORMAT,
    .write = write_callgrind,
};
