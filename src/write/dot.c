/*
 * dot: the graph of who called whom for graphviz. A picture of everything is none: the dearest subs
 * (60, or as many as -O asks for) with the calls between them that matter, and the label says what
 * was left out. What is thick and red took the time.
 */
#include "write/writers.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/escape.h"
#include "base/mem.h"
#include "write/cells.h"
#include "write/measures.h"

enum { NODES = 60, NAME_COLUMNS = 48, EDGES_A_NODE = 4 };
#define LEAST_SHARE 0.0005 /* of all: calls that took less have no line */

struct weighed {
    double weight;
    uint32_t index;
};

struct dot {
    const struct dp_job *job;
    struct dp_out *out;
    const struct dp_measure *measure;
    double whole;
    unsigned char *shown; /* per sub, the last: outside any sub */
    uint32_t nodes;
    uint32_t left_out;
    uint32_t edges_left_out;
};

static int heaviest(const void *a, const void *b)
{
    const struct weighed *x = a, *y = b;

    if (x->weight != y->weight)
        return x->weight > y->weight ? -1 : 1;
    return x->index < y->index ? -1 : x->index > y->index;
}

static double amount(const struct dot *dot, uint64_t calls, const struct dp_time *time)
{
    return (double)dp_measure(dot->job->prof, dot->measure, calls, time);
}

static double weight_of_sub(const struct dot *dot, uint32_t sub)
{
    const struct dp_sum *sum = &dot->job->sums->subs[sub];

    return amount(dot, sum->calls, &sum->incl);
}

static double weight_of_edge(const struct dot *dot, const struct dp_edge *edge)
{
    return amount(dot, edge->calls, &edge->incl);
}

/* Calls may not have been counted, or made before the fork. */
static int is_there(const struct dp_sum *sum)
{
    return sum->calls || sum->incl.user || sum->incl.sys || sum->incl.real;
}

static void choose_subs(struct dot *dot)
{
    uint32_t n = 0, nsubs = dot->job->prof->nsubs;
    struct weighed *all = dp_alloc_array((size_t)nsubs + 1, sizeof *all);
    int64_t rows = dot->job->view->rows;

    for (uint32_t i = 0; i < nsubs; i++)
        if (is_there(&dot->job->sums->subs[i]) && !(dot->job->view->hide && dot->job->view->hide[i]))
            all[n++] = (struct weighed){weight_of_sub(dot, i), i};
    qsort(all, n, sizeof *all, heaviest);
    dot->nodes = rows == DP_ROWS_UNSAID          ? NODES
                 : rows < 0 || rows > INT32_MAX ? INT32_MAX
                                                : (uint32_t)rows;
    if (dot->nodes > n)
        dot->nodes = n;
    for (uint32_t i = 0; i < dot->nodes; i++)
        dot->shown[all[i].index] = 1;
    dot->left_out = n - dot->nodes;
    dp_free(all);
}

static void put_label(const struct dot *dot, uint32_t sub, size_t columns)
{
    char *shown;
    size_t n;
    const char *name = dp_sub_name(dot->job->prof, sub, &n);

    shown = dp_alloc(4 * n + 1);
    n = dp_show_name(shown, 4 * n + 1, name, n);
    if (columns && dp_name_columns(shown, n) > columns)
        n = dp_name_fit(shown, n, columns - 2);
    else
        columns = 0;
    for (size_t i = 0; i < n; i++) {
        if (shown[i] == '"' || shown[i] == '\\')
            dp_putc(dot->out, '\\');
        if (shown[i] == '&') /* graphviz knows &amp; and its like */
            dp_puts(dot->out, "&amp;");
        else
            dp_putc(dot->out, shown[i]);
    }
    if (columns)
        dp_puts(dot->out, "..");
    dp_free(shown);
}

static void put_amount(const struct dot *dot, double value)
{
    if (dot->measure->what == DP_CALLS || dot->measure->what == DP_STATEMENTS)
        dp_put_number(dot->out, value, 0, 0);
    else
        dp_put_number(dot->out, value / 1e9, dp_time_digits(dot->job->prof->hz), 0);
    dp_puts(dot->out, " (");
    dp_put_percent(dot->out, value, dot->whole, 0);
    dp_puts(dot->out, "%)");
}

/* White to red, as a share of all: the hue stays, the saturation grows. */
static void put_colour(const struct dot *dot, const char *key, double value)
{
    double share = dot->whole > 0 ? value / dot->whole : 0;

    share = share < 0 ? 0 : share > 1 ? 1 : share;
    dp_putf(dot->out, ",%s=\"0.000 %d.%03d 1.000\"", key, share >= 1,
            share >= 1 ? 0 : (int)(share * 999));
}

