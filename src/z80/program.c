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

static int try_kinds(struct dp_z80_program *program, const uint8_t *bytes, size_t n)
{
    const char *sure = NULL;

    for (const struct dp_z80_kind *kind = dp_z80_kinds; kind->name; kind++) {
        if (!kind->load(&program->image, bytes, n))
            continue;
        program->kind = kind->name;
        if (look(program) || (kind->load == dp_z80_load_dump && look_beside(program)))
            return 1;
        if (kind->sure && !sure)
            sure = kind->name;
    }
    program->kind = sure;
    return 0;
}

static int find(struct dp_z80_program *program, const uint8_t *bytes, size_t n, int32_t origin)
{
    int found;

    if (origin >= 0) {
        dp_z80_load_raw(&program->image, bytes, n, origin);
        program->kind = "memory";
        return look(program);
    }
    found = try_kinds(program, bytes, n);
    if (!found && (found = look_elsewhere(program, bytes, n)))
        program->kind = "memory";
    return found;
}

struct dp_z80_program *dp_z80_find(const uint8_t *bytes, size_t n, int32_t origin)
{
    struct dp_z80_program *program = dp_alloc(sizeof *program);

    program->entering = DP_Z80_NO;
    if (find(program, bytes, n, origin))
        read_on(program);
    return program;
}

int dp_z80_is_there(const uint8_t *bytes, size_t n)
{
    struct dp_z80_program *program = dp_alloc(sizeof *program);
    int found = find(program, bytes, n, -1);

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
