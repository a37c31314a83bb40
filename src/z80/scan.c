/*
 * Finding functions. The compiler puts name, 0 and then at once `LD HL,name; PUSH HL; CALL
 * CCREGIS`: the pointer must lead to exactly that name, so nothing else looks like it, wherever the
 * program lies and whatever became of its startup code.
 */
#include "z80/program.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "z80/opcode.h"

#define HEADER 5 /* next header, counter of 3 */

static int is_letter(uint8_t c)
{
    return c == '_' || ((c | 32) >= 'a' && (c | 32) <= 'z');
}

static int is_name(const uint8_t *at, size_t n)
{
    if (!is_letter(at[0]))
        return 0;
    for (size_t i = 1; i < n; i++)
        if (!is_letter(at[i]) && (at[i] < '0' || at[i] > '9'))
            return 0;
    return 1;
}

/* `21 p p E5 CD r r` with a 0 in front. */
static int is_prologue(const uint8_t *at)
{
    return at[0] == 0x21 && at[3] == 0xE5 && at[4] == 0xCD && at[-1] == 0;
}

/* --- is there a counter? -----------------------------------------------------------------------*/

/* Does this routine, or one that it calls, adjust decimal digits (DAA)? */
static int counts(const struct dp_z80_image *image, uint16_t addr, int depth)
{
    for (int i = 0; i < 160; i++) {
        struct dp_z80_op op = dp_z80_decode(image, addr);

        if (dp_z80_byte(image, addr) == 0x27)
            return 1;
        if ((op.flow == DP_Z80_CALL || op.flow == DP_Z80_CALL_IF) && depth &&
            counts(image, op.target, depth - 1))
            return 1;
        if (op.flow == DP_Z80_RET || op.flow == DP_Z80_JUMP_REG)
            return 0;
        addr = (uint16_t)(addr + op.length);
    }
    return 0;
}

/* Three bytes of two decimal digits, the lowest first. -1: they are none. */
static int32_t decimal(const uint8_t *at)
{
    int32_t value = 0;

    for (int i = 2; i >= 0; i--) {
        if ((at[i] & 15) > 9 || at[i] >> 4 > 9)
            return -1;
        value = value * 100 + (at[i] >> 4) * 10 + (at[i] & 15);
    }
    return value;
}

/* `_f: PUSH HL; JR entry; rounds` in front of the header is what --instrument puts there. */
static void read_stub(struct dp_z80_program *program, struct dp_z80_function *function)
{
    const struct dp_z80_image *image = &program->image;
    uint32_t stub = function->header - 4u;

    if (function->header < 4 || !dp_z80_has(image, stub, 4) || dp_z80_byte(image, stub) != 0xE5 ||
        dp_z80_byte(image, stub + 1) != 0x18 ||
        stub + 3 + dp_z80_byte(image, stub + 2) != function->entry)
        return;
    function->stubbed = 1;
    function->stub = (uint16_t)stub;
    if (!function->damaged)
        function->count += 1000000u * dp_z80_byte(image, stub + 3);
}

static void read_header(struct dp_z80_program *program, struct dp_z80_function *function)
{
    const uint8_t *mem = program->image.mem;
    int32_t count = decimal(mem + function->name - 3);

    function->counted = 1;
    function->header = (uint16_t)(function->name - HEADER);
    function->next = dp_z80_word(&program->image, function->header);
    function->damaged = count < 0;
    function->count = count < 0 ? 0 : (uint32_t)count;
    read_stub(program, function);
}

/* Has any function of this runtime a header that leads to another's? */
static int links(const struct dp_z80_program *program, uint16_t enters)
{
    for (uint32_t i = 0; i + 1 < program->n; i++) {
        const struct dp_z80_function *function = &program->functions[i];

        if (function->enters == enters && function->name >= HEADER &&
            dp_z80_word(&program->image, function->name - HEADER) ==
                program->functions[i + 1].name - HEADER)
            return 1;
    }
    return 0;
}

/* Small-C/Plus only traces: its names have no header in front. */
static void read_headers(struct dp_z80_program *program)
{
    uint32_t known = DP_Z80_NO;
    int counted = 0;

    for (uint32_t i = 0; i < program->n; i++) {
        struct dp_z80_function *function = &program->functions[i];

        if (function->enters != known) {
            known = function->enters;
            if (dp_z80_has(&program->image, known, 16))
                counted = counts(&program->image, function->enters, 1) ||
                          links(program, function->enters);
            else
                counted = links(program, function->enters) || program->n == 1;
        }
        if (counted && function->name >= HEADER &&
            dp_z80_has(&program->image, function->name - HEADER, HEADER))
            read_header(program, function);
    }
}

/* --- functions ---------------------------------------------------------------------------------*/

static void add(struct dp_z80_program *program, uint32_t at, uint16_t name, uint32_t length)
{
    struct dp_z80_function function;

    memset(&function, 0, sizeof function);
    function.name = function.header = name;
    function.length = (uint8_t)length;
    function.entry = function.stub = (uint16_t)at;
    function.enters = dp_z80_word(&program->image, at + 5);
    program->functions = dp_more(program->functions, program->n, sizeof *program->functions);
    program->functions[program->n++] = function;
}

