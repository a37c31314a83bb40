/* From a Z80 program or listing to the model. */
#include "read/cpm.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "model/notes.h"

#define FULL 999999u

static void free_program(void *program)
{
    dp_z80_program_free(program);
}

static void free_listing(void *listing)
{
    dp_z80_listing_free(listing);
}

/* --- images: subs ------------------------------------------------------------------------------*/

/* Two functions of one name in different files of a program stay apart: the second one gets its
   address behind its name. */
static uint32_t sub_of(struct dp_build *build, const struct dp_z80_program *program, uint32_t i)
{
    const struct dp_z80_function *function = &program->functions[i];
    char name[DP_Z80_LONGEST_NAME + 8];
    uint32_t sub = dp_build_sub(build, dp_z80_name(program, i), function->length);

    if (build->prof->subs[sub].addr != DP_NONE) {
        int n = snprintf(name, sizeof name, "%.*s@%04X", (int)function->length,
                         dp_z80_name(program, i), (unsigned)function->entry);

        sub = dp_build_sub(build, name, (size_t)n);
    }
    build->prof->subs[sub].addr = function->stub;
    return sub;
}

static uint8_t doubt_of(const struct dp_z80_program *program, uint32_t i)
{
    const struct dp_z80_function *function = &program->functions[i];
    unsigned doubt = 0;

    if (function->wrapped)
        doubt |= DP_DOUBT_WRAPPED;
    if (function->damaged)
        doubt |= DP_DOUBT_DAMAGED;
    if (!function->counted)
        doubt |= DP_DOUBT_UNCOUNTED;
    if (program->chains[function->chain].unlinked)
        doubt |= DP_DOUBT_UNLINKED;
    return (uint8_t)doubt;
}

/* In the order of the chains, which is that of the source. */
static uint32_t *make_subs(struct dp_build *build, const struct dp_z80_program *program)
{
    uint32_t *subs = dp_alloc_array(program->n, sizeof *subs);

    for (uint32_t k = 0; k < program->n; k++) {
        uint32_t i = program->order[k];
        const struct dp_z80_function *function = &program->functions[i];

        subs[i] = sub_of(build, program, i);
        build->prof->subs[subs[i]].doubt = doubt_of(program, i);
        if (function->counted && !function->count && !function->damaged)
            build->prof->subs[subs[i]].kind = DP_KIND_UNCALLED;
        dp_build_count(build, subs[i], function->count);
    }
    return subs;
}

static void make_links(struct dp_build *build, const struct dp_z80_program *program,
                       const uint32_t *subs)
{
    for (uint32_t i = 0; i < program->ncalls; i++) {
        const struct dp_z80_call *call = &program->calls[i];
        const struct dp_link link = {
            .caller = call->caller == DP_Z80_NO ? DP_NONE : subs[call->caller],
            .callee = subs[call->callee],
            .sites = call->sites,
            .least = call->least,
            .most = call->most,
        };

        dp_build_link(build, &link);
    }
}

/* --- images: notes -----------------------------------------------------------------------------*/

static void note_function(struct dp_profile *prof, const struct dp_z80_program *program, uint32_t i)
{
    const struct dp_z80_function *function = &program->functions[i];
    int n = function->length;
    const char *name = dp_z80_name(program, i);
    const uint8_t *counter = program->image.mem + function->name - 3;

    if (function->damaged)
        dp_note(prof, DP_NOTE_COUNTER, 0,
                "the counter of %.*s is no decimal number (%02X%02X%02X): damaged; shown as 0", n,
                name, (unsigned)counter[2], (unsigned)counter[1], (unsigned)counter[0]);
    if (function->wrapped)
        dp_note(prof, DP_NOTE_WRAPPED, 0,
                "%.*s was called more often than its counter says (%" PRIu32
                "): those who always call it, or whom only it calls, ran more often; counters go "
                "round at 1000000",
                n, name, function->count);
    if (function->counted && function->count == FULL && !function->damaged && !function->stubbed)
        dp_note(prof, DP_NOTE_FULL, 0, "the counter of %.*s is at 999999: the next call makes it 0",
                n, name);
}

static void note_chains(struct dp_profile *prof, const struct dp_z80_program *program)
{
    for (uint32_t i = 0; i < program->nchains; i++) {
        const struct dp_z80_chain *chain = &program->chains[i];
        uint32_t last = program->order[chain->first + chain->n - 1];

        if (chain->ends == DP_Z80_STOPS)
            continue;
        dp_note(prof, DP_NOTE_CHAIN, 0,
                "the list of functions %s after %.*s: %04X %s; the others were found by their code",
                chain->ends == DP_Z80_LOOPS ? "runs in a circle" : "is torn",
                (int)program->functions[last].length, dp_z80_name(program, last),
                (unsigned)chain->to,
                chain->ends == DP_Z80_LOOPS ? "was there before" : "is no function's header");
    }
}

static void note_startup(struct dp_profile *prof, const struct dp_z80_program *program)
{
    const struct dp_z80_startup *startup = &program->startup;
    int counted = 0;

    for (uint32_t i = 0; i < program->n; i++)
        counted |= program->functions[i].counted;
    if (startup->found && startup->cccalls && dp_z80_headed(program, startup->head) == DP_Z80_NO)
        dp_note(
            prof, DP_NOTE_CHAIN, 0,
            "the startup code hands %04X to the printing routine, which is no function's header; "
            "the list with main is taken",
            (unsigned)startup->head);
    else if (counted && !startup->found)
        dp_note(
            prof, DP_NOTE_GUESSED, 0,
            "no startup code was found; the list with main is taken for the one that is printed");
}

