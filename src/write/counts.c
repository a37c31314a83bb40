/* Reports of profiles that hold counts and no times. */
#include "write/counts.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/escape.h"
#include "base/mem.h"
#include "write/cells.h"
#include "write/colour.h"
#include "write/rows.h"

int dp_never_called(const struct dp_job *job, uint32_t sub)
{
    const unsigned unknown = DP_DOUBT_WRAPPED | DP_DOUBT_DAMAGED | DP_DOUBT_UNCOUNTED;

    return !job->sums->subs[sub].calls && !(job->prof->subs[sub].doubt & unknown) &&
           !(job->view->hide && job->view->hide[sub]);
}

uint32_t dp_ncallers(const struct dp_job *job, uint32_t sub)
{
    return job->sums->first_caller[sub + 1] - job->sums->first_caller[sub];
}

void dp_put_doubt(const struct dp_job *job, uint32_t sub)
{
    static const char *const words[] = {"wrapped", "damaged", "unlinked", "not counted"};
    const char *before = "  (";

    if (sub >= job->prof->nsubs || !job->prof->subs[sub].doubt)
        return;
    for (unsigned i = 0; i < 4; i++)
        if (job->prof->subs[sub].doubt & 1u << i) {
            dp_puts(job->out, before);
            dp_puts(job->out, words[i]);
            before = ", ";
        }
    dp_putc(job->out, ')');
}

void dp_put_range(const struct dp_job *job, const struct dp_edge *edge, int width)
{
    char text[48];
    int n;

    if (edge->most == edge->calls)
        n = snprintf(text, sizeof text, "%" PRIu64, edge->calls);
    else if (edge->most == UINT64_MAX)
        n = snprintf(text, sizeof text, "%" PRIu64 "..", edge->calls);
    else
        n = snprintf(text, sizeof text, "%" PRIu64 "..%" PRIu64, edge->calls, edge->most);
    if (n < width)
        dp_pad(job->out, ' ', (size_t)(width - n));
    dp_puts(job->out, text);
}

static void put_name(const struct dp_job *job, uint32_t sub)
{
    size_t n;
    const char *name = dp_sub_name(job->prof, sub, &n);

    dp_put_name(job->out, name, n);
    dp_put_doubt(job, sub);
}

/* --- the table ---------------------------------------------------------------------------------*/

struct table {
    uint64_t total;
    uint32_t ncalled;
    uint32_t nnever;
    uint32_t ncounted; /* subs that have a counter */
    int addresses;     /* some sub has one */
    int callers;       /* some link is known */
    int width;         /* of the calls */
};

static struct table measure(const struct dp_job *job)
{
    struct table table = {0, 0, 0, 0, 0, job->sums->nedges > 0, 6};

    for (uint32_t i = 0; i < job->prof->nsubs; i++) {
        uint64_t calls = job->sums->subs[i].calls;

        table.total += calls;
        table.ncalled += calls > 0;
        table.ncounted += !(job->prof->subs[i].doubt & DP_DOUBT_UNCOUNTED);
        table.nnever += (uint32_t)dp_never_called(job, i);
        table.addresses |= job->prof->subs[i].addr != DP_NONE;
        if (dp_count_width(calls) > table.width)
            table.width = dp_count_width(calls);
    }
    return table;
}

static void put_head(const struct dp_job *job, const struct table *table)
{
    struct dp_out *out = job->out;

    if (!table->ncounted && job->prof->nsubs)
        dp_puts(out,
                "Calls were not counted: the program only traces; --report walkback shows who was "
                "running\n");
    dp_puts(out, "Total Calls = ");
    dp_put_u64(out, table->total);
    dp_putf(out, " of %" PRIu32 " function%s", table->ncalled, table->ncalled == 1 ? "" : "s");
    if (table->nnever)
        dp_putf(out, "; %" PRIu32 " more %s never called", table->nnever,
                table->nnever == 1 ? "was" : "were");
    dp_puts(out, "\nCounts of calls, no times\n");
    dp_colour_head(job);
    dp_puts(out, "%Calls");
    dp_pad(out, ' ', (size_t)table->width - 5);
    dp_puts(out, "#Calls   Cum%");
    if (table->addresses)
        dp_puts(out, " Addr");
    if (table->callers)
        dp_puts(out, " Callers");
    dp_puts(out, "  Name");
    dp_colour_end(job);
    dp_putc(out, '\n');
}

static int is_unknown(const struct dp_job *job, uint32_t sub)
{
    return job->prof->subs[sub].doubt & (DP_DOUBT_DAMAGED | DP_DOUBT_UNCOUNTED);
}

/* A count that is not known is a question mark. */
static void put_calls(const struct dp_job *job, uint32_t sub, int width)
{
    if (is_unknown(job, sub)) {
        dp_pad(job->out, ' ', (size_t)width - 1);
        dp_putc(job->out, '?');
        return;
    }
    dp_put_count(job->out, job->sums->subs[sub].calls, width);
}

