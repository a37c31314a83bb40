# Every image holds what t/data/z80/expected.txt says of it: functions, chains, counts, startup code,
# CURRENT, frames. That file was made by another program.
use strict;
use warnings;

use lib 't/lib';

use DProf::Test qw(dprofpp slurp);
use Test::More;

my $data = 't/data/z80';
my @images = split /^=== /m, slurp("$data/expected.txt");
shift @images;

for my $text (@images) {
    my ($name, $base, $want) = $text =~ /\A(\S+)\n([^\n]*)\n(.*)\z/s;
    my ($count) = $base =~ /(\d+) functions/;
    my $got = dprofpp(['--report', 'image', "$data/$name"]);
    my ($head, $rest) = split /\n/, $got->{out}, 2;
    like($head, qr/, $count functions\z/, "$name: $count functions");
    is($rest, $want, "$name: chains, counts, frames");
}

# The same program in other kinds of files.
for my $stem (qw(exit fail)) {
    my ($want) = map { /\A[^\n]*\n[^\n]*\n(.*)\z/s } grep { /\A\Q$stem.bin\E\n/ } @images;
    my @files = map { "$data/$stem.$_" } qw(hex s19 hexC.txt ddt.txt core.z80 ticks.bin);
    for my $file (@files, "$data/$stem-cpm.hex") {
        next if !-f $file;
        my $got = dprofpp(['--report', 'image', '-q', $file]);
        my $whole = $file =~ /core|ticks/;
        my ($expect, $found) = map { my $t = $_; $t =~ s/^  frame.*\n//mg if !$whole; $t } $want, $got->{out};
        is($found, $expect, "$file: as $stem.bin" . ($whole ? '' : ' but for the stack'));
    }
}
my ($want) = map { /\A[^\n]*\n[^\n]*\n(.*)\z/s } grep { /\Afail8000\.bin\n/ } @images;
for my $file (map { "$data/fail8000$_" } qw(.sna .szx .z80 -v1.z80 -v1c.z80 -v2.z80)) {
    is(dprofpp(['--report', 'image', '-q', $file])->{out}, $want, "$file: as fail8000.bin");
}

done_testing;
