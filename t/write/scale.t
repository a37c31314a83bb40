# Deep, wide and many: twenty thousand levels of recursion, as many subs, as many children of one call.
# Nothing overflows, nothing is lost; lines beyond a thousand levels say their level.
use strict;
use warnings;

use lib 't/lib';

use DProf::Test qw(dprofpp);
use Test::More;

my $N = 20_000;

sub profile {
    my (@marks) = @_;
    my $tick = 0;
    return "#fOrTyTwO\n\$hz=1000000;\n\$XS_VERSION='DProf 20261129';\n# All values are given in HZ\n"
        . "\$rrun_utime=0; \$rrun_stime=0; \$rrun_rtime=0\nPART2\n#run id=1 pid=1 started=1.0 cpu=thread\n"
        . join('', map { $tick++; "$_->[0] $tick 0 $tick $_->[1]\n" } @marks)
        . "#end 0 $tick 0 $tick " . @marks . "\n";
}

sub lines { return $_[0] =~ tr/\n// }

my $deep = profile(map({ ['+', 'main::r'] } 1 .. $N), map({ ['-', 'main::r'] } 1 .. $N));
my $got  = dprofpp(['-q', '-'], in => $deep);
my $all  = sprintf '%.6f', (2 * $N - 1) / 1e6;
like($got->{out}, qr/\A *100 $all $all +$N \S+ \S+  main::r\n/, 'deep: calls, own and inclusive time');
is($got->{err}, '', '... and nothing is said');
$got = dprofpp(['-T', '-'], in => $deep)->{out};
is(lines($got), $N, 'deep: -T');
like($got, qr/^ {3000}main::r\n {3000}\[1001\] main::r\n/m, '... beyond 1000 levels a line says its level');
is(lines(dprofpp(['-t', '-'], in => $deep)->{out}), $N, 'deep: -t');
$got = dprofpp(['-S', '-'], in => $deep)->{out};
is(lines($got), $N, 'deep: -S');
like($got, qr/\Amain::r x 1  \t${all}s = \(0\.000002 \+ [\d.]+\)s\n/, '... with the time of all levels');
my $half = substr $deep, 0, length($deep) / 2 - 1000;
$got = dprofpp(['--report', 'walkback', '-'], in => $half)->{out};
like($got, qr/^\.\.\. \d+ more: dprofpp -O -1 shows all$/m, 'deep: walkback shows both ends');
like($got, qr/^#0 .*^\.\.\. .*^#\d{5} /ms, '... the innermost first');
cmp_ok(lines(dprofpp(['-O', '-1', '--report', 'walkback', '-'], in => $half)->{out}), '>', $N * 0.8,
    '... or all');
undef $half;
undef $deep;

my $wide = profile(['+', 'main::top'], map({ (['+', "main::s$_"], ['-', "main::s$_"]) } 1 .. $N),
    ['-', 'main::top']);
my %lines = (
    '-q -O -1'                  => $N + 2,
    '-q -O -1 -a'               => $N + 2,
    '-T'                        => $N + 1,
    '-t'                        => $N + 1,
    '-S'                        => $N + 1,
    '--callees main::top -O -1' => $N + 2,
    '--report callees -O 3'     => 12,
    '--stats -O -1 -q'          => $N + 1,
    '-G ^main::s -P -q'         => 3,
    '-f s -q -O -1'             => 2,
    '--skip main::s* -q'        => 2,
    '-g main::s77* -q -O -1'    => 111,
);
for my $words (sort keys %lines) {
    my $report = dprofpp([split(' ', $words), '-'], in => $wide);
    is(lines($report->{out}), $lines{$words}, "wide: $words") or diag substr $report->{out}, 0, 500;
    is($report->{err} . $report->{status}, '0', "wide: $words: nothing is said");
}

done_testing;