static void put_row(const struct dp_job *job, const struct table *table, uint32_t sub, uint64_t sum)
{
    struct dp_out *out = job->out;
    double whole = (double)table->total;

    if (is_unknown(job, sub)) {
        dp_pad(out, ' ', 7);
        put_calls(job, sub, table->width);
        dp_pad(out, ' ', 7);
    } else {
        dp_put_percent(out, (double)job->sums->subs[sub].calls, whole, 6);
        dp_putc(out, ' ');
        put_calls(job, sub, table->width);
        dp_puts(out, "  ");
        dp_put_percent(out, (double)sum, whole, 5);
    }
    if (table->addresses && job->prof->subs[sub].addr == DP_NONE)
        dp_puts(out, "     ");
    else if (table->addresses)
        dp_putf(out, " %04" PRIX32, job->prof->subs[sub].addr);
    if (table->callers)
        dp_putf(out, " %7" PRIu32, dp_ncallers(job, sub));
    dp_puts(out, "  ");
    put_name(job, sub);
    dp_putc(out, '\n');
}

/* Names, as many as fit into a line. */
static void put_never(const struct dp_job *job)
{
    size_t room = job->view->width ? job->view->width : 78, used = 13;

    dp_puts(job->out, "Never called:");
    for (uint32_t i = 0; i < job->prof->nsubs; i++) {
        size_t n, columns;
        const char *name;

        if (!dp_never_called(job, i))
            continue;
        name = dp_sub_name(job->prof, i, &n);
        columns = dp_name_columns(name, n) + 1;
        if (used + columns > room) {
            dp_puts(job->out, "\n             ");
            used = 13;
        }
        used += columns;
        dp_putc(job->out, ' ');
        dp_put_name(job->out, name, n);
    }
    dp_putc(job->out, '\n');
}

void dp_put_counts(const struct dp_job *job)
{
    struct dp_rows rows = dp_rows_new(job, 0);
    struct table table = measure(job);
    uint64_t sum = 0;

    if (job->view->header)
        put_head(job, &table);
    for (uint32_t i = 0; i < rows.n; i++) {
        if (job->view->header && job->view->page > 3 && i && i % (job->view->page - 3) == 0) {
            dp_putc(job->out, '\f');
            put_head(job, &table);
        }
        sum += job->sums->subs[rows.subs[i]].calls;
        put_row(job, &table, rows.subs[i], sum);
    }
    if (job->view->header && table.nnever)
        put_never(job);
    dp_rows_free(&rows);
}

/* --- never called ------------------------------------------------------------------------------*/

void dp_put_never_called(const struct dp_job *job)
{
    int known = job->sums->nedges > 0;

    for (uint32_t i = 0; i < job->prof->nsubs; i++) {
        if (!dp_never_called(job, i))
            continue;
        if (job->prof->subs[i].addr != DP_NONE)
            dp_putf(job->out, "%04" PRIX32 "  ", job->prof->subs[i].addr);
        put_name(job, i);
        if (known && !dp_ncallers(job, i))
            dp_puts(job->out, "  (nothing calls it)");
        dp_putc(job->out, '\n');
    }
}

/* --- callers and callees -----------------------------------------------------------------------*/

static void put_title(const struct dp_job *job, uint32_t sub, int callers)
{
    dp_puts(job->out, callers ? "Callers of " : "Callees of ");
    put_name(job, sub);
    if (!(job->prof->subs[sub].doubt & (DP_DOUBT_DAMAGED | DP_DOUBT_UNCOUNTED))) {
        dp_puts(job->out, ": ");
        dp_put_u64(job->out, job->sums->subs[sub].calls);
        dp_puts(job->out, job->sums->subs[sub].calls == 1 ? " call" : " calls");
    }
    dp_putc(job->out, '\n');
}

void dp_put_count_edges(const struct dp_job *job, uint32_t sub, int callers)
{
    const struct dp_sums *sums = job->sums;
    uint32_t from = callers ? sums->first_caller[sub] : sums->first_callee[sub];
    uint32_t to = callers ? sums->first_caller[sub + 1] : sums->first_callee[sub + 1];

    put_title(job, sub, callers);
    if (from == to) {
        dp_puts(job->out, sums->nedges ? callers ? "  nothing calls it\n" : "  it calls nothing\n"
                                       : "  not known: a listing has counts only\n");
        return;
    }
    if (job->view->header)
        dp_puts(job->out, callers ? "        #Calls  Sites  Called from\n"
                                  : "        #Calls  Sites  Called\n");
    for (uint32_t i = from; i < to; i++) {
        const struct dp_edge *edge = &sums->edges[callers ? sums->by_callee[i] : i];

        dp_put_range(job, edge, 14);
        dp_putf(job->out, "  %5" PRIu32 "  ", edge->sites);
        put_name(job, callers ? edge->caller : edge->callee);
        dp_putc(job->out, '\n');
    }
}
