#include "write/cut.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "model/time.h"

static int descending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return x > y ? -1 : x < y;
}

unsigned char *dp_heaviest(const double *weights, size_t n, size_t most)
{
    unsigned char *stays = dp_alloc(n + 1);
    double *sorted;
    double least;
    size_t above = 0;

    if (n <= most) {
        memset(stays, 1, n);
        return stays;
    }
    sorted = dp_alloc_array(n, sizeof *sorted);
    memcpy(sorted, weights, n * sizeof *sorted);
    qsort(sorted, n, sizeof *sorted, descending);
    least = most ? sorted[most - 1] : 0;
    while (above < most && sorted[above] > least)
        above++;
    dp_free(sorted);
    for (size_t i = 0, equals = most - above; i < n; i++) {
        if (weights[i] > least)
            stays[i] = 1;
        else if (weights[i] == least && equals) {
            stays[i] = 1;
            equals--;
        }
    }
    return stays;
}

/* --- what each path and all below it make of the whole ---------------------------------------- */

struct work {
    const struct dp_job *job;
    uint32_t levels;
    uint64_t *calls; /* per node: with all below it */
    uint32_t *paths; /* likewise */
    uint32_t *level;
    uint32_t *box; /* per node: its box, or the folded one it went into */
    /* Of the base, NULL without one: per node, with all below it. */
    const struct dp_comparison *comparison;
    uint64_t *was_calls;
    struct dp_time *was_incl;
};

static double share(int64_t part, int64_t whole)
{
    return whole > 0 ? (double)part / (double)whole : 0;
}

/* The largest of three shares. */
static double most_of(const struct dp_time *part, const struct dp_time *whole, uint64_t calls,
                      uint64_t all_calls)
{
    double cpu = share(part->user + part->sys, whole->user + whole->sys);
    double real = share(part->real, whole->real);
    double called = all_calls ? (double)calls / (double)all_calls : 0;
    double most = cpu > real ? cpu : real;

    return called > most ? called : most;
}

static double weight(const struct work *work, uint32_t node)
{
    double now = most_of(&work->job->sums->node_incl[node], &work->job->sums->total,
                         work->calls[node], work->calls[0]);
    double was = 0;

    /* Beyond the last level there is no room for anything. */
    if (work->level[node] > work->levels)
        return -1;
    if (work->comparison)
        was = most_of(&work->was_incl[node], &work->was_incl[0], work->was_calls[node],
                      work->was_calls[0]);
    return now > was ? now : was;
}

/* Parents come before their children. */
static void add_up(struct work *work)
{
    const struct dp_profile *prof = work->job->prof;
    uint32_t n = prof->nnodes;

    for (uint32_t i = 0; i < n; i++) {
        work->calls[i] = prof->nodes[i].calls;
        work->paths[i] = 1;
        work->level[i] = i ? work->level[prof->nodes[i].parent] + 1 : 0;
    }
    for (uint32_t i = n; i-- > 1;) {
        work->calls[prof->nodes[i].parent] += work->calls[i];
        work->paths[prof->nodes[i].parent] += work->paths[i];
    }
    if (!work->comparison)
        return;
    for (uint32_t i = 0; i < n; i++) {
        work->was_calls[i] = work->comparison->was[i].calls;
        work->was_incl[i] = work->comparison->was[i].self;
    }
    for (uint32_t i = n; i-- > 1;) {
        work->was_calls[prof->nodes[i].parent] += work->was_calls[i];
        dp_add_time(&work->was_incl[prof->nodes[i].parent], &work->was_incl[i]);
    }
}

/* A path's weight is not less than that of what is below it, and it comes before: who stays has
   all its callers there. */
static unsigned char *who_stays(const struct work *work, uint32_t most)
{
    uint32_t n = work->job->prof->nnodes;
    double *weights = dp_alloc_array(n, sizeof *weights);
    unsigned char *stays;

    for (uint32_t i = 0; i < n; i++)
        weights[i] = i ? weight(work, i) : 2;
    stays = dp_heaviest(weights, n, most);
    for (uint32_t i = 1; i < n; i++)
        stays[i] = stays[i] && weights[i] >= 0;
    stays[0] = 1;
    dp_free(weights);
    return stays;
}

