# z88dk: its map file names what runs, and --instrument understands the texts of both its compilers. z88dk itself
# is not in Debian: the texts are written as it writes them, and pasmo assembles them, its directives taken off.
use strict;
use warnings;

use lib 't/lib';

use DProf::Test qw(dprofpp in_folder slurp spew top);
use Devel::DProf::Profile;
use File::Temp ();
use Test::More;

my $share  = top() . '/share/z80';
my $folder = File::Temp->newdir;

my $sccz80 = <<'TEXT';
;* * * * *  Small-C/Plus z88dk * * * * *
;  Version: 20000-demo
;
	C_LINE	0,"demo.c"

	MODULE	demo_c


	INCLUDE "z80_crt0.hdr"


	C_LINE	3,"demo.c"
	SECTION	code_compiler

; Function tick flags 0x00000200 __smallc 
; void tick()
	C_LINE	3,"demo.c::tick::0::0"
._tick
	ld	hl,(_sum)
	inc	hl
	ld	(_sum),hl
	ret


	C_LINE	5,"demo.c::tick::0::1"

; Function fact flags 0x00000200 __smallc 
; int fact(int n)
; parameter 'int n' at sp+2 size(2)
	C_LINE	5,"demo.c::fact::0::1"
._fact
	pop	bc
	pop	hl
	push	hl
	push	bc
	ld	a,h
	or	l
	jp	z,i_2	;
	dec	hl
	push	hl
	call	_fact
	pop	bc
.i_2
	ret


; Function twice flags 0x00000240 __smallc __z88dk_callee 
; void twice(int n)
; parameter 'int n' at sp+2 size(2)
._twice
	call	_tick
	call	_tick
	pop	bc
	pop	hl
	push	bc
	ret


; Function bytes flags 0x00000a00 __smallc __naked 
; void bytes()
._bytes
stub:
	defm	"zz"
	ret


; Function never flags 0x00000280 __smallc __z88dk_fastcall 
; void never(int n)
._never
	jp	_tick


; Function main flags 0x00000000 __stdc 
; int main()
._main
	ld	hl,5	;const
	push	hl
	call	_fact
	pop	bc
	ld	hl,9	;const
	push	hl
	call	_twice
	call	_twice9
	ld	hl,0	;const
	ret

; --- Start of Static Variables ---

	SECTION	bss_compiler
._sum	defs	2
	SECTION	code_compiler


; --- Start of Scope Defns ---

	GLOBAL	_tick
	GLOBAL	_main

; --- End of Scope Defns ---


; --- End of Compilation ---
TEXT

my $zsdcc = <<'TEXT';
;--------------------------------------------------------
; File Created by SDCC : free open source ISO C Compiler
; Version 4.4.0 #14648 (Linux)
;--------------------------------------------------------
; Processed by Z88DK
;--------------------------------------------------------
	EXTERN __divschar
	GLOBAL _twice9
	SECTION bss_compiler
IF 0
; .area _INITIALIZED removed by z88dk
ENDIF
	SECTION code_compiler
;	---------------------------------
; Function twice9
; ---------------------------------
_twice9:
	ld	b,9
l_twice9_00101:
	push	bc
	call	_side
	pop	bc
	djnz	l_twice9_00101
	ret
;	---------------------------------
; Function side
; ---------------------------------
_side:
	push	ix
	ld	ix,0
	add	ix,sp
	ld	sp, ix
	pop	ix
	jr	_tock
;	---------------------------------
; Function tock
; ---------------------------------
_tock:
	ret
	SECTION IGNORE
TEXT

# Startup as z88dk's for CP/M does it: main is called, then what atexit knows; the headers' list last.
my $start = "\torg 100h\n\tld hl,(6)\n\tld sp,hl\n\tcall _main\n\tcall _ccprint\n\tjp 0\n";

# A text in words that pasmo knows: no sections, no scopes, points of labels gone.
sub for_pasmo {
    my ($text, $number) = @_;
    my $heads = $text =~ s/^\tSECTION\tccheads\n(\tdefw.*\n)\tSECTION\tcode_compiler\n//m ? $1 : '';
    $text =~ s/^\t(?:SECTION|MODULE|INCLUDE|C_LINE|EXTERN|PUBLIC|GLOBAL)\b.*\n//mg;
    $text =~ s/^\tdefc\t(\w+) = (\w+)/$1 equ $2/mg;
    $text =~ s/^(?:IF 0|ENDIF)\n//mg;
    $text =~ s/^\.(\w+)/$1:/mg;
    $text =~ s/ % 256/ mod 256/g;
    s/\b(cc(?:header|entry|name)\d+)\b/$1_$number/g for $text, $heads;    # local to a file
    return ($text, $heads);
}

