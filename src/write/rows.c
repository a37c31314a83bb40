#include "write/rows.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "write/cells.h"

const char *const dp_sort_names[DP_NSORTS] = {
    "time", "exclusive", "inclusive", "calls", "average", "average-inclusive", "name", "first",
};

/* A row while it is sorted: the larger key comes first, then who appeared first. */
struct key {
    double key;
    const char *name; /* only where names are the key */
    size_t length;
    uint32_t sub;
};

static int by_key(const void *a, const void *b)
{
    const struct key *x = a, *y = b;

    if (x->key != y->key)
        return x->key > y->key ? -1 : 1;
    return x->sub < y->sub ? -1 : x->sub > y->sub;
}

static int by_name(const void *a, const void *b)
{
    const struct key *x = a, *y = b;
    int order = memcmp(x->name, y->name, x->length < y->length ? x->length : y->length);

    if (order)
        return order;
    if (x->length != y->length)
        return x->length < y->length ? -1 : 1;
    return x->sub < y->sub ? -1 : x->sub > y->sub;
}

static double key_of(const struct dp_job *job, uint32_t sub)
{
    const struct dp_sum *sum = &job->sums->subs[sub];
    enum dp_sort sort = job->view->sort;
    int inclusive = sub < job->sums->nsubs && (job->view->inclusive || sort == DP_SORT_INCLUSIVE ||
                                               sort == DP_SORT_AVERAGE_INCLUSIVE);
    double time;

    if (sort == DP_SORT_FIRST)
        return 0;
    if (sort == DP_SORT_CALLS || (job->prof->counts && !job->prof->statements))
        return (double)sum->calls;
    if (sort == DP_SORT_EXCLUSIVE)
        inclusive = 0;
    time = (double)dp_clock_of(inclusive ? &sum->incl : &sum->self, job->view->clock);
    if (sort == DP_SORT_AVERAGE || sort == DP_SORT_AVERAGE_INCLUSIVE)
        return sum->calls ? time / (double)sum->calls : 0;
    return time;
}

static int is_unused(const struct dp_sum *sum)
{
    return !sum->calls && !sum->incl.user && !sum->incl.sys && !sum->incl.real;
}

/* Its count is 0 because it is not known. */
static int is_doubtful(const struct dp_profile *prof, uint32_t sub)
{
    return prof->subs[sub].doubt & (DP_DOUBT_WRAPPED | DP_DOUBT_DAMAGED | DP_DOUBT_UNCOUNTED);
}

static uint32_t collect(const struct dp_job *job, int outside, struct key *keys)
{
    const struct dp_sums *sums = job->sums;
    uint32_t n = 0;

    for (uint32_t i = 0; i < sums->nsubs + (outside ? 1 : 0); i++) {
        const struct dp_sum *sum = &sums->subs[i];

        if (i < sums->nsubs && job->view->hide && job->view->hide[i])
            continue;
        if (i < sums->nsubs && is_unused(sum) && !is_doubtful(job->prof, i))
            continue; /* only listed, never called */
        keys[n].key = key_of(job, i);
        keys[n].sub = i;
        if (job->view->sort == DP_SORT_NAME)
            keys[n].name = dp_sub_name(job->prof, i, &keys[n].length);
        n++;
    }
    return n;
}

static void reverse(struct key *keys, uint32_t n)
{
    for (uint32_t i = 0; i < n / 2; i++) {
        struct key swap = keys[i];

        keys[i] = keys[n - 1 - i];
        keys[n - 1 - i] = swap;
    }
}

/* The code outside any sub is shown however few rows were asked: at its place, or last. */
static uint32_t cut(const struct dp_job *job, const struct key *keys, uint32_t n, uint32_t *subs)
{
    uint64_t room = job->view->rows < 0 ? UINT64_MAX : (uint64_t)job->view->rows;
    uint32_t kept = 0;

    for (uint32_t i = 0; i < n; i++) {
        if (keys[i].sub == job->sums->nsubs) {
            subs[kept++] = keys[i].sub;
        } else if (room) {
            subs[kept++] = keys[i].sub;
            room--;
        }
    }
    return kept;
}

struct dp_rows dp_rows_new(const struct dp_job *job, int outside)
{
    struct key *keys = dp_alloc_array((size_t)job->sums->nsubs + 1, sizeof *keys);
    struct dp_rows rows;
    uint32_t n = collect(job, outside, keys);

    qsort(keys, n, sizeof *keys, job->view->sort == DP_SORT_NAME ? by_name : by_key);
    if (job->view->reverse)
        reverse(keys, n);
    rows.subs = dp_alloc_array((size_t)n + 1, sizeof *rows.subs);
    rows.n = cut(job, keys, n, rows.subs);
    dp_free(keys);
    return rows;
}

void dp_rows_free(struct dp_rows *rows)
{
    dp_free(rows->subs);
    rows->subs = NULL;
    rows->n = 0;
}
