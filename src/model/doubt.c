#include "model/doubt.h"

#include <string.h>

#include "base/mem.h"
#include "model/overhead.h"

/* The square root, without libm: half the exponent is a guess within a few percent, and each of
   Newton's steps doubles its digits. */
static double square_root(double x)
{
    uint64_t bits;
    double root;

    if (x <= 0)
        return 0;
    memcpy(&bits, &x, sizeof bits);
    bits = (bits >> 1) + ((uint64_t)1023 << 51);
    memcpy(&root, &bits, sizeof root);
    for (int i = 0; i < 4; i++)
        root = (root + x / root) / 2;
    return root;
}

/* Each stretch of time between two readings of the clock is off by less than a tick either way,
   which adds up like a random walk (a sixth of a square tick each); the calibration's error adds up
   straight. */
static int64_t unsure(double stretches, double err)
{
    return dp_ticks(square_root(stretches / 6 + err * err) + 0.499);
}

struct dp_time dp_unsure(double stretches, const struct dp_amount *err)
{
    struct dp_time time;

    time.user = unsure(stretches, err->user);
    time.sys = unsure(stretches, err->sys);
    time.real = unsure(stretches, err->real);
    return time;
}

/* The calls of what each node called. */
static double *calls_below(const struct dp_profile *prof)
{
    double *calls = dp_alloc_array(prof->nnodes, sizeof *calls);

    for (uint32_t i = 1; i < prof->nnodes; i++)
        calls[prof->nodes[i].parent] += (double)prof->nodes[i].calls;
    return calls;
}

/* A node's own time is cut at its own calls and at those of its children. Children come after their
   parents: backwards, all that is below a node is summed up when its turn comes. */
struct dp_node_doubt *dp_node_doubts(const struct dp_profile *prof)
{
    struct dp_node_doubt *doubts = dp_alloc_array(prof->nnodes, sizeof *doubts);
    struct dp_amount *below = dp_alloc_array(prof->nnodes, sizeof *below);
    double *children = calls_below(prof);
    struct dp_overhead overhead;

    dp_overhead_init(&overhead, prof);
    for (uint32_t i = prof->nnodes; i-- > 0;) {
        const struct dp_node *node = &prof->nodes[i];
        double calls = i ? (double)node->calls : 1;

        doubts[i].self = dp_unsure(calls + children[i], &overhead.err[i]);
        doubts[i].below = dp_unsure(children[i], &below[i]);
        dp_add_amount(&overhead.err[i], &below[i], 1);
        doubts[i].incl = dp_unsure(calls, &overhead.err[i]);
        if (i)
            dp_add_amount(&below[node->parent], &overhead.err[i], 1);
    }
    dp_overhead_free(&overhead);
    dp_free(children);
    dp_free(below);
    return doubts;
}
