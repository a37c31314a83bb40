/*
 * tmon: the profile as a tmon.out again, as a tree of call paths (PART3): what was merged, renamed
 * or cut out can be kept and read. Read back it has the same subs, paths, calls, times, histograms
 * and places of calls; the order of single calls is not in it.
 */
#include "write/writers.h"

#include <inttypes.h>

#include "base/tmon_tags.h"
#include "model/callsites.h"
#include "write/tmon_parts.h"

/* MIN MAX HIST */
static void put_hist(const struct dp_job *job, uint32_t index)
{
    const struct dp_hist *hist;
    const char *before = " ";

    if (index == DP_NONE) {
        dp_puts(job->out, " - - -");
        return;
    }
    hist = &job->prof->hists[index];
    dp_putf(job->out, " %" PRIu64 " %" PRIu64, hist->min, hist->max);
    for (unsigned b = 0; b < 64; b++)
        if (hist->bucket[b]) {
            dp_putf(job->out, "%s%u:%" PRIu64, before, b, hist->bucket[b]);
            before = ",";
        }
    if (*before == ' ')
        dp_puts(job->out, " -");
}

/* A line of the tree: calls from one place, or those of which no place is known. All of the node's
   own time is in its first line. */
static void put_line(const struct dp_job *job, uint32_t node, uint64_t id,
                     const struct dp_callsite *site, uint64_t calls, int first)
{
    const struct dp_time none = {0, 0, 0};
    const struct dp_node *at = &job->prof->nodes[node];

    dp_putf(job->out, "%" PRIu64 " %" PRIu32 " ", id, node ? at->parent : 0);
    if (site) {
        dp_put_tmon_string(job->out, job->prof, site->file);
        dp_putf(job->out, ":%" PRIu32, site->line);
    } else {
        dp_putc(job->out, '-');
    }
    dp_putf(job->out, " %" PRIu64 " ", calls);
    dp_put_tmon_time(job->out, first ? &at->self : &none);
    put_hist(job, first ? at->hist : DP_NONE);
    dp_putc(job->out, ' ');
    dp_put_tmon_string(job->out, job->prof, node ? job->prof->subs[at->sub].name : DP_NONE);
    dp_putc(job->out, '\n');
}

/* A node's first line has its own index for an id; further ones, of other places, ids beyond. */
static uint64_t put_node(const struct dp_job *job, uint32_t node, uint64_t *next)
{
    uint32_t n;
    const struct dp_callsite *sites = dp_callsites_of(job->prof, node, &n);
    uint64_t rest = job->prof->nodes[node].calls, lines = 0;

    for (uint32_t i = 0; sites && i < n; i++) {
        uint64_t calls = sites[i].calls < rest ? sites[i].calls : rest;

        put_line(job, node, lines ? (*next)++ : node, &sites[i], calls, !lines);
        rest -= calls;
        lines++;
    }
    if (rest || !lines)
        put_line(job, node, lines ? (*next)++ : node, NULL, rest, !lines), lines++;
    return lines;
}

static void put_head(const struct dp_job *job)
{
    const struct dp_profile *prof = job->prof;

    dp_put_tmon_header(job->out, prof, &prof->total);
    dp_put_tmon_run(job->out, prof);
    dp_put_tmon_notes(job->out, prof, 0);
    dp_put_tmon_overs(job->out, prof);
    dp_put_tmon_lists(job->out, prof);
    for (uint32_t i = 0; i < prof->nsubs; i++)
        dp_put_tmon_sub(job->out, prof, &prof->subs[i], prof->subs[i].name);
}

static int write_tmon(const struct dp_job *job, struct dp_err *err)
{
    uint64_t next = job->prof->nnodes, lines = 0;

    if (job->prof->counts)
        return dp_fail(err, "counts have no times, and a tmon.out has");
    put_head(job);
    dp_puts(job->out, DP_TMON_PART3 "\n");
    for (uint32_t i = 0; i < job->prof->nnodes; i++)
        lines += put_node(job, i, &next);
    dp_putf(job->out, "#" DP_TMON_END " %" PRIu64 "\n", lines);
    if (job->prof->ended) {
        dp_puts(job->out, "#" DP_TMON_END " 0 ");
        dp_put_tmon_time(job->out, &job->prof->total);
        dp_putc(job->out, '\n');
    }
    return 0;
}

const struct dp_writer dp_write_tmon = {
    .name = "tmon",
    .about = "the profile itself, merged and cut, as a tree of call paths: dprofpp reads it",
    .ending = ".tmon",
    .writes = DP_WRITES_FORMAT,
    .write = write_tmon,
};
