/* The page's call paths, and the calls in the order of time. */
#include <inttypes.h>

#include "base/mem.h"
#include "model/strings.h"
#include "write/json.h"
#include "write/lane.h"
#include "write/page.h"

/* --- call paths ------------------------------------------------------------------------------- */

static const struct dp_cut_box *box(const void *things, uint32_t i)
{
    const struct dp_cut_box *boxes = things;

    return &boxes[i];
}

static int64_t parent(const struct dp_html *page, const void *things, uint32_t i)
{
    (void)page;
    return i ? (int64_t)box(things, i)->parent : -1;
}

/* The row of its sub; or minus the number of paths that were folded into it. */
static int64_t row(const struct dp_html *page, const void *things, uint32_t i)
{
    const struct dp_cut_box *of = box(things, i);

    return of->paths ? -(int64_t)of->paths : i ? (int64_t)page->row[of->sub] : 0;
}

static int64_t calls(const struct dp_html *page, const void *things, uint32_t i)
{
    (void)page;
    return (int64_t)box(things, i)->calls;
}

static int64_t cpu(const struct dp_html *page, const void *things, uint32_t i)
{
    (void)page;
    return box(things, i)->self.user + box(things, i)->self.sys;
}

static int64_t real(const struct dp_html *page, const void *things, uint32_t i)
{
    (void)page;
    return box(things, i)->self.real;
}

static int64_t was_calls(const struct dp_html *page, const void *things, uint32_t i)
{
    (void)page;
    return (int64_t)box(things, i)->was_calls;
}

static int64_t was_cpu(const struct dp_html *page, const void *things, uint32_t i)
{
    (void)page;
    return box(things, i)->was_self.user + box(things, i)->was_self.sys;
}

static int64_t was_real(const struct dp_html *page, const void *things, uint32_t i)
{
    (void)page;
    return box(things, i)->was_self.real;
}

void dp_html_put_paths(struct dp_html *page)
{
    const struct dp_cut *cut = &page->cut;

    dp_putf(page->out, ",\"paths\":{\"all\":%" PRIu32 ",\"folded\":%" PRIu64,
            page->job->prof->nnodes - 1, cut->folded);
    dp_html_column(page, "parent", parent, cut->boxes, cut->n);
    dp_html_column(page, "sub", row, cut->boxes, cut->n);
    dp_html_column(page, "calls", calls, cut->boxes, cut->n);
    dp_html_column(page, "cpu", cpu, cut->boxes, cut->n);
    dp_html_column(page, "real", real, cut->boxes, cut->n);
    if (cut->comparison) {
        dp_html_column(page, "wasCalls", was_calls, cut->boxes, cut->n);
        dp_html_column(page, "wasCpu", was_cpu, cut->boxes, cut->n);
        dp_html_column(page, "wasReal", was_real, cut->boxes, cut->n);
    }
    dp_puts(page->out, "}\n");
}

/* --- in the order of time --------------------------------------------------------------------- */

/* One process, and the row of each name of the lane. */
struct track {
    const struct dp_lane_track *of;
    const uint32_t *row;
};

static const struct dp_lane_box *at(const void *things, uint32_t i)
{
    const struct track *track = things;

    return &track->of->boxes[i];
}

static int64_t lane_level(const struct dp_html *page, const void *things, uint32_t i)
{
    (void)page;
    return (int64_t)at(things, i)->level - (i ? (int64_t)at(things, i - 1)->level : 0);
}

/* After the end of the one before it on the same level. */
static int64_t lane_start(const struct dp_html *page, const void *things, uint32_t i)
{
    const struct track *track = things;
    int fresh = !i || at(things, i)->level != at(things, i - 1)->level;

    (void)page;
    return at(things, i)->start - (fresh ? track->of->first : at(things, i - 1)->end);
}

static int64_t lane_length(const struct dp_html *page, const void *things, uint32_t i)
{
    (void)page;
    return at(things, i)->end - at(things, i)->start;
}

static int64_t lane_sub(const struct dp_html *page, const void *things, uint32_t i)
{
    const struct track *track = things;
    uint32_t of = track->row[at(things, i)->name];

    (void)page;
    return of == DP_NONE ? -1 : (int64_t)of;
}

static int64_t lane_calls(const struct dp_html *page, const void *things, uint32_t i)
{
    (void)page;
    return (int64_t)at(things, i)->calls;
}

static void put_word(struct dp_html *page, const char *key, uint32_t string)
{
    const struct dp_strings *names = &page->job->lane->names;

    if (string == DP_NONE)
        dp_putf(page->out, ",\"%s\":null", key);
    else
        dp_html_text(page, key, names->bytes[string], names->length[string]);
}

static void put_labels(struct dp_html *page, const struct dp_lane_track *of)
{
    uint32_t step = of->nlabels / 500 + 1;
    const char *before = "";

    dp_putf(page->out, ",\"nlabels\":%" PRIu32 ",\"labels\":[", of->nlabels);
    for (uint32_t i = 0; i < of->nlabels; i += step) {
        dp_putf(page->out, "%s{\"at\":%" PRId64, before, of->labels[i].at - of->first);
        put_word(page, "text", of->labels[i].text);
        dp_putc(page->out, '}');
        before = ",";
    }
    dp_putc(page->out, ']');
}

static void put_track(struct dp_html *page, const struct track *track)
{
    const struct dp_lane_track *of = track->of;

    dp_putf(page->out,
            "{\"hz\":%" PRIu64 ",\"length\":%" PRId64 ",\"grain\":%" PRId64 ",\"made\":%" PRIu64,
            of->hz, of->last - of->first, of->grain, of->calls);
    put_word(page, "pid", of->pid);
    put_word(page, "tid", of->tid);
    put_word(page, "started", of->started);
    put_labels(page, of);
    dp_html_column(page, "level", lane_level, track, of->n);
    dp_html_column(page, "start", lane_start, track, of->n);
    dp_html_column(page, "ticks", lane_length, track, of->n);
    dp_html_column(page, "sub", lane_sub, track, of->n);
    dp_html_column(page, "calls", lane_calls, track, of->n);
    dp_putc(page->out, '}');
}

/* Per name of the lane: the row of the sub that has it. */
static uint32_t *rows_by_name(const struct dp_html *page)
{
    const struct dp_strings *names = &page->job->lane->names;
    const struct dp_profile *prof = page->job->prof;
    uint32_t *rows = dp_alloc_array(names->n, sizeof *rows);

    for (uint32_t i = 0; i < names->n; i++)
        rows[i] = DP_NONE;
    for (uint32_t i = 1; i < page->nsubs; i++) {
        size_t n;
        const char *name = dp_string(prof, prof->subs[page->subs[i]].name, &n);
        uint32_t string = dp_find_string(names, name, n);

        if (string != DP_NONE)
            rows[string] = i;
    }
    return rows;
}

void dp_html_put_lane(struct dp_html *page)
{
    const struct dp_lane *lane = page->job->lane;
    uint32_t *rows;
    const char *before = "";

    dp_puts(page->out, ",\"tracks\":[");
    if (lane) {
        rows = rows_by_name(page);
        for (uint32_t i = 0; i < lane->ntracks; i++) {
            struct track track = {&lane->tracks[i], rows};

            if (!track.of->n)
                continue;
            dp_puts(page->out, before);
            put_track(page, &track);
            before = ",\n";
        }
        dp_free(rows);
    }
    dp_puts(page->out, "]\n");
}
