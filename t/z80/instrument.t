# --instrument puts headers into sdcc's text: the program does what it did, its counters say how often
# each function was entered, in two emulators, and a count that goes round is flagged.
use strict;
use warnings;

use lib 't/lib';

use DProf::Test qw(dprofpp in_folder slurp spew top);
use Devel::DProf::Profile;
use File::Temp ();
use Test::More;

my $share  = top() . '/share/z80';
my $folder = File::Temp->newdir;
my %want = (fact => 9, tick => 20, even => 3, odd => 3, three => 1, jump => 4, through => 1, never => 0, main => 1);

sub has {
    my ($tool) = @_;
    return scalar grep { -x "$_/$tool" } split /:/, $ENV{PATH};
}

sub quietly { return system("$_[0] >log 2>&1") == 0 }

# The counts of `--report image`.
sub counts {
    my ($file) = @_;
    return { dprofpp(['--report', 'image', $file])->{out} =~ /^  [0-9A-F]{4} (\S+) +(\d+)  entry/mg };
}

in_folder("$folder", sub {
    # The text alone needs no compiler.
    spew('x.asm', "hello\n");
    like(dprofpp(['--instrument', 'x.asm'])->{err}, qr/x\.asm: expected the assembler text of sdcc/, 'no such text');
    spew('x.asm', "\t.module x\n\t.area _CODE\n_f::\n\tret\n");
    like(dprofpp(['--instrument', 'x.asm'])->{err}, qr/expected comments "; Function NAME"/, 'no functions in it');
    spew('x.asm', "\t.module x\n\t.area _CODE\n; Function f\n_f::\n\tjr\tNZ, _f\n\tret\n; Function isr\n_isr::\n\treti\n");
    my $done = dprofpp(['--instrument', 'x.asm']);
    like($done->{out}, qr/^_f::\n\tpush\thl\n\tjr\tccentry0\n\t\.db\t0\nccheader0:\n\t\.dw\t0\n/m, 'a header');
    like($done->{out}, qr/^\tjp\tNZ, _f$/m, 'a jump to a function is made long');
    unlike($done->{out}, qr/_isr::\n\tpush/, 'an interrupt routine is left alone');
    like($done->{err}, qr/1 interrupt routine/, 'and that is said');
    spew('y.asm', $done->{out});
    like(dprofpp(['--instrument', 'y.asm'])->{err}, qr/headers already/, 'not twice');
    spew('z.asm', "\tMODULE\tz_c\n\tSECTION\tcode_compiler\n; Function main flags 0x00000200 __smallc \n._main\n\tret\n");
    like(dprofpp(['--instrument', 'z.asm'])->{out},
        qr/^\._main\n\tEXTERN\tccregis\n\tpush\thl\n\tjr\tccentry0\n\tdefb\t0\n\tPUBLIC\tcchead\n\.cchead\n\.ccheader0\n/m, 'of sccz80');

    SKIP: {
        skip 'sdcc is not installed (Debian: sdcc)', 1 if !has('sdcc') || !has('sdasz80');
        spew('demo.c', slurp("$share/demo.c"));
        ok(quietly('sdcc -mz80 -S demo.c'), 'compiled') or diag slurp('log');
        is(dprofpp(['--instrument', 'demo.asm', '-o', 'demop.asm'])->{status}, 0, 'instrumented');
        for my $part (qw(ccprof ccputc crt0cpm)) {
            ok(quietly("sdasz80 -o $part.rel $share/$part.s"), "$part.s") or diag slurp('log');
        }
        ok(quietly('sdasz80 -plosgffw demop.rel demop.asm && sdcc -mz80 --no-std-crt0 --code-loc 0x100 --data-loc 0'
            . ' crt0cpm.rel demop.rel ccprof.rel ccputc.rel -o demop.ihx'), 'linked') or diag slurp('log');
        my %none = map { ($_ => 0) } keys %want;
        is_deeply(counts('demop.ihx'), \%none, 'every function has a header, no call yet');
        in_libz80ex();
        in_ucsim();
    }
});

done_testing;

sub in_libz80ex {
    SKIP: {
        skip 'built without libz80ex', 8 if !Devel::DProf::Profile::can_run_z80();
        my $run = dprofpp(['--run', '--dump', 'end.bin', 'demop.ihx', '-O', '-1']);
        my ($listing) = $run->{out} =~ /\A(function  calls\r\n(?:.*\r\n)+)/;
        is_deeply({ map { /(\w+)\t *(\d*)/ ? ($1 => $2 || 0) : () } split /\r\n/, $listing }, \%want, 'it prints them');
        is_deeply(counts('end.bin'), \%want, 'its memory holds them');
        my %entries = map { /^ *[\d.]+ +\S+ +\S+ +(\d+) +\S+ +\S+ +(\S+)$/ ? ($2 => $1) : () } split /\n/, $run->{out};
        is_deeply({ %entries, never => 0 }, \%want, 'as often as control came to their entries');
        like(dprofpp(['-T', 'end.bin'])->{out}, qr/^jump  [0-9A-F]{4}  4 calls\n +0\.\.3  jump  at/m, 'the call graph knows jumps');
        is(dprofpp([])->{err}, '', 'the trace is whole');

        # A counter that goes round: 999,990 calls before, 20 now.
        my $start = slurp('end.bin');
        my ($header) = dprofpp(['--report', 'image', 'end.bin'])->{out} =~ /^  ([0-9A-F]{4}) tick /m;
        my $com = substr $start, 0x100, 0x500;
        substr($com, hex($header) + 2 - 0x100, 3) = "\x90\x99\x99";
        my ($current) = dprofpp(['--report', 'image', 'end.bin'])->{out} =~ /^CURRENT at ([0-9A-F]{4})/m;
        substr($com, hex($current) - 0x100, 7) = "\0" x 7;    # the list of calls, and "printed"
        spew('again.com', $com);
        my $again = dprofpp(['--run', '--dump', 'again.bin', 'again.com', '-Q']);
        like($again->{out}, qr/^tick\t    10\*\r$/m, 'it flags a counter that went round');
        is(counts('again.bin')->{tick}, 1000010, 'and dprofpp knows the true count');
        like(dprofpp(['--report', 'listing', 'again.bin'])->{out}, qr/^tick\t1000010\r$/m, 'also in the listing');
    }
    return;
}

# ucsim has no system: a RET at BDOS, a HALT where the program ends.
sub in_ucsim {
    SKIP: {
        skip 'sz80 of ucsim is not installed (Debian: sdcc-ucsim)', 1 if !has('sz80');
        my $hex = slurp('demop.ihx');
        $hex =~ s/^:00000001FF\s*\z//m;
        spew('all.hex', $hex . join '', map { record(@$_) } [0, 0x76], [5, 0xC3, 0, 0xFE], [0xFE00, 0xC9]);
        open my $fh, '>>', 'all.hex' or die;
        print {$fh} ":00000001FF\n";
        close $fh;
        spew('commands', "pc 0x100\nrun\ninfo registers\ndump /i rom 0 0xffff\nquit\n");
        system 'sz80 -t Z80 all.hex <commands >ucsim.txt 2>&1';
        is_deeply(counts('ucsim.txt'), \%want, "in sdcc's ucsim, out of what it prints");
    }
    return;
}

sub record {
    my ($addr, @bytes) = @_;
    my @all = (scalar @bytes, $addr >> 8, $addr & 255, 0, @bytes);
    my $sum = 0;
    $sum += $_ for @all;
    return ':' . join('', map { sprintf '%02X', $_ } @all, -$sum & 255) . "\n";
}