/* --- boxes ------------------------------------------------------------------------------------ */

static uint32_t add_box(struct dp_cut *cut, uint32_t node, uint32_t parent)
{
    struct dp_cut_box *box;

    cut->boxes = dp_more(cut->boxes, cut->n, sizeof *cut->boxes);
    box = &cut->boxes[cut->n];
    memset(box, 0, sizeof *box);
    box->node = node;
    box->sub = DP_NONE;
    box->parent = parent;
    box->level = parent == DP_NONE ? 0 : cut->boxes[parent].level + 1;
    return cut->n++;
}

static void add_path(struct dp_cut *cut, struct work *work, uint32_t node)
{
    const struct dp_node *from = &work->job->prof->nodes[node];
    uint32_t at = add_box(cut, node, node ? work->box[from->parent] : DP_NONE);
    struct dp_cut_box *box = &cut->boxes[at];

    work->box[node] = at;
    box->sub = from->sub;
    box->calls = from->calls;
    box->self = from->self;
    box->incl = work->job->sums->node_incl[node];
    if (!work->comparison)
        return;
    box->was_calls = work->comparison->was[node].calls;
    box->was_self = work->comparison->was[node].self;
    box->was_incl = work->was_incl[node];
}

/* The topmost node of what is left out: into the box for that, which is behind its brothers. */
static void fold(struct dp_cut *cut, struct work *work, uint32_t node, uint32_t *fold_of)
{
    uint32_t parent = work->box[work->job->prof->nodes[node].parent];
    struct dp_cut_box *box;

    if (!fold_of[parent])
        fold_of[parent] = add_box(cut, node, parent);
    box = &cut->boxes[fold_of[parent]];
    box->paths += work->paths[node];
    box->calls += work->calls[node];
    dp_add_time(&box->self, &work->job->sums->node_incl[node]);
    box->incl = box->self;
    cut->folded += work->paths[node];
    if (!work->comparison)
        return;
    box->was_calls += work->was_calls[node];
    dp_add_time(&box->was_self, &work->was_incl[node]);
    box->was_incl = box->was_self;
}

struct dp_cut dp_cut_new(const struct dp_job *job, uint32_t most, uint32_t levels)
{
    uint32_t n = job->prof->nnodes;
    struct dp_cut cut = {NULL, dp_comparison_of(job->prof), 0, 0};
    struct work work;
    uint32_t *fold_of;
    unsigned char *stays;

    memset(&work, 0, sizeof work);
    work.job = job;
    work.levels = levels;
    work.comparison = cut.comparison;
    work.was_calls = dp_alloc_array(cut.comparison ? n : 0, sizeof *work.was_calls);
    work.was_incl = dp_alloc_array(cut.comparison ? n : 0, sizeof *work.was_incl);
    work.calls = dp_alloc_array(n, sizeof *work.calls);
    work.paths = dp_alloc_array(n, sizeof *work.paths);
    work.level = dp_alloc_array(n, sizeof *work.level);
    work.box = dp_alloc_array(n, sizeof *work.box);
    add_up(&work);
    stays = who_stays(&work, most);
    for (uint32_t i = 0; i < n; i++)
        if (stays[i])
            add_path(&cut, &work, i);
    fold_of = dp_alloc_array(cut.n, sizeof *fold_of);
    for (uint32_t i = 1; i < n; i++)
        if (!stays[i] && stays[job->prof->nodes[i].parent])
            fold(&cut, &work, i, fold_of);
    dp_free(fold_of);
    dp_free(stays);
    dp_free(work.calls);
    dp_free(work.paths);
    dp_free(work.level);
    dp_free(work.box);
    dp_free(work.was_calls);
    dp_free(work.was_incl);
    return cut;
}

void dp_cut_free(struct dp_cut *cut)
{
    dp_free(cut->boxes);
    cut->boxes = NULL;
    cut->n = 0;
}
