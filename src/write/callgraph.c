/*
 * callgraph: who calls whom in the code, with the places, and how often it happened as far as the
 * counters tell: exact where a function has one caller, bounds elsewhere.
 */
#include "write/writers.h"

#include <inttypes.h>

#include "base/escape.h"
#include "base/mem.h"
#include "write/cells.h"
#include "write/counts.h"
#include "write/statements.h"
#include "write/z80.h"

#define MOST_SITES 8

static void put_name(const struct dp_job *job, uint32_t sub)
{
    size_t n;
    const char *name = dp_sub_name(job->prof, sub, &n);

    dp_put_name(job->out, name, n);
    dp_put_doubt(job, sub);
}

static uint32_t function_of(const struct dp_job *job, const struct dp_z80_program *program,
                            uint32_t sub)
{
    if (sub >= job->prof->nsubs || job->prof->subs[sub].addr == DP_NONE)
        return DP_Z80_NO;
    return dp_z80_entered(program, (uint16_t)job->prof->subs[sub].addr);
}

/* The addresses of the calls. */
static void put_sites(const struct dp_job *job, const struct dp_edge *edge)
{
    const struct dp_z80_program *program = dp_foreign(job->prof, "z80");
    uint32_t caller, callee, shown = 0;

    if (!program)
        return;
    caller = function_of(job, program, edge->caller);
    callee = function_of(job, program, edge->callee);
    for (uint32_t i = 0; i < program->ncalls; i++) {
        const struct dp_z80_call *call = &program->calls[i];

        if (call->caller != caller || call->callee != callee)
            continue;
        for (uint32_t k = 0; k < call->sites && shown++ < MOST_SITES; k++)
            dp_putf(job->out, k ? " %04X" : "  at %04X",
                    (unsigned)program->sites[call->first_site + k].at);
        if (call->sites > MOST_SITES)
            dp_puts(job->out, " ...");
    }
}

static void put_callees(const struct dp_job *job, uint32_t sub)
{
    const struct dp_sums *sums = job->sums;

    for (uint32_t i = sums->first_callee[sub]; i < sums->first_callee[sub + 1]; i++) {
        dp_puts(job->out, "  ");
        dp_put_range(job, &sums->edges[i], 14);
        dp_puts(job->out, "  ");
        put_name(job, sums->edges[i].callee);
        put_sites(job, &sums->edges[i]);
        dp_putc(job->out, '\n');
    }
}

static void put_sub(const struct dp_job *job, uint32_t sub)
{
    put_name(job, sub);
    if (sub < job->prof->nsubs && job->prof->subs[sub].addr != DP_NONE)
        dp_putf(job->out, "  %04" PRIX32, job->prof->subs[sub].addr);
    if (sub < job->prof->nsubs && !(job->prof->subs[sub].doubt & DP_DOUBT_UNCOUNTED)) {
        dp_puts(job->out, "  ");
        dp_put_u64(job->out, job->sums->subs[sub].calls);
        dp_puts(job->out, job->sums->subs[sub].calls == 1 ? " call" : " calls");
    }
    dp_putc(job->out, '\n');
    put_callees(job, sub);
}

static void put_dead(const struct dp_job *job)
{
    int any = 0;

    for (uint32_t i = 0; i < job->prof->nsubs; i++) {
        if (!dp_never_called(job, i) || dp_ncallers(job, i))
            continue;
        dp_puts(job->out, any++ ? " " : "Nothing calls: ");
        put_name(job, i);
    }
    if (any)
        dp_putc(job->out, '\n');
}

static int write_callgraph(const struct dp_job *job, struct dp_err *err)
{
    uint32_t outside = job->sums->nsubs;

    if (job->prof->statements)
        return dp_put_statement_tree(job);
    if (!job->prof->counts)
        return dp_fail(err, "a call graph of the code is for Z80 images; of this profile, "
                            "-S shows the paths of calls");
    if (!job->sums->nedges)
        return dp_fail(err, "no calls are known: a listing has counts only, a memory image has the "
                            "code too");
    if (job->sums->first_callee[outside] < job->sums->first_callee[outside + 1])
        put_sub(job, outside);
    for (uint32_t i = 0; i < outside; i++)
        if (!(job->view->hide && job->view->hide[i]))
            put_sub(job, i);
    if (job->view->header)
        put_dead(job);
    return 0;
}

const struct dp_writer dp_write_callgraph = {
    .name = "callgraph",
    .about = "who calls whom in the code, where and how often (Z80 images)",
    .ending = "",
    .needs = DP_KNOWS_HIDE,
    .write = write_callgraph,
};
