/*
 * Z80 instructions, as far as following a program needs them.
 */
#ifndef DPROF_Z80_OPCODE_H
#define DPROF_Z80_OPCODE_H

#include "z80/image.h"

enum dp_z80_flow {
    DP_Z80_NEXT,     /* goes on with the next instruction */
    DP_Z80_CALL,     /* CALL nn, always */
    DP_Z80_CALL_IF,  /* CALL cc,nn */
    DP_Z80_RST,      /* RST: target is its address */
    DP_Z80_JUMP,     /* JP nn, JR */
    DP_Z80_JUMP_IF,  /* JP cc,nn; JR cc; DJNZ */
    DP_Z80_JUMP_REG, /* JP (HL), (IX), (IY) */
    DP_Z80_RET,      /* RET, RETI, RETN */
    DP_Z80_RET_IF,   /* RET cc */
    DP_Z80_HALT,
};

struct dp_z80_op {
    uint8_t length;  /* 1 to 4 */
    uint8_t flow;    /* enum dp_z80_flow */
    uint16_t target; /* of calls and jumps with an address */
};

struct dp_z80_op dp_z80_decode(const struct dp_z80_image *image, uint16_t addr);

#endif
