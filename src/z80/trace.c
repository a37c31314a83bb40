/* Following calls, and writing them down. */
#include "z80/trace.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/escape.h"
#include "base/mem.h"
#include "base/tmon_tags.h"

#define MOST_BYTES ((uint64_t)64 << 20)
#define MOST_NODES 1000000u

struct dp_z80_trace *dp_z80_trace_new(struct dp_out *out, const struct dp_z80_program *program,
                                      const struct dp_z80_symbols *symbols)
{
    struct dp_z80_trace *trace = dp_alloc(sizeof *trace);

    trace->out = out;
    trace->program = program && program->n ? program : NULL;
    trace->symbols = symbols && symbols->n ? symbols : NULL;
    trace->only_headers = trace->program && !trace->symbols;
    trace->most = MOST_BYTES;
    trace->sub_at = dp_alloc_array(DP_Z80_MEMORY, sizeof *trace->sub_at);
    trace->called = dp_alloc(DP_Z80_MEMORY);
    trace->own = dp_alloc(DP_Z80_MEMORY);
    trace->room = 256;
    trace->open = dp_alloc_array(trace->room, sizeof *trace->open);
    return trace;
}

void dp_z80_trace_free(struct dp_z80_trace *trace)
{
    if (!trace)
        return;
    dp_free(trace->sub_at);
    dp_free(trace->called);
    dp_free(trace->own);
    dp_free(trace->subs);
    dp_free(trace->open);
    dp_free(trace->calls);
    dp_free(trace->nodes);
    dp_hash_free(&trace->by_place);
    dp_free(trace);
}

/* --- the profile's own routines ----------------------------------------------------------------*/

/* CCLEAVI of a program in the shape of old: a short routine that reads CURRENT and writes it. */
static int leaves(const struct dp_z80_program *program, uint16_t at)
{
    const uint16_t current = program->current_at;
    int reads = 0;

    for (int i = 0; i < 16; i++) {
        const struct dp_z80_op op = dp_z80_decode(&program->image, at);
        int extended = dp_z80_byte(&program->image, at) == 0xED;
        uint8_t code = dp_z80_byte(&program->image, (uint32_t)at + (unsigned)extended);

        if (dp_z80_word(&program->image, at + 1u + (unsigned)extended) == current) {
            reads |= extended ? (code & 0xCF) == 0x4B : code == 0x2A;
            if (reads && (extended ? (code & 0xCF) == 0x43 : code == 0x22))
                return 1;
        }
        if (op.flow != DP_Z80_NEXT)
            return 0;
        at = (uint16_t)(at + op.length);
    }
    return 0;
}

static void learn_own(struct dp_z80_trace *trace)
{
    const struct dp_z80_program *program = trace->program;

    for (uint32_t i = 0; i < program->n; i++) {
        const struct dp_z80_function *function = &program->functions[i];

        trace->own[function->enters] = 1;
        for (uint32_t at = function->entry; program->runtime && at + 3 <= function->end; at++)
            if (dp_z80_byte(&program->image, at) == 0xCD) {
                uint16_t to = dp_z80_word(&program->image, at + 1);

                if (!trace->own[to] && leaves(program, to))
                    trace->own[to] = 2;
            }
    }
}

static uint16_t word_at(const struct dp_z80_trace *trace, uint16_t addr)
{
    return trace->mem ? (uint16_t)(trace->mem[addr] | trace->mem[(addr + 1) & 0xFFFF] << 8) : 0;
}

static int is_return(enum dp_z80_flow flow)
{
    return flow == DP_Z80_RET || flow == DP_Z80_RET_IF || flow == DP_Z80_JUMP_REG;
}

/* CCREGIS of instrumented programs puts CCLEAVI in place of the return address. */
static void learn_leaving(struct dp_z80_trace *trace)
{
    const struct dp_z80_open *top = trace->depth ? &trace->open[trace->depth - 1] : NULL;

    if (top && word_at(trace, top->sp) != top->ret)
        trace->own[word_at(trace, top->sp)] = 2;
}

