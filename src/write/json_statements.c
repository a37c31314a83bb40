/* --json of a profile of statements (Pascal). */
#include "write/json.h"

#include <inttypes.h>

#include "write/cells.h"
#include "write/rows.h"

static void put_name(const struct dp_job *job, uint32_t sub)
{
    size_t n;
    const char *name = dp_sub_name(job->prof, sub, &n);

    dp_put_json_text(job->out, name, n);
}

static void put_file(const struct dp_job *job, uint32_t string)
{
    size_t n;
    const char *name = dp_string(job->prof, string, &n);

    dp_puts(job->out, ",\"file\":");
    dp_put_json_text(job->out, name, n);
}

static void put_callers(const struct dp_job *job, uint32_t sub)
{
    const struct dp_sums *sums = job->sums;

    dp_puts(job->out, ",\"callers\":[");
    for (uint32_t i = sums->first_caller[sub]; i < sums->first_caller[sub + 1]; i++) {
        const struct dp_edge *edge = &sums->edges[sums->by_callee[i]];

        dp_puts(job->out, i > sums->first_caller[sub] ? ",{\"name\":" : "{\"name\":");
        put_name(job, edge->caller);
        dp_putf(job->out, ",\"calls\":%" PRIu64 ",\"statements\":%" PRId64 "}", edge->calls,
                edge->incl.user);
    }
    dp_putc(job->out, ']');
}

static void put_sub(const struct dp_job *job, uint32_t sub)
{
    const struct dp_sum *sum = &job->sums->subs[sub];

    dp_puts(job->out, "{\"name\":");
    put_name(job, sub);
    put_file(job, job->prof->subs[sub].file);
    dp_putf(job->out, ",\"line\":%" PRIu32 ",\"calls\":%" PRIu64, job->prof->subs[sub].line,
            sum->calls);
    dp_putf(job->out,
            ",\"own_statements\":%" PRId64 ",\"cumulative_statements\":%" PRId64
            ",\"apportioned\":%s",
            sum->self.user, sum->incl.user, sum->guessed ? "true" : "false");
    put_callers(job, sub);
    dp_putc(job->out, '}');
}

static void put_lines(const struct dp_job *job)
{
    dp_puts(job->out, ",\n\"lines\":[");
    for (uint32_t i = 0; i < job->prof->nlines; i++) {
        const struct dp_line_count *line = &job->prof->lines[i];

        dp_putf(job->out, i ? ",\n{\"line\":%" PRIu32 : "\n{\"line\":%" PRIu32, line->line);
        put_file(job, line->file);
        dp_puts(job->out, ",\"sub\":");
        put_name(job, line->sub);
        dp_putf(job->out, ",\"statements\":%" PRIu64, line->count);
        dp_puts(job->out, line->guessed ? ",\"uncertain\":true}" : "}");
    }
    dp_puts(job->out, "\n]");
}

void dp_put_json_statements(const struct dp_job *job)
{
    struct dp_rows rows = dp_rows_new(job, 0);

    dp_putf(job->out, "\"unit\":\"statements\",\"total_statements\":%" PRId64 ",\n\"subs\":[",
            job->sums->total.user);
    for (uint32_t i = 0; i < rows.n; i++) {
        dp_puts(job->out, i ? ",\n" : "\n");
        put_sub(job, rows.subs[i]);
    }
    dp_puts(job->out, "\n]");
    put_lines(job);
    dp_puts(job->out, "}\n");
    dp_rows_free(&rows);
}
