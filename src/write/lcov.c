/*
 * lcov: a tracefile. Of a profile of statements how often each line ran; of any other how often the
 * sub was called that is defined on a line: with the recorder's uncalled=1 also those that never
 * were.
 */
#include "write/writers.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/escape.h"
#include "base/mem.h"
#include "model/strings.h"

/* A sub, or a count of a line, by file and line. */
struct entry {
    uint32_t file;
    uint32_t line;
    uint64_t count;
    uint32_t sub; /* DP_NONE: a line */
};

struct entries {
    struct entry *all;
    uint32_t n;
};

static int by_place(const void *a, const void *b)
{
    const struct entry *x = a, *y = b;

    if (x->file != y->file)
        return x->file < y->file ? -1 : 1;
    if (x->line != y->line)
        return x->line < y->line ? -1 : 1;
    return x->sub < y->sub ? -1 : x->sub > y->sub;
}

static struct entries subs_of(const struct dp_job *job)
{
    const struct dp_profile *prof = job->prof;
    struct entries subs = {dp_alloc_array((size_t)prof->nsubs + 1, sizeof *subs.all), 0};

    for (uint32_t i = 0; i < prof->nsubs; i++)
        if (prof->subs[i].file != DP_NONE && prof->subs[i].line)
            subs.all[subs.n++] =
                (struct entry){prof->subs[i].file, prof->subs[i].line, job->sums->subs[i].calls, i};
    qsort(subs.all, subs.n, sizeof *subs.all, by_place);
    return subs;
}

static struct entries lines_of(const struct dp_profile *prof, const struct entries *subs)
{
    uint32_t n = prof->statements ? prof->nlines : subs->n;
    struct entries lines = {dp_alloc_array((size_t)n + 1, sizeof *lines.all), 0};

    for (uint32_t i = 0; i < n; i++) {
        struct entry *entry = &lines.all[lines.n++];

        *entry = prof->statements ? (struct entry){prof->lines[i].file, prof->lines[i].line,
                                                   prof->lines[i].count, 0}
                                  : subs->all[i];
        entry->sub = DP_NONE;
    }
    qsort(lines.all, lines.n, sizeof *lines.all, by_place);
    return lines;
}

/* A comma ends a name for genhtml. */
static void put_name(const struct dp_job *job, uint32_t sub)
{
    size_t n;
    const char *name = dp_string(job->prof, job->prof->subs[sub].name, &n), *comma;

    while ((comma = n ? memchr(name, ',', n) : NULL)) {
        size_t before = (size_t)(comma - name);

        dp_put_name(job->out, name, before);
        dp_puts(job->out, "\\x2c");
        name += before + 1;
        n -= before + 1;
    }
    dp_put_name(job->out, name, n);
}

static void put_functions(const struct dp_job *job, const struct entries *subs, uint32_t file)
{
    uint32_t found = 0, hit = 0;

    for (int counts = 0; counts < 2; counts++)
        for (uint32_t i = 0; i < subs->n; i++) {
            const struct entry *sub = &subs->all[i];

            if (sub->file != file)
                continue;
            if (counts)
                dp_putf(job->out, "FNDA:%" PRIu64 ",", sub->count);
            else
                dp_putf(job->out, "FN:%" PRIu32 ",", sub->line);
            put_name(job, sub->sub);
            dp_putc(job->out, '\n');
            found += (uint32_t)counts;
            hit += counts && sub->count;
        }
    dp_putf(job->out, "FNF:%" PRIu32 "\nFNH:%" PRIu32 "\n", found, hit);
}

/* Two counts of one line add up: two subs that begin there. */
static void put_lines(const struct dp_job *job, const struct entries *lines, uint32_t file)
{
    uint32_t found = 0, hit = 0;

    for (uint32_t i = 0; i < lines->n; i++) {
        uint64_t count = lines->all[i].count;

        if (lines->all[i].file != file)
            continue;
        while (i + 1 < lines->n && lines->all[i + 1].file == file &&
               lines->all[i + 1].line == lines->all[i].line)
            count += lines->all[++i].count;
        dp_putf(job->out, "DA:%" PRIu32 ",%" PRIu64 "\n", lines->all[i].line, count);
        found++;
        hit += count != 0;
    }
    dp_putf(job->out, "LF:%" PRIu32 "\nLH:%" PRIu32 "\n", found, hit);
}

static void put_file(const struct dp_job *job, uint32_t file)
{
    size_t n;
    const char *path = dp_string(job->prof, file, &n);

    dp_puts(job->out, "SF:");
    dp_put_name(job->out, path, n);
    dp_putc(job->out, '\n');
}

static struct entries part_of(const struct entries *entries, uint32_t file, uint32_t *at)
{
    struct entries part = {entries->all + *at, 0};

    while (*at < entries->n && entries->all[*at].file == file) {
        part.n++;
        (*at)++;
    }
    return part;
}

static int write_lcov(const struct dp_job *job, struct dp_err *err)
{
    struct entries subs = subs_of(job), lines = lines_of(job->prof, &subs);
    uint32_t sub = 0, line = 0;
    int any = subs.n || lines.n;

    if (any)
        dp_puts(job->out, "TN:\n");
    while (sub < subs.n || line < lines.n) {
        uint32_t a = sub < subs.n ? subs.all[sub].file : DP_NONE;
        uint32_t b = line < lines.n ? lines.all[line].file : DP_NONE;
        uint32_t file = a < b ? a : b;
        struct entries of_file = part_of(&subs, file, &sub);
        struct entries lines_of_file = part_of(&lines, file, &line);

        put_file(job, file);
        put_functions(job, &of_file, file);
        put_lines(job, &lines_of_file, file);
        dp_puts(job->out, "end_of_record\n");
    }
    dp_free(subs.all);
    dp_free(lines.all);
    return any ? 0 : dp_fail(err, "no sub of this profile has a known line");
}

const struct dp_writer dp_write_lcov = {
    .name = "lcov",
    .about = "counts by line (of Perl: calls at the line of each sub): genhtml, editors, CI",
    .ending = ".info",
    .writes = DP_WRITES_FORMAT,
    .write = write_lcov,
};
