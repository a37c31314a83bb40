/*
 * The stack of calls at the moment of the dump. CCREGIS keeps a list of frames, innermost first,
 * whose head is the word CURRENT; the stack pointer is not needed.
 *   F+0 the caller's frame, F+2 the name, F+4 the return address, F+6 the arguments.
 */
#include "z80/program.h"

#include <string.h>

#include "base/mem.h"
#include "z80/opcode.h"

#define MOST_ARGS 8

/* --- CURRENT -----------------------------------------------------------------------------------*/

/* The address of an instruction that moves a word: 1 reads it, 2 writes it, 0 neither. */
static int moves(const struct dp_z80_image *image, uint16_t at, uint16_t *addr)
{
    uint8_t code = dp_z80_byte(image, at), second = dp_z80_byte(image, at + 1u);

    if (code == 0x2A || code == 0x22) {
        *addr = dp_z80_word(image, at + 1u);
        return code == 0x2A ? 1 : 2;
    }
    if (code == 0xED && (second & 0xC7) == 0x43) {
        *addr = dp_z80_word(image, at + 2u);
        return second & 8 ? 1 : 2;
    }
    return 0;
}

/* In CCREGIS, what is read first and written later is CURRENT. */
static int find_current(const struct dp_z80_image *image, uint16_t at, uint16_t *current)
{
    uint16_t read[8] = {0}, addr = 0;
    int nread = 0;

    for (int i = 0; i < 120; i++) {
        struct dp_z80_op op = dp_z80_decode(image, at);
        int how = moves(image, at, &addr);

        for (int k = 0; how == 2 && k < nread; k++)
            if (read[k] == addr) {
                *current = addr;
                return 1;
            }
        if (how == 1 && nread < 8)
            read[nread++] = addr;
        if (op.flow == DP_Z80_RET || op.flow == DP_Z80_JUMP_REG)
            return 0;
        at = (uint16_t)(at + op.length);
    }
    return 0;
}

static void read_current(struct dp_z80_program *program)
{
    const struct dp_z80_image *image = &program->image;

    program->outside = 1;
    for (uint32_t i = 0; i < program->n && !program->runtime; i++) {
        uint16_t enters = program->functions[i].enters;

        if (i && enters == program->functions[i - 1].enters)
            continue;
        if (!dp_z80_has(image, enters, 16))
            continue;
        program->outside = 0;
        program->runtime = find_current(image, enters, &program->current_at) &&
                           dp_z80_has(image, program->current_at, 2);
    }
    if (program->runtime)
        program->current = dp_z80_word(image, program->current_at);
}

/* --- frames ------------------------------------------------------------------------------------*/

static void find_site(const struct dp_z80_program *program, struct dp_z80_frame *frame)
{
    const struct dp_z80_image *image = &program->image;
    uint16_t call = (uint16_t)(frame->returns - 3), pointer = (uint16_t)(frame->returns - 5);

    frame->from = DP_Z80_BY_OTHER;
    if (dp_z80_byte(image, call) == 0xCD &&
        dp_z80_word(image, call + 1u) == program->functions[frame->function].stub) {
        frame->from = DP_Z80_BY_CALL;
        frame->site = call;
    } else if (dp_z80_byte(image, pointer) == 0x21 &&
               dp_z80_word(image, pointer + 1u) == frame->returns &&
               dp_z80_byte(image, pointer + 3u) == 0xE3 &&
               dp_z80_byte(image, pointer + 4u) == 0xE9) {
        frame->from = DP_Z80_BY_POINTER; /* LD HL,return; EX (SP),HL; JP (HL) */
        frame->site = pointer;
    }
    frame->caller = dp_z80_inside(program, (uint16_t)(frame->returns - 1));
    if (program->startup.found && frame->returns == program->startup.at + 10) {
        frame->bottom = 1;
        frame->caller = DP_Z80_NO;
    }
}

/* The caller takes its arguments off again: POP BC for each, or `EX DE,HL; LD HL,n; ADD HL,SP; LD
   SP,HL`. */
