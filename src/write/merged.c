/*
 * -S: the tree of call paths, each once, with counts and times; the dearest path first.
 */
#include "write/writers.h"

#include "base/escape.h"
#include "base/mem.h"
#include "model/doubt.h"
#include "write/cells.h"
#include "write/colour.h"
#include "write/walk.h"

enum { BLANKS = 2 };

static void put_time(const struct dp_job *job, const struct dp_time *time,
                     const struct dp_time *unsure)
{
    struct dp_cell cell = dp_time_cell(job, time, unsure);

    cell.digits = dp_clock_digits(job->prof->hz);
    dp_put_cell(job->out, &cell, 0);
}

static struct dp_time difference(const struct dp_time *all, const struct dp_time *own)
{
    struct dp_time rest = {all->user - own->user, all->sys - own->sys, all->real - own->real};

    return rest;
}

static void put_node(const struct dp_job *job, const struct dp_step *step,
                     const struct dp_node_doubt *doubt)
{
    const struct dp_node *node = &job->prof->nodes[step->node];
    const struct dp_time *all = &job->sums->node_incl[step->node];
    struct dp_time below = difference(all, &node->self);
    struct dp_out *out = job->out;
    size_t n;
    const char *name = dp_sub_name(job->prof, node->sub, &n);

    dp_colour_share(job, (double)dp_clock_of(all, job->view->clock),
                    (double)dp_clock_of(&job->sums->total, job->view->clock));
    dp_put_indent(out, step->level, BLANKS);
    dp_put_name(out, name, n);
    if (node->calls || !job->prof->uncounted) {
        dp_puts(out, " x ");
        dp_put_u64(out, node->calls);
    }
    dp_puts(out, "  \t");
    put_time(job, all, &doubt->incl);
    dp_putc(out, 's');
    if (node->first_child != DP_NONE) {
        dp_puts(out, " = (");
        put_time(job, &node->self, &doubt->self);
        dp_puts(out, " + ");
        put_time(job, &below, &doubt->below);
        dp_puts(out, ")s");
    }
    dp_colour_end(job);
    dp_putc(out, '\n');
}

static int write_merged(const struct dp_job *job, struct dp_err *err)
{
    struct dp_node_doubt *doubts;
    struct dp_walk walk;
    struct dp_step step;

    if (job->prof->counts)
        return dp_fail(err, "counts have no call paths; -T shows who calls whom");
    doubts = dp_node_doubts(job->prof);
    dp_walk_init(&walk, job);
    while (dp_walk_next(&walk, &step))
        put_node(job, &step, &doubts[step.node]);
    dp_walk_free(&walk);
    dp_free(doubts);
    return 0;
}

const struct dp_writer dp_write_merged = {
    .name = "merged",
    .about = "the tree of call paths with counts and times, the dearest first",
    .ending = "",
    .write = write_merged,
};
