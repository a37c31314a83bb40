/* --json of a profile of counts. */
#include "write/json.h"

#include <inttypes.h>

#include "write/cells.h"
#include "z80/program.h"

static void put_name(const struct dp_job *job, uint32_t sub)
{
    size_t n;
    const char *name = dp_sub_name(job->prof, sub, &n);

    if (sub >= job->prof->nsubs)
        dp_puts(job->out, "null");
    else
        dp_put_json_text(job->out, name, n);
}

static void put_doubt(const struct dp_job *job, uint32_t sub)
{
    static const char *const words[] = {"wrapped", "damaged", "unlinked", "uncounted"};
    const char *before = "";

    dp_puts(job->out, ",\"doubt\":[");
    for (unsigned i = 0; i < 4; i++)
        if (job->prof->subs[sub].doubt & 1u << i) {
            dp_putf(job->out, "%s\"%s\"", before, words[i]);
            before = ",";
        }
    dp_putc(job->out, ']');
}

/* least and most: how often; most is null where nothing bounds it. */
static void put_callers(const struct dp_job *job, uint32_t sub)
{
    const struct dp_sums *sums = job->sums;

    dp_puts(job->out, ",\"callers\":[");
    for (uint32_t i = sums->first_caller[sub]; i < sums->first_caller[sub + 1]; i++) {
        const struct dp_edge *edge = &sums->edges[sums->by_callee[i]];

        dp_puts(job->out, i > sums->first_caller[sub] ? ",{\"name\":" : "{\"name\":");
        put_name(job, edge->caller);
        dp_putf(job->out, ",\"sites\":%" PRIu32 ",\"least\":%" PRIu64 ",\"most\":", edge->sites,
                edge->calls);
        if (edge->most == UINT64_MAX)
            dp_puts(job->out, "null}");
        else
            dp_putf(job->out, "%" PRIu64 "}", edge->most);
    }
    dp_putc(job->out, ']');
}

static void put_sub(const struct dp_job *job, uint32_t sub)
{
    const unsigned unknown = DP_DOUBT_DAMAGED | DP_DOUBT_UNCOUNTED;

    dp_puts(job->out, "{\"name\":");
    put_name(job, sub);
    if (job->prof->subs[sub].doubt & unknown)
        dp_puts(job->out, ",\"calls\":null");
    else
        dp_putf(job->out, ",\"calls\":%" PRIu64, job->sums->subs[sub].calls);
    if (job->prof->subs[sub].addr != DP_NONE)
        dp_putf(job->out, ",\"address\":%" PRIu32, job->prof->subs[sub].addr);
    put_doubt(job, sub);
    put_callers(job, sub);
    dp_putc(job->out, '}');
}

static void put_frames(const struct dp_job *job, const struct dp_z80_program *program)
{
    dp_puts(job->out, ",\n\"walkback\":[");
    for (uint32_t i = 0; i < program->nframes; i++) {
        const struct dp_z80_frame *frame = &program->frames[i];

        dp_puts(job->out, i ? ",\n{\"name\":" : "\n{\"name\":");
        dp_put_json_text(job->out, dp_z80_name(program, frame->function),
                         program->functions[frame->function].length);
        dp_putf(job->out, ",\"frame\":%u,\"returns\":%u,\"arguments\":[", (unsigned)frame->at,
                (unsigned)frame->returns);
        for (unsigned k = frame->nargs; k-- > 0;)
            dp_putf(job->out, k ? "%u," : "%u",
                    (unsigned)dp_z80_word(&program->image, frame->args + 2u * k));
        dp_puts(job->out, "]}");
    }
    dp_putc(job->out, ']');
}

void dp_put_json_counts(const struct dp_job *job)
{
    const struct dp_z80_program *program = dp_foreign(job->prof, "z80");
    uint64_t total = 0;
    int any = 0;

    for (uint32_t i = 0; i < job->prof->nsubs; i++)
        total += job->sums->subs[i].calls;
    dp_putf(job->out, "\"counts\":true,\"total_calls\":%" PRIu64 ",\n\"subs\":[", total);
    for (uint32_t i = 0; i < job->prof->nsubs; i++)
        if (!(job->view->hide && job->view->hide[i])) {
            dp_puts(job->out, any++ ? ",\n" : "\n");
            put_sub(job, i);
        }
    dp_puts(job->out, "\n]");
    if (program)
        put_frames(job, program);
    dp_puts(job->out, "}\n");
}
