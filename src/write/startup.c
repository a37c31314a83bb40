/*
 * What loading each module cost: the tree of loads with inclusive and own time, from a run with
 * files=1. The profile comes here with everything but file frames left out, so that their own time
 * is that of all the code that ran for them.
 */
#include "write/writers.h"

#include "base/escape.h"
#include "write/cells.h"
#include "write/walk.h"

enum { BLANKS = 2 };

static struct dp_cell cell(const struct dp_job *job, const struct dp_time *time)
{
    return dp_time_cell(job, time, NULL);
}

static int widest(const struct dp_job *job)
{
    int width = 8;

    for (uint32_t i = 0; i < job->prof->nnodes; i++) {
        struct dp_cell incl = cell(job, &job->sums->node_incl[i]);
        int need = dp_cell_width(&incl);

        if (need > width)
            width = need;
    }
    return width;
}

static int write_startup(const struct dp_job *job, struct dp_err *err)
{
    struct dp_walk walk;
    struct dp_step step;
    int width = widest(job);

    if (job->prof->nnodes < 2)
        return dp_fail(err, "no module was seen loading: record with perl -d:DProf=files=1");
    if (job->view->header)
        dp_putf(job->out, "%*s %*s  Loaded\n", width, "CumulS", width, "ExclSec");
    dp_walk_init(&walk, job);
    while (dp_walk_next(&walk, &step)) {
        const struct dp_node *node = &job->prof->nodes[step.node];
        struct dp_cell incl = cell(job, &job->sums->node_incl[step.node]);
        struct dp_cell self = cell(job, &node->self);
        size_t n;
        const char *name = dp_sub_name(job->prof, node->sub, &n);

        dp_put_cell(job->out, &incl, width);
        dp_putc(job->out, ' ');
        dp_put_cell(job->out, &self, width);
        dp_puts(job->out, "  ");
        dp_put_indent(job->out, step.level, BLANKS);
        dp_put_name(job->out, name, n);
        if (node->calls > 1)
            dp_putf(job->out, " x %llu", (unsigned long long)node->calls);
        dp_putc(job->out, '\n');
    }
    dp_walk_free(&walk);
    return 0;
}

const struct dp_writer dp_write_startup = {
    .name = "startup",
    .about = "what loading each module cost, from a run with files=1",
    .ending = "",
    .needs = DP_NEEDS_FILES | DP_KNOWS_HIDE,
    .write = write_startup,
};