/* Code and texts go up to the next function's header. */
static void find_ends(struct dp_z80_program *program)
{
    uint32_t last = program->image.last + 1;

    for (uint32_t i = program->n; i-- > 0;) {
        const struct dp_z80_function *function = &program->functions[i];

        program->functions[i].end = last;
        last = function->stubbed ? function->stub : function->header;
    }
}

void dp_z80_scan(struct dp_z80_program *program)
{
    const struct dp_z80_image *image = &program->image;
    const uint8_t *mem = image->mem;

    for (uint32_t at = image->first + 2; at + 7 <= image->last + 1; at++) {
        uint32_t name, length;

        if (!is_prologue(mem + at))
            continue;
        name = dp_z80_word(image, at + 1);
        length = at - 1 - name;
        if (name >= at - 1 || length > DP_Z80_LONGEST_NAME || !is_name(mem + name, length) ||
            !dp_z80_has(image, name, length + 8))
            continue;
        add(program, at, (uint16_t)name, length);
    }
    read_headers(program);
    find_ends(program);
}

/* --- where does the file lie? ------------------------------------------------------------------
 */

/* A place for byte 0 that some prologue would fit to. */
struct vote {
    int32_t origin;
    uint32_t n;
};

static int by_origin(const void *a, const void *b)
{
    const int32_t *x = a, *y = b;

    return *x < *y ? -1 : *x > *y;
}

static int by_votes(const void *a, const void *b)
{
    const struct vote *x = a, *y = b;

    if (x->n != y->n)
        return x->n > y->n ? -1 : 1;
    return x->origin < y->origin ? -1 : x->origin > y->origin;
}

#define MOST_VOTES 16384u /* of 2000 functions; a sort of more takes long */

/* Each name may begin at any of its letters, so a prologue votes for several places. */
static int32_t *collect(const uint8_t *bytes, size_t n, uint32_t *nvotes)
{
    int32_t *origins = NULL;

    *nvotes = 0;
    for (size_t at = 2; at + 7 <= n && *nvotes < MOST_VOTES; at++) {
        int32_t name;

        if (!is_prologue(bytes + at))
            continue;
        name = bytes[at + 1] | bytes[at + 2] << 8;
        for (size_t length = 1; length <= DP_Z80_LONGEST_NAME && length + 1 <= at; length++) {
            const uint8_t *first = bytes + at - 1 - length;

            if (!is_letter(*first) && (*first < '0' || *first > '9'))
                break;
            if (!is_letter(*first))
                continue;
            origins = dp_more(origins, *nvotes, sizeof *origins);
            origins[(*nvotes)++] = name - (int32_t)(first - bytes);
        }
    }
    return origins;
}

static struct vote *tally(int32_t *origins, uint32_t n, uint32_t *nvotes)
{
    struct vote *votes = NULL;

    *nvotes = 0;
    if (!n)
        return NULL;
    qsort(origins, n, sizeof *origins, by_origin);
    for (uint32_t i = 0; i < n; i++) {
        if (*nvotes == 0 || votes[*nvotes - 1].origin != origins[i]) {
            struct vote vote = {origins[i], 0};

            votes = dp_more(votes, *nvotes, sizeof *votes);
            votes[(*nvotes)++] = vote;
        }
        votes[*nvotes - 1].n++;
    }
    qsort(votes, *nvotes, sizeof *votes, by_votes);
    return votes;
}

/* How well a program at that place hangs together: links that lead to headers of the same runtime
   count most, then functions of one runtime. 0: it may be chance. */
static uint32_t fitness(const struct dp_z80_program *program)
{
    uint32_t linked = 0, alike = 0;

    for (uint32_t i = 0; i < program->n; i++) {
        const struct dp_z80_function *function = &program->functions[i];
        uint32_t next = dp_z80_next(program, i);

        alike += i > 0 && function->enters == program->functions[i - 1].enters;
        linked += function->counted && next != DP_Z80_NO &&
                  program->functions[next].enters == function->enters;
    }
    return linked * 1000 + alike;
}

int dp_z80_guess(const uint8_t *bytes, size_t n, int32_t *origin)
{
    struct dp_z80_program *program = dp_alloc(sizeof *program);
    uint32_t norigins, nvotes, best = 0;
    int32_t *origins = collect(bytes, n, &norigins);
    struct vote *votes = tally(origins, norigins, &nvotes);

    for (uint32_t i = 0; i < nvotes && i < 8 && votes[i].n > 1; i++) {
        uint32_t fits;

        dp_z80_load_raw(&program->image, bytes, n, votes[i].origin);
        program->n = 0;
        dp_z80_scan(program);
        fits = fitness(program);
        dp_free(program->functions);
        program->functions = NULL;
        if (fits > best) {
            best = fits;
            *origin = votes[i].origin;
        }
    }
    dp_free(votes);
    dp_free(origins);
    dp_free(program);
    return best > 0;
}