sub calls_of {
    my ($text) = @_;
    return { map { /^ *[\d.]+ +\S+ +\S+ +(\d+) +\S+ +\S+ +(\S+)$/ ? ($2 => $1) : () } split /\n/, $text };
}

in_folder("$folder", sub {
    spew('demo.c.asm', $sccz80);
    spew('side.c.asm', $zsdcc);
    my ($demo, $side) = map { dprofpp(['--instrument', "$_.c.asm"]) } qw(demo side);
    is($demo->{err}, "dprofpp: demo.c.asm: 1 naked function left as they are\n", 'sccz80: naked functions are left alone');
    is_deeply([$demo->{out} =~ /^\.ccname\d+\n\tdefm\t"(\w+)"$/mg], [qw(tick fact twice never main)], 'all others have headers');
    like($demo->{out}, qr/^\._bytes\nstub:\n\tdefm\t"zz"\n/m, 'its text is as it was') or diag $demo->{out};
    is($side->{err}, '', "z88dk's sdcc: nothing to say");
    like($side->{out}, qr/^_twice9:\n\tEXTERN\tccregis\n\tpush\thl\n\tjr\tccentry0\n\tdefb\t0\n\.ccheader0\n\tdefw\tccheader1\n/m, 'headers');
    like($side->{out}, qr/^\tjp\t_tock$/m, 'a jump to a function is made long');
    unlike($side->{out}, qr/^\t\.\w|,#/m, "no words of sdcc's own assembler");

    SKIP: {
        skip 'pasmo is not installed (Debian: pasmo)', 1 if !grep { -x "$_/pasmo" } split /:/, $ENV{PATH};
        my (@texts, @heads);
        for my $text ($demo->{out}, $side->{out}, slurp("$share/ccprof_z88dk.asm")) {
            my ($known, $heads) = for_pasmo($text, scalar @texts);
            push @texts, $known;
            push @heads, $heads;
        }
        spew('all.asm', join '', $start, @texts[1, 0, 2], "__ccheads_head:\n", @heads, "__ccheads_size equ 4\n");
        is(system('pasmo all.asm all.com all.sym >log 2>&1'), 0, 'assembled') or diag slurp('log');
        my $plain = join '', map { my ($text) = for_pasmo($_, 0); $text =~ s/^(\w+:)\n\tpush\thl\n\tjr\tccentry.*?call\tccregis\n/$1\n/gms; $text }
            $zsdcc, $sccz80;
        (my $bare = $start) =~ s/\tcall _ccprint\n//;
        spew('bare.asm', "$bare$plain");
        is(system('pasmo bare.asm bare.com bare.sym >log 2>&1'), 0, 'and without headers') or diag slurp('log');
        run_it();
    }
});

done_testing;

sub run_it {
    SKIP: {
        skip 'built without libz80ex', 1 if !Devel::DProf::Profile::can_run_z80();
        my %want = (tick => 2, fact => 6, twice => 1, never => 0, main => 1, twice9 => 1, side => 9, tock => 9);
        my $run = dprofpp(['--run', '--dump', 'end.bin', 'all.com', '-O', '-1']);
        my ($listing) = $run->{out} =~ /\A(function  calls\r\n(?:.*\r\n)+)/;
        is_deeply({ map { /(\w+)\t *(\d*)/ ? ($1 => $2 || 0) : () } split /\r\n/, $listing || '' }, \%want, 'it prints its calls');
        is_deeply({ %{ calls_of($run->{out}) }, never => 0 }, \%want, 'as often as control came to their entries');

        # The program as it is, named by a map as z88dk writes it.
        my $n = 0;
        my $map = join '', map { /^(\S+)\s+EQU\s+0?([0-9A-F]+)H/ ? line_of($1, hex $2) : () } split /\n/, slurp('bare.sym');
        $map .= "__CPM_STACK = \$0106 ; const, local, , , , crt.asm:40\nhandlelong                      = \$0001 ; const, local, , x, , x.asm:1\n"
            . "__code_compiler_head            = \$0106 ; const, public, def, , ,\n";
        spew('bare.map', $map);
        my %bare = %{ calls_of(dprofpp(['--run', '--map', 'bare.map', 'bare.com', '-O', '-1'])->{out}) };
        is_deeply({ %bare, never => 0 }, \%want, 'a map of z88dk: names of C, no numbers, no labels inside');
    }
    return;
}

# "name = $1F ; addr, public, , module, section, file:line"; labels of the compiler are local.
sub line_of {
    my ($name, $addr) = @_;
    my $scope = $name =~ /\A(?:i_|l_|stub)/ ? 'local' : 'public';
    return sprintf "%-31s = \$%04X ; addr, %s, , demo_c, code_compiler, demo.c::%s::0::0:6\n", $name, $addr, $scope, $name;
}
