# A counter that went round is found out where others must have called more often; nothing else is marked.
use strict;
use warnings;

use lib 't/lib';

use DProf::Test qw(dprofpp slurp spew);
use File::Temp ();
use Test::More;

my $image  = slurp('t/data/z80/exit.bin');
my $folder = File::Temp->newdir;

# The report of exit.bin with other counts: address of a header => its digits.
sub with {
    my (%counts) = @_;
    my $bytes = $image;
    while (my ($header, $count) = each %counts) {
        substr($bytes, hex($header) + 2, 3) = reverse pack 'H6', sprintf '%06d', $count;
    }
    spew("$folder/x.bin", $bytes);
    return dprofpp(["$folder/x.bin"]);
}

is(with()->{err}, '', 'as it is, nothing is marked');
unlike(with()->{out}, qr/wrapped/, 'nor shown');

# fail() calls side() each time, before it branches: 029A fail, 02CD side.
my $got = with('029A' => 5);
like($got->{out}, qr/ side  \(wrapped\)$/m, 'side() was called at least as often as fail() ran');
like($got->{err}, qr/side was called more often than its counter says \(1\)/, 'and that is said');
is($got->{status}, 1, 'with status 1');
is(() = $got->{out} =~ /wrapped/g, 1, 'no other one is marked');

# hidden() is called by side() alone: 02CD side, 02F0 hidden.
$got = with('02CD' => 0);
like($got->{out}, qr/ side  \(wrapped\)$/m, 'side() must have run: hidden() did');

like(with('0156' => 999999)->{err}, qr/counter of tick is at 999999: the next call makes it 0/, 'the last count there is');

done_testing;
