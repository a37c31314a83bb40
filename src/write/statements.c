/*
 * Statements as the cost: the top report and its callers and callees. What was apportioned by
 * numbers of calls has a ~ before it.
 */
#include "write/statements.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/escape.h"
#include "base/mem.h"
#include "pascal/program.h"
#include "write/cells.h"
#include "write/colour.h"
#include "write/rows.h"

enum { PERCENT, OWN, CUMULATIVE, CALLS, OWN_EACH, CUMULATIVE_EACH, NCOLUMNS };

static const char *const heads[NCOLUMNS] = {"%Stmts", "OwnStmts", "CumStmts",
                                            "#Calls", "Own/call", "Cum/call"};

/* A row, its cells ready to be printed. */
struct row {
    char cells[NCOLUMNS][32];
};

struct table {
    const struct dp_job *job;
    struct row *rows;
    int width[NCOLUMNS];
    size_t names;
};

static int digits_of(double number)
{
    return number >= 1000 ? 0 : number >= 100 ? 1 : 2;
}

static void average(char *to, size_t room, int64_t amount, uint64_t calls, int guessed)
{
    double each;

    if (!calls) {
        snprintf(to, room, "-");
        return;
    }
    each = (double)amount / (double)calls;
    snprintf(to, room, "%s%.*f", guessed ? "~" : "", digits_of(each), each);
}

/* guessed: enum dp_guessed, of `all` and of the calls. */
static void fill(struct table *table, struct row *row, int64_t part, int64_t own, int64_t all,
                 uint64_t calls, int guessed, int own_guessed)
{
    double whole = (double)table->job->sums->total.user;
    double percent = whole > 0 ? 100 * (double)part / whole : 0;

    snprintf(row->cells[PERCENT], 32, "%.*f",
             percent >= 99.95 ? 0
             : percent >= 10  ? 1
                              : 2,
             percent);
    snprintf(row->cells[OWN], 32, "%s%" PRId64, own_guessed ? "~" : "", own);
    snprintf(row->cells[CUMULATIVE], 32, "%s%" PRId64, guessed ? "~" : "", all);
    snprintf(row->cells[CALLS], 32, "%s%" PRIu64, guessed & DP_GUESSED_CALLS ? "~" : "", calls);
    average(row->cells[OWN_EACH], 32, own, calls, own_guessed);
    average(row->cells[CUMULATIVE_EACH], 32, all, calls, guessed);
    for (int i = 0; i < NCOLUMNS; i++)
        if (table->width[i] < (int)strlen(row->cells[i]))
            table->width[i] = (int)strlen(row->cells[i]);
}

/* Are its own statements not certain? */
static int is_doubtful(const struct dp_job *job, uint32_t sub)
{
    return sub < job->prof->nsubs && job->prof->subs[sub].doubt & DP_DOUBT_LOST;
}

static void start(struct table *table, const struct dp_job *job, uint32_t n)
{
    table->job = job;
    table->rows = dp_alloc_array(n + 1, sizeof *table->rows);
    table->names = 4;
    for (int i = 0; i < NCOLUMNS; i++)
        table->width[i] = (int)strlen(heads[i]);
}

static void fit_name(struct table *table, uint32_t sub)
{
    size_t n, columns;
    const char *name = dp_sub_name(table->job->prof, sub, &n);

    columns = dp_name_columns(name, n);
    if (columns > table->names)
        table->names = columns;
}

static void put_heads(const struct table *table)
{
    struct dp_out *out = table->job->out;

    dp_colour_head(table->job);
    for (int i = 0; i < NCOLUMNS; i++)
        dp_putf(out, "%*s ", table->width[i], heads[i]);
    dp_puts(out, " Name");
    dp_pad(out, ' ', table->names - 4);
    dp_puts(out, "  Line");
    dp_colour_end(table->job);
    dp_putc(out, '\n');
}

static void put_row(const struct table *table, const struct row *row, uint32_t sub)
{
    const struct dp_profile *prof = table->job->prof;
    struct dp_out *out = table->job->out;
    size_t n;
    const char *name = dp_sub_name(prof, sub, &n);

    for (int i = 0; i < NCOLUMNS; i++)
        dp_putf(out, "%*s ", table->width[i], row->cells[i]);
    dp_putc(out, ' ');
    dp_put_name(out, name, n);
    if (sub < prof->nsubs) {
        dp_pad(out, ' ', table->names - dp_name_columns(name, n));
        dp_put_count(out, prof->subs[sub].line, 6);
    }
    dp_putc(out, '\n');
}

