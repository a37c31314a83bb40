# Every kind of file that has registers: where control was, and a function that is being entered. tnylpo's log,
# with its "all 76" for what is the same. What the tools print is asked of them where they are installed.
use strict;
use warnings;

use lib 't/lib';

use DProf::Test qw(dprofpp in_folder slurp spew top);
use File::Temp ();
use Test::More;

my $data   = top() . '/t/data/z80';
my $folder = File::Temp->newdir;

sub walkback {
    my ($bytes) = @_;
    spew('x', $bytes);
    return dprofpp(['--report', 'walkback', 'x'])->{out};
}

sub has {
    my ($tool) = @_;
    return scalar grep { -x "$_/$tool" } split /:/, $ENV{PATH};
}

# As tnylpo writes memory: 16 bytes a line, or a stretch of one value.
sub tnylpo {
    my ($memory, $pc, $sp) = @_;
    my $stamp = '2026-11-29 22:19:01:';
    my $text = sprintf "%s program terminated\n%s sp=%04x pc=%04x\n", $stamp, $stamp, $sp, $pc;
    for (my $at = 0; $at < 65536;) {
        my $byte = substr $memory, $at, 1;
        my ($run) = substr($memory, $at) =~ /\A(\Q$byte\E+)/s;
        my $n = length($run) & ~15;
        if ($n >= 32) {
            $text .= sprintf "%s %04x-%04x: all %02x (%s)\n", $stamp, $at, $at + $n - 1, ord $byte, $byte =~ /[!-~]/ ? $byte : '.';
            $at += $n;
            next;
        }
        my $line = substr $memory, $at, 16;
        (my $shown = $line) =~ s/[^ -~]/./g;
        $text .= sprintf "%s %04x: %s |%s|\n", $stamp, $at, join(' ', map { sprintf '%02x', $_ } unpack 'C*', $line), $shown;
        $at += 16;
    }
    return $text;
}