static void put_node(const struct dot *dot, uint32_t sub)
{
    const struct dp_sum *sum = &dot->job->sums->subs[sub];
    double own = amount(dot, sum->calls, &sum->self);

    dp_putf(dot->out, "  n%" PRIu32 " [label=\"", sub);
    put_label(dot, sub, NAME_COLUMNS);
    dp_puts(dot->out, "\\n");
    if (dot->measure->what != DP_CALLS) {
        put_amount(dot, own);
        if (weight_of_sub(dot, sub) > own) {
            dp_puts(dot->out, "\\nof ");
            put_amount(dot, weight_of_sub(dot, sub));
        }
        dp_puts(dot->out, "\\n");
    }
    if (sub < dot->job->prof->nsubs && (sum->calls || !dot->job->prof->uncounted)) {
        dp_put_u64(dot->out, sum->calls);
        dp_puts(dot->out, sum->calls == 1 ? " call" : " calls");
    }
    dp_puts(dot->out, "\",tooltip=\"");
    put_label(dot, sub, 0);
    dp_putc(dot->out, '"');
    put_colour(dot, "fillcolor", own);
    dp_puts(dot->out, "];\n");
}

static void put_calls(const struct dot *dot, const struct dp_edge *edge)
{
    if (!edge->calls && dot->job->prof->uncounted)
        return;
    dp_put_u64(dot->out, edge->calls);
    if (edge->most == UINT64_MAX)
        dp_puts(dot->out, "..");
    else if (edge->most > edge->calls)
        dp_putf(dot->out, "..%" PRIu64, edge->most);
    dp_putc(dot->out, 'x');
}

static void put_edge(const struct dot *dot, const struct dp_edge *edge)
{
    double share = dot->whole > 0 ? weight_of_edge(dot, edge) / dot->whole : 0;

    dp_putf(dot->out, "  n%" PRIu32 " -> n%" PRIu32 " [label=\"", edge->caller, edge->callee);
    put_calls(dot, edge);
    dp_puts(dot->out, "\",penwidth=");
    dp_put_number(dot->out, 1 + 4 * (share > 1 ? 1 : share), 1, 0);
    dp_puts(dot->out, "];\n");
}

/* The heaviest calls between what is shown; the one by which a sub is called most always stays. */
static void put_edges(struct dot *dot)
{
    const struct dp_sums *sums = dot->job->sums;
    struct weighed *all = dp_alloc_array((size_t)sums->nedges + 1, sizeof *all);
    unsigned char *called = dp_alloc((size_t)sums->nsubs + 1);
    uint32_t n = 0, most = EDGES_A_NODE * dot->nodes;

    for (uint32_t i = 0; i < sums->nedges; i++)
        if (dot->shown[sums->edges[i].caller] && dot->shown[sums->edges[i].callee])
            all[n++] = (struct weighed){weight_of_edge(dot, &sums->edges[i]), i};
    qsort(all, n, sizeof *all, heaviest);
    for (uint32_t i = 0; i < n; i++) {
        const struct dp_edge *edge = &sums->edges[all[i].index];

        if (called[edge->callee] && (i >= most || all[i].weight < LEAST_SHARE * dot->whole)) {
            dot->edges_left_out++;
            continue;
        }
        called[edge->callee] = 1;
        put_edge(dot, edge);
    }
    dp_free(called);
    dp_free(all);
}

static void put_title(const struct dot *dot)
{
    dp_putf(dot->out, "  label=\"%s",
            dot->measure->what == DP_CALLS        ? "calls"
            : dot->measure->what == DP_STATEMENTS ? "statements"
            : dot->measure->what == DP_WALL       ? "elapsed seconds"
            : dot->measure->what == DP_CPU        ? "seconds of user and system time"
            : dot->measure->what == DP_USER       ? "seconds of user time"
                                                  : "seconds of system time");
    if (dot->left_out)
        dp_putf(dot->out,
                "; %" PRIu32 " subs of less weight are left out (-O %" PRIu32 " shows all)",
                dot->left_out, dot->left_out + dot->nodes);
    if (dot->edges_left_out)
        dp_putf(dot->out, "; %" PRIu32 " kinds of calls too", dot->edges_left_out);
    dp_puts(dot->out, "\";\n");
}

static double whole_of(const struct dot *dot)
{
    const struct dp_sums *sums = dot->job->sums;
    uint64_t calls = 0;

    for (uint32_t i = 0; i < sums->nsubs; i++)
        calls += sums->subs[i].calls;
    return amount(dot, calls, &sums->total);
}

static int write_dot(const struct dp_job *job, struct dp_err *err)
{
    struct dot dot = {job, job->out, dp_main_measure(job), 0, NULL, 0, 0, 0};
    uint32_t outside = job->prof->nsubs;

    (void)err;
    dot.whole = whole_of(&dot);
    dot.shown = dp_alloc((size_t)outside + 1);
    choose_subs(&dot);
    dot.shown[outside] = 1;
    dp_puts(job->out, "digraph dprofpp {\n  rankdir=TB;\n  node [shape=box,style=filled,fontname=\""
                      "Helvetica\",fontsize=10,fillcolor=white];\n  edge [fontname=\"Helvetica\","
                      "fontsize=9,color=gray40];\n");
    for (uint32_t i = 0; i <= outside; i++)
        if (dot.shown[i])
            put_node(&dot, i);
    put_edges(&dot);
    put_title(&dot);
    dp_puts(job->out, "}\n");
    dp_free(dot.shown);
    return 0;
}

const struct dp_writer dp_write_dot = {
    .name = "dot",
    .about = "the graph of who called whom, cut down to what matters: dot -Tsvg",
    .ending = ".dot",
    .writes = DP_WRITES_FORMAT,
    .needs = DP_KNOWS_HIDE,
    .write = write_dot,
};
