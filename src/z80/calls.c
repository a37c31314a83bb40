/*
 * The static call graph: every place where a function calls another, and what the counters say of
 * how often that happened. Two things are certain: a function that only one other calls was called
 * by that one each time; and calls before a function's first branch happen each time it runs.
 */
#include "z80/program.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "z80/opcode.h"

/* --- sites -------------------------------------------------------------------------------------*/

static void add_site(struct dp_z80_program *program, uint32_t caller, uint32_t callee, uint32_t at,
                     enum dp_z80_flow kind)
{
    struct dp_z80_site site = {caller, callee, (uint16_t)at, (uint8_t)kind};

    program->sites = dp_more(program->sites, program->nsites, sizeof *program->sites);
    program->sites[program->nsites++] = site;
}

/* CALL, CALL cc, JP and JP cc by their first byte. */
static int flow_of(uint8_t code)
{
    if (code == 0xCD)
        return DP_Z80_CALL;
    if ((code & 0xC7) == 0xC4)
        return DP_Z80_CALL_IF;
    if (code == 0xC3)
        return DP_Z80_JUMP;
    return (code & 0xC7) == 0xC2 ? DP_Z80_JUMP_IF : DP_Z80_NEXT;
}

/* The compiler's functions are entered by CALL; what other compilers make of a call that is the
   last thing a function does is a jump to another function's entry. */
static void search_function(struct dp_z80_program *program, uint32_t caller)
{
    struct dp_z80_function *functions = program->functions;

    for (uint32_t at = functions[caller].entry; at + 3 <= functions[caller].end; at++) {
        uint8_t code = dp_z80_byte(&program->image, at);
        int flow = flow_of(code), loads = (code & 0xCF) == 0x01 && code < 0x31;
        uint32_t callee;

        if (flow == DP_Z80_NEXT && !loads)
            continue;
        callee = dp_z80_entered(program, dp_z80_word(&program->image, at + 1));
        if (callee == DP_Z80_NO)
            continue;
        if (loads)
            functions[callee].pointed = 1;
        else if (flow == DP_Z80_CALL || flow == DP_Z80_CALL_IF || callee != caller ||
                 functions[callee].stubbed) /* a loop does not go back to the stub */
            add_site(program, caller, callee, at, (enum dp_z80_flow)flow);
    }
}

/* What calls them from outside: the startup code, and code between it and the runtime that was
   compiled without a profile. */
static void search_outside(struct dp_z80_program *program)
{
    uint32_t from = program->functions[0].header, to = program->functions[program->n - 1].end;

    from = program->startup.found && program->startup.at < from ? program->startup.at
           : from > 256                                         ? from - 256
                                                                : 0;
    to = to + 4096 < program->image.last ? to + 4096 : program->image.last;
    for (uint32_t at = from; at + 3 <= to + 1; at++) {
        uint32_t callee, inside;

        if (dp_z80_byte(&program->image, at) != 0xCD)
            continue;
        callee = dp_z80_entered(program, dp_z80_word(&program->image, at + 1));
        if (callee == DP_Z80_NO)
            continue;
        inside = dp_z80_inside(program, (uint16_t)at);
        if (inside == DP_Z80_NO)
            add_site(program, DP_Z80_NO, callee, at, DP_Z80_CALL);
    }
}

static int by_edge(const void *a, const void *b)
{
    const struct dp_z80_site *x = a, *y = b;

    if (x->caller != y->caller)
        return x->caller < y->caller ? -1 : 1;
    if (x->callee != y->callee)
        return x->callee < y->callee ? -1 : 1;
    return x->at < y->at ? -1 : x->at > y->at;
}

static void make_calls(struct dp_z80_program *program)
{
    if (!program->nsites)
        return;
    qsort(program->sites, program->nsites, sizeof *program->sites, by_edge);
    for (uint32_t i = 0; i < program->nsites; i++) {
        const struct dp_z80_site *site = &program->sites[i];
        struct dp_z80_call call = {site->caller, site->callee, 0, i, 0, 0};

        if (!program->ncalls || program->calls[program->ncalls - 1].caller != site->caller ||
            program->calls[program->ncalls - 1].callee != site->callee) {
            program->calls = dp_more(program->calls, program->ncalls, sizeof *program->calls);
            program->calls[program->ncalls++] = call;
        }
        program->calls[program->ncalls - 1].sites++;
    }
}

