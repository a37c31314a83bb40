/*
 * Z80 programs of CP/M's C compiler with its "profile and trace" option: memory images and printed
 * listings. doc/formats/z80.md.
 */
#include "read/read.h"

#include <string.h>

#include "base/mem.h"
#include "model/notes.h"
#include "read/cpm.h"
#include "z80/listing.h"
#include "z80/program.h"

/* Text forms of 64K take up to half a megabyte; what is larger is no image. */
#define LARGEST ((size_t)1 << 20)
/* A file that was named as an image may be a whole disk. */
#define LARGEST_NAMED ((size_t)64 << 20)

static int is_text(const char *bytes, size_t n)
{
    return n > 0 && memchr(bytes, 0, n) == NULL;
}

/* Files of other trades that are not worth a search. */
static int is_foreign(const char *bytes, size_t n)
{
    static const char *const magic[] = {"\177ELF", "#!", "\x1f\x8b", "PK\3\4", "!<arch>"};

    for (size_t i = 0; i < sizeof magic / sizeof *magic; i++)
        if (n >= strlen(magic[i]) && memcmp(bytes, magic[i], strlen(magic[i])) == 0)
            return 1;
    return 0;
}

static enum dp_claim claims(const char *bytes, size_t n)
{
    if (n > LARGEST || is_foreign(bytes, n))
        return DP_CLAIM_NO;
    return DP_CLAIM_MORE;
}

static int owns(const char *bytes, size_t n)
{
    struct dp_z80_listing *listing = is_text(bytes, n) ? dp_z80_listing_new(bytes, n) : NULL;

    if (listing) {
        dp_z80_listing_free(listing);
        return 1;
    }
    return dp_z80_is_there((const uint8_t *)bytes, n);
}

static int nothing_found(const struct dp_z80_program *program, int text,
                         const struct dp_z80_place *place, struct dp_err *err)
{
    const struct dp_z80_image *image = &program->image;

    if (place->bank >= 0)
        return dp_fail(err,
                       program->kind ? "no function with a profile was found with bank %d at C000"
                                     : "expected a snapshot of a machine with banks that holds "
                                       "bank %d (--bank); found none",
                       place->bank);
    if (place->origin >= 0)
        return dp_fail(err,
                       "no function with a profile header or a trace call was found with the "
                       "file at %04lX (without --origin the place is searched for)",
                       (unsigned long)place->origin);
    if (program->kind)
        return dp_fail(err,
                       "this is %s, %04lX to %04lX, but no function in it was compiled with a "
                       "profile or trace (option -P of the compiler); --run with --map counts "
                       "without it",
                       program->kind, (unsigned long)image->first, (unsigned long)image->last);
    if (text)
        return dp_fail(err, "expected \"function  calls\" and a list, a walkback (CALLED BY), or a "
                            "hex dump of memory with profiled functions; found none of them");
    return dp_fail(err, "no function with a profile header or a trace call was found, wherever the "
                        "file is taken to lie; --origin ADDR tells it");
}

static int read_image(struct dp_build *build, const char *bytes, size_t n, int text,
                      struct dp_err *err)
{
    int64_t origin = build->hints ? build->hints->origin : -1;
    struct dp_z80_place place = {(int32_t)origin, build->hints ? build->hints->bank : -1};
    struct dp_z80_program *program;

    if (origin > 0xFFFF)
        return dp_fail(err, "--origin: expected an address up to FFFF, found %llX",
                       (unsigned long long)origin);
    program = dp_z80_find((const uint8_t *)bytes, n, &place);
    if (!program->n) {
        nothing_found(program, text, &place, err);
        dp_z80_program_free(program);
        return -1;
    }
    if (build->hints && build->hints->symbols) {
        program->symbols = dp_z80_symbols_new(build->hints->symbols, build->hints->nsymbols);
        if (!program->symbols->n)
            dp_note(build->prof, DP_NOTE_RECORDER, 0,
                    "the map file has no line with a name and an address");
    }
    dp_read_z80_program(build, program);
    return 0;
}

static int read_z80(struct dp_in *in, struct dp_build *build, struct dp_err *err)
{
    struct dp_z80_listing *listing;
    size_t n;
    int text;

    while ((size_t)(in->end - in->at) < LARGEST_NAMED && dp_in_more(in))
        ;
    n = (size_t)(in->end - in->at);
    text = is_text(in->at, n);
    listing = text ? dp_z80_listing_new(in->at, n) : NULL;
    if (listing)
        dp_read_z80_listing(build, listing);
    else if (read_image(build, in->at, n, text, err) < 0)
        return -1;
    in->at = in->end;
    dp_build_end(build, 1);
    return 0;
}

const struct dp_reader dp_read_z80 = {
    .name = "z80",
    .about = "Z80 memory images and console listings of CP/M C programs with a profile",
    .claims = claims,
    .owns = owns,
    .read = read_z80,
};
