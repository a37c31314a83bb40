/*
 * --to flame: the flame graph alone, as an SVG that zooms and searches by a script of its own and
 * is a picture where scripts do not run. The largest callee is leftmost.
 */
#include "write/writers.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/mem.h"
#include "write/assets.h"
#include "write/cells.h"
#include "write/cut.h"
#include "write/page.h"

enum { WIDTH = 1200, MARGIN = 10, TOP = 64, ROW = 17, MOST_BOXES = 3500, MOST_LEVELS = 200 };

/* Where a box lies, in parts of the whole. */
struct place {
    uint32_t box;
    double x;
    double width;
    uint32_t level;
};

/* A box while its brothers are sorted. */
struct child {
    uint32_t box;
    int folded;
    double all;
};

struct flame {
    const struct dp_job *job;
    struct dp_cut cut;
    uint32_t *first; /* per box: children[first[i]] to children[first[i + 1] - 1] */
    struct child *children;
    struct place *places;
    uint32_t n;
    uint32_t levels;
    int by_calls; /* no clock of the profile ticked */
    double *all;  /* per box: what its width stands for */
};

/* --- layout ----------------------------------------------------------------------------------- */

static int64_t ticks(const struct flame *flame, const struct dp_time *time)
{
    return dp_clock_of(time, flame->job->view->clock);
}

/* Without times the calls are shown. */
static void measure(struct flame *flame)
{
    const struct dp_cut *cut = &flame->cut;

    flame->by_calls = ticks(flame, &cut->boxes[0].incl) <= 0;
    flame->all = dp_alloc_array(cut->n, sizeof *flame->all);
    for (uint32_t i = cut->n; i-- > 0;) {
        const struct dp_cut_box *box = &cut->boxes[i];

        flame->all[i] += flame->by_calls ? (double)box->calls : 0;
        if (!flame->by_calls)
            flame->all[i] = (double)ticks(flame, &box->incl);
        else if (i)
            flame->all[box->parent] += flame->all[i];
    }
}

/* What was folded comes last. */
static int largest_first(const void *a, const void *b)
{
    const struct child *x = a, *y = b;

    if (x->folded != y->folded)
        return x->folded - y->folded;
    if (x->all != y->all)
        return x->all > y->all ? -1 : 1;
    return x->box < y->box ? -1 : x->box > y->box;
}

static void list_children(struct flame *flame)
{
    const struct dp_cut *cut = &flame->cut;
    uint32_t *at;

    flame->first = dp_alloc_array(cut->n + 2, sizeof *flame->first);
    flame->children = dp_alloc_array(cut->n, sizeof *flame->children);
    for (uint32_t i = 1; i < cut->n; i++)
        flame->first[cut->boxes[i].parent + 2]++;
    for (uint32_t i = 2; i < cut->n + 2; i++)
        flame->first[i] += flame->first[i - 1];
    at = flame->first + 1;
    for (uint32_t i = 1; i < cut->n; i++)
        flame->children[at[cut->boxes[i].parent]++] =
            (struct child){i, cut->boxes[i].paths > 0, flame->all[i]};
    for (uint32_t i = 0; i < cut->n; i++)
        qsort(flame->children + flame->first[i], flame->first[i + 1] - flame->first[i],
              sizeof *flame->children, largest_first);
}

/* Level by level. */
static void lay_out(struct flame *flame)
{
    double whole = flame->all[0] > 0 ? flame->all[0] : 1;

    flame->places = dp_alloc_array(flame->cut.n, sizeof *flame->places);
    flame->places[flame->n++] = (struct place){0, 0, 1, 0};
    for (uint32_t i = 0; i < flame->n; i++) {
        const struct place from = flame->places[i];
        double x = from.x;

        flame->levels = from.level + 1;
        for (uint32_t k = flame->first[from.box]; k < flame->first[from.box + 1]; k++) {
            uint32_t child = flame->children[k].box;
            double width = flame->all[child] / whole;

            if (width <= 0)
                continue;
            flame->places[flame->n++] = (struct place){child, x, width, from.level + 1};
            x += width;
        }
    }
}

/* --- drawing ---------------------------------------------------------------------------------- */

