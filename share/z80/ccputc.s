; The character in A goes to CP/M's console. A program for another machine brings its own: all registers
; but A and the flags are kept.

	.module	ccputc
	.optsdcc -mz80
	.globl	ccputc

	.area	_CODE
ccputc:
	push	hl
	push	de
	push	bc
	push	ix
	push	iy
	ld	e,a
	ld	c,#2
	call	5
	pop	iy
	pop	ix
	pop	bc
	pop	de
	pop	hl
	ret
