#include "write/parts.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "write/measures.h"

/* --- when each began ----------------------------------------------------------------------------
 */

static int same_text(const struct dp_profile *a, uint32_t x, const struct dp_profile *b, uint32_t y)
{
    size_t n, m;
    const char *one = dp_string(a, x, &n), *other = dp_string(b, y, &m);

    return x != DP_NONE && y != DP_NONE && n == m && memcmp(one, other, n) == 0;
}

/* Do all read one clock? Ticks of a family's members are of one clock. */
static int one_clock(const struct dp_parts_list *parts)
{
    const struct dp_profile *first = parts->all[0].prof;

    for (uint32_t i = 0; i < parts->n; i++) {
        const struct dp_profile *prof = parts->all[i].prof;

        if (prof->hz != first->hz || prof->first.real <= 0 ||
            !same_text(first, first->run.id, prof, prof->run.id))
            return 0;
    }
    return 1;
}

/* Seconds since 1970, 0 if it does not say. */
static double started(const struct dp_profile *prof)
{
    double seconds =
        prof->run.started == DP_NONE ? 0 : strtod(dp_string(prof, prof->run.started, NULL), NULL);

    return seconds > 0 && seconds < 1e10 ? seconds : 0;
}

static void find_begins(struct dp_parts_list *parts)
{
    int clock = one_clock(parts), stamps = 1;
    int64_t ticks = INT64_MAX;
    double seconds = 1e10;

    for (uint32_t i = 0; i < parts->n; i++) {
        const struct dp_profile *prof = parts->all[i].prof;

        if (prof->first.real < ticks)
            ticks = prof->first.real;
        if (started(prof) < seconds)
            seconds = started(prof);
    }
    stamps = seconds > 0;
    for (uint32_t i = 0; i < parts->n; i++) {
        const struct dp_profile *prof = parts->all[i].prof;

        if (clock)
            parts->begin[i] = dp_nanoseconds(prof->first.real - ticks, prof->hz);
        else if (stamps)
            parts->begin[i] = (int64_t)((started(prof) - seconds) * 1e9);
    }
}

void dp_parts_init(struct dp_parts_list *parts, const struct dp_job *job)
{
    memset(parts, 0, sizeof *parts);
    parts->single.prof = job->prof;
    parts->all = job->nparts ? job->parts : &parts->single;
    parts->n = job->nparts ? job->nparts : 1;
    parts->begin = dp_alloc_array(parts->n, sizeof *parts->begin);
    find_begins(parts);
}

/* --- tracks -------------------------------------------------------------------------------------
 */

static int has_order(const struct dp_part *part)
{
    return part->track && part->track->n;
}

void dp_parts_tracks(struct dp_parts_list *parts, const struct dp_job *job)
{
    uint32_t made = 0;

    dp_timeline_init(&parts->made, 0, NULL, NULL);
    parts->tracks = dp_alloc_array(parts->n, sizeof *parts->tracks);
    for (uint32_t i = 0; i < parts->n; i++) {
        struct dp_sums *sums;

        if (has_order(&parts->all[i]))
            continue;
        sums = parts->all[i].prof == job->prof ? NULL : dp_sums_new(parts->all[i].prof);
        dp_timeline_of_paths(&parts->made, parts->all[i].prof,
                             sums ? sums->node_incl : job->sums->node_incl);
        dp_sums_free(sums);
    }
    for (uint32_t i = 0; i < parts->n; i++)
        parts->tracks[i] =
            has_order(&parts->all[i]) ? parts->all[i].track : &parts->made.tracks[made++];
}

void dp_parts_free(struct dp_parts_list *parts)
{
    if (parts->tracks)
        dp_timeline_free(&parts->made);
    dp_free((void *)parts->tracks);
    dp_free(parts->begin);
}

const char *dp_part_name(const struct dp_parts_list *parts, const struct dp_job *job, uint32_t part,
                         const struct dp_span *span, size_t *n)
{
    const struct dp_strings *names =
        parts->tracks[part]->made ? &parts->made.names : &job->timeline->names;

    *n = names->length[span->name];
    return names->bytes[span->name];
}

int64_t dp_part_when(const struct dp_parts_list *parts, uint32_t part, int64_t ticks)
{
    const struct dp_profile *prof = parts->all[part].prof;
    int64_t origin = parts->tracks[part]->made ? 0 : prof->first.real;
    int64_t after = dp_nanoseconds(ticks - origin, prof->hz);

    return after > INT64_MAX - parts->begin[part] ? INT64_MAX : after + parts->begin[part];
}

/* --- numbers ------------------------------------------------------------------------------------
 */

static uint64_t number(const struct dp_profile *prof, uint32_t string, uint64_t otherwise)
{
    const char *text = dp_string(prof, string, NULL);
    uint64_t value = 0;

    if (string == DP_NONE || !*text)
        return otherwise;
    for (; *text; text++) {
        if (*text < '0' || *text > '9' || value > INT32_MAX)
            return otherwise;
        value = value * 10 + (uint64_t)(*text - '0');
    }
    return value;
}

uint64_t dp_part_pid(const struct dp_parts_list *parts, uint32_t part)
{
    return number(parts->all[part].prof, parts->all[part].prof->run.pid, (uint64_t)part + 1);
}

uint64_t dp_part_tid(const struct dp_parts_list *parts, uint32_t part)
{
    return number(parts->all[part].prof, parts->all[part].prof->run.tid, 0);
}
