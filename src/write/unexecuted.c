/*
 * Subs that were never called in any of the runs: what a run with uncalled=1 lists, less what
 * another run called; by file and line.
 */
#include "write/writers.h"

#include <stdlib.h>
#include <string.h>

#include "base/escape.h"
#include "base/mem.h"
#include "write/cells.h"
#include "write/counts.h"
#include "write/statements.h"

struct place {
    const char *file;
    const char *name;
    uint32_t line;
    uint32_t sub;
};

static int by_place(const void *a, const void *b)
{
    const struct place *x = a, *y = b;
    int files = strcmp(x->file, y->file);

    if (files)
        return files;
    if (x->line != y->line)
        return x->line < y->line ? -1 : 1;
    return strcmp(x->name, y->name);
}

static struct place place_of(const struct dp_profile *prof, uint32_t sub)
{
    size_t n;
    struct place place = {dp_string(prof, prof->subs[sub].file, &n),
                          dp_string(prof, prof->subs[sub].name, &n), prof->subs[sub].line, sub};

    return place;
}

static void put_file(const struct dp_job *job, uint32_t file)
{
    size_t n;
    const char *path = dp_string(job->prof, file, &n);

    if (file == DP_NONE)
        dp_puts(job->out, "(file unknown)");
    else
        dp_put_name(job->out, path, n);
    dp_puts(job->out, ":\n");
}

static void put_subs(const struct dp_job *job, const struct place *places, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        const struct dp_sub *sub = &job->prof->subs[places[i].sub];
        size_t length;
        const char *name = dp_string(job->prof, sub->name, &length);

        if (job->view->header && (!i || strcmp(places[i].file, places[i - 1].file) != 0))
            put_file(job, sub->file);
        dp_put_count(job->out, sub->line, 7);
        dp_puts(job->out, "  ");
        dp_put_fitted(job->out, name, length, job->view->width > 30 ? job->view->width - 9 : 0);
        dp_putc(job->out, '\n');
    }
}

static int write_unexecuted(const struct dp_job *job, struct dp_err *err)
{
    struct place *places = dp_alloc_array(job->prof->nsubs, sizeof *places);
    uint32_t n = 0, listed = 0;

    if (job->prof->statements) {
        dp_free(places);
        return dp_put_unexecuted_statements(job);
    }
    if (job->prof->counts) {
        dp_free(places);
        dp_put_never_called(job);
        return 0;
    }
    for (uint32_t i = 0; i < job->prof->nsubs; i++) {
        listed += job->prof->subs[i].kind == DP_KIND_UNCALLED;
        if (job->sums->subs[i].calls || (job->view->hide && job->view->hide[i]))
            continue;
        if (job->prof->subs[i].kind == DP_KIND_UNCALLED)
            places[n++] = place_of(job->prof, i);
    }
    qsort(places, n, sizeof *places, by_place);
    put_subs(job, places, n);
    dp_free(places);
    if (!listed)
        return dp_fail(err, "no sub is listed as uncalled: record with perl -d:DProf=uncalled=1");
    return 0;
}

const struct dp_writer dp_write_unexecuted = {
    .name = "unexecuted",
    .about = "subs that were never called, from runs with uncalled=1",
    .ending = "",
    .needs = DP_KNOWS_HIDE,
    .write = write_unexecuted,
};