static void begin_own(struct dp_z80_trace *trace, int how, uint16_t resume, uint64_t now)
{
    trace->in_own = how;
    trace->resume = resume;
    trace->own_since = now;
}

/* Control is in one of them: 1 while it stays there, or just left. */
static int stays_in_own(struct dp_z80_trace *trace, enum dp_z80_flow flow, uint16_t pc,
                        uint64_t now)
{
    if (!trace->in_own)
        return 0;
    if (!is_return(flow) || (trace->in_own == 1 && pc != trace->resume) || trace->own[pc] == 2)
        return 1;
    if (trace->in_own == 1)
        learn_leaving(trace);
    trace->in_own = 0;
    trace->left_out += now - trace->own_since;
    return 1;
}

void dp_z80_trace_learn(struct dp_z80_trace *trace, const uint8_t mem[DP_Z80_MEMORY])
{
    for (uint32_t at = 0; at + 3 <= DP_Z80_MEMORY; at++)
        if (mem[at] == 0xCD || (mem[at] & 0xC7) == 0xC4)
            trace->called[mem[at + 1] | mem[at + 2] << 8] = 1;
    trace->mem = mem;
    if (trace->program && !trace->raw)
        learn_own(trace);
}

/* --- subs --------------------------------------------------------------------------------------*/

static uint32_t header_at(const struct dp_z80_trace *trace, uint16_t entry)
{
    return trace->program ? dp_z80_entered(trace->program, entry) : DP_Z80_NO;
}

static void name_of(const struct dp_z80_trace *trace, uint16_t entry, char name[64])
{
    uint32_t function = header_at(trace, entry);
    const struct dp_z80_symbol *symbol = dp_z80_symbol_at(trace->symbols, entry, 1);

    if (function != DP_Z80_NO)
        snprintf(name, 64, "%.*s", (int)trace->program->functions[function].length,
                 dp_z80_name(trace->program, function));
    else if (symbol)
        snprintf(name, 64, "%.*s", (int)symbol->length, symbol->name);
    else if (entry == 5)
        snprintf(name, 64, "BDOS");
    else
        snprintf(name, 64, "sub_%04X", (unsigned)entry);
}

/* Two functions of one name stay apart. */
static void make_unique(const struct dp_z80_trace *trace, struct dp_z80_sub *sub)
{
    for (uint32_t i = 0; i < trace->nsubs; i++)
        if (!strcmp(trace->subs[i].name, sub->name)) {
            size_t n = strlen(sub->name);

            snprintf(sub->name + (n > 58 ? 58 : n), 6, "@%04X", (unsigned)sub->entry);
            return;
        }
}

static uint32_t sub_at(struct dp_z80_trace *trace, uint16_t entry)
{
    struct dp_z80_sub sub;

    if (trace->sub_at[entry])
        return trace->sub_at[entry] - 1;
    memset(&sub, 0, sizeof sub);
    sub.entry = entry;
    name_of(trace, entry, sub.name);
    make_unique(trace, &sub);
    trace->subs = dp_more(trace->subs, trace->nsubs, sizeof *trace->subs);
    trace->calls = dp_more(trace->calls, trace->nsubs, sizeof *trace->calls);
    trace->calls[trace->nsubs] = 0;
    trace->subs[trace->nsubs] = sub;
    trace->sub_at[entry] = ++trace->nsubs;
    return trace->nsubs - 1;
}

/* --- the file ----------------------------------------------------------------------------------*/

static void put_mark(struct dp_z80_trace *trace, char sign, uint32_t sub, uint64_t now)
{
    dp_putf(trace->out, "%c %" PRIu64 " 0 %" PRIu64 " ", sign, now, now);
    dp_put_tmon(trace->out, trace->subs[sub].name, strlen(trace->subs[sub].name));
    dp_putc(trace->out, '\n');
    trace->marks++;
}

