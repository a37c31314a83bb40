/*
 * Any bytes as a tmon.out, in every report: nothing overflows, no control character of a name comes
 * out, no time is negative. The first byte chooses the view.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "model/change.h"
#include "read/read.h"
#include "write/durations.h"
#include "write/lane.h"
#include "write/names.h"
#include "write/tail.h"
#include "write/tree.h"
#include "write/write.h"
#include "write/writers.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n);

/* A text report has no controls but newlines and -S's tabs, and page feeds where they were asked
 * for. */
static int look(void *ctx, const char *bytes, size_t n)
{
    const int *pages = ctx;

    for (size_t i = 0; i < n; i++) {
        unsigned char c = (unsigned char)bytes[i];

        if ((c < 0x20 && c != '\n' && c != '\t' && !(c == '\f' && *pages)) || c == 0x7F)
            abort();
    }
    return 0;
}

/* What is no text has all bytes. */
static int drop(void *ctx, const char *bytes, size_t n)
{
    (void)ctx;
    (void)bytes;
    (void)n;
    return 0;
}

static struct dp_profile *read_with(const char *bytes, size_t n, const struct dp_listener *listener,
                                    void (*begin)(void *, struct dp_profile *), void *ctx)
{
    const struct dp_read_options options = {
        .from = "tmon", .listener = listener, .begin = begin, .ctx = ctx};
    struct dp_in in;
    struct dp_profile *prof;

    dp_in_bytes(&in, bytes, n);
    prof = dp_read(&in, &options, NULL);
    dp_in_free(&in);
    return prof;
}

static void print_tree(const char *bytes, size_t n, int collapsed)
{
    struct dp_out out;
    int pages = 0;
    struct dp_tree *tree;
    struct dp_profile *prof;

    dp_out_init(&out, look, &pages);
    tree = dp_tree_new(&out, collapsed, 0, NULL, NULL);
    prof = read_with(bytes, n, dp_tree_listener(tree), dp_tree_begin, tree);
    if (prof)
        dp_tree_end(tree);
    dp_profile_free(prof);
    dp_flush(&out);
    dp_tree_free(tree);
}

static struct dp_view view_of(uint8_t choice)
{
    struct dp_view view;

    memset(&view, 0, sizeof view);
    view.clock = (enum dp_clock)(choice % DP_NCLOCKS);
    view.sort = (enum dp_sort)(choice / DP_NCLOCKS % DP_NSORTS);
    view.inclusive = choice & 1;
    view.reverse = choice >> 1 & 1;
    view.header = choice >> 2 & 1;
    view.rows = choice & 8 ? -1 : choice & 3;
    view.width = choice & 16 ? 60 : 0;
    view.page = choice & 32 ? 8 : 0;
    return view;
}

static void print_all(const struct dp_profile *prof, const struct dp_view *view,
                      const struct dp_tail *tail, const struct dp_durations *durations)
{
    struct dp_sums *sums = dp_sums_new(prof);
    int pages = view->page != 0;

    for (int i = 0; dp_writers[i]; i++) {
        struct dp_out out;
        struct dp_err err = {0, 0, ""};
        struct dp_job job = {.prof = prof,
                             .sums = sums,
                             .view = view,
                             .out = &out,
                             .tail = tail,
                             .durations = durations};

        dp_out_init(&out, strcmp(dp_writers[i]->name, "pprof") ? look : drop, &pages);
        dp_writers[i]->write(&job, &err);
        dp_flush(&out);
    }
    dp_sums_free(sums);
}

/* What the page shows in the order of time: boxes of a level do not overlap, none is shorter than
   the grain. */
static void check_lane(const struct dp_lane *lane)
{
    for (uint32_t i = 0; i < lane->ntracks; i++)
        for (uint32_t k = 0; k < lane->tracks[i].n; k++) {
            const struct dp_lane_box *box = &lane->tracks[i].boxes[k];

            if (box->end - box->start < lane->tracks[i].grain || box->level > DP_LANE_LEVELS)
                abort();
            if (k && box[-1].level == box->level && box->start < box[-1].end)
                abort();
        }
}

static void print_page(const char *bytes, size_t n, const struct dp_view *view)
{
    struct dp_lane lane;
    struct dp_profile *prof;
    struct dp_out out;
    struct dp_sums *sums;
    int pages = 0;

    dp_lane_init(&lane, 0, NULL, NULL);
    prof = read_with(bytes, n, &lane.listener, dp_lane_begin, &lane);
    if (prof) {
        struct dp_job job = {.prof = prof, .view = view, .out = &out, .lane = &lane};

        dp_lane_end(&lane, prof);
        dp_lane_fit(&lane, view->rows == 2 ? 3 : DP_LANE_BOXES);
        check_lane(&lane);
        sums = dp_sums_new(prof);
        job.sums = sums;
        dp_out_init(&out, look, &pages);
        dp_write_html.write(&job, NULL);
        dp_flush(&out);
        dp_sums_free(sums);
    }
    dp_profile_free(prof);
    dp_lane_free(&lane);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    const char *text = (const char *)bytes + 1;
    struct dp_durations durations;
    struct dp_profile *prof;
    struct dp_tail tail;
    struct dp_view view;
    uint32_t *as;

    if (!n--)
        return 0;
    view = view_of(bytes[0]);
    print_tree(text, n, 0);
    print_tree(text, n, 1);
    print_page(text, n, &view);
    dp_tail_init(&tail);
    dp_profile_free(read_with(text, n, &tail.listener, dp_tail_begin, &tail));
    dp_durations_init(&durations, 0, NULL, NULL);
    prof = read_with(text, n, &durations.listener, dp_durations_begin, &durations);
    if (prof) {
        print_all(prof, &view, &tail, &durations);
        dp_profile_clean(prof);
        as = dp_shown_names(prof, 0, 1);
        if (as) {
            struct dp_profile *shown = dp_profile_renamed(prof, as);

            print_all(shown, &view, NULL, &durations);
            dp_profile_free(shown);
        } else {
            print_all(prof, &view, NULL, NULL);
        }
        dp_free(as);
        dp_profile_free(prof);
    }
    dp_durations_free(&durations);
    return 0;
}
