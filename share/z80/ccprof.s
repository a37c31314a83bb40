; The runtime of an instrumented program (dprofpp --instrument), for sdcc's assembler.
;
; Each function begins so:
;	_f:	push hl			the stub: callers come here
;		jr   entry
;		.db  0			how often the counter went round
;	header:	.dw  next header	0 in the last one of a file
;		.db  0,0,0		the counter: BCD, lowest pair first
;	name:	.ascii "f"
;		.db  0
;	entry:	ld   hl,#name
;		push hl
;		call ccregis
;
; A frame has 8 bytes: the caller's frame, the name, the return address, and where that lies on the
; stack. Frames lie in memory of their own, callers above: the program's stack is as it would be without
; us, but for the return address, which leads to ccleavi.

	.module	ccprof
	.optsdcc -mz80

	.globl	ccregis
	.globl	ccleavi
	.globl	cccalls
	.globl	ccwalk
	.globl	current
	.globl	_ccerr
	.globl	ccputc
	.globl	s__CCHEADS
	.globl	l__CCHEADS

FRAMES	= 128			; what is called deeper is counted, but has no frame

	.area	_CODE

; Called by the entry code with, from the top of the stack: where it goes on, the name, HL, the return
; address. All registers are kept.
ccregis:
	push	af
	push	bc
	push	de
	ld	hl,#12			; DE = where the return address lies
	add	hl,sp
	ex	de,hl
	ld	hl,(current)

; Frames below that place were left by longjmp.
below:
	ld	a,h
	or	a,l
	jr	z,fresh
	push	hl
	ld	bc,#6
	add	hl,bc
	ld	c,(hl)
	inc	hl
	ld	b,(hl)
	ld	l,c
	ld	h,b
	or	a,a
	sbc	hl,de
	pop	hl
	jr	z,same
	jr	nc,fresh
	ld	a,(hl)
	inc	hl
	ld	h,(hl)
	ld	l,a
	jp	below

; A frame at that very place: its function jumped here as the last thing it did, and then the return
; address is ccleavi; else it was left by longjmp too.
same:
	ld	a,(de)
	sub	a,#<ccleavi
	ld	c,a
	inc	de
	ld	a,(de)
	dec	de
	sub	a,#>ccleavi
	or	a,c
	push	af
	ld	c,(hl)			; HL = its caller, BC = its return address
	inc	hl
	ld	b,(hl)
	push	bc
	ld	bc,#3
	add	hl,bc
	ld	c,(hl)
	inc	hl
	ld	b,(hl)
	pop	hl
	pop	af
	jr	z,make

fresh:
	ld	a,(de)			; BC = the return address
	ld	c,a
	inc	de
	ld	a,(de)
	ld	b,a
	dec	de

; HL = the caller's frame, BC = the return address, DE = where it lies.
make:
	ld	(link),hl
	ld	a,h
	or	a,l
	jr	nz,under
	ld	hl,#frames + 8 * FRAMES
under:
	push	bc
	ld	bc,#-8
	add	hl,bc
	push	hl
	ld	bc,#frames
	or	a,a
	sbc	hl,bc
	pop	hl
	pop	bc
	jr	c,full
	ld	(current),hl
	push	bc
	ld	bc,(link)
	ld	(hl),c
	inc	hl
	ld	(hl),b
	inc	hl
	push	hl			; the name lies 6 words up
	ld	hl,#12
	add	hl,sp
	ld	c,(hl)
	inc	hl
	ld	b,(hl)
	pop	hl
	ld	(hl),c
	inc	hl
	ld	(hl),b
	inc	hl
	pop	bc
	ld	(hl),c
	inc	hl
	ld	(hl),b
	inc	hl
	ld	(hl),e
	inc	hl
	ld	(hl),d
	ex	de,hl
	ld	(hl),#<ccleavi
	inc	hl
	ld	(hl),#>ccleavi
	jp	count

full:
	ld	hl,(link)
	ld	(current),hl

; One more call.
count:
	ld	hl,#8
	add	hl,sp
	ld	e,(hl)
	inc	hl
	ld	d,(hl)
	ex	de,hl
	dec	hl
	dec	hl
	dec	hl
	ld	b,#3
digits:
	ld	a,(hl)
	add	a,#1
	daa
	ld	(hl),a
	jr	nc,counted
	inc	hl
	djnz	digits
	ld	de,#-6			; it went round
	add	hl,de
	ld	a,(hl)
	inc	a
	jr	z,counted
	ld	(hl),a
counted:
	pop	de
	pop	bc
	pop	af
	pop	hl
	ld	(goeson),hl
	pop	hl
	pop	hl
	push	hl
	ld	hl,(goeson)
	ex	(sp),hl
	ret

