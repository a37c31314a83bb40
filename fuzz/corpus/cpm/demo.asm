;--------------------------------------------------------
; File Created by SDCC : free open source ANSI-C Compiler
; Version 4.2.0 #13081 (Linux)
;--------------------------------------------------------
	.module demo
	.optsdcc -mz80
	
;--------------------------------------------------------
; Public variables in this module
;--------------------------------------------------------
	.globl _main
	.globl _never
	.globl _through
	.globl _jump
	.globl _three
	.globl _even
	.globl _fact
	.globl _longjmp
	.globl ___setjmp
	.globl _sum
	.globl _odd
;--------------------------------------------------------
; special function registers
;--------------------------------------------------------
;--------------------------------------------------------
; ram data
;--------------------------------------------------------
	.area _DATA
_there:
	.ds 6
_sum::
	.ds 2
;--------------------------------------------------------
; ram data
;--------------------------------------------------------
	.area _INITIALIZED
;--------------------------------------------------------
; absolute external ram data
;--------------------------------------------------------
	.area _DABS (ABS)
;--------------------------------------------------------
; global & static initialisations
;--------------------------------------------------------
	.area _HOME
	.area _GSINIT
	.area _GSFINAL
	.area _GSINIT
;--------------------------------------------------------
; Home
;--------------------------------------------------------
	.area _HOME
	.area _HOME
;--------------------------------------------------------
; code
;--------------------------------------------------------
	.area _CODE
;demo.c:4: int fact(int n) { return n < 2 ? 1 : n * fact(n - 1); }
;	---------------------------------
; Function fact
; ---------------------------------
_fact::
	ld	a, l
	sub	a, #0x02
	ld	a, h
	rla
	ccf
	rra
	sbc	a, #0x80
	jr	NC, 00103$
	ld	bc, #0x0001
	jr	00104$
00103$:
	ld	e, l
	ld	d, h
	dec	de
	ex	de, hl
	push	de
	call	_fact
	pop	hl
	call	__mulint
	ld	c, e
	ld	b, d
00104$:
	ld	e, c
	ld	d, b
	ret
;demo.c:5: static void tick(void) { sum++; }
;	---------------------------------
; Function tick
; ---------------------------------
_tick:
	ld	bc, (_sum)
	inc	bc
	ld	(_sum), bc
	ret
;demo.c:7: int even(unsigned char n) { return n ? odd(n - 1) : 1; }
;	---------------------------------
; Function even
; ---------------------------------
_even::
	ld	c, a
	or	a, a
	jr	Z, 00103$
	dec	c
	ld	a, c
	jp  _odd
00103$:
	ld	de, #0x0001
	ret
;demo.c:8: int odd(unsigned char n) { return n ? even(n - 1) : 0; }
;	---------------------------------
; Function odd
; ---------------------------------
_odd::
	ld	c, a
	or	a, a
	jr	Z, 00103$
	dec	c
	ld	a, c
	jp  _even
00103$:
	ld	de, #0x0000
	ret
;demo.c:9: long three(int a, long b, int c) { return a + b + c; }
;	---------------------------------
; Function three
; ---------------------------------
_three::
	push	ix
	ld	ix,#0
	add	ix,sp
	ex	de, hl
	ld	a, d
	rlca
	sbc	a, a
	ld	c, a
	ld	b, a
	ld	a, e
	add	a, 4 (ix)
	ld	e, a
	ld	a, d
	adc	a, 5 (ix)
	ld	d, a
	ld	a, c
	adc	a, 6 (ix)
	ld	c, a
	ld	a, b
	adc	a, 7 (ix)
	ld	b, a
	ld	a, 8 (ix)
	push	af
	ld	a, 9 (ix)
	push	iy
	ld	-3 (ix), a
	pop	iy
	rlca
	sbc	hl, hl
	pop	af
	add	a, e
	ld	e, a
	push	iy
	ld	a, -1 (ix)
	pop	iy
	adc	a, d
	ld	d, a
	ld	a, l
	adc	a, c
	ld	l, a
;	spillPairReg hl
;	spillPairReg hl
	ld	a, h
	adc	a, b
	ld	h, a
;	spillPairReg hl
;	spillPairReg hl
	pop	ix
	ret
;demo.c:10: void jump(int depth) { if (depth) jump(depth - 1); else longjmp(there, 1); }
;	---------------------------------
; Function jump
; ---------------------------------
_jump::
	ld	a, h
	or	a, l
	jr	Z, 00102$
	dec	hl
	jr	_jump
00102$:
	ld	de, #0x0001
	ld	hl, #_there
	jp	_longjmp
;demo.c:11: int through(int (*f)(int), int n) { return f(n); }
;	---------------------------------
; Function through
; ---------------------------------
_through::
	ld	c, l
	ld	b, h
	push	bc
	ex	de, hl
	pop	iy
	jp	(iy)
;demo.c:12: void never(void) { tick(); }
;	---------------------------------
; Function never
; ---------------------------------
_never::
	jp	_tick
;demo.c:13: int main(void)
;	---------------------------------
; Function main
; ---------------------------------
_main::
;demo.c:16: for (i = 0; i < 20; i++) tick();
	ld	bc, #0x0014
00112$:
	push	bc
	call	_tick
	pop	bc
	dec	bc
	ld	a, b
	or	a, c
	jr	NZ, 00112$
;demo.c:17: if (fact(6) != 720) sum = 1000;
	ld	hl, #0x0006
	call	_fact
	ld	a, e
	sub	a, #0xd0
	jr	NZ, 00146$
	ld	a, d
	sub	a, #0x02
	jr	Z, 00103$
00146$:
	ld	hl, #0x03e8
	ld	(_sum), hl
00103$:
;demo.c:18: sum += even(5);
	ld	a, #0x05
	call	_even
	ld	a, e
	ld	hl, #_sum
	add	a, (hl)
	ld	(hl), a
	inc	hl
	ld	a, d
	adc	a, (hl)
	ld	(hl), a
;demo.c:19: if (three(1, 100000L, 2) != 100003L) sum = 2000;
	ld	hl, #0x0002
	push	hl
	ld	l, #0x01
	push	hl
	ld	hl, #0x86a0
	push	hl
	ld	hl, #0x0001
	call	_three
	pop	af
	pop	af
	pop	af
	ld	a, e
	sub	a, #0xa3
	jr	NZ, 00147$
	ld	a, d
	sub	a, #0x86
	jr	NZ, 00147$
	ld	a, l
	dec	a
	or	a, h
	jr	Z, 00105$
00147$:
	ld	hl, #0x07d0
	ld	(_sum), hl
00105$:
;demo.c:20: if (!setjmp(there)) jump(3);
	ld	hl, #_there
	call	___setjmp
	ld	a, d
	or	a, e
	jr	NZ, 00107$
	ld	hl, #0x0003
	call	_jump
00107$:
;demo.c:21: if (through(fact, 3) != 6) sum = 3000;
	ld	de, #0x0003
	ld	hl, #_fact
	call	_through
	ld	a, e
	sub	a, #0x06
	or	a, d
	jr	Z, 00109$
	ld	hl, #0x0bb8
	ld	(_sum), hl
00109$:
;demo.c:22: return sum;
	ld	de, (_sum)
;demo.c:23: }
	ret
	.area _CODE
	.area _INITIALIZER
	.area _CABS (ABS)
