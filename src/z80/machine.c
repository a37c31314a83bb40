/*
 * The machine: memory, the page of CP/M at 0, and libz80ex as its processor. The system is not in
 * its memory: when control comes to the addresses of BDOS and BIOS, the calls are done here.
 */
#include "z80/machine.h"

#include <string.h>

#include "base/mem.h"

#ifdef DP_HAVE_Z80EX

#include <z80ex/z80ex.h>

#define BDOS 0xFE00u
#define BIOS 0xFF00u
#define BIOS_CALLS 17
#define ASK_EVERY 65536u /* instructions, between questions to the host whether to stop */
#define CALL_IS 1024u    /* as many: a system call, which may print 64K */
#define MOST_PREFIXES 8

struct machine {
    uint8_t mem[DP_Z80_MEMORY];
    uint8_t filled[DP_Z80_MEMORY]; /* something was put there */
    Z80EX_CONTEXT *cpu;
    int cpm;     /* the system is there */
    int at_zero; /* the program itself lies at 0 */
    int32_t until;
    struct dp_z80_bdos bdos;
    const struct dp_z80_host *host;
    struct dp_z80_trace *trace;
    struct dp_z80_end_of_run *end;
    uint32_t left;     /* until the host is asked */
    uint8_t flow[256]; /* per first byte of an instruction */
};

/* --- the processor's wires ---------------------------------------------------------------------*/

static Z80EX_BYTE read_memory(Z80EX_CONTEXT *cpu, Z80EX_WORD addr, int m1, void *ctx)
{
    (void)cpu;
    (void)m1;
    return ((struct machine *)ctx)->mem[addr];
}

static void write_memory(Z80EX_CONTEXT *cpu, Z80EX_WORD addr, Z80EX_BYTE value, void *ctx)
{
    struct machine *machine = ctx;

    (void)cpu;
    machine->mem[addr] = value;
    machine->filled[addr] = 1;
}

static Z80EX_BYTE read_port(Z80EX_CONTEXT *cpu, Z80EX_WORD port, void *ctx)
{
    (void)cpu;
    (void)port;
    (void)ctx;
    return 0xFF;
}

static void write_port(Z80EX_CONTEXT *cpu, Z80EX_WORD port, Z80EX_BYTE value, void *ctx)
{
    (void)cpu;
    (void)port;
    (void)value;
    (void)ctx;
}

static Z80EX_BYTE read_vector(Z80EX_CONTEXT *cpu, void *ctx)
{
    (void)cpu;
    (void)ctx;
    return 0xFF;
}

/* --- loading -----------------------------------------------------------------------------------*/

static void poke(struct machine *machine, uint32_t addr, const uint8_t *bytes, size_t n)
{
    memcpy(machine->mem + addr, bytes, n);
    memset(machine->filled + addr, 1, n);
}

static void poke_word(struct machine *machine, uint32_t addr, uint16_t value)
{
    uint8_t bytes[2] = {(uint8_t)value, (uint8_t)(value >> 8)};

    poke(machine, addr, bytes, 2);
}

/* JP warm boot, JP BDOS, and a jump table that only its addresses matter of. */
static void load_system(struct machine *machine)
{
    static const uint8_t page[8] = {0xC3, (BIOS + 3) & 0xFF, (BIOS + 3) >> 8, 0, 0,
                                    0xC3, BDOS & 0xFF,       BDOS >> 8};
    static const uint8_t ret = 0xC9;

    poke(machine, 0, page, sizeof page);
    poke(machine, BDOS, &ret, 1);
    for (uint32_t i = 0; i < BIOS_CALLS; i++)
        poke(machine, BIOS + 3 * i, &ret, 1);
}