/* --- what happens each time --------------------------------------------------------------------*/

struct bounds {
    struct dp_z80_program *program;
    uint32_t *unfinished; /* per function: frames that are still open */
    uint32_t restarts;    /* the program was begun again so often: each may have left frames open */
    uint64_t *least;      /* per function, of all its callers */
    uint64_t *most;
    uint32_t *callers;       /* per function: that may have called it */
    unsigned char *external; /* per function: may be called from outside, or through a pointer */
};

static struct dp_z80_call *call_of(struct dp_z80_program *program, uint32_t caller, uint32_t callee)
{
    uint32_t low = 0, high = program->ncalls;

    while (low < high) {
        uint32_t middle = (low + high) / 2;
        struct dp_z80_call *call = &program->calls[middle];

        if (call->caller == caller && call->callee == callee)
            return call;
        if (call->caller < caller || (call->caller == caller && call->callee < callee))
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

/* Is that way from a call on sure to be gone? Not past a branch, nor past what ends the program. */
static void go_straight(struct bounds *bounds, uint32_t caller, uint64_t runs)
{
    struct dp_z80_program *program = bounds->program;
    const struct dp_z80_function *function = &program->functions[caller];
    uint32_t at = function->entry;

    while (at < function->end) {
        struct dp_z80_op op = dp_z80_decode(&program->image, (uint16_t)at);
        uint32_t callee;

        if (op.flow != DP_Z80_NEXT && op.flow != DP_Z80_CALL)
            return;
        if (op.flow == DP_Z80_CALL) {
            if (program->startup.found && op.target == program->startup.exit)
                return;
            callee = dp_z80_entered(program, op.target);
            if (callee == caller)
                return; /* it would never end */
            if (callee != DP_Z80_NO && call_of(program, caller, callee))
                call_of(program, caller, callee)->least += runs;
        }
        at += op.length;
    }
}

static void find_least(struct bounds *bounds)
{
    struct dp_z80_program *program = bounds->program;

    for (uint32_t i = 0; i < program->n; i++) {
        const struct dp_z80_function *function = &program->functions[i];
        uint64_t lost = (uint64_t)bounds->unfinished[i] + bounds->restarts;

        if (function->counted && !function->damaged && function->count > lost)
            go_straight(bounds, i, function->count - lost);
    }
}

/* --- what cannot be ----------------------------------------------------------------------------*/

static int may_have_run(const struct dp_z80_function *function)
{
    return function->count || !function->counted || function->damaged || function->wrapped;
}

static int counter_is_good(const struct dp_z80_function *function)
{
    return function->counted && !function->damaged && !function->wrapped;
}

static void sum_up(struct bounds *bounds)
{
    struct dp_z80_program *program = bounds->program;

    memset(bounds->least, 0, program->n * sizeof *bounds->least);
    memset(bounds->callers, 0, program->n * sizeof *bounds->callers);
    for (uint32_t i = 0; i < program->ncalls; i++) {
        const struct dp_z80_call *call = &program->calls[i];

        bounds->least[call->callee] += call->least;
        if (call->caller == DP_Z80_NO || may_have_run(&program->functions[call->caller]))
            bounds->callers[call->callee]++;
    }
}

/* A function that ran although its only caller did not: that one's counter went round to 0. */
static void caller_that_must_have_run(struct bounds *bounds)
{
    struct dp_z80_program *program = bounds->program;
    uint32_t *others = dp_alloc_array(program->n, sizeof *others);

    for (uint32_t i = 0; i < program->ncalls; i++)
        others[program->calls[i].callee] += program->calls[i].caller != program->calls[i].callee;
    for (uint32_t i = 0; i < program->ncalls; i++) {
        const struct dp_z80_call *call = &program->calls[i];

        if (call->caller == DP_Z80_NO || call->caller == call->callee ||
            others[call->callee] != 1 || bounds->callers[call->callee] ||
            bounds->external[call->callee] || !program->functions[call->callee].count)
            continue;
        if (program->functions[call->caller].counted)
            program->functions[call->caller].wrapped = 1;
    }
    dp_free(others);
}

static void find_wrapped(struct bounds *bounds)
{
    struct dp_z80_program *program = bounds->program;

    sum_up(bounds);
    for (uint32_t i = 0; i < program->n; i++)
        if (counter_is_good(&program->functions[i]) &&
            program->functions[i].count < bounds->least[i])
            program->functions[i].wrapped = 1;
    caller_that_must_have_run(bounds);
    sum_up(bounds);
}

/* --- bounds ------------------------------------------------------------------------------------*/

/* At most what the others leave; a function's own calls of itself leave one for who began. */
static void bound_from_above(struct bounds *bounds)
{
    struct dp_z80_program *program = bounds->program;

    memset(bounds->most, 0, program->n * sizeof *bounds->most);
    for (uint32_t i = 0; i < program->ncalls; i++) {
        struct dp_z80_call *call = &program->calls[i];
        const struct dp_z80_function *callee = &program->functions[call->callee];
        uint64_t others = bounds->least[call->callee] - call->least;

        if (!counter_is_good(callee))
            call->most = UINT64_MAX;
        else if (call->caller != DP_Z80_NO && !may_have_run(&program->functions[call->caller]))
            call->most = 0;
        else
            call->most = callee->count - others;
        if (call->caller == call->callee && call->most == callee->count && call->most &&
            call->most != UINT64_MAX)
            call->most--;
        if (call->most < call->least)
            call->least = call->most;
        if (call->most > UINT64_MAX - bounds->most[call->callee])
            bounds->most[call->callee] = UINT64_MAX;
        else
            bounds->most[call->callee] += call->most;
    }
}

/* At least what the others cannot have been. */
static void bound_from_below(struct bounds *bounds)
{
    struct dp_z80_program *program = bounds->program;

    for (uint32_t i = 0; i < program->ncalls; i++) {
        struct dp_z80_call *call = &program->calls[i];
        const struct dp_z80_function *callee = &program->functions[call->callee];
        uint64_t others;

        if (!counter_is_good(callee) || bounds->external[call->callee])
            continue;
        others = bounds->most[call->callee] - call->most;
        if (callee->count > others && callee->count - others > call->least)
            call->least = callee->count - others;
        if (call->least > call->most)
            call->least = call->most;
    }
}

static void find_external(struct bounds *bounds)
{
    struct dp_z80_program *program = bounds->program;

    for (uint32_t i = 0; i < program->n; i++)
        bounds->external[i] = program->functions[i].pointed;
    for (uint32_t i = 0; i < program->nframes; i++)
        if (program->frames[i].from != DP_Z80_BY_CALL)
            bounds->external[program->frames[i].function] = 1;
}

static void count_frames(struct bounds *bounds)
{
    struct dp_z80_program *program = bounds->program;
    uint32_t main =
        program->startup.found ? dp_z80_entered(program, program->startup.main) : DP_Z80_NO;

    for (uint32_t i = 0; i < program->nframes; i++)
        bounds->unfinished[program->frames[i].function]++;
    if (main != DP_Z80_NO && program->functions[main].count > 1)
        bounds->restarts = program->functions[main].count - 1;
    if (!program->runtime || (program->current && program->walk != DP_Z80_WALK_BOTTOM))
        bounds->restarts = UINT32_MAX; /* frames are missing: nothing is certain */
}

void dp_z80_sites(struct dp_z80_program *program)
{
    struct bounds bounds;

    if (!program->n)
        return;
    memset(&bounds, 0, sizeof bounds);
    bounds.program = program;
    bounds.unfinished = dp_alloc_array(program->n, sizeof *bounds.unfinished);
    bounds.least = dp_alloc_array(program->n, sizeof *bounds.least);
    bounds.most = dp_alloc_array(program->n, sizeof *bounds.most);
    bounds.callers = dp_alloc_array(program->n, sizeof *bounds.callers);
    bounds.external = dp_alloc(program->n);
    for (uint32_t i = 0; i < program->n; i++)
        search_function(program, i);
    search_outside(program);
    make_calls(program);
    count_frames(&bounds);
    find_external(&bounds);
    find_least(&bounds);
    find_wrapped(&bounds);
    bound_from_above(&bounds);
    bound_from_below(&bounds);
    dp_free(bounds.unfinished);
    dp_free(bounds.least);
    dp_free(bounds.most);
    dp_free(bounds.callers);
    dp_free(bounds.external);
}