in_folder("$folder", sub {
    my $memory = slurp("$data/inreg.bin");
    my ($pc, $sp) = map { hex } map { slurp("$data/inreg.reg") =~ /^$_=([0-9A-F]+)/m } qw(PC SP);
    my $want = walkback($memory . "\0" x 6 . pack('vv', $pc, $sp) . "\0" x 28);
    like($want, qr/^Stopped at 0335 in the routine that counts calls\n +odd is being entered  from even\+16, returns to 01BA\n#0 .*even/m,
        'z88dk-ticks');
    is(walkback("\0" x 26 . pack('vv', $pc, $sp) . "\0" x 4 . $memory), $want, 'core.z80');
    is(walkback("\0" x 12 . pack('vv', $pc, $sp) . $memory), $want, 'core.8080');
    is(walkback(tnylpo($memory, $pc, $sp)), $want, 'the log of tnylpo');

    my $with76 = $memory;
    substr($with76, 0x0010, 0x40) = "\x76" x 0x40;
    like(tnylpo($with76, $pc, $sp), qr/: 0010-004f: all 76 \(v\)$/m, 'a log with all 76');
    spew('x', tnylpo($with76, $pc, $sp));
    is(walkback(tnylpo($with76, $pc, $sp)), $want, 'is understood');
    my ($head) = split /\n/, dprofpp(['--report', 'image', 'x'])->{out};
    is($head, 'text dump of memory, 0000 to FFFF, 15 functions', 'and every byte is known');
    (my $log = tnylpo($memory, $pc, $sp)) =~ s/^(\S+ \S+) (00[89a-f]0): .*$/$1 ${\ "$2-00ff: all e5 (.)"}/mg;
    is(walkback($log), $want, 'stretches that overlap');

    my $at8000 = walkback(slurp("$data/fail8000.sna"));
    like($at8000, qr/^Stopped at 82AA in .*\n#0   FDD2  fail\(\)/m, '.sna');
    is(walkback(slurp("$data/fail8000$_")), $at8000, $_) for qw(.z80 -v1.z80 -v1c.z80 -v2.z80 .szx);
    is(walkback(slurp("$data/fail.core.z80")), walkback(slurp("$data/fail.ticks.bin")), 'core.z80 and ticks of one moment');

    # ucsim's own text, as it prints it.
    my $dump = '';
    for (my $at = 0; $at < 65536; $at += 8) {
        my $line = substr $memory, $at, 8;
        next if $line eq "\0" x 8;
        (my $shown = $line) =~ s/[^ -~]/./g;
        $dump .= sprintf "0x%04x %s %s\n", $at, join(' ', map { sprintf '%02x', $_ } unpack 'C*', $line), $shown;
    }
    my $said = sprintf "Stop at 0x%06x: (104) Breakpoint\nBC= 0x0000 [BC]= 08   8 .\nIX= 0x0000 [IX]= 08   8 .  IY= 0x0000 [IY]= 08"
        . "   8 .  SP= 0x%04x [SP]= 07   7 .\nSP limit= 0xf000\n", $pc, $sp;
    is(walkback($said . $dump), $want, 'ucsim: dump /h and info registers');
    # Its text beside the bytes may look like more of them.
    is(walkback($said . $dump . "0x8000 64 65 61 64 62 65 65 66 deadbeef\n"), $want, 'a text of hex digits');
    spew('x', $said . $dump . "0xfff0 64 65 61 64 62 65 65 66 deadbeef\n");
    like(dprofpp(['--report', 'image', 'x'])->{out}, qr/^text dump of memory, [0-9A-F]+ to FFF7,/, 'is not taken for bytes');

    SKIP: {
        skip 'sz80 of ucsim is not installed (Debian: sdcc-ucsim)', 1 if !has('sz80');
        spew('all.hex', hexed($memory));
        spew('commands', sprintf "pc 0x%04x\ninfo registers\ndump /i rom 0 0xffff\nquit\n", $pc);
        system 'sz80 -t Z80 all.hex <commands >ucsim.txt 2>&1';
        my ($stack) = $want =~ /^(#0.*)\z/ms;
        like(walkback(slurp('ucsim.txt')), qr/\Q$stack\E/, 'what ucsim itself prints, dump /i');
        spew('commands', "dump /h rom 0 0xffff\nquit\n");
        system 'sz80 -t Z80 all.hex <commands >ucsim.txt 2>&1';
        like(walkback(slurp('ucsim.txt')), qr/\Q$stack\E/, 'and dump /h');
    }
    SKIP: {
        skip 'altairz80 is not installed (Debian: simh)', 1 if !has('altairz80');
        spew('prof.com', slurp("$data/prof.com"));
        spew('s.ini', join "\n", 'set cpu z80', 'load prof.com 100', 'd 0 76', 'd 5 c3', 'd 6 00', 'd 7 fe', 'd fe00 c9',
            'go 100', 'dump mem.bin 0-ffff', 'quit', '');
        system 'altairz80 s.ini </dev/null >altair.txt 2>&1';
        is(dprofpp(['--report', 'image', '-q', 'mem.bin'])->{out}, dprofpp(['--report', 'image', '-q', "$data/exit.bin"])->{out},
            'what altairz80 dumps after a run');
    }
    SKIP: {
        skip 'srec_cat is not installed (Debian: srecord)', 2 if !has('srec_cat');
        spew('m.bin', substr $memory, 0x100, 0x400);
        (my $chains = dprofpp(['--report', 'image', '-q', 'm.bin'])->{out}) =~ s/^  frame.*\n//mg;
        system 'srec_cat m.bin -binary -offset 0x100 -o m.s19 -motorola >log 2>&1; srec_cat m.bin -binary -offset 0x100 -o m.hex -intel >log 2>&1';
        for my $ending (qw(s19 hex)) {
            (my $got = dprofpp(['--report', 'image', '-q', "m.$ending"])->{out}) =~ s/^  frame.*\n//mg;
            is($got, $chains, "srec_cat: .$ending");
        }
    }
});

done_testing;

sub hexed {
    my ($memory) = @_;
    my $text = '';
    for (my $at = 0; $at < 65536; $at += 32) {
        my @all = (32, $at >> 8, $at & 255, 0, unpack 'C*', substr $memory, $at, 32);
        my $sum = 0;
        $sum += $_ for @all;
        $text .= ':' . join('', map { sprintf '%02X', $_ } @all, -$sum & 255) . "\n";
    }
    return "$text:00000001FF\n";
}