/* The name of a file in a command, as a file control block has it. */
static const char *load_block(struct machine *machine, uint32_t fcb, const char *at)
{
    uint8_t block[16];
    uint32_t n = 1;

    memset(block, ' ', 12);
    memset(block + 12, 0, 4);
    block[0] = 0;
    while (*at == ' ')
        at++;
    if (at[0] && at[1] == ':') {
        block[0] = (uint8_t)(at[0] & 0x1F);
        at += 2;
    }
    for (; *at && *at != ' '; at++) {
        if (*at == '.' && n <= 9) {
            n = 9;
        } else if (*at == '*') {
            for (uint32_t limit = n < 9 ? 9 : 12; n < limit;)
                block[n++] = '?';
        } else if (n < 12) {
            block[n++] = (uint8_t)*at;
        }
    }
    poke(machine, fcb, block, sizeof block);
    return at;
}

static void load_tail(struct machine *machine, const char *tail)
{
    char text[128];
    size_t n = 0;

    for (; n < 126 && tail[n]; n++)
        text[n] = (char)(tail[n] >= 'a' && tail[n] <= 'z' ? tail[n] - 32 : tail[n]);
    text[n] = 0;
    machine->mem[0x80] = (uint8_t)(n ? n + 1 : 0);
    if (n) {
        machine->mem[0x81] = ' ';
        memcpy(machine->mem + 0x82, text, n);
    }
    memset(machine->filled + 0x80, 1, 128);
    load_block(machine, 0x6C, load_block(machine, 0x5C, text));
    memset(machine->filled + 0x5C, 1, 36);
}

static int load(struct machine *machine, const struct dp_z80_start *start, struct dp_err *err)
{
    uint32_t origin = start->origin < 0 ? 0x100 : (uint32_t)start->origin;
    uint32_t limit = start->origin < 0 ? BDOS : DP_Z80_MEMORY;

    if (start->nbytes == 0)
        return dp_fail(err, "the program is empty");
    if (start->nbytes > limit - origin)
        return dp_fail(err, "the program has %lu bytes; from %04lX on there is room for %lu",
                       (unsigned long)start->nbytes, (unsigned long)origin,
                       (unsigned long)(limit - origin));
    machine->at_zero = origin == 0;
    machine->cpm = origin >= 0x100 && origin + start->nbytes <= BDOS;
    if (machine->cpm) {
        load_system(machine);
        load_tail(machine, start->tail);
    }
    poke(machine, origin, start->bytes, start->nbytes);
    z80ex_set_reg(machine->cpu, regPC, (Z80EX_WORD)origin);
    z80ex_set_reg(machine->cpu, regSP, machine->cpm ? BDOS - 2 : 0xFFFE);
    poke_word(machine, machine->cpm ? BDOS - 2 : 0xFFFE, 0); /* its RET is a warm boot */
    return 0;
}

/* --- the system --------------------------------------------------------------------------------*/

static uint16_t pc_of(struct machine *machine)
{
    return z80ex_get_reg(machine->cpu, regPC);
}

static void ret(struct machine *machine)
{
    uint16_t sp = z80ex_get_reg(machine->cpu, regSP);

    z80ex_set_reg(machine->cpu, regPC,
                  (Z80EX_WORD)(machine->mem[sp] | machine->mem[(sp + 1) & 0xFFFF] << 8));
    z80ex_set_reg(machine->cpu, regSP, (Z80EX_WORD)(sp + 2));
}

static void set_result(struct machine *machine, uint8_t a, uint16_t hl)
{
    uint16_t af = z80ex_get_reg(machine->cpu, regAF), bc = z80ex_get_reg(machine->cpu, regBC);

    z80ex_set_reg(machine->cpu, regAF, (Z80EX_WORD)(a << 8 | (af & 0xFF)));
    z80ex_set_reg(machine->cpu, regHL, hl);
    z80ex_set_reg(machine->cpu, regBC, (Z80EX_WORD)((hl & 0xFF00) | (bc & 0xFF)));
}

static int do_bdos(struct machine *machine)
{
    struct dp_z80_regs regs;

    regs.a = 0;
    regs.hl = 0;
    regs.c = (uint8_t)z80ex_get_reg(machine->cpu, regBC);
    regs.de = z80ex_get_reg(machine->cpu, regDE);
    if (dp_z80_bdos(&machine->bdos, &regs))
        return 1;
    set_result(machine, regs.a, regs.hl);
    return 0;
}