static uint8_t arguments(const struct dp_z80_image *image, uint16_t at)
{
    uint8_t n = 0;

    if (dp_z80_byte(image, at) == 0xEB && dp_z80_byte(image, at + 1u) == 0x21 &&
        dp_z80_byte(image, at + 4u) == 0x39 && dp_z80_byte(image, at + 5u) == 0xF9)
        n = (uint8_t)(dp_z80_word(image, at + 2u) / 2 < MOST_ARGS ? dp_z80_word(image, at + 2u) / 2
                                                                  : MOST_ARGS);
    else
        while (n < MOST_ARGS && (dp_z80_byte(image, (uint32_t)at + n) == 0xC1 ||
                                 dp_z80_byte(image, (uint32_t)at + n) == 0xF1))
            n++;
    return n;
}

/* One frame; the function is known to be there. */
static void add_frame(struct dp_z80_program *program, uint16_t at, uint32_t function)
{
    struct dp_z80_frame frame;

    memset(&frame, 0, sizeof frame);
    frame.at = at;
    frame.function = function;
    frame.returns = dp_z80_word(&program->image, at + 4u);
    frame.args = (uint16_t)(at + 6);
    if (program->functions[function].stubbed) /* frames apart from the stack */
        frame.args = (uint16_t)(dp_z80_word(&program->image, at + 6u) + 2);
    frame.nargs = arguments(&program->image, frame.returns);
    find_site(program, &frame);
    while (frame.nargs && !dp_z80_has(&program->image, frame.args, 2u * frame.nargs))
        frame.nargs--;
    program->frames = dp_more(program->frames, program->nframes, sizeof *program->frames);
    program->frames[program->nframes++] = frame;
}

static enum dp_z80_walk stop(struct dp_z80_program *program, uint16_t at, enum dp_z80_walk why)
{
    program->walk_at = at;
    return why;
}

/* Callers lie above, so the walk ends by itself. */
static enum dp_z80_walk walk(struct dp_z80_program *program)
{
    uint16_t at = program->current;

    if (!program->runtime || at == 0)
        return DP_Z80_WALK_NONE;
    for (;;) {
        uint16_t link;
        uint32_t function;

        if (!dp_z80_has(&program->image, at, 6))
            return stop(program, at, DP_Z80_WALK_OUTSIDE);
        program->walk_word = dp_z80_word(&program->image, at + 2u);
        function = dp_z80_named(program, program->walk_word);
        if (function == DP_Z80_NO)
            return stop(program, at, DP_Z80_WALK_NO_NAME);
        add_frame(program, at, function);
        link = dp_z80_word(&program->image, at);
        if (link == 0)
            return stop(program, at, DP_Z80_WALK_BOTTOM);
        if (link <= at)
            return stop(program, link, DP_Z80_WALK_LOOP);
        at = link;
    }
}

/* --- a function that has no frame yet ----------------------------------------------------------*/

static void enter(struct dp_z80_program *program, uint32_t function, uint32_t return_at)
{
    program->entering = function;
    program->entering_returns = dp_z80_word(&program->image, return_at);
}

/* Inside CCREGIS the name lies a few words up the stack, with the return address above it. */
static void find_name_on_stack(struct dp_z80_program *program)
{
    for (uint32_t at = program->image.sp; at <= program->image.sp + 6u; at += 2) {
        uint32_t function = dp_z80_named(program, dp_z80_word(&program->image, at));

        if (program->nframes && at == program->frames[0].at + 2u)
            return; /* that one has its frame */
        if (function != DP_Z80_NO) {
            enter(program, function, at + 2);
            return;
        }
    }
}

static void find_entering(struct dp_z80_program *program)
{
    const struct dp_z80_image *image = &program->image;
    uint16_t pc = image->pc;
    uint32_t function;

    program->entering = DP_Z80_NO;
    if (!image->has_pc || !image->has_sp || !program->n)
        return;
    function = dp_z80_inside(program, pc);
    if (function != DP_Z80_NO) {
        uint32_t into = (uint32_t)pc - program->functions[function].entry;

        if (into == 0 || into == 3)
            enter(program, function, image->sp);
        else if (into == 4)
            enter(program, function, image->sp + 2u);
    }
    for (uint32_t i = 0; i < program->n && program->entering == DP_Z80_NO; i++)
        if (pc >= program->functions[i].enters && pc < program->functions[i].enters + 64u) {
            find_name_on_stack(program);
            return;
        }
}

void dp_z80_walk(struct dp_z80_program *program)
{
    read_current(program);
    program->walk = walk(program);
    find_entering(program);
}
