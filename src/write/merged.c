/*
 * -S: the tree of call paths, each once, with counts and times; the dearest path first.
 */
#include "write/writers.h"

#include "base/escape.h"
#include "write/cells.h"
#include "write/walk.h"

enum { BLANKS = 2 };

static void put_time(const struct dp_job *job, int64_t ticks)
{
    struct dp_cell cell = {(double)ticks / (double)job->prof->hz, dp_clock_digits(job->prof->hz),
                           ticks <= 0, 0};

    dp_put_cell(job->out, &cell, 0);
}

static void put_node(const struct dp_job *job, const struct dp_step *step)
{
    const struct dp_node *node = &job->prof->nodes[step->node];
    int64_t all = dp_clock_of(&job->sums->node_incl[step->node], job->view->clock);
    int64_t own = dp_clock_of(&node->self, job->view->clock);
    struct dp_out *out = job->out;
    size_t n;
    const char *name = dp_sub_name(job->prof, node->sub, &n);

    dp_put_indent(out, step->level, BLANKS);
    dp_put_name(out, name, n);
    dp_puts(out, " x ");
    dp_put_u64(out, node->calls);
    dp_puts(out, "  \t");
    put_time(job, all);
    dp_putc(out, 's');
    if (node->first_child != DP_NONE) {
        dp_puts(out, " = (");
        put_time(job, own);
        dp_puts(out, " + ");
        put_time(job, all - own);
        dp_puts(out, ")s");
    }
    dp_putc(out, '\n');
}

static int write_merged(const struct dp_job *job, struct dp_err *err)
{
    struct dp_walk walk;
    struct dp_step step;

    if (job->prof->counts)
        return dp_fail(err, "counts have no call paths; -T shows who calls whom");
    dp_walk_init(&walk, job);
    while (dp_walk_next(&walk, &step))
        put_node(job, &step);
    dp_walk_free(&walk);
    return 0;
}

const struct dp_writer dp_write_merged = {
    .name = "merged",
    .about = "the tree of call paths with counts and times, the dearest first",
    .ending = "",
    .write = write_merged,
};