/* --- top -------------------------------------------------------------------------------------- */

static void put_title(const struct dp_job *job)
{
    const struct dp_pascal_program *program = dp_foreign(job->prof, "pascal");

    dp_putf(job->out, "Total Statements Executed = %" PRId64, job->sums->total.user);
    if (program && program->runs > 1)
        dp_putf(job->out, " in %" PRIu32 " runs", program->runs);
    dp_putc(job->out, '\n');
    if (!program)
        return;
    dp_puts(job->out, "Source ");
    dp_put_name(job->out, program->pascal->files[0].name, strlen(program->pascal->files[0].name));
    dp_puts(job->out, " of ");
    dp_pascal_put_date(job->out, program->pascal->files[0].mtime);
    dp_puts(job->out, ", profiled ");
    dp_pascal_put_date(job->out, program->counts.when);
    dp_putc(job->out, '\n');
}

int dp_put_statements(const struct dp_job *job)
{
    struct dp_rows rows = dp_rows_new(job, 0);
    struct table table;

    start(&table, job, rows.n);
    for (uint32_t i = 0; i < rows.n; i++) {
        const struct dp_sum *sum = &job->sums->subs[rows.subs[i]];
        int64_t part = job->view->inclusive ? sum->incl.user : sum->self.user;

        fill(&table, &table.rows[i], part, sum->self.user, sum->incl.user, sum->calls, sum->guessed,
             is_doubtful(job, rows.subs[i]));
        fit_name(&table, rows.subs[i]);
    }
    if (job->view->header) {
        put_title(job);
        put_heads(&table);
    }
    for (uint32_t i = 0; i < rows.n; i++) {
        if (job->view->header && job->view->page > 3 && i && i % (job->view->page - 3) == 0) {
            dp_putc(job->out, '\f');
            put_title(job);
            put_heads(&table);
        }
        put_row(&table, &table.rows[i], rows.subs[i]);
    }
    dp_free(table.rows);
    dp_rows_free(&rows);
    return 0;
}

/* --- callers and callees ---------------------------------------------------------------------- */

void dp_put_statement_edges(const struct dp_job *job, uint32_t sub, int callers)
{
    const struct dp_sums *sums = job->sums;
    const uint32_t *first = callers ? sums->first_caller : sums->first_callee;
    uint32_t n = first[sub + 1] - first[sub];
    struct table table;
    size_t length;
    const char *name = dp_sub_name(job->prof, sub, &length);

    start(&table, job, n);
    for (uint32_t i = 0; i < n; i++) {
        const struct dp_edge *edge =
            &sums->edges[callers ? sums->by_callee[first[sub] + i] : first[sub] + i];
        const struct dp_sum *callee = &sums->subs[edge->callee];
        int shared = edge->calls != callee->calls;
        int64_t own = callee->calls ? (int64_t)((double)callee->self.user * (double)edge->calls /
                                                    (double)callee->calls +
                                                0.5)
                                    : 0;

        fill(&table, &table.rows[i], edge->incl.user, own, edge->incl.user, edge->calls,
             edge->guessed | (shared ? DP_GUESSED_COST : 0),
             shared || is_doubtful(job, edge->callee));
        fit_name(&table, callers ? edge->caller : edge->callee);
    }
    dp_puts(job->out, callers ? "Callers of " : "Callees of ");
    dp_put_name(job->out, name, length);
    dp_putf(job->out,
            ": %" PRIu64 " calls, %s%" PRId64 " statements, of them %" PRId64 " its own\n",
            sums->subs[sub].calls, sums->subs[sub].guessed ? "~" : "", sums->subs[sub].incl.user,
            sums->subs[sub].self.user);
    if (job->view->header && n)
        put_heads(&table);
    for (uint32_t i = 0; i < n; i++) {
        const struct dp_edge *edge =
            &sums->edges[callers ? sums->by_callee[first[sub] + i] : first[sub] + i];

        put_row(&table, &table.rows[i], callers ? edge->caller : edge->callee);
    }
    if (!n)
        dp_puts(job->out, callers ? "  nobody\n" : "  nothing\n");
    dp_free(table.rows);
}
