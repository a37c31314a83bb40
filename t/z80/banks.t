# Of a machine with banks the memory is what the processor saw: the ports 7FFD and, on a +3, 1FFD tell. Banks
# beside it are looked at: --bank shows one, and what they hold is said.
use strict;
use warnings;

use lib 't/lib';

use DProf::Test qw(dprofpp in_folder spew);
use File::Temp ();
use Test::More;

my $folder = File::Temp->newdir;
my $page   = 16384;

# A program of one file, linked at $base: functions with counts, and a runtime that keeps CURRENT.
sub program {
    my ($base, @functions) = @_;
    my $code = pack 'C v x2', 0xC3, $base;
    my $enters = $base + 0x400;
    while (my ($name, $count) = splice @functions, 0, 2) {
        my $header = $base + length $code;
        my $end = $header + 5 + length($name) + 1 + 8;
        $code .= pack('v', @functions ? $end : 0) . reverse(pack 'H6', sprintf '%06d', $count) . "$name\0"
            . pack('C v C C v C', 0x21, $header + 5, 0xE5, 0xCD, $enters, 0xC9);
    }
    my $current = $base + 0x440;
    my $runtime = pack('C C v C H8 C v H*', 0xD1, 0x2A, $current, 0xE5, '21000039', 0x22, $current, 'c601' . '27' . 'ebe9');
    return ($code . "\0" x (0x400 - length $code) . $runtime) . "\0" x ($page - 0x400 - length $runtime);
}

# Bytes of the eight banks: what is given, and nothing.
sub banks {
    my (%given) = @_;
    return map { defined $given{$_} ? $given{$_} : "\0" x $page } 0 .. 7;
}

sub sna {
    my ($port, $pc, @banks) = @_;
    my $seen = $port & 7;
    my @rest = grep { $_ != 5 && $_ != 2 && $_ != $seen } 0 .. 7;
    return "\0" x 23 . pack('v', 0xFF00) . "\1\0" . join('', @banks[5, 2, $seen]) . pack('v C C', $pc, $port, 0)
        . join '', @banks[@rest];
}

# Version 2 (extra 23) or 3; pages packed or not.
sub z80 {
    my ($extra, $machine, $port, $second, @banks) = @_;
    my $head = pack 'x6 v v x20 v v C C x*', 0, 0xFF00, $extra, 0xC123, $machine, $port;
    $head .= "\0" x (32 + $extra - length $head);
    substr($head, 86, 1) = chr $second if $extra == 55;
    return $head . join '', map { pack('v C', 0xFFFF, $_ + 3) . $banks[$_] } 0 .. 7;
}

sub szx {
    my ($machine, $port, $second, @banks) = @_;
    my $registers = pack 'x20 v v x13', 0xFF00, 0xC123;
    my @blocks = (['Z80R', $registers], map({ ['RAMP', pack('v C', 0, $_) . $banks[$_]] } 0 .. 7),
        ['SPCR', pack 'C4 x4', 7, $port, $second, 0]);
    return "ZXST\1\4" . chr($machine) . "\0" . join '', map { $_->[0] . pack('V', length $_->[1]) . $_->[1] } @blocks;
}

# What is in it: names and counts, and what was said.
sub found {
    my ($bytes, @options) = @_;
    spew('x', $bytes);
    my $run = dprofpp(['--report', 'image', @options, 'x']);
    my %counts = $run->{out} =~ /^  [0-9A-F]{4} (\S+) +(\d+)  entry/mg;
    return (join(' ', map { "$_ $counts{$_}" } sort keys %counts), $run->{err});
}

my @banks = banks(2 => program(0x8000, main => 1, low => 2), 4 => program(0xC000, four => 4, more => 44),
    6 => program(0xC000, six => 6));

