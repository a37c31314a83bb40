# Where counters are taken: as many as pi takes, in its order; and every other layout, wrapping and text
# form of a pmon.out gives the same counts.
use strict;
use warnings;

use lib 't/lib';
use DProf::Test qw(slurp spew dprofpp top in_folder);
use File::Copy ();
use File::Temp ();
use Test::More;

use Devel::DProf::Pascal;

my $data   = top() . '/t/data/pascal';
my $folder = File::Temp::tempdir(CLEANUP => 1);

for my $path (glob "$data/*.cnt.txt") {
    my ($name) = $path =~ m{(\w+)\.cnt\.txt\z};
    my @want = map { (split)[1] } split /\n/, slurp($path);
    my $program = Devel::DProf::Pascal::source("$data/$name.p");
    is($program->counters, scalar @want, "$name: as many counters");
    my @values = unpack 'x16 l<*', slurp("$data/$name.pmon");
    is("@values", "@want", "$name: the profile has them in that order");
}

# The total of statements is what px said at the end, for every program that ended normally.
for my $path (glob "$data/*.run.err") {
    my ($name) = $path =~ m{(\w+)\.run\.err\z};
    my ($want) = slurp($path) =~ /^(\d+) statements executed/m or next;
    my @died = $name eq 'halted' ? ('--died', $path) : ();
    my $got = dprofpp(["$data/$name.p", "$data/$name.pmon", @died]);
    like($got->{out}, qr/^Total Statements Executed = $want$/m, "$name: $want statements");
}

# Halted in the 100th of 150 calls: of all numbers only these fit, though fractions would, too.
spew("$folder/many.p", "program many(output);\nvar i: integer;\nprocedure p; begin i := i + 1; if i = 100 then halt end;\nbegin\n"
    . "p;\n" x 150 . "end.\n");
spew("$folder/many.pmon", pack 'V4 V*', 0x116, 2_000_000_000, 6, 2, 1, 100, 1);
my $many = dprofpp(["$folder/many.p", "$folder/many.pmon", '--report', 'listing', '--marks']);
my @lines = $many->{out} =~ /^ *(\d+) +\|    p;?  <--- ran 0 times$/mg;
is("@lines", join(' ', 105 .. 154), 'the place of a halt, found by counts alone');
unlike($many->{out}, qr/~/, 'for certain');

# Counters are signed in px's own file: from 2147483648 on they lie below zero there.
spew("$folder/often.p", "program often(output);\nvar i: integer;\nprocedure p; begin i := 0 end;\nbegin\n  while i >= 0 do\n    p\nend.\n");
for my $order ('V', 'N') {
    spew("$folder/often.pmon", pack "${order}4 ${order}*", 0x116, 2_000_000_000, 6, 2, 1, 2_200_000_000, 2_200_000_000);
    my $often = dprofpp(["$folder/often.p", "$folder/often.pmon"]);
    like($often->{out}, qr/^Total Statements Executed = 6600000001$/m, 'a count beyond 31 bits');
    like($often->{out}, qr{ 2200000000 .* p  }m, 'is shown');
    like($often->{err}, qr/counters went beyond 2147483647/, 'and noted');
    is($often->{status}, 1, 'with status 1');
    like(dprofpp(["$folder/often.p", "$folder/often.pmon", '--report', 'listing'])->{out}, qr/2200000000/, 'the listing has it too');
}

# --- forms of one profile ---

my $counts = slurp("$data/gotoin.pmon");
my $want   = dprofpp(["$data/gotoin.p", "$data/gotoin.pmon", '-q'])->{out};
ok(length $want, 'there is something to compare');

sub same {
    my ($bytes, $what) = @_;
    spew("$folder/form", $bytes);
    my $got = dprofpp(["$folder/form", "$data/gotoin.p", '-q']);
    is($got->{out}, $want, $what) or diag $got->{err};
    return;
}

same(slurp("$data/gotoin.$_.pmon"), "layout $_") for qw(pdp11 3bsd be);
same("login: x\r\n\$ uuencode\r\nbegin 644 pmon.out\r\n" . pack('u', $counts) . "`\r\nend\r\n\$ ", 'uuencoded, in a log');
same(od($counts, 'od -o', 2, '%06o', 8), 'od');
same(od($counts, 'od -x', 2, '%04x', 8), 'od -x');
same(od($counts, 'od -b', 1, '%03o', 16), 'od -b');
same(od(slurp("$data/gotoin.pdp11.pmon"), 'od', 2, '%06o', 8), 'od on a PDP-11');
same(core(slurp("$data/gotoin.pdp11.pmon"), $_), "a core image of type $_") for 0, 1;

# As od prints it: addresses in octal, repeated lines as a star.
sub od {
    my ($bytes, $command, $size, $format, $words) = @_;
    my $text = "% $command pmon.out\n";
    my ($last, $star) = ('', 0);
    for (my $at = 0; $at < length $bytes; $at += $size * $words) {
        my $part = substr $bytes, $at, $size * $words;
        if ($part eq $last) {
            $text .= "*\n" if !$star++;
            next;
        }
        ($last, $star) = ($part, 0);
        $text .= join(' ', sprintf('%07o', $at), map { sprintf $format, $_ } unpack $size == 1 ? 'C*' : 'v*', $part)
            . "\n";
    }
    return $text . sprintf("%07o\n", length $bytes) . "% \n";
}

# A core image of px on the PDP-11: three words at 1024 say where the profile is.
sub core {
    my ($profile, $type) = @_;
    my $offset = $type ? 0x40 : 0;
    my $block  = pack 'v3', $type ? $offset : 0x0101, $type, 20 + $offset;
    my $image  = "\0" x 1024 . $block . "\0" x 14 . pack('v2', 100 + $offset, length $profile);
    return $image . "\0" x (1024 + 100 - length $image) . $profile . "\0" x 50;
}
done_testing;