static void note_stack(struct dp_profile *prof, const struct dp_z80_program *program)
{
    if (program->outside)
        dp_note(prof, DP_NOTE_PARTIAL, 0,
                "the file ends before the profile's own routines: who was running is not known");
    if (program->walk == DP_Z80_WALK_NONE)
        return;
    if (program->nframes)
        dp_note(prof, DP_NOTE_INSIDE, 0, "the program was inside %.*s: --report walkback",
                (int)program->functions[program->frames[0].function].length,
                dp_z80_name(program, program->frames[0].function));
    if (program->walk == DP_Z80_WALK_BOTTOM)
        return;
    dp_note(prof, DP_NOTE_FRAMES, 0, "the stack is lost %s frame at %04X: %s",
            program->nframes ? "after the" : "from the", (unsigned)program->walk_at,
            program->walk == DP_Z80_WALK_LOOP      ? "it was there before"
            : program->walk == DP_Z80_WALK_NO_NAME ? "no function's name is there; overwritten"
                                                   : "it is outside the file");
}

/* Of a machine with banks the processor sees one of several at C000. */
static void note_banks(struct dp_profile *prof, const struct dp_z80_program *program)
{
    char list[32] = "";
    size_t used = 0;

    for (int bank = 0; bank < 8; bank++)
        if (program->others >> bank & 1)
            used += (size_t)snprintf(list + used, sizeof list - used, used ? ", %d" : "%d", bank);
    if (program->unseen)
        dp_note(prof, DP_NOTE_BANK, 0, "bank %d is shown, which was not at C000 at that moment%s%s",
                program->image.bank, used ? "; there are profiled functions in bank " : "", list);
    else if (used)
        dp_note(
            prof, DP_NOTE_BANK, 0,
            "there are profiled functions in bank %s too, which was not at C000 at that moment: "
            "--bank shows one",
            list);
}

static void note_records(struct dp_profile *prof, const struct dp_z80_image *image)
{
    if (image->bad_sums == 1)
        dp_note(prof, DP_NOTE_BAD_SUM, 0, "a record with a bad sum was left out, in line %" PRIu32,
                image->bad_line);
    else if (image->bad_sums)
        dp_note(prof, DP_NOTE_BAD_SUM, 0,
                "%" PRIu32 " records with a bad sum were left out, first in line %" PRIu32,
                image->bad_sums, image->bad_line);
}

static void note_program(struct dp_profile *prof, const struct dp_z80_program *program)
{
    if (program->guessed)
        dp_note(prof, DP_NOTE_GUESSED, 0,
                "nothing tells where the file lies in memory; its functions fit together with byte "
                "0 at %04X (--origin tells it)",
                (unsigned)(-program->image.offset & 0xFFFF));
    note_records(prof, &program->image);
    note_banks(prof, program);
    for (uint32_t i = 0; i < program->n; i++)
        note_function(prof, program, i);
    note_chains(prof, program);
    note_startup(prof, program);
    note_stack(prof, program);
}

void dp_read_z80_program(struct dp_build *build, struct dp_z80_program *program)
{
    struct dp_profile *prof = build->prof;
    uint32_t *subs = make_subs(build, program);

    make_links(build, program, subs);
    dp_free(subs);
    note_program(prof, program);
    dp_set_foreign(prof, "z80", program, free_program);
}

/* --- listings ----------------------------------------------------------------------------------*/

static void read_row(struct dp_build *build, const struct dp_z80_row *row)
{
    struct dp_profile *prof = build->prof;
    uint32_t sub = dp_build_sub(build, row->name.at, row->name.n);

    if (!row->count)
        prof->subs[sub].kind = DP_KIND_UNCALLED;
    if (row->wrapped) {
        prof->subs[sub].doubt |= DP_DOUBT_WRAPPED;
        dp_note(prof, DP_NOTE_WRAPPED, 0, "the counter of %.*s went round (marked with * there)",
                (int)row->name.n, row->name.at);
    }
    if (row->cut) {
        prof->subs[sub].doubt |= DP_DOUBT_DAMAGED;
        dp_note(prof, DP_NOTE_CUT_LINE, 0, "the text ends inside the line of %.*s",
                (int)row->name.n, row->name.at);
        prof->lost = 1;
    }
    if (row->count == FULL)
        dp_note(prof, DP_NOTE_FULL, 0,
                "the counter of %.*s is at 999999: the next call would make it 0", (int)row->name.n,
                row->name.at);
    dp_build_count(build, sub, row->count);
}

void dp_read_z80_listing(struct dp_build *build, struct dp_z80_listing *listing)
{
    struct dp_profile *prof = build->prof;

    prof->counts = 1;
    for (uint32_t i = 0; i < listing->nrows; i++)
        read_row(build, &listing->rows[i]);
    for (uint32_t i = 0; i < listing->nnames; i++) {
        const struct dp_z80_text *name = &listing->names[i];
        uint32_t known = prof->nsubs, sub = dp_build_sub(build, name->at, name->n);

        if (sub == known) { /* only in a walkback: it ran, but its count was not printed */
            prof->subs[sub].doubt |= DP_DOUBT_UNCOUNTED;
            dp_build_count(build, sub, 0);
        }
    }
    if (listing->nprofiles > 1)
        dp_note(prof, DP_NOTE_RECORDER, 0, "%" PRIu32 " listings in one file were added up",
                listing->nprofiles);
    dp_set_foreign(prof, "z80 listing", listing, free_listing);
}
