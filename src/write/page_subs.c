/* The page's subs and who called whom. */
#include <string.h>

#include "base/mem.h"
#include "model/strings.h"
#include "model/time.h"
#include "write/cells.h"
#include "write/json.h"
#include "write/lane.h"
#include "write/page.h"
#include "write/rows.h"

/* --- which subs ------------------------------------------------------------------------------- */

static void take(struct dp_html *page, uint32_t sub)
{
    if (page->row[sub] != DP_NONE)
        return;
    page->row[sub] = page->nsubs;
    page->subs[page->nsubs++] = sub;
}

/* What the pictures show must have a row. */
static void take_pictured(struct dp_html *page)
{
    const struct dp_profile *prof = page->job->prof;
    const struct dp_lane *lane = page->job->lane;
    uint32_t *named;

    for (uint32_t i = 1; i < page->cut.n; i++)
        if (page->cut.boxes[i].sub != DP_NONE)
            take(page, page->cut.boxes[i].sub);
    if (!lane || !lane->ntracks)
        return;
    named = dp_alloc_array(lane->names.n, sizeof *named);
    for (uint32_t i = 0; i < lane->ntracks; i++)
        for (uint32_t k = 0; k < lane->tracks[i].n; k++)
            named[lane->tracks[i].boxes[k].name] = 1;
    for (uint32_t i = 0; i < prof->nsubs; i++) {
        size_t n;
        const char *name = dp_string(prof, prof->subs[i].name, &n);
        uint32_t string = dp_find_string(&lane->names, name, n);

        if (string != DP_NONE && named[string])
            take(page, i);
    }
    dp_free(named);
}

/* What the base has of a sub, all its runs together. */
static struct dp_run_of_sub was_of(const struct dp_html *page, uint32_t sub)
{
    const struct dp_comparison *comparison = page->cut.comparison;
    struct dp_run_of_sub all;

    memset(&all, 0, sizeof all);
    for (uint32_t run = 0; run < comparison->runs[DP_BASE]; run++) {
        const struct dp_run_of_sub *one =
            &comparison->subs[DP_BASE][(size_t)run * (comparison->nsubs + 1) + sub];

        all.calls += one->calls;
        dp_add_time(&all.self, &one->self);
        dp_add_time(&all.incl, sub < comparison->nsubs ? &one->incl : &one->self);
    }
    return all;
}

/* What only the base has is in the table too. */
static void take_gone(struct dp_html *page)
{
    const struct dp_view *view = page->job->view;

    for (uint32_t i = 0; i < page->job->prof->nsubs; i++)
        if (was_of(page, i).calls && !page->job->sums->subs[i].calls &&
            !(view->hide && view->hide[i]) && page->nsubs < DP_HTML_SUBS) {
            take(page, i);
            page->listed[page->row[i]] = 1;
        }
}

static void choose(struct dp_html *page)
{
    struct dp_rows rows = dp_rows_new(page->job, 1);
    uint32_t n = page->job->prof->nsubs + 1;

    page->row = dp_alloc_array(n, sizeof *page->row);
    page->subs = dp_alloc_array(n, sizeof *page->subs);
    page->listed = dp_alloc_array(n, 1);
    memset(page->row, 0xff, n * sizeof *page->row);
    take(page, page->job->prof->nsubs);
    take_pictured(page);
    for (uint32_t i = 0; i < rows.n; i++) {
        if (page->row[rows.subs[i]] == DP_NONE && page->nsubs >= DP_HTML_SUBS) {
            page->left_out++;
            page->left_calls += page->job->sums->subs[rows.subs[i]].calls;
            continue;
        }
        take(page, rows.subs[i]);
        page->listed[page->row[rows.subs[i]]] = 1;
    }
    dp_rows_free(&rows);
    if (page->cut.comparison)
        take_gone(page);
}

/* --- names ------------------------------------------------------------------------------------ */

static size_t name_bytes(const struct dp_html *page)
{
    size_t all = 0;

    for (uint32_t i = 0; i < page->nsubs; i++) {
        size_t n;

        dp_sub_name(page->job->prof, page->subs[i], &n);
        all += n;
    }
    return all;
}

