; An example for pasmo: pasmo demo.asm demo.com; dprofpp --run demo.com
; main calls twice() three times, twice() calls once() two times, and last() ends the program.
	org	100h
start:	ld	hl,(6)
	ld	sp,hl
	call	ccgo
	call	main
	ld	hl,cc1
	call	cccalls
	call	ccexit

cc1:	dw	cc2
	db	0,0,0
n1:	db	'main',0
main:	ld	hl,n1
	push	hl
	call	ccregis
	call	twice
	call	twice
	call	twice
	call	last
	call	ccleavi
	pop	bc
	pop	bc
	ret

cc2:	dw	cc3
	db	0,0,0
n2:	db	'twice',0
twice:	ld	hl,n2
	push	hl
	call	ccregis
	call	once
	call	once
	call	ccleavi
	pop	bc
	pop	bc
	ret

cc3:	dw	cc4
	db	0,0,0
n3:	db	'once',0
once:	ld	hl,n3
	push	hl
	call	ccregis
	call	ccleavi
	pop	bc
	pop	bc
	ret

cc4:	dw	0
	db	0,0,0
n4:	db	'last',0
last:	ld	hl,n4
	push	hl
	call	ccregis
	ld	hl,text
	call	err
	call	ccexit			; exit() inside a function: the profile is printed all the same
text:	db	'the end',0

profile:
	dw	cc1
	include	"ccprof.asm"
