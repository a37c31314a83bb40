/*
 * listing: the profile byte for byte as the original runtime prints it: the functions of the list
 * that the startup code hands to it, in the order of the source, a count of 0 as blanks.
 */
#include "write/statements.h"
#include "write/z80.h"

#include <inttypes.h>
#include <stdio.h>

#include "write/cells.h"
#include "write/writers.h"

uint32_t dp_z80_sub(const struct dp_job *job, uint16_t entry)
{
    for (uint32_t i = 0; i < job->prof->nsubs; i++)
        if (job->prof->subs[i].addr == entry)
            return i;
    return DP_NONE;
}

/* Counts of several runs added up may have more than the six columns. */
static void put_row(const struct dp_job *job, uint32_t sub)
{
    uint64_t calls = job->sums->subs[sub].calls;
    char text[24] = "      ";
    size_t n;
    const char *name = dp_sub_name(job->prof, sub, &n);

    if (job->prof->subs[sub].doubt & DP_DOUBT_DAMAGED)
        snprintf(text, sizeof text, "??????");
    else if (calls)
        snprintf(text, sizeof text, "%6" PRIu64, calls);
    dp_put(job->out, name, n);
    dp_putc(job->out, '\t');
    dp_puts(job->out, text);
    if (job->prof->subs[sub].doubt & DP_DOUBT_WRAPPED)
        dp_putc(job->out, '*');
    dp_puts(job->out, "\r\n");
}

static void put_chains(const struct dp_job *job, const struct dp_z80_program *program)
{
    int printed = 0;

    for (uint32_t i = 0; i < program->nchains; i++)
        printed |= program->chains[i].printed;
    for (uint32_t i = 0; i < program->nchains; i++) {
        const struct dp_z80_chain *chain = &program->chains[i];

        for (uint32_t k = 0; k < chain->n && (chain->printed || !printed); k++) {
            uint32_t function = program->order[chain->first + k];
            uint32_t sub = dp_z80_sub(job, program->functions[function].stub);

            if (sub != DP_NONE && program->functions[function].counted)
                put_row(job, sub);
        }
    }
}

int dp_z80_put_listing(const struct dp_job *job, struct dp_err *err)
{
    const struct dp_z80_program *program = dp_foreign(job->prof, "z80");

    (void)err;
    dp_puts(job->out, "function  calls\r\n");
    if (program) {
        put_chains(job, program);
        return 0;
    }
    for (uint32_t i = 0; i < job->prof->nsubs; i++)
        if (!(job->prof->subs[i].doubt & DP_DOUBT_UNCOUNTED))
            put_row(job, i);
    return 0;
}

static int write_listing(const struct dp_job *job, struct dp_err *err)
{
    if (job->prof->statements)
        return dp_put_pascal_listing(job);
    if (job->prof->counts)
        return dp_z80_put_listing(job, err);
    return dp_fail(err, "there is no listing of a profile with times; it is for Z80 and Pascal "
                        "programs");
}

const struct dp_writer dp_write_listing = {
    .name = "listing",
    .about = "the program with its counts (Pascal); the profile as a Z80 program prints it",
    .ending = "",
    .write = write_listing,
};
