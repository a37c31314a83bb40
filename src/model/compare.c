#include "model/compare.h"

#include <string.h>

#include "base/mem.h"
#include "model/matching.h"
#include "model/paths.h"
#include "model/strings.h"
#include "model/sums.h"
#include "model/time.h"

static const char kind[] = "comparison";

/* What is needed while it is made. */
struct work {
    struct dp_profile *to;
    struct dp_comparison *comparison;
    struct dp_paths paths;
    uint32_t *by_string; /* per string of `to`: its sub */
    uint32_t nstrings;
};

/* --- subs ---------------------------------------------------------------------------------------
 */

static uint32_t sub_named(struct work *work, const char *name, size_t n)
{
    uint32_t string = dp_intern(work->to->strings, name, n);

    for (; work->nstrings < work->to->strings->n; work->nstrings++) {
        work->by_string = dp_more(work->by_string, work->nstrings, sizeof *work->by_string);
        work->by_string[work->nstrings] = DP_NONE;
    }
    if (work->by_string[string] == DP_NONE)
        work->by_string[string] = dp_add_sub(work->to, string);
    return work->by_string[string];
}

static void describe(struct dp_profile *to, uint32_t sub, const struct dp_profile *from,
                     uint32_t old)
{
    struct dp_sub *known = &to->subs[sub];
    const struct dp_sub *new = &from->subs[old];
    size_t n;
    const char *file = dp_string(from, new->file, &n);

    if (known->kind == DP_KIND_UNKNOWN)
        known->kind = new->kind;
    if (known->file != DP_NONE || new->file == DP_NONE)
        return;
    known->file = dp_intern(to->strings, file, n);
    known->line = new->line;
}

/* Per string of `now`: is it the name of a sub that is one of the base already? */
static unsigned char *taken_names(const struct dp_profile *now, const uint32_t *as, uint32_t nsubs)
{
    unsigned char *taken = dp_alloc_array(now->strings->n, 1);

    for (uint32_t i = 0; i < nsubs; i++)
        if (as[i] != DP_NONE)
            taken[now->subs[as[i]].name] = 1;
    return taken;
}

static int is_taken(const struct dp_profile *now, const unsigned char *taken, const char *name,
                    size_t n)
{
    uint32_t string = dp_find_string(now->strings, name, n);

    return string != DP_NONE && taken[string];
}

/* A sub of the base that has no like now, but whose name stands for another one there. */
static uint32_t sub_before(struct work *work, const char *name, size_t n)
{
    static const char before[] = " (before)";
    char *text = dp_alloc(n + sizeof before);
    uint32_t sub;

    memcpy(text, name, n);
    memcpy(text + n, before, sizeof before);
    sub = sub_named(work, text, n + sizeof before - 1);
    dp_free(text);
    return sub;
}

/* The sub of each sub of a run, by its name. as, of a run of the base: which of `now` each is,
   DP_NONE: the one of its name. */
static uint32_t *subs_of(struct work *work, const struct dp_profile *from, const uint32_t *as,
                         const struct dp_profile *now)
{
    uint32_t *of = dp_alloc_array((size_t)from->nsubs + 1, sizeof *of);
    unsigned char *taken = as ? taken_names(now, as, from->nsubs) : NULL;

    for (uint32_t i = 0; i < from->nsubs; i++) {
        size_t n;
        const char *name = dp_string(from, from->subs[i].name, &n);

        if (as && as[i] != DP_NONE)
            name = dp_string(now, now->subs[as[i]].name, &n);
        else if (as && is_taken(now, taken, name, n)) {
            of[i] = sub_before(work, name, n);
            continue;
        }
        of[i] = sub_named(work, name, n);
        describe(work->to, of[i], from, i);
    }
    dp_free(taken);
    return of;
}

/* --- amounts ------------------------------------------------------------------------------------
 */

static struct dp_time at_hz(const struct dp_time *time, uint64_t from, uint64_t to)
{
    double factor = (double)to / (double)from;
    struct dp_time scaled = *time;

    if (from == to)
        return scaled;
    scaled.user = dp_ticks((double)time->user * factor);
    scaled.sys = dp_ticks((double)time->sys * factor);
    scaled.real = dp_ticks((double)time->real * factor);
    return scaled;
}

/* Sums that could not bear it stay where they are. */
static void add(struct dp_time *to, const struct dp_time *what)
{
    const int64_t most = (int64_t)1 << 60;

    if (to->user < most && to->sys < most && to->real < most && what->user < most &&
        what->sys < most && what->real < most)
        dp_add_time(to, what);
}

static void take_node(struct work *work, int side, uint32_t node, const struct dp_profile *from,
                      uint32_t old)
{
    struct dp_time self = at_hz(&from->nodes[old].self, from->hz, work->to->hz);
    struct dp_comparison *comparison = work->comparison;

    while (comparison->nnodes < work->to->nnodes) {
        comparison->was = dp_more(comparison->was, comparison->nnodes, sizeof *comparison->was);
        memset(&comparison->was[comparison->nnodes++], 0, sizeof *comparison->was);
    }
    if (side == DP_BASE) {
        comparison->was[node].calls += from->nodes[old].calls;
        add(&comparison->was[node].self, &self);
    } else {
        work->to->nodes[node].calls += from->nodes[old].calls;
        add(&work->to->nodes[node].self, &self);
    }
}