; A function returns here. All registers are its results, so all are kept.
ccleavi:
	push	hl			; room for the return address
	push	hl
	push	de
	push	bc
	push	af
	ld	hl,#10			; DE = the stack pointer as it is after the return
	add	hl,sp
	ex	de,hl
	ld	hl,(current)

; The outermost frame whose return address lies below that: those further in were left by longjmp.
outer:
	push	hl
	ld	c,(hl)
	inc	hl
	ld	b,(hl)
	ld	a,b
	or	a,c
	jr	z,found
	ld	hl,#6
	add	hl,bc
	ld	a,(hl)
	inc	hl
	ld	h,(hl)
	ld	l,a
	or	a,a
	sbc	hl,de
	jr	nc,found
	pop	hl
	ld	l,c
	ld	h,b
	jr	outer

found:
	pop	hl
	ld	(current),bc
	ld	de,#4
	add	hl,de
	ld	e,(hl)
	inc	hl
	ld	d,(hl)
	ld	hl,#8
	add	hl,sp
	ld	(hl),e
	inc	hl
	ld	(hl),d
	pop	af
	pop	bc
	pop	de
	pop	hl
	ret

; The profile: the functions of the list at HL, then those of all other files. Once: whoever ends the
; program first prints it.
cccalls:
	ld	a,(printed)
	or	a,a
	ret	nz
	inc	a
	ld	(printed),a
	push	hl
	ld	hl,#heading
	call	text
	pop	hl
	push	hl
	call	chain
	pop	de
	ld	hl,#s__CCHEADS
	ld	bc,#l__CCHEADS
lists:
	ld	a,b
	or	a,c
	ret	z
	dec	bc
	dec	bc
	push	bc
	ld	c,(hl)
	inc	hl
	ld	b,(hl)
	inc	hl
	push	hl
	ld	l,c
	ld	h,b
	or	a,a
	sbc	hl,de
	add	hl,de
	push	de
	call	nz,chain
	pop	de
	pop	hl
	pop	bc
	jr	lists

chain:
	ld	a,h
	or	a,l
	ret	z
	push	hl
	ld	de,#5
	add	hl,de
	call	text
	ld	a,#9
	call	ccputc
	pop	hl
	push	hl
	ld	de,#4
	add	hl,de
	ld	c,#0			; nothing but blanks yet
	ld	b,#3
pairs:
	ld	a,(hl)
	rrca
	rrca
	rrca
	rrca
	call	number
	ld	a,(hl)
	call	number
	dec	hl
	djnz	pairs
	pop	hl
	push	hl
	dec	hl
	ld	a,(hl)
	or	a,a
	ld	a,#'*
	call	nz,ccputc
	call	newline
	pop	hl
	ld	a,(hl)
	inc	hl
	ld	h,(hl)
	ld	l,a
	jr	chain

; A digit, or a blank before the first one. After a round all six are shown.
number:
	and	a,#15
	jr	nz,shown
	inc	c
	dec	c
	jr	nz,shown
	push	hl
	ld	a,#32
	call	ccputc
	pop	hl
	ret
shown:
	ld	c,#1
	add	a,#48
	jp	ccputc

; void ccerr(const char *message): the message, and who called whom.
_ccerr:
	push	hl
	ld	hl,#error
	call	text
	pop	hl
	call	text
ccwalk:
	ld	hl,(current)
frame:
	ld	a,h
	or	a,l
	ret	z
	push	hl
	ld	hl,#by
	call	text
	pop	hl
	push	hl
	inc	hl
	inc	hl
	ld	a,(hl)
	inc	hl
	ld	h,(hl)
	ld	l,a
	call	text
	pop	hl
	ld	a,(hl)
	inc	hl
	ld	h,(hl)
	ld	l,a
	jr	frame

text:
	ld	a,(hl)
	or	a,a
	ret	z
	inc	hl
	call	ccputc
	jr	text

newline:
	ld	a,#13
	call	ccputc
	ld	a,#10
	jp	ccputc

heading:
	.ascii	"function  calls"
	.db	13,10,0
error:
	.db	13,10
	.ascii	"ERROR: "
	.db	0
by:	.db	13,10
	.ascii	"CALLED BY "
	.db	0

; In the code, so that they are 0 when the program is loaded, whatever clears its data.
current:
	.dw	0
link:	.dw	0
goeson:	.dw	0
printed:
	.db	0

	.area	_DATA
frames:	.ds	8 * FRAMES

	.area	_CCHEADS
	.area	_CODE