in_folder("$folder", sub {
    my %snapshots = (
        '.sna'             => sub { sna($_[0], 0xC123, @banks) },
        '.z80 version 2'   => sub { z80(23, 3, $_[0], 0, @banks) },
        '.z80 version 3'   => sub { z80(54, 4, $_[0], 0, @banks) },
        '.z80 of a +3'     => sub { z80(55, 7, $_[0], 0, @banks) },
        '.szx'             => sub { szx(2, $_[0], 0, @banks) },
    );
    for my $kind (sort keys %snapshots) {
        my $make = $snapshots{$kind};
        my ($counts, $said) = found($make->(0x14));
        is($counts, 'four 4 low 2 main 1 more 44', "$kind: bank 4 at C000");
        like($said, qr/profiled functions in bank 6 too/, "$kind: and bank 6 is mentioned");
        ($counts, $said) = found($make->(0x11));
        is($counts, 'low 2 main 1', "$kind: bank 1 at C000");
        like($said, qr/profiled functions in bank 4, 6 too, which was not at C000 .*--bank shows one/, "$kind: with both");
        ($counts, $said) = found($make->(0x11), '--bank', 6);
        is($counts, 'low 2 main 1 six 6', "$kind: --bank 6");
        like($said, qr/bank 6 is shown, which was not at C000.*in bank 4/, "$kind: which is said");
        (undef, $said) = found($make->(0x16), '--bank', 6);
        unlike($said, qr/bank 6 is shown/, "$kind: --bank of the one that was seen");
        is((found($make->(0x15)))[0], 'low 2 main 1', "$kind: bank 5 twice") if $kind ne '.sna';
    }
    my @upper = banks(4 => $banks[4]);
    my ($counts, $said) = found(sna(0x10, 0x9000, @upper));
    is($counts, 'four 4 more 44', 'functions in a bank that was not seen are found');
    like($said, qr/bank 4 is shown/, 'and that is said');
    is((found(sna(0x15, 0, banks(5 => $banks[4], 6 => $banks[6]))))[0], 'four 4 more 44',
        '.sna with bank 5 at 4000 and C000: one is there twice');

    # CP/M Plus on a +3 has RAM everywhere.
    my @plus = banks(4 => program(0x0000, zero => 1), 7 => program(0x4000, seven => 7), 3 => program(0xC000, three => 3));
    is((found(szx(5, 0, 0x07, @plus)))[0], 'seven 7 three 3 zero 1', '.szx: all RAM, banks 4 7 6 3');
    is((found(z80(55, 7, 0, 0x07, @plus)))[0], 'seven 7 three 3 zero 1', '.z80: all RAM, banks 4 7 6 3');
    is((found(szx(5, 0, 0x05, @plus)))[0], 'three 3 zero 1', 'banks 4 5 6 3');
    is((found(szx(2, 3, 0x07, @plus)))[0], 'three 3', 'a 128 has no such port');

    # What is wrong.
    like((found(sna(0x10, 0, @banks), '--bank', 8))[1], qr/--bank: expected a bank from 0 to 7, found '8'/, '--bank 8');
    like((found("\0" x 65536, '--bank', 1))[1], qr/expected a snapshot of a machine with banks that holds bank 1/,
        '--bank of a plain file');
    like((found(sna(0x10, 0, banks()), '--bank', 1))[1], qr/no function with a profile was found with bank 1 at C000/,
        '--bank of an empty one');
    like((found(sna(0x10, 0, banks()), '--from', 'z80'))[1], qr/this is ZX snapshot \(.sna\).*but no function/, 'nothing in any bank');

    # Files that the emulator's own tool writes.
    SKIP: {
        skip 'snapconv is not installed (Debian: fuse-emulator-utils)', 1
            if !grep { -x "$_/snapconv" } split /:/, $ENV{PATH};
        spew('x.sna', sna(0x14, 0x8123, @banks));
        for my $ending (qw(szx z80)) {
            is(system("snapconv x.sna y.$ending >log 2>&1"), 0, "snapconv makes .$ending");
            open my $fh, '<:raw', "y.$ending" or die;
            my $bytes = do { local $/; <$fh> };
            my ($was, $told) = found($bytes);
            is($was, 'four 4 low 2 main 1 more 44', ".$ending: as the .sna");
            like($told, qr/bank 6 too/, ".$ending: with its other banks");
            is((found($bytes, '--bank', 6))[0], 'low 2 main 1 six 6', ".$ending: --bank");
        }
    }
});

done_testing;
