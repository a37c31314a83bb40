#include "write/walk.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "write/cells.h"

/* A child while it is sorted: the larger key first, then who appeared first. */
struct child {
    double key;
    const char *name;
    size_t length;
    uint32_t node;
};

static int order(const void *a, const void *b)
{
    const struct child *x = a, *y = b;
    int names = 0;

    if (x->key != y->key)
        return x->key > y->key ? -1 : 1;
    if (x->name)
        names = memcmp(x->name, y->name, x->length < y->length ? x->length : y->length);
    if (!names && x->length != y->length)
        names = x->length < y->length ? -1 : 1;
    return names ? names : x->node < y->node ? -1 : x->node > y->node;
}

static int order_reversed(const void *a, const void *b)
{
    return order(b, a);
}

static double average(const struct dp_job *job, const struct dp_time *time, uint64_t calls)
{
    double ticks = (double)dp_clock_of(time, job->view->clock);

    return calls ? ticks / (double)calls : ticks;
}

static struct child child_of(const struct dp_job *job, uint32_t node)
{
    const struct dp_node *at = &job->prof->nodes[node];
    struct child child = {0, NULL, 0, node};

    switch (job->view->sort) {
    case DP_SORT_NAME:
        child.name = dp_sub_name(job->prof, at->sub, &child.length);
        break;
    case DP_SORT_CALLS:
        child.key = (double)at->calls;
        break;
    case DP_SORT_FIRST:
        break;
    case DP_SORT_EXCLUSIVE:
        child.key = (double)dp_clock_of(&at->self, job->view->clock);
        break;
    case DP_SORT_AVERAGE:
        child.key =
            average(job, job->view->inclusive ? &job->sums->node_incl[node] : &at->self, at->calls);
        break;
    case DP_SORT_AVERAGE_INCLUSIVE:
        child.key = average(job, &job->sums->node_incl[node], at->calls);
        break;
    default:
        child.key = (double)dp_clock_of(&job->sums->node_incl[node], job->view->clock);
    }
    return child;
}

static void push(struct dp_walk *walk, uint32_t node, uint32_t level)
{
    if (walk->n == walk->room) {
        walk->room = walk->room ? 2 * walk->room : 256;
        walk->steps = dp_grow(walk->steps, walk->room * sizeof *walk->steps);
    }
    walk->steps[walk->n++] = (struct dp_step){node, level};
}

static void push_children(struct dp_walk *walk, uint32_t node, uint32_t level)
{
    const struct dp_node *nodes = walk->job->prof->nodes;
    struct child *children = walk->children;
    uint32_t n = 0;

    for (uint32_t c = nodes[node].first_child; c != DP_NONE; c = nodes[c].next) {
        if (n == walk->children_room) {
            walk->children_room = n ? 2 * n : 256;
            children = walk->children = dp_grow(children, walk->children_room * sizeof *children);
        }
        children[n++] = child_of(walk->job, c);
    }
    if (n > 1)
        qsort(children, n, sizeof *children, walk->job->view->reverse ? order_reversed : order);
    while (n)
        push(walk, children[--n].node, level);
}

void dp_walk_init(struct dp_walk *walk, const struct dp_job *job)
{
    memset(walk, 0, sizeof *walk);
    walk->job = job;
    if (job->prof->nnodes)
        push_children(walk, 0, 0);
}

int dp_walk_next(struct dp_walk *walk, struct dp_step *step)
{
    if (!walk->n)
        return 0;
    *step = walk->steps[--walk->n];
    push_children(walk, step->node, step->level + 1);
    return 1;
}

void dp_walk_free(struct dp_walk *walk)
{
    dp_free(walk->steps);
    dp_free(walk->children);
    memset(walk, 0, sizeof *walk);
}
