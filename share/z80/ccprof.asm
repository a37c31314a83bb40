; The runtime for programs in the shape of CP/M's compilers of old, for pasmo: assemble it behind a
; program whose functions begin
;	header:	dw next header		; 0 in the last one
;		db 0,0,0		; the counter: BCD, lowest pair first
;	name:	db 'f',0
;	f:	ld hl,name
;		push hl
;		call ccregis
; and end
;		call ccleavi
;		(drop what is on the stack of its own)
;		pop bc			; the list of calls
;		pop bc			; the name
;		ret
; The arguments of f lie at SP+6 at first. HL is its result; ccleavi keeps it. A program begins
;	ld hl,(6) / ld sp,hl / call ccgo / call main / ld hl,first header / call cccalls / call ccexit
; and ends by returning from main or by `call ccexit` anywhere: the profile is printed in either case.
; err: the message at HL, then who called whom.

; Under the return address lies the name. A frame: the caller's frame, the name, the return address.
ccregis:
	pop	hl
	ld	(ccback),hl
	pop	de
	push	de
	ld	hl,(current)
	push	hl
	ld	hl,0
	add	hl,sp
	ld	(current),hl
	ex	de,hl
	dec	hl
	dec	hl
	dec	hl
	ld	b,3
ccdigits:
	ld	a,(hl)
	add	a,1
	daa
	ld	(hl),a
	jr	nc,ccdone
	inc	hl
	djnz	ccdigits
	call	ccround
ccdone:	ld	hl,(ccback)
	jp	(hl)

; HL is the name of a function whose counter went round: it is kept in a list of 16.
ccround:
	ex	de,hl
	ld	hl,ccrounds
	ld	b,16
ccfree:	ld	a,(hl)
	inc	hl
	or	(hl)
	jr	z,cckeep
	inc	hl
	djnz	ccfree
	ret
cckeep:	ld	(hl),d
	dec	hl
	ld	(hl),e
	ret

ccleavi:
	push	hl
	ld	hl,(current)
	ld	e,(hl)
	inc	hl
	ld	d,(hl)
	ld	(current),de
	pop	hl
	ret

; System: whatever is to be done before main. Nothing for this runtime.
ccgo:	ret

; The profile of the list at HL, once.
cccalls:
	ld	a,(ccprinted)
	or	a
	ret	nz
	inc	a
	ld	(ccprinted),a
	push	hl
	ld	hl,ccheading
	call	ccputs
	pop	hl
cclist:	ld	a,h
	or	l
	ret	z
	push	hl
	ld	de,5
	add	hl,de
	ld	(ccname),hl
	call	ccputs
	ld	a,9
	call	ccputc
	pop	hl
	push	hl
	ld	de,4
	add	hl,de
	ld	c,0
	ld	b,3
ccpairs:
	ld	a,(hl)
	rrca
	rrca
	rrca
	rrca
	call	ccdigit
	ld	a,(hl)
	call	ccdigit
	dec	hl
	djnz	ccpairs
	call	ccflag
	call	ccline
	pop	hl
	ld	a,(hl)
	inc	hl
	ld	h,(hl)
	ld	l,a
	jr	cclist

ccdigit:
	and	15
	jr	nz,ccshow
	inc	c
	dec	c
	jr	nz,ccshow
	ld	a,' '
	jr	ccputc
ccshow:	ld	c,1
	add	a,'0'
	jr	ccputc

; A star behind a counter that went round.
ccflag:	ld	hl,ccrounds
	ld	b,16
ccseek:	ld	e,(hl)
	inc	hl
	ld	d,(hl)
	inc	hl
	push	hl
	ld	hl,(ccname)
	or	a
	sbc	hl,de
	pop	hl
	jr	z,ccstar
	djnz	ccseek
	ret
ccstar:	ld	a,'*'
	jr	ccputc

; The message at HL, and who called whom.
err:	push	hl
	ld	hl,ccerror
	call	ccputs
	pop	hl
	call	ccputs
	ld	hl,(current)
ccwalk:	ld	a,h
	or	l
	ret	z
	push	hl
	ld	hl,ccby
	call	ccputs
	pop	hl
	push	hl
	inc	hl
	inc	hl
	ld	a,(hl)
	inc	hl
	ld	h,(hl)
	ld	l,a
	call	ccputs
	pop	hl
	ld	a,(hl)
	inc	hl
	ld	h,(hl)
	ld	l,a
	jr	ccwalk

; The end, from anywhere: the first header is a word that the program defines, at `profile`.
ccexit:	ld	hl,(profile)
	call	cccalls
	jp	0

ccputs:	ld	a,(hl)
	or	a
	ret	z
	inc	hl
	call	ccputc
	jr	ccputs
ccline:	ld	a,13
	call	ccputc
	ld	a,10
ccputc:	push	hl
	push	de
	push	bc
	ld	e,a
	ld	c,2
	call	5
	pop	bc
	pop	de
	pop	hl
	ret

ccheading:
	db	'function  calls',13,10,0
ccerror:
	db	13,10,'ERROR: ',0
ccby:	db	13,10,'CALLED BY ',0
current:
	dw	0
ccback:	dw	0
ccname:	dw	0
ccprinted:
	db	0
ccrounds:
	ds	32
