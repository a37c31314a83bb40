# --to tmon-text and tmon-compact: what is written of any trace, read again, is the same profile in the same order.
use strict;
use warnings;

use lib 't/lib';

use DProf::Test qw(all_of dprofpp slurp spew);
use File::Temp;
use Test::More;

plan skip_all => 'no JSON::PP' if !eval { require JSON::PP; 1 };

my $folder = File::Temp::tempdir(CLEANUP => 1);

sub out { return dprofpp([@_])->{out} }

sub same_again {
    my ($path, $dialect) = @_;
    my $again = "$folder/again.$dialect";
    my $run = dprofpp(['--to', "tmon-$dialect", $path]);
    spew($again, $run->{out});
    is_deeply(all_of($again, '-R'), all_of($path, '-R'), "$path as $dialect") or diag $run->{err};
    is(out('-R', @$_, '-q', $again), out('-R', @$_, '-q', $path), "... @$_") for ['-T'], ['-t'], ['-S', '-U'], ['--stats', '-U'], ['--raw', '-U', '-v'];
    spew("$folder/third", out('--to', "tmon-$dialect", $again));
    is(slurp("$folder/third"), slurp($again), '... written again it is the same file');
    return;
}

for my $dialect (qw(text compact)) {
    same_again($_, $dialect) for map { "t/data/$_.in" } qw(report/ours report/shapes report/killed report/loads report/reenter report/damaged
        tmon/gaps tmon/original-names);
}

my $text = "$folder/text";
spew($text, out('--to', 'tmon-text', 't/data/report/ours.in'));
spew("$folder/there", out('--to', 'tmon-compact', $text));
is(out('--to', 'tmon-text', "$folder/there"), slurp($text), 'there and back');

# A run that was killed has its open frames, and time after the last mark.
spew("$folder/killed", "#fOrTyTwO\n\$hz=100;\n\$XS_VERSION='DProf 20110802';\n# All values are given in HZ\n\$rrun_utime=0; \$rrun_stime=0; \$rrun_rtime=0\nPART2\n#run pid=1\n"
    . "+ 0 0 0 main::a\n+ 1 0 1 main::b\@ 3 0 3\n#stop 9 0 9\n#start 19 0 29\n+ 20 0 30 plain\n@ 5 0 7\n");
for my $dialect (qw(text compact)) {
    spew("$folder/again", out('--to', "tmon-$dialect", "$folder/killed"));
    is(out('--report', 'walkback', '-q', "$folder/again"), out('--report', 'walkback', '-q', "$folder/killed"), "open frames, $dialect");
    is_deeply(all_of("$folder/again"), all_of("$folder/killed"), '... and the rest');
}

# Parts of it.
is(out('-T', '-R', '-q', '-F', "$folder/cut"), out('-T', '-R', '-q', '--skip', 'Shop::*', 't/data/report/ours.in'), '--skip')
    if spew("$folder/cut", out('--to', 'tmon-text', '--skip', 'Shop::*', 't/data/report/ours.in')) || 1;

for my $dialect (qw(text compact)) {
    for my $option (qw(-g --only)) {
        my $run = dprofpp([$option, 'nosuch', '--to', "tmon-$dialect", 't/data/report/ours.in']);
        is($run->{out}, '', "$option without a match: nothing is written as $dialect");
        is($run->{err}, dprofpp([$option, 'nosuch', '-T', 't/data/report/ours.in'])->{err}, '... what is said is what -T says');
        is($run->{status}, 1, '... status');
    }
}
my $matchless = dprofpp(['--skip', 'nosuch', '--to', 'tmon-text', 't/data/report/ours.in']);
is($matchless->{out}, $text = out('--to', 'tmon-text', 't/data/report/ours.in'), '--skip without a match: all is written');
is($matchless->{err}, "dprofpp: no sub, package or file matches nosuch\n", '... and it says so');
is($matchless->{status}, 0, '... status');
spew("$folder/old", 'as it was');
dprofpp(['-g', 'nosuch', '--to', 'tmon-text', '-o', "$folder/old", 't/data/report/ours.in']);
is(slurp("$folder/old"), 'as it was', 'what was in a file stays where nothing is written');

# What profiling cost of what is left out cannot be taken out of a trace.
my $stays = qr/\Adprofpp: \S+: calls were left out or put together, and what profiling them cost stays in the times: --to tmon takes it off\n\z/;
like(dprofpp([@$_, '--to', 'tmon-text', 't/data/report/ours.in'])->{err}, $stays, "the cost of what is left out stays in: @$_")
    for ['--skip', 'Shop::*'], ['--only', 'main::*'], ['-G', 'Shop'], ['-g', 'Shop::load'];
is(dprofpp([@$_, '--to', 'tmon-text', 't/data/report/ours.in'])->{err}, '', "nothing is left out: @$_") for ['--skip', 'main::nosuch', '--no-skip'], ['-R'];
is(dprofpp(['--raw', '--skip', 'Shop::*', '--to', 'tmon-text', 't/data/report/ours.in'])->{err}, '', 'the cost is to stay in: --raw');
(my $free = slurp('t/data/report/ours.in')) =~ s/^(?:#over|\$over).*\n//mg;
is(dprofpp(['--skip', 'Shop::*', '--to', 'tmon-text', '-'], in => $free)->{err}, '', 'no calibration, nothing to say');

my $run = dprofpp(['--to', 'tmon-text', 't/data/report/tree.in']);
is($run->{out}, '', 'calls without an order: nothing');
like($run->{err}, qr/1002 calls were folded .* --to tmon keeps them/, '... and why');
is($run->{status} >> 8 || $run->{status}, 1, '... status');
$run = dprofpp(['--from', 'folded', '--to', 'tmon-text', '-'], in => "a;b 100\na;c 200\n");
is($run->{out}, '', 'paths without calls: nothing');
like($run->{err}, qr/has call paths and no single calls: --to tmon keeps them/, '... and why');
is($run->{status}, 1, '... status');
$run = dprofpp(['--to', 'tmon-text', 't/data/report/ours.in', 't/data/report/killed.in']);
like($run->{err}, qr/--to tmon sums several/, 'one at a time');

done_testing;
