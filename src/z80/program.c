/* A program in a file of any kind. */
#include "z80/program.h"

#include "base/mem.h"

static void forget(struct dp_z80_program *program)
{
    dp_free(program->functions);
    program->functions = NULL;
    program->n = 0;
}

static int look(struct dp_z80_program *program)
{
    forget(program);
    dp_z80_scan(program);
    return program->n > 0;
}

/* Raw bytes whose place nothing tells. */
static int look_elsewhere(struct dp_z80_program *program, const uint8_t *bytes, size_t n)
{
    int32_t origin;

    if (!dp_z80_guess(bytes, n, &origin))
        return 0;
    dp_z80_load_raw(&program->image, bytes, n, origin);
    program->guessed = 1;
    return look(program);
}

/* Text dumps of a file instead of memory begin at 0, wherever its program was to run. */
static int look_beside(struct dp_z80_program *program)
{
    const struct dp_z80_image *image = &program->image;
    uint32_t n = image->first > image->last ? 0 : image->last + 1 - image->first;
    uint8_t *copy = dp_alloc(n ? n : 1);
    int found;

    for (uint32_t i = 0; i < n; i++)
        copy[i] = image->mem[image->first + i];
    found = look_elsewhere(program, copy, n);
    dp_free(copy);
    return found;
}

static void read_on(struct dp_z80_program *program)
{
    dp_z80_link(program);
    dp_z80_walk(program);
    dp_z80_sites(program);
}

/* --- banks -------------------------------------------------------------------------------------*/

/* Where control was does not belong to a bank that the processor did not see. */
static int load_bank(struct dp_z80_image *image, const uint8_t *bytes, size_t n, int bank, int seen)
{
    if (!dp_z80_load_bank(image, bytes, n, bank))
        return 0;
    if (bank != seen && image->pc >= 0xC000)
        image->has_pc = 0;
    return 1;
}

/* Does a function lie in what is seen at C000? */
static int has_upper(const struct dp_z80_program *program)
{
    return program->n && program->functions[program->n - 1].entry >= 0xC000;
}

/* The banks of a snapshot that have functions, a bit for each, but for the one that is seen. */
static uint8_t full_banks(const uint8_t *bytes, size_t n, const struct dp_z80_image *image)
{
    struct dp_z80_program *other;
    uint8_t full = 0;

    if (!image->banks)
        return 0;
    other = dp_alloc(sizeof *other);
    for (int bank = 0; bank < 8; bank++)
        if (bank != image->bank && bank != 5 && bank != 2 && image->banks >> bank & 1 &&
            dp_z80_load_bank(&other->image, bytes, n, bank) && look(other) && has_upper(other))
            full |= (uint8_t)(1u << bank);
    forget(other);
    dp_free(other);
    return full;
}

/* What the processor saw has no function; a bank beside it may. */
static int look_in_banks(struct dp_z80_program *program, const uint8_t *bytes, size_t n)
{
    uint8_t full = full_banks(bytes, n, &program->image);
    int seen = program->image.bank;

    for (int bank = 0; bank < 8; bank++)
        if (full >> bank & 1 && load_bank(&program->image, bytes, n, bank, seen)) {
            program->unseen = 1;
            program->others = (uint8_t)(full & ~(1u << bank));
            return look(program);
        }
    return 0;
}

static int find_in_bank(struct dp_z80_program *program, const uint8_t *bytes, size_t n, int bank)
{
    int seen;

    for (const struct dp_z80_kind *kind = dp_z80_kinds; kind->name; kind++) {
        if (!kind->load(&program->image, bytes, n) || !program->image.banks)
            continue;
        seen = program->image.bank;
        if (!load_bank(&program->image, bytes, n, bank, seen))
            continue;
        program->kind = kind->name;
        program->unseen = bank != seen;
        program->others = full_banks(bytes, n, &program->image);
        return look(program);
    }
    return 0;
}

/* --- all of it ---------------------------------------------------------------------------------*/

static int try_kinds(struct dp_z80_program *program, const uint8_t *bytes, size_t n)
{
    const char *sure = NULL;

    for (const struct dp_z80_kind *kind = dp_z80_kinds; kind->name; kind++) {
        if (!kind->load(&program->image, bytes, n))
            continue;
        program->kind = kind->name;
        if (look(program)) {
            program->others = full_banks(bytes, n, &program->image);
            return 1;
        }
        if (look_in_banks(program, bytes, n) ||
            (kind->load == dp_z80_load_dump && look_beside(program)))
            return 1;
        if (kind->sure && !sure)
            sure = kind->name;
    }
    program->kind = sure;
    return 0;
}

static int find(struct dp_z80_program *program, const uint8_t *bytes, size_t n,
                const struct dp_z80_place *place)
{
    int found;

    if (place->bank >= 0)
        return find_in_bank(program, bytes, n, place->bank);
    if (place->origin >= 0) {
        dp_z80_load_raw(&program->image, bytes, n, place->origin);
        program->kind = "memory";
        return look(program);
    }
    found = try_kinds(program, bytes, n);
    if (!found && (found = look_elsewhere(program, bytes, n)))
        program->kind = "memory";
    return found;
}

struct dp_z80_program *dp_z80_find(const uint8_t *bytes, size_t n, const struct dp_z80_place *place)
{
    struct dp_z80_program *program = dp_alloc(sizeof *program);

    program->entering = DP_Z80_NO;
    if (find(program, bytes, n, place))
        read_on(program);
    return program;
}

int dp_z80_is_there(const uint8_t *bytes, size_t n)
{
    static const struct dp_z80_place anywhere = {-1, -1};
    struct dp_z80_program *program = dp_alloc(sizeof *program);
    int found = find(program, bytes, n, &anywhere);

    dp_z80_program_free(program);
    return found;
}

void dp_z80_program_free(struct dp_z80_program *program)
{
    if (!program)
        return;
    dp_free(program->functions);
    dp_free(program->order);
    dp_free(program->entry_at);
    dp_free(program->chains);
    dp_free(program->frames);
    dp_free(program->sites);
    dp_free(program->calls);
    dp_z80_symbols_free(program->symbols);
    dp_free(program);
}
