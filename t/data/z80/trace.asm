; In the shape of a compiler that only traces (Small-C/Plus): names without headers, a runtime without
; counters. Stops at HALT inside inner(2, "text"). pasmo trace.asm trace.com; dprofpp --run --dump all.bin
; trace.com; trace.hex holds the program and the stack of it.
	org	100h
	ld	hl,(6)
	ld	sp,hl
	call	ccgo
	call	main
	call	done
n1:	db	'main',0
main:	ld	hl,n1
	push	hl
	call	ccregis
	ld	hl,7
	push	hl
	call	outer
	pop	bc
	call	ccleavi
	pop	bc
	pop	bc
	ret
n2:	db	'outer',0
outer:	ld	hl,n2
	push	hl
	call	ccregis
	ld	hl,2
	push	hl
	ld	hl,text
	push	hl
	ld	hl,inner
	call	through
	pop	bc
	pop	bc
	call	ccleavi
	pop	bc
	pop	bc
	ret
through:
	push	hl
	ld	hl,back
	ex	(sp),hl
	jp	(hl)
back:	ret
text:	db	'text',0
n3:	db	'inner',0
inner:	ld	hl,n3
	push	hl
	call	ccregis
	halt
n4:	db	'idle',0
idle:	ld	hl,n4
	push	hl
	call	ccregis
	call	ccleavi
	pop	bc
	pop	bc
	ret
ccgo:	ret
done:	jp	0
ccregis:
	pop	de
	ld	hl,(current)
	push	hl
	ld	hl,0
	add	hl,sp
	ld	(current),hl
	ex	de,hl
	jp	(hl)
ccleavi:
	ex	de,hl
	ld	hl,(current)
	ld	a,(hl)
	inc	hl
	ld	h,(hl)
	ld	l,a
	ld	(current),hl
	ex	de,hl
	ret
current:
	dw	0