static void put_name(struct dp_html *page, uint32_t sub)
{
    size_t n;
    const char *name = dp_sub_name(page->job->prof, sub, &n);
    char *cut;

    if (n <= page->longest) {
        dp_put_json_text(page->out, name, n);
        return;
    }
    cut = dp_alloc(page->longest + 4);
    memcpy(cut, name, page->longest);
    memcpy(cut + page->longest, "...", 3);
    dp_put_json_text(page->out, cut, page->longest + 3);
    dp_free(cut);
}

static void put_names(struct dp_html *page)
{
    size_t all = name_bytes(page);

    page->longest = all > DP_HTML_NAMES ? DP_HTML_NAMES / page->nsubs : 4000;
    if (page->longest < 60)
        page->longest = 60;
    dp_puts(page->out, ",\"name\":[");
    for (uint32_t i = 0; i < page->nsubs; i++) {
        dp_puts(page->out, i ? ",\n" : "");
        put_name(page, page->subs[i]);
    }
    dp_puts(page->out, "]\n");
}

/* --- files: each path once -------------------------------------------------------------------- */

static void put_files(struct dp_html *page)
{
    const struct dp_profile *prof = page->job->prof;
    uint32_t *number = dp_alloc_array(prof->strings->n + 1, sizeof *number);
    uint32_t nfiles = 0;

    dp_puts(page->out, ",\"files\":[");
    for (uint32_t i = 1; i < page->nsubs; i++) {
        uint32_t file = prof->subs[page->subs[i]].file;
        size_t n;
        const char *path = dp_string(prof, file, &n);

        if (file == DP_NONE || number[file])
            continue;
        number[file] = ++nfiles;
        dp_puts(page->out, nfiles > 1 ? "," : "");
        dp_put_json_text(page->out, path, n);
    }
    dp_puts(page->out, "]\n,\"file\":[-1");
    for (uint32_t i = 1; i < page->nsubs; i++) {
        uint32_t file = prof->subs[page->subs[i]].file;

        dp_putc(page->out, ',');
        if (file == DP_NONE)
            dp_puts(page->out, "-1");
        else
            dp_put_u64(page->out, number[file] - 1);
    }
    dp_puts(page->out, "]\n");
    dp_free(number);
}

/* --- numbers ---------------------------------------------------------------------------------- */

static const struct dp_sum *sum_of(const struct dp_html *page, uint32_t i)
{
    return &page->job->sums->subs[page->subs[i]];
}

static const struct dp_time *incl_of(const struct dp_html *page, uint32_t i)
{
    return i ? &sum_of(page, i)->incl : &sum_of(page, i)->self;
}

static int64_t calls(const struct dp_html *page, const void *unused, uint32_t i)
{
    (void)unused;
    return (int64_t)sum_of(page, i)->calls;
}

static int64_t self_user(const struct dp_html *page, const void *unused, uint32_t i)
{
    (void)unused;
    return sum_of(page, i)->self.user;
}

static int64_t self_sys(const struct dp_html *page, const void *unused, uint32_t i)
{
    (void)unused;
    return sum_of(page, i)->self.sys;
}

static int64_t self_real(const struct dp_html *page, const void *unused, uint32_t i)
{
    (void)unused;
    return sum_of(page, i)->self.real;
}

static int64_t incl_user(const struct dp_html *page, const void *unused, uint32_t i)
{
    (void)unused;
    return incl_of(page, i)->user;
}

static int64_t incl_sys(const struct dp_html *page, const void *unused, uint32_t i)
{
    (void)unused;
    return incl_of(page, i)->sys;
}

static int64_t incl_real(const struct dp_html *page, const void *unused, uint32_t i)
{
    (void)unused;
    return incl_of(page, i)->real;
}

static int64_t line(const struct dp_html *page, const void *unused, uint32_t i)
{
    (void)unused;
    return i ? page->job->prof->subs[page->subs[i]].line : 0;
}

static int64_t kind(const struct dp_html *page, const void *unused, uint32_t i)
{
    (void)unused;
    return i ? page->job->prof->subs[page->subs[i]].kind : 0;
}

static int64_t address(const struct dp_html *page, const void *unused, uint32_t i)
{
    uint32_t addr = i ? page->job->prof->subs[page->subs[i]].addr : DP_NONE;

    (void)unused;
    return addr == DP_NONE ? -1 : (int64_t)addr;
}

