# A listing out of any console holds the counts that its program printed; `--report listing` prints the
# original bytes again.
use strict;
use warnings;

use lib 't/lib';

use DProf::Test qw(dprofpp slurp);
use Test::More;

my $data = 't/data/z80';
my $raw  = slurp("$data/listing-raw.txt");
my ($printed) = $raw =~ /(function  calls.*)\z/s;

for my $kind (qw(raw lf cr tabs prompt ticks file)) {
    my $got = dprofpp(['--report', 'listing', "$data/listing-$kind.txt"]);
    is($got->{out}, $printed, "listing-$kind.txt: the same profile");
    is($got->{status}, 0, "listing-$kind.txt: nothing lost") or diag $got->{err};
    like(dprofpp(['--report', 'walkback', "$data/listing-$kind.txt"])->{out},
        qr/\AError: out of luck\n#0   fail\n(?:#\d   deep\n){4}#5   main\n\z/, "listing-$kind.txt: the walkback");
}
is(dprofpp(['--report', 'listing', "$data/exit.bin"])->{out}, $printed, 'exit.bin: as the program printed it');

done_testing;
