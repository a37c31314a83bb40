# -p and --run: the script's arguments as they are quoted, the profile that was really written, a script
# that fails.
use strict;
use warnings;

use lib 't/lib';

use DProf::Test qw(dprofpp in_folder slurp spew);
use File::Temp ();
use Test::More;

my $folder = File::Temp->newdir;

in_folder("$folder", sub {
    spew('script.pl', <<'SCRIPT');
sub shout { print map("<$_>", @_), "\n" }
shout(@ARGV);
exit 3 if @ARGV && $ARGV[0] eq 'fail';
kill 9, $$ if @ARGV && $ARGV[0] eq 'die';
SCRIPT
    spew('tmon.out', 'stale');

    my $got = dprofpp(['-q', '-O', '1', '-p', q{script.pl 'two words' "a 'quote'" x\ y ''}]);
    is($got->{status}, 0, '-p: status 0') or diag $got->{err};
    like($got->{out}, qr/\A<two words><a 'quote'><x y><>\n/, 'arguments are quoted as in a shell');
    like($got->{out}, qr/main::shout/, '... and the report follows');
    is($got->{err}, '', '... and nothing is said');

    $got = dprofpp(['-q', '-p', 'script.pl fail']);
    is($got->{status}, 0, 'a script that fails is no fault of the profile');
    like($got->{err}, qr/^dprofpp: script\.pl exited with status 3$/m, '... it is said');
    like($got->{out}, qr/<fail>\n.*main::shout/s, '... and the report follows');

    $got = dprofpp(['-q', '-p', 'script.pl die']);
    like($got->{err}, qr/^dprofpp: script\.pl was killed by signal 9$/m, 'a script that is killed');
    like($got->{out}, qr/main::shout/, '... has a report too');

    unlink 'tmon.out';
    $got = dprofpp(['-Q', '-p', 'script.pl quiet']);
    is($got->{out}, "<quiet>\n", '-Q: no report');
    ok(-s 'tmon.out', '... but a profile');

    spew('tmon.out', 'stale');
    for my $where ([PERL_DPROF_OUT_FILE_NAME => 'else where.out'], [PERL_DPROF => 'file=by-option.%p']) {
        $got = dprofpp(['-q', '-p', 'script.pl'], env => {@$where});
        is($got->{status}, 0, "$where->[0]: status 0") or diag $got->{err};
        like($got->{out}, qr/main::shout/, '... the profile is found where it was written');
        is(slurp('tmon.out'), 'stale', '... and not where it was not');
    }

    $got = dprofpp(['-p', 'nosuch.pl']);
    is($got->{status}, 1, 'no such script: status 1');
    like($got->{err}, qr/nosuch\.pl wrote no profile/, '... and said');

    $got = dprofpp(['-q', '-O', '1', '--run', '--', $^X, 'script.pl', 'a b', '-x']);
    like($got->{out}, qr/\A<a b><-x>\n.*main::shout/s, '--run: a perl');
    $got = dprofpp(['-q', '-O', '1', '--run', '--', 'sh', '-c', "'$^X' script.pl inner"]);
    like($got->{out}, qr/\A<inner>\n.*main::shout/s, '--run: the perls of a command');
    # Only perl's own switches can have asked for a profile.
    for my $words ([qw(-d)], [qw(-d:DProf x)], [qw(-- -d)], [qw(a -d)]) {
        $got = dprofpp(['-q', '-O', '1', '-p', "script.pl @$words"]);
        like($got->{out}, qr/\A\Q@{[join '', map { "<$_>" } @$words]}\E\n.*main::shout/s, "-p: @$words is the script's");
        $got = dprofpp(['-q', '-O', '1', '--run', '--', $^X, '-I', 'lib', '-w', 'script.pl', @$words]);
        like($got->{out}, qr/\A<\Q$words->[0]\E>.*main::shout/s, '... --run: too');
    }
    $got = dprofpp(['-q', '-O', '1', '--run', '--', $^X, '-I', '-d', '-we', 'do "./script.pl"', '--', '-d']);
    like($got->{out}, qr/\A<-d>\n.*main::shout/s, 'what belongs to -I and -e is no switch');
    $got = dprofpp(['-q', '-O', '1', '--run', '--', @DProf::Test::PERL, '-w', '-d:DProf=hz=100', 'script.pl', 'x']);
    like($got->{out}, qr/\A<x>\n.*main::shout/s, 'who asks for it on the command line gets it as asked');
    like(slurp('tmon.out'), qr/^\$hz=100;/m, '... with those options');
    $got = dprofpp(['--run', '--', './nosuch']);
    is($got->{status}, 1, '--run: no such command: status 1');
    like($got->{err}, qr{cannot run it: \./nosuch: No such file}, '... and said');

    spew('family.pl', <<'SCRIPT');
sub parent { 1 } sub child { 1 }
parent();
if (!fork) { child(); exit }
wait;
SCRIPT
    $got = dprofpp(['-q', '-O', '-1', '-p', 'family.pl']);
    like($got->{out}, qr/main::$_\n/, "a run with children: $_ is in the report") for qw(parent child);
});

done_testing;
