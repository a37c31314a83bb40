#!/usr/bin/perl
# bench/z80.pl: how long dprofpp searches a file of 64K for the profile of a Z80 program, at worst. Files made to
# take long, and those of t/data/z80; CPU time, the least of several rounds. The aim is 5 ms. Writes the slowest.
use strict;
use warnings;

use lib 'blib/lib', 'blib/arch';

use Devel::DProf::Profile;
use File::Temp ();
use Time::HiRes ();

my $folder = File::Temp->newdir;
my $rounds = 7;

sub spew {
    my ($name, $bytes) = @_;
    open my $fh, '>:raw', "$folder/$name" or die "$name: $!\n";
    print {$fh} $bytes;
    close $fh or die "$name: $!\n";
    return;
}

sub slurp {
    my ($path) = @_;
    open my $fh, '<:raw', $path or die "$path: $!\n";
    local $/;
    return scalar <$fh>;
}

# $n functions from an address on, each with this code; $next says where its header leads.
sub functions {
    my ($base, $n, $code, $next) = @_;
    my $text = '';
    for my $i (0 .. $n - 1) {
        my $header = $base + length $text;
        my $body = $code->($i);
        my $end = $header + 15 + length $body;
        $text .= pack('v', ($next ? $next->($header, $end) : $end) & 0xFFFF) . "\x99\x99\x99a\0"
            . pack('C v C C v', 0x21, $header + 5, 0xE5, 0xCD, 0x40) . $body;
    }
    return $text;
}

sub ret { return "\xC9" }

# A runtime at 0040, then the functions from 0100 on, in almost 64K.
sub image {
    my (@how) = @_;
    my $runtime = pack 'H*', 'd12a8000e5210000392280002' . '7ebe9';
    my $start = "\0" x 0x40 . $runtime;
    return substr($start . "\0" x (0x100 - length $start) . functions(0x100, @how), 0, 65535) . "\0";
}

spew('random', join '', map { pack 'n', rand 65536 } 1 .. 32768);
spew('prologues', substr "main\0\x21\xff\xff\xe5\xcd\0\0" x 6000, 0, 65536);
spew('votes', substr 'x' . join('', 'a' .. 'z', 'a' .. 'e', "\0\x21\x10\x20\xe5\xcd\0\0") x 3000, 0, 65000);
spew('one chain', image(4300, \&ret));
spew('all to one', image(4000, \&ret, sub { 0x100 }));
spew('each to itself', image(4000, \&ret, sub { $_[0] }));
spew('calls', image(1000, sub { my ($i) = @_; join '', map { pack 'C v', 0xCD, 0x107 + ($i * 7 + $_ * 13) % 1000 * 63 } 1 .. 16 }));
my $memory = slurp('t/data/z80/fail.bin');
spew('dump', join '', map { sprintf "%04x: %s\n", $_ * 16, join ' ', map { sprintf '%02x', $_ } unpack 'C*', substr $memory, $_ * 16, 16 } 0 .. 4095);
spew('runs', "0000-ffff: all 76\n" x 3000);
spew('stars', "0000 01\n*\nffff 02\n" x 3000);
my $bank = substr "\0" x 0x100 . functions(0xC100, 1080, \&ret), 0, 16384;
spew('banks.szx', "ZXST\1\4\2\0SPCR" . pack('V', 8) . "\7\1\0\0\0\0\0\0"
    . join '', map { 'RAMP' . pack('V', 16387) . pack('v C', 0, $_) . $bank } 0 .. 7);
spew('banks.sna', "\0" x 23 . pack('v', 0xFF00) . "\1\0" . $bank x 3 . pack('v C C', 0, 0x11, 0) . $bank x 5);
spew('walkbacks', "CALLED BY x\r\n" x 5000);
spew('listings', "function  calls\r\na\t 1\r\n" x 2700);
spew('rows', "function  calls\r\n" . join '', map { "n$_\t 1\r\n" } 1 .. 5500);

sub names {
    opendir my $dh, "$folder" or die "$folder: $!\n";
    return grep { !/\A\.\.?\z/ } readdir $dh;
}

my @rows;
for my $path (map({ "$folder/$_" } names()), glob 't/data/z80/*.{bin,szx,z80,sna,txt,hex}') {
    my ($least, $found);
    for (1 .. $rounds) {
        my $before = Time::HiRes::clock();
        $found = eval { Devel::DProf::Profile->read_file($path, told => { from => 'z80' }) };
        my $took = Time::HiRes::clock() - $before;
        $least = $took if !defined $least || $took < $least;
    }
    push @rows, [1000 * $least, -s $path, $path =~ m{([^/]+)\z}, $found ? 'found' : 'nothing'];
}
printf "%6.2f ms  %7d bytes  %-16s %s\n", @$_ for (sort { $b->[0] <=> $a->[0] } @rows)[0 .. 9];
