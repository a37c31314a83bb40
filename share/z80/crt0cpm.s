; Startup for CP/M: as the compilers of old had it, so that dprofpp knows it. Link it first, at 0100:
;	sdcc -mz80 --no-std-crt0 --code-loc 0x100 --data-loc 0 crt0cpm.rel ...
; main's result is dropped; exit() prints the profile too.

	.module	crt0
	.optsdcc -mz80
	.globl	_main
	.globl	_exit
	.globl	cccalls
	.globl	cchead
	.globl	s__DATA
	.globl	l__DATA
	.globl	s__INITIALIZER
	.globl	s__INITIALIZED
	.globl	l__INITIALIZER

	.area	_CODE
	ld	hl,(6)
	ld	sp,hl
	call	ccgo
	call	_main
	ld	hl,#cchead
	call	cccalls
	call	_exit

; void exit(int)
_exit:
	ld	hl,#cchead
	call	cccalls
	jp	0

; Variables: 0, or the value that they have at first.
ccgo:
	ld	bc,#l__DATA
	ld	hl,#s__DATA
clear:
	ld	a,b
	or	a,c
	jr	z,values
	ld	(hl),#0
	inc	hl
	dec	bc
	jr	clear
values:
	ld	bc,#l__INITIALIZER
	ld	a,b
	or	a,c
	jp	z,gsinit
	ld	de,#s__INITIALIZED
	ld	hl,#s__INITIALIZER
	ldir
	jp	gsinit

	.area	_HOME
	.area	_INITIALIZER
	.area	_GSINIT
gsinit:
	.area	_GSFINAL
	ret
	.area	_CCHEADS
	.area	_DATA
	.area	_INITIALIZED
	.area	_BSEG
	.area	_BSS
	.area	_HEAP
