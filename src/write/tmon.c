/*
 * tmon: the profile as a tmon.out again, as a tree of call paths (PART3): what was merged, renamed
 * or cut out can be kept and read. Read back it has the same subs, paths, calls, times, histograms
 * and places of calls; the order of single calls is not in it.
 */
#include "write/writers.h"

#include <inttypes.h>
#include <string.h>

#include "base/escape.h"
#include "base/tmon_tags.h"
#include "model/callsites.h"
#include "model/notes.h"

#define LAYOUT "DProf 20261129" /* of the layout that is written */

static void put_text(const struct dp_job *job, uint32_t string)
{
    size_t n;
    const char *bytes = dp_string(job->prof, string, &n);

    if (n)
        dp_put_tmon(job->out, bytes, n);
    else
        dp_putc(job->out, '-');
}

static void put_time(const struct dp_job *job, const struct dp_time *time)
{
    dp_putf(job->out, "%" PRId64 " %" PRId64 " %" PRId64, time->user, time->sys, time->real);
}

static void put_header(const struct dp_job *job)
{
    const struct dp_time *total = &job->prof->total;

    dp_putf(job->out,
            DP_TMON_MAGIC "\n$hz=%" PRIu64 ";\n$XS_VERSION='" LAYOUT
                          "';\n# All values are given in HZ\n",
            job->prof->hz);
    dp_putf(job->out,
            "$rrun_utime=%" PRId64 "; $rrun_stime=%" PRId64 "; $rrun_rtime=%" PRId64
            "\n" DP_TMON_PART2 "\n",
            total->user, total->sys, total->real);
}

static void put_run(const struct dp_job *job)
{
    const struct dp_run *run = &job->prof->run;
    const struct {
        const char *key;
        uint32_t string;
    } words[] = {{"id", run->id},   {"pid", run->pid}, {"parent", run->parent},
                 {"tid", run->tid}, {"cpu", run->cpu}, {"started", run->started}};
    const struct {
        const char *key;
        uint32_t string;
    } lines[] = {{DP_TMON_CMD, run->cmd}, {DP_TMON_PERL, run->perl}, {DP_TMON_HOST, run->host}};

    dp_puts(job->out, "#" DP_TMON_RUN);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (words[i].string != DP_NONE) {
            dp_putf(job->out, " %s=", words[i].key);
            put_text(job, words[i].string);
        }
    dp_puts(job->out, run->forked ? " forked\n" : "\n");
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        if (lines[i].string != DP_NONE) {
            dp_putf(job->out, "#%s ", lines[i].key);
            put_text(job, lines[i].string);
            dp_putc(job->out, '\n');
        }
}

/* What was odd when it was read is not seen any more in what is written. */
static void put_notes(const struct dp_job *job)
{
    for (uint32_t i = 0; i < job->prof->nnotes; i++) {
        const struct dp_note *note = &job->prof->notes[i];
        const char *text = note->text;

        if (note->code == DP_NOTE_UNFINISHED) /* it is not: no end is written either */
            continue;
        dp_puts(job->out, "#" DP_TMON_NOTE " ");
        dp_put_tmon(job->out, text, strlen(text));
        dp_putc(job->out, '\n');
    }
}

/* A calibration would be taken off a second time, if it was already. */
static void put_overs(const struct dp_job *job)
{
    for (uint32_t i = 0; i < job->prof->novers && !job->prof->cleaned; i++) {
        const struct dp_over *over = &job->prof->overs[i];

        if (!over->calls)
            continue;
        dp_puts(job->out, "#" DP_TMON_OVER " ");
        put_time(job, &over->cost);
        dp_putf(job->out, " %" PRIu64, over->calls);
        if (over->kind != DP_KIND_UNKNOWN)
            dp_putf(job->out, " %s", dp_kind_names[over->kind]);
        dp_putc(job->out, '\n');
    }
}

static void put_lists(const struct dp_job *job)
{
    const struct dp_profile *prof = job->prof;

    for (uint32_t i = 0; i < prof->nfiles; i++) {
        dp_puts(job->out, "#" DP_TMON_FILE " ");
        put_text(job, prof->files[i].path);
        dp_putf(job->out, " %" PRIu64 " %" PRId64 "\n", prof->files[i].bytes, prof->files[i].mtime);
    }
    for (uint32_t i = 0; i < prof->nchildren; i++) {
        dp_puts(job->out, "#" DP_TMON_CHILD " ");
        put_text(job, prof->children[i].id);
        dp_putc(job->out, ' ');
        put_text(job, prof->children[i].file);
        dp_putc(job->out, '\n');
    }
    for (uint32_t i = 0; i < prof->nlabels; i++) {
        dp_puts(job->out, "#" DP_TMON_MARK " ");
        put_time(job, &prof->labels[i].at);
        dp_putc(job->out, ' ');
        put_text(job, prof->labels[i].text);
        dp_putc(job->out, '\n');
    }
}

static void put_subs(const struct dp_job *job)
{
    const struct dp_profile *prof = job->prof;

    for (uint32_t i = 0; i < prof->nsubs; i++) {
        const struct dp_sub *sub = &prof->subs[i];

        dp_puts(job->out, "#" DP_TMON_SUB " ");
        put_text(job, sub->name);
        dp_putc(job->out, ' ');
        put_text(job, sub->file);
        dp_putf(job->out, " %" PRIu32, sub->line);
        if (sub->kind != DP_KIND_UNKNOWN)
            dp_putf(job->out, " %s", dp_kind_names[sub->kind]);
        dp_putc(job->out, '\n');
    }
}

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
        put_text(job, site->file);
        dp_putf(job->out, ":%" PRIu32, site->line);
    } else {
        dp_putc(job->out, '-');
    }
    dp_putf(job->out, " %" PRIu64 " ", calls);
    put_time(job, first ? &at->self : &none);
    put_hist(job, first ? at->hist : DP_NONE);
    dp_putc(job->out, ' ');
    put_text(job, node ? job->prof->subs[at->sub].name : DP_NONE);
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

static int write_tmon(const struct dp_job *job, struct dp_err *err)
{
    uint64_t next = job->prof->nnodes, lines = 0;

    if (job->prof->counts)
        return dp_fail(err, "counts have no times, and a tmon.out has");
    put_header(job);
    put_run(job);
    put_notes(job);
    put_overs(job);
    put_lists(job);
    put_subs(job);
    dp_puts(job->out, DP_TMON_PART3 "\n");
    for (uint32_t i = 0; i < job->prof->nnodes; i++)
        lines += put_node(job, i, &next);
    dp_putf(job->out, "#" DP_TMON_END " %" PRIu64 "\n", lines);
    if (job->prof->ended) {
        dp_puts(job->out, "#" DP_TMON_END " 0 ");
        put_time(job, &job->prof->total);
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