/* Boot, warm boot, console status, input, output; the rest has nothing behind it. */
static int do_bios(struct machine *machine, unsigned call)
{
    const struct dp_z80_host *host = machine->host;
    int byte;

    switch (call) {
    case 0:
    case 1:
        return 1;
    case 2:
        set_result(machine, host->ready(host->ctx) ? 0xFF : 0, 0);
        return 0;
    case 3:
        byte = host->read(host->ctx);
        set_result(machine, byte < 0 ? 0x1A : byte == '\n' ? '\r' : (uint8_t)byte, 0);
        return 0;
    case 4:
        host->write(host->ctx, (uint8_t)z80ex_get_reg(machine->cpu, regBC));
        return 0;
    default:
        return 0;
    }
}

/* Does control leave the program here? 1: it was a call of the system; 2: the program ends. */
static int system_call(struct machine *machine, uint16_t pc)
{
    int ends;

    if (pc == 0 && !machine->at_zero)
        return 2;
    if (!machine->cpm || pc < BDOS)
        return 0;
    if (pc == BDOS)
        ends = do_bdos(machine);
    else if (pc >= BIOS && pc < BIOS + 3 * BIOS_CALLS && (pc - BIOS) % 3 == 0)
        ends = do_bios(machine, (pc - BIOS) / 3);
    else
        return 0;
    if (ends)
        return 2;
    ret(machine);
    dp_z80_trace_flow(machine->trace, DP_Z80_RET, pc_of(machine),
                      z80ex_get_reg(machine->cpu, regSP), machine->end->tstates);
    return 1;
}

/* --- running -----------------------------------------------------------------------------------*/

/* What control may do after an instruction that begins with this byte. */
static void learn_flows(uint8_t flow[256])
{
    struct dp_z80_image *image = dp_alloc(sizeof *image);

    for (unsigned i = 0; i < 256; i++) {
        image->mem[0] = (uint8_t)i;
        flow[i] = dp_z80_decode(image, 0).flow;
    }
    dp_free(image);
    flow[0xED] = flow[0xDD] = flow[0xFD] = 0xFF; /* look at the second byte */
}

static enum dp_z80_flow flow_at(const struct machine *machine, uint16_t pc)
{
    uint8_t flow = machine->flow[machine->mem[pc]], second = machine->mem[(pc + 1) & 0xFFFF];

    if (flow != 0xFF)
        return (enum dp_z80_flow)flow;
    if (machine->mem[pc] == 0xED)
        return (second & 0xC7) == 0x45 ? DP_Z80_RET : DP_Z80_NEXT;
    return second == 0xE9 ? DP_Z80_JUMP_REG : DP_Z80_NEXT;
}

/* A prefix is a step of its own, and so is the next one behind it. Memory may hold nothing else:
   the run goes on, and can be stopped, after a few. */
static void step(struct machine *machine)
{
    int left = MOST_PREFIXES;

    do
        machine->end->tstates += (uint64_t)z80ex_step(machine->cpu);
    while (z80ex_last_op_type(machine->cpu) && --left);
    machine->end->instructions++;
}

/* Was the jump, call or return gone? Then pc is not just behind it. */
static int is_taken(enum dp_z80_flow flow, uint16_t before, uint16_t pc)
{
    uint16_t behind = (uint16_t)(pc - before);

    if (flow == DP_Z80_CALL_IF)
        return behind != 3;
    if (flow == DP_Z80_RET_IF)
        return behind != 1;
    return flow != DP_Z80_JUMP_IF || (behind != 2 && behind != 3);
}

static int over(struct machine *machine, enum dp_z80_ending why, uint16_t at)
{
    machine->end->why = why;
    machine->end->at = at;
    return 1;
}