struct place {
    const struct dp_z80_node *nodes;
    uint32_t parent;
    uint32_t sub;
};

static int same_place(const void *ctx, uint32_t node)
{
    const struct place *place = ctx;

    return place->nodes[node].parent == place->parent && place->nodes[node].sub == place->sub;
}

/* Paths beyond a million are counted at the node above them. */
static uint32_t node_of(struct dp_z80_trace *trace, uint32_t parent, uint32_t sub)
{
    const struct place place = {trace->nodes, parent, sub};
    uint64_t hash = dp_hash_pair(parent, sub);
    uint32_t found = dp_hash_find(&trace->by_place, hash, same_place, &place);
    struct dp_z80_node node = {sub, parent, 0, 0};

    if (found != DP_HASH_FREE)
        return found;
    if (trace->nnodes >= MOST_NODES)
        return parent;
    trace->nodes = dp_more(trace->nodes, trace->nnodes, sizeof *trace->nodes);
    trace->nodes[trace->nnodes] = node;
    dp_hash_add(&trace->by_place, hash, trace->nnodes);
    return trace->nnodes++;
}

static uint32_t top_node(const struct dp_z80_trace *trace)
{
    return trace->depth ? trace->open[trace->depth - 1].node : 0;
}

static void pass(struct dp_z80_trace *trace, uint64_t now)
{
    trace->nodes[top_node(trace)].self += now - trace->since;
    trace->since = now;
}

/* From here on only the tree: what is open gets its exits, and its nodes count later calls only. */
static void begin_tree(struct dp_z80_trace *trace, uint64_t now)
{
    struct dp_z80_node root = {DP_Z80_NO, DP_Z80_NO, 0, 0};

    for (uint32_t i = trace->depth; i-- > 0;)
        put_mark(trace, '-', trace->open[i].sub, now);
    trace->nodes = dp_more(NULL, 0, sizeof *trace->nodes);
    trace->nodes[0] = root;
    trace->nnodes = 1;
    trace->since = now;
    for (uint32_t i = 0; i < trace->depth; i++)
        trace->open[i].node = node_of(trace, i ? trace->open[i - 1].node : 0, trace->open[i].sub);
}

static void put_tree(struct dp_z80_trace *trace)
{
    dp_puts(trace->out, DP_TMON_PART3 "\n");
    dp_putf(trace->out, "0 0 - 0 %" PRIu64 " 0 %" PRIu64 " - - - (root)\n", trace->nodes[0].self,
            trace->nodes[0].self);
    for (uint32_t i = 1; i < trace->nnodes; i++) {
        const struct dp_z80_node *node = &trace->nodes[i];

        dp_putf(trace->out,
                "%" PRIu32 " %" PRIu32 " - %" PRIu64 " %" PRIu64 " 0 %" PRIu64 " - - - ", i,
                node->parent, node->calls, node->self, node->self);
        dp_put_tmon(trace->out, trace->subs[node->sub].name, strlen(trace->subs[node->sub].name));
        dp_putc(trace->out, '\n');
    }
    dp_putf(trace->out, "#end %" PRIu32 "\n", trace->nnodes);
}

/* --- the shadow of the stack -------------------------------------------------------------------*/

static void leave(struct dp_z80_trace *trace, uint64_t now)
{
    uint32_t sub = trace->open[trace->depth - 1].sub;

    if (trace->nnodes)
        pass(trace, now);
    else
        put_mark(trace, '-', sub, now);
    trace->depth--;
}

