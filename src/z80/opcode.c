/* Lengths and flow of Z80 instructions, by the regular parts of their bits. */
#include "z80/opcode.h"

/* Bytes after an opcode without prefix. */
static uint8_t operands(uint8_t op)
{
    if (op < 0x40) {
        if ((op & 0x0F) == 0x01)
            return 2; /* LD rr,nn */
        if (op == 0x22 || op == 0x2A || op == 0x32 || op == 0x3A)
            return 2; /* LD (nn),HL and the like */
        if ((op & 7) == 6)
            return 1;                       /* LD r,n */
        return (op & 7) == 0 && op >= 0x10; /* DJNZ, JR */
    }
    if (op < 0xC0)
        return 0;
    if ((op & 7) == 2 || (op & 7) == 4 || op == 0xC3 || op == 0xCD)
        return 2;                                     /* JP, CALL */
    return (op & 7) == 6 || op == 0xD3 || op == 0xDB; /* arithmetic with n, OUT, IN */
}

/* Does it use (HL)? After DD or FD that is (IX+d), with a displacement. */
static int uses_memory(uint8_t op)
{
    if (op == 0x34 || op == 0x35 || op == 0x36)
        return 1;
    if (op >= 0x40 && op < 0xC0 && op != 0x76)
        return (op & 7) == 6 || (op >= 0x70 && op < 0x78);
    return 0;
}

static struct dp_z80_op jump(struct dp_z80_op op, enum dp_z80_flow flow, uint32_t target)
{
    op.flow = (uint8_t)flow;
    op.target = (uint16_t)target;
    return op;
}

static struct dp_z80_op plain(const struct dp_z80_image *image, uint16_t addr, uint8_t code)
{
    struct dp_z80_op op = {(uint8_t)(1 + operands(code)), DP_Z80_NEXT, 0};
    uint16_t nn = dp_z80_word(image, addr + 1u);
    uint32_t relative = addr + 2u + (uint32_t)(int8_t)dp_z80_byte(image, addr + 1u);

    if (code == 0x10 || (code & 0xE7) == 0x20)
        return jump(op, DP_Z80_JUMP_IF, relative);
    if (code == 0x18)
        return jump(op, DP_Z80_JUMP, relative);
    if (code == 0x76)
        return jump(op, DP_Z80_HALT, 0);
    if (code == 0xC3 || code == 0xCD)
        return jump(op, code == 0xC3 ? DP_Z80_JUMP : DP_Z80_CALL, nn);
    if (code == 0xC9)
        return jump(op, DP_Z80_RET, 0);
    if (code == 0xE9)
        return jump(op, DP_Z80_JUMP_REG, 0);
    if ((code & 0xC7) == 0xC7)
        return jump(op, DP_Z80_RST, code & 0x38u);
    if ((code & 0xC7) == 0xC0)
        return jump(op, DP_Z80_RET_IF, 0);
    if ((code & 0xC7) == 0xC2)
        return jump(op, DP_Z80_JUMP_IF, nn);
    if ((code & 0xC7) == 0xC4)
        return jump(op, DP_Z80_CALL_IF, nn);
    return op;
}

/* ED: LD rr,(nn) and back take an address; RETN and RETI return. */
static struct dp_z80_op extended(uint8_t code)
{
    struct dp_z80_op op = {2, DP_Z80_NEXT, 0};

    if ((code & 0xC7) == 0x43)
        op.length = 4;
    if ((code & 0xC7) == 0x45)
        op.flow = DP_Z80_RET;
    return op;
}

struct dp_z80_op dp_z80_decode(const struct dp_z80_image *image, uint16_t addr)
{
    uint8_t code = dp_z80_byte(image, addr), next = dp_z80_byte(image, addr + 1u);
    struct dp_z80_op op = {2, DP_Z80_NEXT, 0};

    if (code == 0xCB)
        return op;
    if (code == 0xED)
        return extended(next);
    if (code != 0xDD && code != 0xFD)
        return plain(image, addr, code);
    if (next == 0xDD || next == 0xFD || next == 0xED)
        op.length = 1; /* a prefix before a prefix does nothing */
    else if (next == 0xCB)
        op.length = 4;
    else {
        op = plain(image, (uint16_t)(addr + 1), next);
        op.length = (uint8_t)(op.length + 1 + uses_memory(next));
    }
    return op;
}
