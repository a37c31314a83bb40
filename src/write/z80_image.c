/*
 * image: what a memory image holds, address by address: startup code, chains of headers, CURRENT
 * and the frames.
 */
#include "write/writers.h"

#include <inttypes.h>

#include "base/escape.h"
#include "write/z80.h"

static void put_startup(struct dp_out *out, const struct dp_z80_startup *startup)
{
    dp_putf(out, "startup at %04X", (unsigned)startup->at);
    if (startup->cccalls)
        dp_putf(out, " head %04X", (unsigned)startup->head);
    dp_putf(out, " ccgo %04X main %04X", (unsigned)startup->ccgo, (unsigned)startup->main);
    if (startup->cccalls)
        dp_putf(out, " cccalls %04X", (unsigned)startup->cccalls);
    dp_putf(out, " exit %04X\n", (unsigned)startup->exit);
}

static void put_name(const struct dp_job *job, const struct dp_z80_program *program,
                     uint32_t function)
{
    uint32_t n = program->functions[function].length;

    dp_put_name(job->out, dp_z80_name(program, function), n);
    dp_pad(job->out, ' ', n < 8 ? 9 - n : 1);
}

static void put_function(const struct dp_job *job, const struct dp_z80_program *program, uint32_t i)
{
    const struct dp_z80_function *function = &program->functions[i];
    const uint8_t *counter = program->image.mem + function->name - 3;

    dp_putf(job->out, "  %04X ", (unsigned)function->header);
    put_name(job, program, i);
    if (function->damaged)
        dp_putf(job->out, "bad BCD %02X%02X%02X", (unsigned)counter[2], (unsigned)counter[1],
                (unsigned)counter[0]);
    else if (function->counted)
        dp_put_u64(job->out, function->count);
    else
        dp_puts(job->out, "not counted");
    dp_putf(job->out, "  entry %04X\n", (unsigned)function->entry);
}

static void put_chain(const struct dp_job *job, const struct dp_z80_program *program,
                      const struct dp_z80_chain *chain)
{
    const struct dp_z80_function *first = &program->functions[program->order[chain->first]];

    if (first->counted)
        dp_putf(job->out, "chain at %04X\n", (unsigned)first->header);
    else
        dp_puts(job->out, "functions without a counter\n");
    for (uint32_t i = 0; i < chain->n; i++)
        put_function(job, program, program->order[chain->first + i]);
    if (chain->ends == DP_Z80_LOOPS)
        dp_putf(job->out, "  loop to %04X\n", (unsigned)chain->to);
    if (chain->ends == DP_Z80_BREAKS)
        dp_putf(job->out, "  broken: %04X is no header\n", (unsigned)chain->to);
}

static void put_frame(const struct dp_job *job, const struct dp_z80_program *program,
                      const struct dp_z80_frame *frame)
{
    dp_putf(job->out, "  frame %04X ", (unsigned)frame->at);
    put_name(job, program, frame->function);
    dp_putf(job->out, "return %04X ", (unsigned)frame->returns);
    if (frame->from == DP_Z80_BY_CALL)
        dp_putf(job->out, "CALL at %04X in ", (unsigned)frame->site);
    else if (frame->from == DP_Z80_BY_POINTER)
        dp_putf(job->out, "pointer call at %04X in ", (unsigned)frame->site);
    else
        dp_puts(job->out, "in ");
    if (frame->bottom)
        dp_puts(job->out, "startup");
    else if (frame->caller == DP_Z80_NO)
        dp_puts(job->out, "unprofiled code");
    else
        dp_put_name(job->out, dp_z80_name(program, frame->caller),
                    program->functions[frame->caller].length);
    dp_putc(job->out, '\n');
}

static void put_stack(const struct dp_job *job, const struct dp_z80_program *program)
{
    struct dp_out *out = job->out;

    if (!program->runtime) {
        dp_puts(out, program->outside ? "ccregis outside image\n" : "CURRENT not found\n");
        return;
    }
    dp_putf(out, "CURRENT at %04X = %04X\n", (unsigned)program->current_at,
            (unsigned)program->current);
    for (uint32_t i = 0; i < program->nframes; i++)
        put_frame(job, program, &program->frames[i]);
    if (program->walk == DP_Z80_WALK_LOOP)
        dp_putf(out, "  frame loop at %04X\n", (unsigned)program->walk_at);
    if (program->walk == DP_Z80_WALK_NO_NAME)
        dp_putf(out, "  frame %04X names %04X: no function\n", (unsigned)program->walk_at,
                (unsigned)program->walk_word);
    if (program->walk == DP_Z80_WALK_OUTSIDE)
        dp_putf(out, "  frame %04X outside image\n", (unsigned)program->walk_at);
}

static int write_image(const struct dp_job *job, struct dp_err *err)
{
    const struct dp_z80_program *program = dp_foreign(job->prof, "z80");

    if (!program)
        return dp_fail(err, "this is no memory image of a Z80");
    if (job->view->header)
        dp_putf(job->out, "%s, %04lX to %04lX, %" PRIu32 " functions\n", program->kind,
                (unsigned long)program->image.first, (unsigned long)program->image.last,
                program->n);
    if (program->startup.found)
        put_startup(job->out, &program->startup);
    for (uint32_t i = 0; i < program->nchains; i++)
        put_chain(job, program, &program->chains[i]);
    put_stack(job, program);
    return 0;
}

const struct dp_writer dp_write_image = {
    .name = "image",
    .about = "what a memory image holds: chains, CURRENT, frames, with addresses (Z80)",
    .ending = "",
    .needs = DP_NEEDS_PLAIN,
    .write = write_image,
};