static void enter(struct dp_z80_trace *trace, uint16_t entry, uint16_t sp, uint64_t now)
{
    struct dp_z80_open open = {sub_at(trace, entry), 0, sp, word_at(trace, sp)};

    /* What lies at or below the new place was left without our seeing it: the stack was switched.
     */
    /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): `open` never is NULL */
    while (trace->depth && trace->open[trace->depth - 1].sp <= sp)
        leave(trace, now);
    if (!trace->nnodes && trace->out->written > trace->most)
        begin_tree(trace, now);
    trace->calls[open.sub]++;
    if (trace->nnodes) {
        pass(trace, now);
        open.node = node_of(trace, top_node(trace), open.sub);
        trace->nodes[open.node].calls++;
    } else {
        put_mark(trace, '+', open.sub, now);
    }
    if (trace->depth == trace->room) {
        trace->room *= 2;
        trace->open = dp_grow(trace->open, trace->room * sizeof *trace->open);
    }
    trace->open[trace->depth++] = open;
}

/* Is that address where a function begins that we follow? */
static int is_followed(const struct dp_z80_trace *trace, uint16_t pc)
{
    const struct dp_z80_symbol *symbol;

    if (header_at(trace, pc) != DP_Z80_NO)
        return 1;
    symbol = trace->only_headers ? NULL : dp_z80_symbol_at(trace->symbols, pc, 1);
    return symbol && (symbol->is_c || trace->called[pc]);
}

/* A jump to a function with the return address on top of the stack is a call that is the last thing
   the other one does: that one is left. With something else on top it is a call only if a function
   with a header begins there, since those are reached by calls alone. */
static void jump(struct dp_z80_trace *trace, uint16_t pc, uint16_t sp, uint64_t now)
{
    const struct dp_z80_open *top = trace->depth ? &trace->open[trace->depth - 1] : NULL;

    int has_header = header_at(trace, pc) != DP_Z80_NO;

    if (!is_followed(trace, pc))
        return;
    if (!has_header && top && top->sp == sp && trace->subs[top->sub].entry == pc &&
        !dp_z80_symbol_at(trace->symbols, pc, 1)->is_c)
        return; /* a loop to its own beginning; of a C function it is a call, loops have other
                   labels */
    if (!top || top->sp == sp || has_header)
        enter(trace, pc, sp, now);
}

void dp_z80_trace_flow(struct dp_z80_trace *trace, enum dp_z80_flow flow, uint16_t pc, uint16_t sp,
                       uint64_t now)
{
    if (stays_in_own(trace, flow, pc, now))
        return;
    now -= trace->left_out;
    switch (flow) {
    case DP_Z80_CALL:
    case DP_Z80_CALL_IF:
    case DP_Z80_RST:
        if (trace->own[pc]) {
            begin_own(trace, 1, word_at(trace, sp), now + trace->left_out);
            return;
        }
        if (!trace->only_headers || header_at(trace, pc) != DP_Z80_NO)
            enter(trace, pc, sp, now);
        return;
    case DP_Z80_RET:
    case DP_Z80_RET_IF:
    case DP_Z80_JUMP_REG:
        while (trace->depth && trace->open[trace->depth - 1].sp < sp)
            leave(trace, now);
        if (trace->own[pc] == 2)
            begin_own(trace, 2, 0, now + trace->left_out);
        else
            jump(trace, pc, sp, now);
        return;
    case DP_Z80_JUMP:
    case DP_Z80_JUMP_IF:
        jump(trace, pc, sp, now);
        return;
    default:
        return;
    }
}

void dp_z80_trace_end(struct dp_z80_trace *trace, int whole, uint64_t now)
{
    if (trace->in_own)
        trace->left_out += now - trace->own_since;
    trace->in_own = 0;
    now -= trace->left_out;
    if (trace->nnodes) {
        pass(trace, now);
        dp_putf(trace->out, "#note calls beyond %" PRIu64 " MiB were folded into call paths\n",
                trace->most >> 20);
        put_tree(trace);
    }
    if (!whole && !trace->nnodes) {
        dp_putf(trace->out, "#mark %" PRIu64 " 0 %" PRIu64 " stopped\n", now, now);
        return;
    }
    while (!trace->nnodes && trace->depth)
        leave(trace, now);
    if (whole)
        dp_putf(trace->out, "#end 0 %" PRIu64 " 0 %" PRIu64 " %" PRIu64 "\n", now, now,
                trace->marks);
}
