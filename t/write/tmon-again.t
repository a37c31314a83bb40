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

# Where calls are left out, or those of kinds that cost differently become one, what profiling them cost does not
# come back as time of the program.
my ($at, $marks) = (0, '');
sub mark { my ($sign, $name) = @_; $marks .= "$sign $at 0 $at $name\n"; return }
mark('+', 'main::top');
for my $call ((['X::x', 20]) x 1000, (['main::p', 200]) x 10) {
    my ($name, $ticks) = @$call;
    $at += 20;
    mark('+', $name);
    $at += $ticks;
    mark('-', $name);
}
$at += 5000;
mark('-', 'main::top');
spew("$folder/cost", "#fOrTyTwO\n\$hz=1000000;\n\$XS_VERSION='DProf 20261129';\n\$rrun_utime=$at; \$rrun_stime=0; \$rrun_rtime=$at\nPART2\n"
    . "#run id=9 pid=9 started=1.0\n#over 3000 0 3000 100\n#over 100 0 100 100 xsub\n#sub main::top a.pl 1 perl\n#sub main::p a.pl 2 perl\n"
    . "#sub X::x - 0 xsub\n$marks#end 0 $at 0 $at 2022\n");
for my $how (['--skip', 'main::p'], ['--skip', 'X::x'], ['--only', 'main::top'], ['-G', 'x$|p$'], ['-g', 'X::x']) {
    spew("$folder/part.tmon", out(@$how, '--to', 'tmon', "$folder/cost"));
    my ($want, $got) = map { [/^ *\S+ +(\S+) .* (\S*::\S+|x.*)$/mg] } out(@$how, '-q', "$folder/cost"), out('-q', "$folder/part.tmon");
    is_deeply($got, $want, "what profiling cost, @$how");
    ok(@$want > 0, '... there is something');
}
like(out('--to', 'tmon', "$folder/cost"), qr/^#over 3000 0 3000 100$/m, 'a whole profile keeps its calibration');

is(dprofpp(['--to', 'tmon', glob 't/data/z80/*.com'])->{out}, '', 'not of counts') if glob 't/data/z80/*.com';

done_testing;