/* One instruction. 1: that was the last one. */
static int instruction(struct machine *machine)
{
    uint16_t before = pc_of(machine), pc;
    enum dp_z80_flow flow;
    int call = system_call(machine, before);

    if (call) {
        machine->left = machine->left > CALL_IS ? machine->left - CALL_IS : 1;
        return call == 2 ? over(machine, DP_Z80_ENDED, before) : 0;
    }
    if (before == machine->until)
        return over(machine, DP_Z80_ENDED, before);
    if (!machine->filled[before])
        return over(machine, DP_Z80_WILD, before);
    flow = flow_at(machine, before);
    if (flow == DP_Z80_HALT)
        return over(machine, DP_Z80_HALTED, before);
    step(machine);
    if (flow == DP_Z80_NEXT)
        return 0;
    pc = pc_of(machine);
    if (pc == before && (flow == DP_Z80_JUMP || flow == DP_Z80_JUMP_REG))
        return over(machine, DP_Z80_TURNS, before);
    if (is_taken(flow, before, pc))
        dp_z80_trace_flow(machine->trace, flow, pc, z80ex_get_reg(machine->cpu, regSP),
                          machine->end->tstates);
    return 0;
}

static void run(struct machine *machine)
{
    machine->left = ASK_EVERY;
    while (!instruction(machine))
        if (--machine->left == 0) {
            machine->left = ASK_EVERY;
            if (machine->host->stop(machine->host->ctx, machine->end->tstates)) {
                over(machine, DP_Z80_STOPPED, pc_of(machine));
                return;
            }
        }
}

/* --- all of it ---------------------------------------------------------------------------------*/

int dp_z80_can_run(void)
{
    return 1;
}

static void finish(struct machine *machine)
{
    struct dp_z80_image *image = &machine->end->image;

    dp_z80_image_clear(image);
    dp_z80_put(image, 0, machine->mem, DP_Z80_MEMORY);
    image->has_pc = image->has_sp = 1;
    image->pc = pc_of(machine);
    image->sp = z80ex_get_reg(machine->cpu, regSP);
    dp_z80_trace_end(machine->trace,
                     machine->end->why == DP_Z80_ENDED || machine->end->why == DP_Z80_HALTED,
                     machine->end->tstates);
}

int dp_z80_run(const struct dp_z80_start *start, const struct dp_z80_host *host,
               struct dp_z80_trace *trace, struct dp_z80_end_of_run *end, struct dp_err *err)
{
    struct machine *machine = dp_alloc(sizeof *machine);
    int status;

    memset(end, 0, sizeof *end);
    machine->cpu = z80ex_create(read_memory, machine, write_memory, machine, read_port, machine,
                                write_port, machine, read_vector, machine);
    machine->host = host;
    machine->trace = trace;
    machine->end = end;
    machine->until = start->until;
    machine->bdos.mem = machine->mem;
    machine->bdos.filled = machine->filled;
    machine->bdos.host = host;
    machine->bdos.end = end;
    machine->bdos.dma = 0x80;
    machine->bdos.files = dp_z80_files_new(host->allow_write);
    learn_flows(machine->flow);
    status = load(machine, start, err);
    if (status == 0) {
        dp_z80_trace_learn(trace, machine->mem);
        dp_z80_trace_flow(trace, DP_Z80_JUMP, pc_of(machine), z80ex_get_reg(machine->cpu, regSP),
                          0);
        run(machine);
        finish(machine);
    }
    dp_z80_files_free(machine->bdos.files);
    z80ex_destroy(machine->cpu);
    dp_free(machine);
    return status;
}

#else

int dp_z80_can_run(void)
{
    return 0;
}

int dp_z80_run(const struct dp_z80_start *start, const struct dp_z80_host *host,
               struct dp_z80_trace *trace, struct dp_z80_end_of_run *end, struct dp_err *err)
{
    (void)start;
    (void)host;
    (void)trace;
    (void)end;
    return dp_fail(err, "this dprofpp was built without libz80ex, which runs Z80 programs: install "
                        "it (Debian: libz80ex-dev) and build again");
}

#endif
