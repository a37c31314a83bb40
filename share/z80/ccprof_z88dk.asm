; The runtime of an instrumented program (dprofpp --instrument), for z88dk's assembler: written by dev/ccprof-z88dk
; out of ccprof.s, which says what each part does, and of ccputc.s. The headers of all files are found in the section
; "ccheads". It was assembled and run with pasmo, its directives taken off (t/z80/z88dk.t); z88dk could not be had.

	MODULE	ccprof

	PUBLIC	ccregis
	PUBLIC	ccleavi
	PUBLIC	cccalls
	PUBLIC	ccwalk
	PUBLIC	_ccerr
	PUBLIC	_ccprint
	EXTERN	cchead
	EXTERN	__ccheads_head
	EXTERN	__ccheads_size

	defc	FRAMES = 128			; what is called deeper is counted, but has no frame

	SECTION	code_user

; Called by the entry code with, from the top of the stack: where it goes on, the name, HL, the return
; address. All registers are kept.
.ccregis
	push	af
	push	bc
	push	de
	ld	hl,12			; DE = where the return address lies
	add	hl,sp
	ex	de,hl
	ld	hl,(current)

; Frames below that place were left by longjmp.
.below
	ld	a,h
	or	l
	jr	z,fresh
	push	hl
	ld	bc,6
	add	hl,bc
	ld	c,(hl)
	inc	hl
	ld	b,(hl)
	ld	l,c
	ld	h,b
	or	a
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
.same
	ld	a,(de)
	sub	ccleavi % 256
	ld	c,a
	inc	de
	ld	a,(de)
	dec	de
	sub	ccleavi / 256
	or	c
	push	af
	ld	c,(hl)			; HL = its caller, BC = its return address
	inc	hl
	ld	b,(hl)
	push	bc
	ld	bc,3
	add	hl,bc
	ld	c,(hl)
	inc	hl
	ld	b,(hl)
	pop	hl
	pop	af
	jr	z,make

.fresh
	ld	a,(de)			; BC = the return address
	ld	c,a
	inc	de
	ld	a,(de)
	ld	b,a
	dec	de

; HL = the caller's frame, BC = the return address, DE = where it lies.
.make
	ld	(link),hl
	ld	a,h
	or	l
	jr	nz,under
	ld	hl,frames + 8 * FRAMES
.under
	push	bc
	ld	bc,-8
	add	hl,bc
	push	hl
	ld	bc,frames
	or	a
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
	ld	hl,12
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
	ld	(hl),ccleavi % 256
	inc	hl
	ld	(hl),ccleavi / 256
	jp	count

.full
	ld	hl,(link)
	ld	(current),hl

; One more call.
.count
	ld	hl,8
	add	hl,sp
	ld	e,(hl)
	inc	hl
	ld	d,(hl)
	ex	de,hl
	dec	hl
	dec	hl
	dec	hl
	ld	b,3
.digits
	ld	a,(hl)
	add	a,1
	daa
	ld	(hl),a
	jr	nc,counted
	inc	hl
	djnz	digits
	ld	de,-6			; it went round
	add	hl,de
	ld	a,(hl)
	inc	a
	jr	z,counted
	ld	(hl),a
.counted
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
.ccleavi
	push	hl			; room for the return address
	push	hl
	push	de
	push	bc
	push	af
	ld	hl,10			; DE = the stack pointer as it is after the return
	add	hl,sp
	ex	de,hl
	ld	hl,(current)

; The outermost frame whose return address lies below that: those further in were left by longjmp.
.outer
	push	hl
	ld	c,(hl)
	inc	hl
	ld	b,(hl)
	ld	a,b
	or	c
	jr	z,found
	ld	hl,6
	add	hl,bc
	ld	a,(hl)
	inc	hl
	ld	h,(hl)
	ld	l,a
	or	a
	sbc	hl,de
	jr	nc,found
	pop	hl
	ld	l,c
	ld	h,b
	jr	outer

.found
	pop	hl
	ld	(current),bc
	ld	de,4
	add	hl,de
	ld	e,(hl)
	inc	hl
	ld	d,(hl)
	ld	hl,8
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
.cccalls
	ld	a,(printed)
	or	a
	ret	nz
	inc	a
	ld	(printed),a
	push	hl
	ld	hl,heading
	call	text
	pop	hl
	push	hl
	call	chain
	pop	de
	ld	hl,__ccheads_head
	ld	bc,__ccheads_size
.lists
	ld	a,b
	or	c
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
	or	a
	sbc	hl,de
	add	hl,de
	push	de
	call	nz,chain
	pop	de
	pop	hl
	pop	bc
	jr	lists

.chain
	ld	a,h
	or	l
	ret	z
	push	hl
	ld	de,5
	add	hl,de
	call	text
	ld	a,9
	call	ccputc
	pop	hl
	push	hl
	ld	de,4
	add	hl,de
	ld	c,0			; nothing but blanks yet
	ld	b,3
.pairs
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
	or	a
	ld	a,'*'
	call	nz,ccputc
	call	newline
	pop	hl
	ld	a,(hl)
	inc	hl
	ld	h,(hl)
	ld	l,a
	jr	chain

; A digit, or a blank before the first one. After a round all six are shown.
.number
	and	15
	jr	nz,shown
	inc	c
	dec	c
	jr	nz,shown
	push	hl
	ld	a,32
	call	ccputc
	pop	hl
	ret
.shown
	ld	c,1
	add	a,48
	jp	ccputc

; void ccprint(void): the profile, once. For atexit(ccprint) in main.
._ccprint
	ld	hl,cchead
	jp	cccalls

; void ccerr(const char *message) __z88dk_fastcall: the message, and who called whom.
._ccerr
	push	hl
	ld	hl,error
	call	text
	pop	hl
	call	text
.ccwalk
	ld	hl,(current)
.frame
	ld	a,h
	or	l
	ret	z
	push	hl
	ld	hl,by
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

.text
	ld	a,(hl)
	or	a
	ret	z
	inc	hl
	call	ccputc
	jr	text

.newline
	ld	a,13
	call	ccputc
	ld	a,10
	jp	ccputc

.heading
	defm	"function  calls"
	defb	13,10,0
.error
	defb	13,10
	defm	"ERROR: "
	defb	0
.by	defb	13,10
	defm	"CALLED BY "
	defb	0

; In the code, so that they are 0 when the program is loaded, whatever clears its data.
.current
	defw	0
.link	defw	0
.goeson	defw	0
.printed
	defb	0

; The character in A goes to CP/M's console. A program for another machine brings its own: all registers
; but A and the flags are kept.
.ccputc
	push	hl
	push	de
	push	bc
	push	ix
	push	iy
	ld	e,a
	ld	c,2
	call	5
	pop	iy
	pop	ix
	pop	bc
	pop	de
	pop	hl
	ret

	SECTION	bss_user
.frames	defs	8 * FRAMES
