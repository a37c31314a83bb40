# The same memory in kinds of files that t/data/z80 does not hold: text dumps of several tools, core.8080,
# a snapshot of a 128K machine, files in the middle of a console log, files whose place nothing tells.
use strict;
use warnings;

use lib 't/lib';

use DProf::Test qw(dprofpp slurp spew);
use File::Temp ();
use Test::More;

my $data   = 't/data/z80';
my $folder = File::Temp->newdir;
my $memory = slurp("$data/fail.bin");

sub image {
    my ($bytes, @options) = @_;
    spew("$folder/x", $bytes);
    return dprofpp(['--report', 'image', '-q', @options, "$folder/x"])->{out};
}

# The lines of a dump: addresses and bytes as $line says; empty stretches are left out.
sub dump_of {
    my ($width, $line) = @_;
    my $text = '';
    for (my $at = 0; $at < 65536; $at += $width) {
        my $bytes = substr $memory, $at, $width;
        next if $bytes !~ /[^\0]/;
        (my $shown = $bytes) =~ s/[^ -~]/./g;
        $text .= $line->($at, $shown, map { sprintf '%02x', $_ } unpack 'C*', $bytes);
    }
    return $text;
}

my $want = image($memory);
like($want, qr/frame FDFA main/, 'the memory itself');

my %dumps = (
    'xxd' => dump_of(16, sub { my ($at, $text, @b) = @_;
        sprintf "%08x: %s  %s\n", $at, join(' ', map { "$b[2 * $_]$b[2 * $_ + 1]" } 0 .. 7), $text }),
    'xxd -g1' => dump_of(16, sub { my ($at, $text, @b) = @_; sprintf "%08x: %s  %s\n", $at, "@b", $text }),
    'DDT' => dump_of(16, sub { my ($at, $text, @b) = @_; sprintf "%04X %s %s\r\n", $at, uc "@b", $text }),
    'ucsim dump /h' => dump_of(8, sub { my ($at, $text, @b) = @_; sprintf "0x%04x %s %s\n", $at, "@b", $text }),
    'MAME' => dump_of(16, sub { my ($at, $text, @b) = @_; sprintf "%04X:  %s   %s\n", $at, uc "@b", $text }),
    'tnylpo' => "2026-11-29 22:19:01: sp=fdce pc=03aa\n" . dump_of(16, sub { my ($at, $text, @b) = @_;
        sprintf "2026-11-29 22:19:01: %04x: %s |%s|\n", $at, "@b", $text }),
    'hexdump -C' => do {
        my ($last, $star, $text) = ('', 0, '');
        for (my $at = 0; $at < 65536; $at += 16) {
            my $bytes = substr $memory, $at, 16;
            if ($bytes eq $last) { $text .= "*\n" if !$star++; next }
            ($last, $star) = ($bytes, 0);
            $text .= sprintf "%08x  %s  |x|\n", $at, join ' ', map { sprintf '%02x', $_ } unpack 'C*', $bytes;
        }
        "${text}00010000\n";
    },
);
is(image($dumps{$_}), $want, $_) for sort keys %dumps;
is(image("A>DDT\r\nDDT VERS 2.2\r\n-D100\r\n$dumps{DDT}-^C\r\nA>"), $want, 'in the middle of a console log');

my $hex = slurp("$data/fail.hex");
$hex =~ s/^/0> /mg;
is(image($hex), image(slurp("$data/fail.hex")), 'Intel HEX behind prompts');

my $core = "\1\0\0\0\0" . "\0" x 6 . "\0" . pack('vv', 0x03AA, 0xFDCE);
is(image(substr($core, 0, 16) . $memory), $want, 'core.8080');

my $sna = slurp("$data/fail8000.sna");
is(image($sna . pack('vCC', 0x82AA, 0x10, 0) . "\0" x (5 * 16384)), image($sna), 'a .sna of a 128K machine');

# A file that something put a header in front of, and one for another address.
my $program = substr $memory, 0x100, 0x320;
(my $chains = image($program)) =~ s/^  frame.*\n//mg;
(my $found = image('HEADER' x 11 . $program)) =~ s/^  frame.*\n//mg;
is($found, $chains, 'behind a header of another tool');
like(dprofpp(["$folder/x"])->{err}, qr/nothing tells where the file lies.*byte 0 at 00BE/, 'which is said');
is(image($program, '--origin', '100'), image($program), '--origin');

# A record whose sum is wrong is left out, and that is said.
for my $ending (qw(hex s19)) {
    my $text = slurp("$data/exit.$ending");
    my @at   = grep { substr($text, $_, 1) eq "\n" } 0 .. length($text) - 1;
    my $bad  = sub {
        my $copy = $text;
        substr($copy, $at[$_ - 1] - 1, 1) =~ tr/0-9A-F/1-9A-F0/ for @_;
        spew("$folder/x", $copy);
        return dprofpp(["$folder/x"]);
    };
    is($bad->()->{err}, '', ".$ending: all sums are right");
    my $got = $bad->(3);
    like($got->{err}, qr/: a record with a bad sum was left out, in line 3$/m, ".$ending: one is wrong");
    is($got->{status}, 1, ".$ending: exit status 1");
    like($bad->(3, 5)->{err}, qr/: 2 records with a bad sum were left out, first in line 3$/m, ".$ending: two are");
    $text =~ s/\n/\r\n/g;
    @at = map { $_ - 1 } grep { substr($text, $_, 1) eq "\n" } 0 .. length($text) - 1;
    like($bad->(3)->{err}, qr/left out, in line 3$/m, ".$ending: with CR LF");
}

done_testing;
