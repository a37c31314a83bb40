/*
 * walkback of a Z80 program: who was running when its memory was dumped, innermost first, where
 * each was called and with which arguments; or what err() printed into a listing.
 */
#include "write/z80.h"

#include <inttypes.h>

#include "base/escape.h"
#include "z80/listing.h"

#define LONGEST_TEXT 24
#define FURTHEST 0x2000 /* from a symbol to what still belongs to it */

static void put_function(const struct dp_job *job, const struct dp_z80_program *program,
                         uint32_t function)
{
    dp_put_name(job->out, dp_z80_name(program, function), program->functions[function].length);
}

/* --- arguments ---------------------------------------------------------------------------------*/

/* Printable characters up to a 0: how many, or 0 if it is no text. */
static size_t text_at(const struct dp_z80_program *program, uint16_t addr)
{
    size_t n = 0;

    while (addr + n < DP_Z80_MEMORY && program->image.known[addr + n] && n < 256) {
        uint8_t c = program->image.mem[addr + n];

        if (c == 0)
            return n > 1 ? n : 0;
        if ((c < ' ' || c > '~') && c != '\r' && c != '\n' && c != '\t')
            return 0;
        n++;
    }
    return 0;
}

static void put_word(const struct dp_job *job, const struct dp_z80_program *program, uint16_t word)
{
    size_t n = text_at(program, word);

    dp_putf(job->out, "%04X", (unsigned)word);
    if (!n)
        return;
    dp_puts(job->out, " \"");
    dp_put_name(job->out, (const char *)program->image.mem + word,
                n < LONGEST_TEXT ? n : LONGEST_TEXT);
    dp_puts(job->out, n > LONGEST_TEXT ? "...\"" : "\"");
}

/* The last one lies lowest. */
static void put_arguments(const struct dp_job *job, const struct dp_z80_program *program,
                          const struct dp_z80_frame *frame)
{
    dp_putc(job->out, '(');
    for (unsigned i = frame->nargs; i-- > 0;) {
        put_word(job, program, dp_z80_word(&program->image, frame->args + 2u * i));
        if (i)
            dp_puts(job->out, ", ");
    }
    dp_putc(job->out, ')');
}

/* --- frames ------------------------------------------------------------------------------------*/

/* What has no header may have a name in the map file. */
static void put_symbol(const struct dp_job *job, const struct dp_z80_program *program,
                       uint16_t addr)
{
    const struct dp_z80_symbol *symbol = dp_z80_symbol_at(program->symbols, addr, 0);

    if (!symbol || addr - symbol->addr > FURTHEST) {
        dp_puts(job->out, "code without a profile");
        return;
    }
    dp_put_name(job->out, symbol->name, symbol->length);
    dp_putf(job->out, "+%X", (unsigned)(addr - symbol->addr));
}

static void put_place(const struct dp_job *job, const struct dp_z80_program *program, uint16_t addr)
{
    uint32_t function = dp_z80_inside(program, addr);

    if (function == DP_Z80_NO) {
        put_symbol(job, program, addr);
        return;
    }
    put_function(job, program, function);
    dp_putf(job->out, "+%X", (unsigned)(addr - program->functions[function].entry));
}

static void put_caller(const struct dp_job *job, const struct dp_z80_program *program,
                       const struct dp_z80_frame *frame)
{
    struct dp_out *out = job->out;

    dp_puts(out, "  from ");
    if (frame->bottom)
        dp_puts(out, "the startup code");
    else
        put_place(job, program, (uint16_t)(frame->returns - 1));
    if (frame->from == DP_Z80_BY_CALL)
        dp_putf(out, ", CALL at %04X", (unsigned)frame->site);
    else if (frame->from == DP_Z80_BY_POINTER)
        dp_putf(out, ", through a pointer at %04X", (unsigned)frame->site);
    else
        dp_putf(out, ", returns to %04X", (unsigned)frame->returns);
}

static void put_frame(const struct dp_job *job, const struct dp_z80_program *program, uint32_t i)
{
    const struct dp_z80_frame *frame = &program->frames[i];

    dp_putf(job->out, "#%-3" PRIu32 " %04X  ", i, (unsigned)frame->at);
    put_function(job, program, frame->function);
    put_arguments(job, program, frame);
    put_caller(job, program, frame);
    dp_putc(job->out, '\n');
}

