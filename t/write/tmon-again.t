# --to tmon: what is written of any profile, read again, is the same profile; and so is a sum of two.
use strict;
use warnings;

use lib 't/lib';

use DProf::Test qw(all_of dprofpp slurp spew);
use File::Temp;
use Test::More;

plan skip_all => 'no JSON::PP' if !eval { require JSON::PP; 1 };

my $folder = File::Temp::tempdir(CLEANUP => 1);

sub out { return dprofpp([@_])->{out} }

for my $path ((map { "t/data/report/$_.in" } qw(ours shapes tree killed loads reenter damaged)),
    map { "t/data/tmon/$_.in" } qw(gaps original-names two-trees-one-cut))
{
    my $want = all_of($path, '-R');
    spew("$folder/again.tmon", out('-R', '--to', 'tmon', $path));
    is_deeply(all_of("$folder/again.tmon", '-R'), $want, $path);
    is(out('-R', '-S', '-U', "$folder/again.tmon"), out('-R', '-S', '-U', $path), '... its paths');
    spew("$folder/third.tmon", out('--to', 'tmon', "$folder/again.tmon"));
    is(slurp("$folder/third.tmon"), slurp("$folder/again.tmon"), '... written again it is the same file');
}

my @two = map { "t/data/report/$_.in" } qw(ours tree);
spew("$folder/sum.tmon", out('-R', '--all', '--to', 'tmon', @two));
is(out('-R', '-S', "$folder/sum.tmon"), out('-R', '-S', '--all', @two), 'the sum of two');
out('-R', '-g', 'main::run', '-o', "$folder/cut.tmon", $two[0]);
is(out('-S', "$folder/cut.tmon"), out('-S', '-g', 'main::run', $two[0]), 'a part, by the ending of -o');
is(dprofpp(['--to', 'tmon', glob 't/data/z80/*.com'])->{out}, '', 'not of counts') if glob 't/data/z80/*.com';

done_testing;