static unsigned below_doubt(const struct dp_time *time, const struct dp_time *unsure)
{
    unsigned bits = 0;

    for (unsigned clock = 0; clock < DP_NCLOCKS; clock++)
        if (dp_clock_of(time, (enum dp_clock)clock) <= dp_unsure_of(unsure, (enum dp_clock)clock))
            bits |= 1u << clock;
    return bits;
}

/* Bits 0 to 3: the own time by cpu, user, system, real is below its doubt; 4 to 7: the inclusive
   one; 8: it has no row in the table; 9: apportioned; from 10: enum dp_doubt. */
static int64_t flags(const struct dp_html *page, const void *unused, uint32_t i)
{
    const struct dp_sum *sum = sum_of(page, i);
    unsigned bits = page->listed[i] ? 0 : 1u << 8;

    (void)unused;
    if (!page->job->prof->counts) {
        bits |= below_doubt(&sum->self, &sum->self_unsure);
        bits |= below_doubt(incl_of(page, i), i ? &sum->incl_unsure : &sum->self_unsure) << 4;
    }
    if (sum->guessed)
        bits |= 1u << 9;
    if (i)
        bits |= (unsigned)page->job->prof->subs[page->subs[i]].doubt << 10;
    return bits;
}

static int64_t was_calls(const struct dp_html *page, const void *unused, uint32_t i)
{
    (void)unused;
    return (int64_t)was_of(page, page->subs[i]).calls;
}

static int64_t was_self_user(const struct dp_html *page, const void *unused, uint32_t i)
{
    (void)unused;
    return was_of(page, page->subs[i]).self.user;
}

static int64_t was_self_sys(const struct dp_html *page, const void *unused, uint32_t i)
{
    (void)unused;
    return was_of(page, page->subs[i]).self.sys;
}

static int64_t was_self_real(const struct dp_html *page, const void *unused, uint32_t i)
{
    (void)unused;
    return was_of(page, page->subs[i]).self.real;
}

static int64_t was_incl_user(const struct dp_html *page, const void *unused, uint32_t i)
{
    (void)unused;
    return was_of(page, page->subs[i]).incl.user;
}

static int64_t was_incl_sys(const struct dp_html *page, const void *unused, uint32_t i)
{
    (void)unused;
    return was_of(page, page->subs[i]).incl.sys;
}

static int64_t was_incl_real(const struct dp_html *page, const void *unused, uint32_t i)
{
    (void)unused;
    return was_of(page, page->subs[i]).incl.real;
}

static void put_was(struct dp_html *page)
{
    static const struct {
        const char *key;
        dp_html_number *number;
    } columns[] = {{"wasCalls", was_calls},   {"was_eu", was_self_user}, {"was_es", was_self_sys},
                   {"was_er", was_self_real}, {"was_iu", was_incl_user}, {"was_is", was_incl_sys},
                   {"was_ir", was_incl_real}};

    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
        dp_html_column(page, columns[i].key, columns[i].number, NULL, page->nsubs);
}

void dp_html_put_subs(struct dp_html *page)
{
    static const struct {
        const char *key;
        dp_html_number *number;
    } columns[] = {{"calls", calls},  {"eu", self_user}, {"es", self_sys},  {"er", self_real},
                   {"iu", incl_user}, {"is", incl_sys},  {"ir", incl_real}, {"line", line},
                   {"kindOf", kind},  {"flags", flags}};

    choose(page);
    dp_puts(page->out, ",\"subs\":{\"leftOut\":");
    dp_put_u64(page->out, page->left_out);
    dp_puts(page->out, ",\"leftCalls\":");
    dp_put_u64(page->out, page->left_calls);
    put_names(page);
    put_files(page);
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
        dp_html_column(page, columns[i].key, columns[i].number, NULL, page->nsubs);
    if (page->job->prof->counts && !page->job->prof->statements)
        dp_html_column(page, "address", address, NULL, page->nsubs);
    if (page->cut.comparison)
        put_was(page);
    dp_puts(page->out, "}\n");
}

/* --- who called whom -------------------------------------------------------------------------- */

/* The edges of the page, by their index. */
struct edges {
    const struct dp_edge *all;
    uint32_t *at;
    uint32_t n;
};

static double part(double amount, double whole)
{
    return whole > 0 ? amount / whole : 0;
}