static double per_run(double all, uint32_t runs)
{
    return runs ? all / runs : 0;
}

/* In a comparison: what a run has more than one of the base. */
static double difference(const struct flame *flame, uint32_t box)
{
    const struct dp_comparison *comparison = flame->cut.comparison;
    const struct dp_cut_box *of = &flame->cut.boxes[box];
    double was = flame->by_calls ? (double)of->was_calls : (double)ticks(flame, &of->was_incl);
    double now = flame->by_calls ? (double)of->calls : flame->all[box];

    return per_run(now, comparison->runs[DP_NOW]) - per_run(was, comparison->runs[DP_BASE]);
}

/* Red: more than before, blue: less; the stronger the more of the whole run it is. */
static void put_change(const struct flame *flame, uint32_t box)
{
    double whole = per_run(flame->all[0], flame->cut.comparison->runs[DP_NOW]);
    double change = whole > 0 ? difference(flame, box) / whole : 0;
    double strength = change < 0 ? -change * 8 : change * 8;

    dp_putf(flame->job->out, " fill=\"hsl(%d,75%%,%.0f%%)\"", change > 0 ? 8 : 212,
            94 - 34 * (strength > 1 ? 1 : strength));
}

/* A colour of a package, the same in every picture. */
static void put_colour(struct dp_out *out, const char *name, size_t n)
{
    uint32_t hash = 2166136261u;
    size_t end = n;

    while (end > 0 && name[end - 1] != ':')
        end--;
    for (size_t i = 0; i < end; i++)
        hash = (hash ^ (unsigned char)name[i]) * 16777619u;
    dp_putf(out, " fill=\"hsl(%" PRIu32 ",58%%,78%%)\"", hash % 360);
}

static void put_amount(const struct flame *flame, uint32_t box)
{
    struct dp_out *out = flame->job->out;
    uint64_t hz = flame->job->prof->hz;

    dp_putc(out, '\n');
    if (!flame->by_calls) {
        dp_put_number(out, flame->all[box] / (double)hz, dp_time_digits(hz), 0);
        dp_puts(out, " s, ");
    }
    dp_put_percent(out, flame->all[box], flame->all[0], 0);
    dp_puts(out, " %");
    if (box)
        dp_putf(out, "\n%" PRIu64 " calls", flame->cut.boxes[box].calls);
    if (flame->cut.comparison) {
        double change = difference(flame, box);

        dp_puts(out, change < 0 ? "\n-" : "\n+");
        dp_put_number(out, (change < 0 ? -change : change) / (flame->by_calls ? 1 : (double)hz),
                      flame->by_calls ? 0 : dp_time_digits(hz), 0);
        dp_puts(out, flame->by_calls ? " calls a run" : " s a run");
    }
}

static void put_name(const struct flame *flame, const struct dp_cut_box *box)
{
    size_t n;
    const char *name;

    if (box->paths) {
        dp_putf(flame->job->out, "%" PRIu32 " paths folded together", box->paths);
        return;
    }
    name = dp_sub_name(flame->job->prof,
                       box->parent == DP_NONE ? flame->job->prof->nsubs : box->sub, &n);
    if (box->parent == DP_NONE)
        dp_puts(flame->job->out, "the whole run");
    else
        dp_put_html(flame->job->out, name, n > 1000 ? 1000 : n);
}

static void put_box(const struct flame *flame, const struct place *place)
{
    const struct dp_cut_box *box = &flame->cut.boxes[place->box];
    struct dp_out *out = flame->job->out;
    double inner = WIDTH - 2 * MARGIN;
    uint32_t y = TOP + place->level * ROW;

    dp_putf(out,
            "<g class=\"b%s\" role=\"button\" tabindex=\"%d\" data-x=\"%.6f\" data-w=\"%.6f\" "
            "data-l=\"%" PRIu32 "\"><title>",
            flame->cut.comparison    ? ""
            : box->paths             ? " folded"
            : box->parent == DP_NONE ? " root"
                                     : "",
            place->box ? -1 : 0, place->x, place->width, place->level);
    put_name(flame, box);
    put_amount(flame, place->box);
    dp_putf(out, "</title><rect x=\"%.2f\" y=\"%" PRIu32 "\" width=\"%.2f\" height=\"%d\" rx=\"1\"",
            MARGIN + place->x * inner, y, place->width * inner, ROW - 1);
    if (flame->cut.comparison) {
        put_change(flame, place->box);
    } else if (!box->paths && box->parent != DP_NONE) {
        size_t n;
        const char *name = dp_sub_name(flame->job->prof, box->sub, &n);

        put_colour(out, name, n);
    }
    dp_putf(out, "/><text x=\"%.2f\" y=\"%" PRIu32 "\">", MARGIN + place->x * inner + 4,
            y + ROW - 5);
    if (place->width * inner > 200)
        put_name(flame, box);
    dp_puts(out, "</text></g>\n");
}

