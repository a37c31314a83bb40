/* Chains of headers, and the startup code that tells which of them the program prints. */
#include "z80/program.h"

#include <string.h>

#include "base/mem.h"

/* The first function whose member is not below `value`: all addresses rise together. */
static uint32_t search(const struct dp_z80_program *program, size_t member, uint16_t value)
{
    uint32_t low = 0, high = program->n;

    while (low < high) {
        uint32_t middle = (low + high) / 2;
        uint16_t found;

        memcpy(&found, (const char *)&program->functions[middle] + member, sizeof found);
        if (found < value)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static uint32_t exactly(const struct dp_z80_program *program, size_t member, uint16_t value)
{
    uint32_t at = search(program, member, value);
    uint16_t found;

    if (at == program->n)
        return DP_Z80_NO;
    memcpy(&found, (const char *)&program->functions[at] + member, sizeof found);
    return found == value ? at : DP_Z80_NO;
}

uint32_t dp_z80_named(const struct dp_z80_program *program, uint16_t name)
{
    return exactly(program, offsetof(struct dp_z80_function, name), name);
}

uint32_t dp_z80_headed(const struct dp_z80_program *program, uint16_t header)
{
    return exactly(program, offsetof(struct dp_z80_function, header), header);
}

/* Nearly always the next one in memory. */
uint32_t dp_z80_next(const struct dp_z80_program *program, uint32_t function)
{
    uint16_t next = program->functions[function].next;

    if (function + 1 < program->n && program->functions[function + 1].header == next)
        return function + 1;
    return dp_z80_headed(program, next);
}

uint32_t dp_z80_entered(const struct dp_z80_program *program, uint16_t addr)
{
    return program->entry_at && program->entry_at[addr] ? program->entry_at[addr] - 1u : DP_Z80_NO;
}

static void index_entries(struct dp_z80_program *program)
{
    program->entry_at = dp_alloc_array(DP_Z80_MEMORY, sizeof *program->entry_at);
    for (uint32_t i = 0; i < program->n; i++)
        program->entry_at[program->functions[i].stub] = (uint16_t)(i + 1);
}

uint32_t dp_z80_inside(const struct dp_z80_program *program, uint16_t addr)
{
    uint32_t at = search(program, offsetof(struct dp_z80_function, entry), addr);

    if (at == program->n || program->functions[at].entry != addr) {
        if (at == 0)
            return DP_Z80_NO;
        at--;
    }
    return addr < program->functions[at].end ? at : DP_Z80_NO;
}

/* --- startup ---------------------------------------------------------------------------------- */

/* `LD HL,(6); LD SP,HL; CALL ccgo; CALL main; LD HL,head; CALL cccalls; CALL exit`, the third
   from the end and the second only with a profile. */
static int is_startup(const struct dp_z80_program *program, uint32_t at)
{
    const uint8_t *code = program->image.mem + at;

    return code[0] == 0x2A && code[1] == 0x06 && code[2] == 0x00 && code[3] == 0xF9 &&
           code[4] == 0xCD && code[7] == 0xCD && dp_z80_has(&program->image, at, 19) &&
           dp_z80_entered(program, dp_z80_word(&program->image, at + 8)) != DP_Z80_NO;
}

static void read_startup(struct dp_z80_program *program, uint32_t at)
{
    const struct dp_z80_image *image = &program->image;
    const uint8_t *code = image->mem + at;
    struct dp_z80_startup *startup = &program->startup;

    startup->found = 1;
    startup->at = (uint16_t)at;
    startup->ccgo = dp_z80_word(image, at + 5);
    startup->main = dp_z80_word(image, at + 8);
    if (code[10] == 0x21 && code[13] == 0xCD && code[16] == 0xCD) {
        startup->head = dp_z80_word(image, at + 11);
        startup->cccalls = dp_z80_word(image, at + 14);
        startup->exit = dp_z80_word(image, at + 17);
    } else if (code[10] == 0xCD) {
        startup->exit = dp_z80_word(image, at + 11);
    }
}

static void find_startup(struct dp_z80_program *program)
{
    for (uint32_t at = program->image.first; at + 19 <= program->image.last + 1; at++)
        if (is_startup(program, at)) {
            read_startup(program, at);
            return;
        }
}

/* The last function goes up to the runtime, which lies behind it. */
static void cut_last(struct dp_z80_program *program)
{
    struct dp_z80_function *last = &program->functions[program->n - 1];
    const struct dp_z80_startup *startup = &program->startup;
    const uint16_t others[] = {startup->ccgo, startup->cccalls, startup->exit, last->enters};

    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (others[i] > last->entry && others[i] < last->end)
            last->end = others[i];
}

/* --- chains ------------------------------------------------------------------------------------*/

/* Where the next chain begins in program->order. */
static uint32_t ordered(const struct dp_z80_program *program)
{
    const struct dp_z80_chain *last;

    if (!program->nchains)
        return 0;
    last = &program->chains[program->nchains - 1];
    return last->first + last->n;
}

static void follow(struct dp_z80_program *program, uint32_t function, unsigned char *seen)
{
    struct dp_z80_chain chain = {ordered(program), 0, DP_Z80_STOPS, 0, 0, 0};
    uint32_t index = program->nchains, used = chain.first;

    for (;;) {
        uint16_t next = program->functions[function].next;

        program->order[used++] = function;
        program->functions[function].chain = index;
        seen[function] = 1;
        chain.n++;
        chain.to = next;
        if (!program->functions[function].counted || next == 0)
            break;
        function = dp_z80_next(program, function);
        if (function == DP_Z80_NO || seen[function]) {
            chain.ends = function == DP_Z80_NO ? DP_Z80_BREAKS : DP_Z80_LOOPS;
            break;
        }
    }
    program->chains = dp_more(program->chains, index, sizeof *program->chains);
    program->chains[program->nchains++] = chain;
}

/* Without counters there are no headers, and all functions are one list. */
static void list(struct dp_z80_program *program, unsigned char *seen)
{
    struct dp_z80_chain chain = {ordered(program), 0, DP_Z80_STOPS, 0, 0, 0};

    for (uint32_t i = 0; i < program->n; i++)
        if (!program->functions[i].counted && !seen[i]) {
            program->order[chain.first + chain.n++] = i;
            program->functions[i].chain = program->nchains;
            seen[i] = 1;
        }
    if (!chain.n)
        return;
    program->chains = dp_more(program->chains, program->nchains, sizeof *program->chains);
    program->chains[program->nchains++] = chain;
}

static void mark_pointed(const struct dp_z80_program *program, unsigned char *pointed)
{
    for (uint32_t i = 0; i < program->n; i++) {
        uint32_t next = program->functions[i].counted && program->functions[i].next
                            ? dp_z80_next(program, i)
                            : DP_Z80_NO;

        if (next != DP_Z80_NO)
            pointed[next] = 1;
    }
}

/* The one that the startup code prints, else the one with main in it. */
static void mark_printed(struct dp_z80_program *program)
{
    uint32_t first = DP_Z80_NO;

    if (program->startup.found && program->startup.head)
        first = dp_z80_headed(program, program->startup.head);
    for (uint32_t i = 0; i < program->n && first == DP_Z80_NO; i++)
        if (program->functions[i].length == 4 && memcmp(dp_z80_name(program, i), "main", 4) == 0)
            first = i;
    if (first != DP_Z80_NO && program->functions[first].counted)
        program->chains[program->functions[first].chain].printed = 1;
}

/* Is that where a chain is torn? A circle may close at the end of a list as well as tear it; one to
   itself tears it. */
static int is_torn(const struct dp_z80_program *program, const struct dp_z80_chain *chain)
{
    uint32_t last = program->order[chain->first + chain->n - 1];

    return chain->ends == DP_Z80_BREAKS ||
           (chain->ends == DP_Z80_LOOPS && chain->to == program->functions[last].header);
}

/* A chain that begins right behind the place where another one was torn was part of that. */
static void mark_unlinked(struct dp_z80_program *program)
{
    unsigned char *torn =
        dp_alloc((size_t)program->n + 1); /* per function: something is, before it */

    for (uint32_t i = 0; i < program->nchains; i++) {
        const struct dp_z80_chain *chain = &program->chains[i];

        if (is_torn(program, chain))
            torn[program->order[chain->first + chain->n - 1] + 1] = 1;
    }
    for (uint32_t i = 0; i < program->nchains; i++)
        if (torn[program->order[program->chains[i].first]])
            program->chains[i].unlinked = 1;
    dp_free(torn);
}

void dp_z80_link(struct dp_z80_program *program)
{
    unsigned char *seen, *pointed;

    if (!program->n)
        return;
    seen = dp_alloc(program->n);
    pointed = dp_alloc(program->n);
    program->order = dp_alloc_array(program->n, sizeof *program->order);
    index_entries(program);
    find_startup(program);
    cut_last(program);
    mark_pointed(program, pointed);
    for (uint32_t i = 0; i < program->n; i++)
        if (program->functions[i].counted && !pointed[i])
            follow(program, i, seen);
    for (uint32_t i = 0; i < program->n; i++)
        if (program->functions[i].counted && !seen[i])
            follow(program, i, seen);
    list(program, seen);
    mark_printed(program);
    mark_unlinked(program);
    dp_free(pointed);
    dp_free(seen);
}