static void take_tree(struct work *work, int side, const struct dp_profile *from,
                      const uint32_t *sub_of)
{
    uint32_t *places = dp_alloc_array(from->nnodes, sizeof *places);

    take_node(work, side, 0, from, 0);
    for (uint32_t i = 1; i < from->nnodes; i++) {
        places[i] = dp_path(&work->paths, work->to, places[from->nodes[i].parent],
                            sub_of[from->nodes[i].sub]);
        take_node(work, side, places[i], from, i);
    }
    dp_free(places);
}

static void sum_up(struct dp_profile *prof)
{
    const struct dp_time none = {0, 0, 0};

    prof->total = none;
    for (uint32_t i = 0; i < prof->nnodes; i++)
        dp_add_time(&prof->total, &prof->nodes[i].self);
}

/* A run's sums, sub by sub. Two subs of it may have become one. */
static void take_sums(struct work *work, int side, uint32_t run, const struct dp_profile *from,
                      uint32_t *sub_of)
{
    struct dp_comparison *comparison = work->comparison;
    struct dp_sums *sums = dp_sums_new(from);
    struct dp_run_of_sub *row =
        comparison->subs[side] + (size_t)run * ((size_t)comparison->nsubs + 1);

    sub_of[from->nsubs] = comparison->nsubs;
    for (uint32_t i = 0; i <= from->nsubs; i++) {
        const struct dp_sum *sum = &sums->subs[i];
        struct dp_run_of_sub *to = &row[sub_of[i]];
        const struct dp_time *const amounts[] = {&sum->self, &sum->incl, &sum->self_unsure,
                                                 &sum->incl_unsure};
        struct dp_time *const places[] = {&to->self, &to->incl, &to->self_unsure, &to->incl_unsure};

        to->calls += sum->calls;
        for (int k = 0; k < 4; k++) {
            struct dp_time scaled = at_hz(amounts[k], from->hz, work->to->hz);

            add(places[k], &scaled);
        }
    }
    comparison->total[side][run] = at_hz(&sums->total, from->hz, work->to->hz);
    dp_sums_free(sums);
}

/* --- all ----------------------------------------------------------------------------------------
 */

static void free_comparison(void *what)
{
    struct dp_comparison *comparison = what;

    for (int side = 0; side < 2; side++) {
        dp_free(comparison->subs[side]);
        dp_free(comparison->total[side]);
    }
    dp_free(comparison->was);
    dp_free(comparison);
}

/* Everything is brought to the finest clock. */
static uint64_t finest(struct dp_profile *const *runs, uint32_t n, uint64_t hz)
{
    for (uint32_t i = 0; i < n; i++)
        if (runs[i]->hz > hz)
            hz = runs[i]->hz;
    return hz;
}

static void take_run_of(struct dp_profile *to, const struct dp_profile *from)
{
    const uint32_t words[] = {from->run.cmd, from->run.perl, from->run.host};
    uint32_t *const places[] = {&to->run.cmd, &to->run.perl, &to->run.host};

    for (int i = 0; i < 3; i++) {
        size_t n;
        const char *text = dp_string(from, words[i], &n);

        if (words[i] != DP_NONE)
            *places[i] = dp_intern(to->strings, text, n);
    }
    to->first = from->first;
    to->last = from->last;
    to->ended = from->ended;
    to->cleaned = from->cleaned;
}

struct dp_profile *dp_compare(struct dp_profile *const *now, uint32_t nnow,
                              struct dp_profile *const *base, uint32_t nbase)
{
    struct dp_profile *const *const sides[2] = {base, now};
    const uint32_t runs[2] = {nbase, nnow};
    uint32_t **sub_of[2];
    struct work work;

    memset(&work, 0, sizeof work);
    work.to = dp_profile_new();
    work.to->hz = finest(now, nnow, finest(base, nbase, 1));
    work.comparison = dp_alloc(sizeof *work.comparison);
    dp_paths_init(&work.paths, work.to);
    take_run_of(work.to, now[0]);
    for (int side = DP_NOW; side >= DP_BASE; side--) {
        sub_of[side] = dp_alloc_array(runs[side], sizeof *sub_of[side]);
        work.comparison->runs[side] = runs[side];
        for (uint32_t i = 0; i < runs[side]; i++) {
            uint32_t *as = side == DP_BASE ? dp_match_subs(sides[side][i], now[0]) : NULL;

            sub_of[side][i] = subs_of(&work, sides[side][i], as, now[0]);
            take_tree(&work, side, sides[side][i], sub_of[side][i]);
            dp_free(as);
        }
    }
    work.comparison->nsubs = work.to->nsubs;
    for (int side = 0; side < 2; side++) {
        work.comparison->subs[side] = dp_alloc_array(((size_t)work.to->nsubs + 1) * runs[side],
                                                     sizeof *work.comparison->subs[side]);
        work.comparison->total[side] =
            dp_alloc_array(runs[side], sizeof *work.comparison->total[side]);
        for (uint32_t i = 0; i < runs[side]; i++) {
            take_sums(&work, side, i, sides[side][i], sub_of[side][i]);
            dp_free(sub_of[side][i]);
        }
        dp_free(sub_of[side]);
    }
    sum_up(work.to);
    dp_paths_free(&work.paths);
    dp_free(work.by_string);
    dp_set_foreign(work.to, kind, work.comparison, free_comparison);
    return work.to;
}

const struct dp_comparison *dp_comparison_of(const struct dp_profile *prof)
{
    const struct dp_comparison *comparison = dp_foreign(prof, kind);

    return comparison && comparison->nsubs == prof->nsubs && comparison->nnodes == prof->nnodes
               ? comparison
               : NULL;
}