static void put_head(const struct flame *flame)
{
    struct dp_out *out = flame->job->out;
    size_t n;
    const char *cmd = dp_string(flame->job->prof, flame->job->prof->run.cmd, &n);
    uint32_t height = TOP + flame->levels * ROW + 12;

    dp_putf(
        out,
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
        "<svg xmlns=\"http://www.w3.org/2000/svg\" version=\"1.1\" width=\"%d\" height=\"%" PRIu32
        "\" viewBox=\"0 0 %d %" PRIu32 "\">\n<title>",
        WIDTH, height, WIDTH, height);
    dp_puts(out, "Flame graph");
    if (n)
        dp_puts(out, " of ");
    dp_put_html(out, cmd, n > 200 ? 200 : n);
    dp_puts(out, "</title>\n<style>\n");
    dp_put(out, dp_flame_css.bytes, dp_flame_css.n);
    dp_putf(out, "</style>\n<text class=\"title\" x=\"%d\" y=\"24\">", MARGIN);
    dp_put_html(out, n ? cmd : "Flame graph", n ? (n > 110 ? 110 : n) : 11);
    dp_putf(out, "</text>\n<text class=\"text\" x=\"%d\" y=\"24\" text-anchor=\"end\">%s",
            WIDTH - MARGIN, flame->by_calls ? "calls" : dp_clock_labels[flame->job->view->clock]);
    dp_putf(out,
            "%s</text>\n<text id=\"detail\" class=\"text\" x=\"%d\" y=\"46\" aria-live=\"polite\"> "
            "</text>\n"
            "<text id=\"unzoom\" class=\"button hidden\" role=\"button\" tabindex=\"0\" x=\"%d\" "
            "y=\"46\" "
            "text-anchor=\"end\">The whole</text>\n"
            "<text id=\"search\" class=\"button\" role=\"button\" tabindex=\"0\" x=\"%d\" y=\"46\" "
            "text-anchor=\"end\">Search</text>\n",
            flame->by_calls ? "" : " time", MARGIN, WIDTH - MARGIN - 110, WIDTH - MARGIN);
}

static int write_flame(const struct dp_job *job, struct dp_err *err)
{
    struct flame flame = {job, {NULL, NULL, 0, 0}, NULL, NULL, NULL, 0, 0, 0, NULL};

    if (job->prof->counts)
        return dp_fail(err, "counts have no call paths, so there is no flame graph of them; "
                            "--to html shows who calls whom");
    flame.cut = dp_cut_new(job, MOST_BOXES, MOST_LEVELS);
    measure(&flame);
    list_children(&flame);
    lay_out(&flame);
    put_head(&flame);
    for (uint32_t i = 0; i < flame.n; i++)
        put_box(&flame, &flame.places[i]);
    dp_puts(job->out, "<script><![CDATA[\n");
    dp_put(job->out, dp_flame_js.bytes, dp_flame_js.n);
    dp_puts(job->out, "]]></script>\n</svg>\n");
    dp_cut_free(&flame.cut);
    dp_free(flame.first);
    dp_free(flame.children);
    dp_free(flame.places);
    dp_free(flame.all);
    return 0;
}

const struct dp_writer dp_write_flame = {
    .name = "flame",
    .about = "the flame graph alone, as an SVG that can be zoomed and searched",
    .ending = ".svg",
    .writes = DP_WRITES_FORMAT,
    .needs = DP_KNOWS_BASE,
    .write = write_flame,
};