static double weight(const struct dp_job *job, const struct dp_edge *edge, double all_calls)
{
    const struct dp_time *total = &job->sums->total;
    double cpu =
        part((double)(edge->incl.user + edge->incl.sys), (double)(total->user + total->sys));
    double real = part((double)edge->incl.real, (double)total->real);
    double called = part((double)edge->calls, all_calls);
    double most = cpu > real ? cpu : real;

    return called > most ? called : most;
}

static struct edges choose_edges(const struct dp_html *page)
{
    const struct dp_sums *sums = page->job->sums;
    struct edges edges = {sums->edges, NULL, 0};
    double *weights = dp_alloc_array(sums->nedges, sizeof *weights);
    double all_calls = 0;
    unsigned char *stays;

    for (uint32_t i = 0; i < sums->nsubs; i++)
        all_calls += (double)sums->subs[i].calls;
    for (uint32_t i = 0; i < sums->nedges; i++)
        weights[i] = weight(page->job, &sums->edges[i], all_calls);
    stays = dp_heaviest(weights, sums->nedges, DP_HTML_EDGES);
    edges.at = dp_alloc_array(sums->nedges, sizeof *edges.at);
    for (uint32_t i = 0; i < sums->nedges; i++)
        if (stays[i] && page->row[sums->edges[i].caller] != DP_NONE &&
            page->row[sums->edges[i].callee] != DP_NONE)
            edges.at[edges.n++] = i;
    dp_free(weights);
    dp_free(stays);
    return edges;
}

static const struct dp_edge *edge(const void *things, uint32_t i)
{
    const struct edges *edges = things;

    return &edges->all[edges->at[i]];
}

/* Less than the one before it by little: the difference is what is kept. */
static int64_t edge_caller(const struct dp_html *page, const void *things, uint32_t i)
{
    int64_t row = page->row[edge(things, i)->caller];

    return i ? row - (int64_t)page->row[edge(things, i - 1)->caller] : row;
}

static int64_t edge_callee(const struct dp_html *page, const void *things, uint32_t i)
{
    return page->row[edge(things, i)->callee];
}

static int64_t edge_calls(const struct dp_html *page, const void *things, uint32_t i)
{
    (void)page;
    return (int64_t)edge(things, i)->calls;
}

static int64_t edge_most(const struct dp_html *page, const void *things, uint32_t i)
{
    uint64_t most = edge(things, i)->most;

    (void)page;
    return most == UINT64_MAX ? -1 : (int64_t)most;
}

static int64_t edge_sites(const struct dp_html *page, const void *things, uint32_t i)
{
    (void)page;
    return edge(things, i)->sites;
}

static int64_t edge_cpu(const struct dp_html *page, const void *things, uint32_t i)
{
    (void)page;
    return edge(things, i)->incl.user + edge(things, i)->incl.sys;
}

static int64_t edge_real(const struct dp_html *page, const void *things, uint32_t i)
{
    (void)page;
    return edge(things, i)->incl.real;
}

static int64_t edge_guessed(const struct dp_html *page, const void *things, uint32_t i)
{
    (void)page;
    return edge(things, i)->guessed;
}

void dp_html_put_edges(struct dp_html *page)
{
    struct edges edges = choose_edges(page);

    dp_puts(page->out, ",\"edges\":{\"leftOut\":");
    dp_put_u64(page->out, page->job->sums->nedges - edges.n);
    dp_html_column(page, "caller", edge_caller, &edges, edges.n);
    dp_html_column(page, "callee", edge_callee, &edges, edges.n);
    dp_html_column(page, "calls", edge_calls, &edges, edges.n);
    if (page->job->prof->statements) {
        dp_html_column(page, "cpu", edge_cpu, &edges, edges.n);
        dp_html_column(page, "guessed", edge_guessed, &edges, edges.n);
    } else if (page->job->prof->counts) {
        dp_html_column(page, "most", edge_most, &edges, edges.n);
        dp_html_column(page, "sites", edge_sites, &edges, edges.n);
    } else {
        dp_html_column(page, "cpu", edge_cpu, &edges, edges.n);
        dp_html_column(page, "real", edge_real, &edges, edges.n);
    }
    dp_puts(page->out, "}\n");
    dp_free(edges.at);
}