/* Of a deep recursion both ends, unless all rows were asked for. */
static void put_frames(const struct dp_job *job, const struct dp_z80_program *program)
{
    uint32_t n = program->nframes, ends = job->view->rows < 0 ? n : 50;

    for (uint32_t i = 0; i < n; i++) {
        if (n / 2 > ends && i == ends) {
            dp_putf(job->out, "... %" PRIu32 " more: dprofpp -O -1 shows all\n", n - 2 * ends);
            i = n - ends;
        }
        put_frame(job, program, i);
    }
}

/* Is that in what each function calls when it begins? */
static int is_runtime(const struct dp_z80_program *program, uint16_t addr)
{
    for (uint32_t i = 0; i < program->n; i++)
        if (addr >= program->functions[i].enters && addr < program->functions[i].enters + 64u)
            return 1;
    return 0;
}

static void put_innermost(const struct dp_job *job, const struct dp_z80_program *program)
{
    const struct dp_z80_image *image = &program->image;

    if (image->has_pc && (program->nframes || program->entering != DP_Z80_NO)) {
        dp_putf(job->out, "Stopped at %04X in ", (unsigned)image->pc);
        if (dp_z80_inside(program, image->pc) == DP_Z80_NO && is_runtime(program, image->pc))
            dp_puts(job->out, "the routine that counts calls");
        else
            put_place(job, program, image->pc);
        dp_putc(job->out, '\n');
    }
    if (program->entering == DP_Z80_NO)
        return;
    dp_puts(job->out, "          ");
    put_function(job, program, program->entering);
    dp_puts(job->out, " is being entered  from ");
    put_place(job, program, (uint16_t)(program->entering_returns - 1));
    dp_putf(job->out, ", returns to %04X\n", (unsigned)program->entering_returns);
}

static void put_end(const struct dp_job *job, const struct dp_z80_program *program)
{
    struct dp_out *out = job->out;
    unsigned at = program->walk_at;

    switch (program->walk) {
    case DP_Z80_WALK_BOTTOM:
        dp_puts(out, "The stack is whole.\n");
        break;
    case DP_Z80_WALK_LOOP:
        dp_putf(out,
                "It goes back to %04X from here: the rest is overwritten, or of an older run.\n",
                at);
        break;
    case DP_Z80_WALK_NO_NAME:
        dp_putf(out,
                "The frame at %04X is overwritten: it names %04X, where no function's name is.\n",
                at, (unsigned)program->walk_word);
        break;
    case DP_Z80_WALK_OUTSIDE:
        dp_putf(out, "The frame at %04X is outside the file, which ends at %04lX.\n", at,
                (unsigned long)program->image.last);
        break;
    default:
        break;
    }
}

static void put_image(const struct dp_job *job, const struct dp_z80_program *program)
{
    if (job->view->header && program->walk != DP_Z80_WALK_NONE)
        dp_putf(job->out,
                "Who called whom at that moment, innermost first (CURRENT at %04X is %04X):\n",
                (unsigned)program->current_at, (unsigned)program->current);
    put_innermost(job, program);
    put_frames(job, program);
    if (job->view->header && program->walk == DP_Z80_WALK_NONE)
        dp_puts(job->out, program->runtime ? "The program was in no function: CURRENT is 0.\n"
                                           : "CURRENT was not found: the routines of the profile "
                                             "are not in the file, or unlike any known.\n");
    if (job->view->header)
        put_end(job, program);
}

/* --- listings ----------------------------------------------------------------------------------*/

static void put_backs(const struct dp_job *job, const struct dp_z80_listing *listing)
{
    for (uint32_t i = 0; i < listing->nbacks; i++) {
        const struct dp_z80_back *back = &listing->backs[i];

        if (i)
            dp_putc(job->out, '\n');
        if (job->view->header) {
            dp_puts(job->out, back->message.n ? "Error: " : "An error without a message");
            dp_put_name(job->out, back->message.at, back->message.n);
            dp_putc(job->out, '\n');
        }
        for (uint32_t k = 0; k < back->n; k++) {
            dp_putf(job->out, "#%-3" PRIu32 " ", k);
            dp_put_name(job->out, listing->names[back->first + k].at,
                        listing->names[back->first + k].n);
            dp_putc(job->out, '\n');
        }
    }
    if (!listing->nbacks && job->view->header)
        dp_puts(job->out, "No walkback is in the listing: err() was not called.\n");
}

int dp_z80_put_walkback(const struct dp_job *job, struct dp_err *err)
{
    const struct dp_z80_program *program = dp_foreign(job->prof, "z80");
    const struct dp_z80_listing *listing = dp_foreign(job->prof, "z80 listing");

    if (program)
        put_image(job, program);
    else if (listing)
        put_backs(job, listing);
    else
        return dp_fail(err, "this profile of counts has no stack");
    return 0;
}
