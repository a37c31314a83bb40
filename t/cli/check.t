# --check: limits that hold, limits that do not, names that match nothing; what a build gets of it.
use strict;
use warnings;

use lib 't/lib';

use DProf::Test qw(dprofpp spew);
use File::Temp;
use Test::More;

# f 3 times, g 2 times from f, each g 20 ticks, f itself 10; A::x calls A::y calls A::x.
my @marks = ('+ 0 f', '+ 5 g', '- 25 g', '- 30 f', '+ 30 f', '+ 35 g', '- 55 g', '- 60 f', '+ 60 f', '- 70 f',
    '+ 70 A::x', '+ 72 A::y', '+ 75 A::x', '- 80 A::x', '- 85 A::y', '- 90 A::x');
my $profile = "#fOrTyTwO\n\$hz=1000;\n\$XS_VERSION='DProf 20261129';\n\$rrun_utime=100; \$rrun_stime=0; \$rrun_rtime=200\nPART2\n"
    . "#run id=1 pid=1 started=1.0 cpu=thread\n"
    . join('', map { my ($sign, $at, $name) = split / /; my $full = $name =~ /::/ ? $name : "main::$name";
        my $real = 2 * $at; "$sign $at 0 $real $full\n" } @marks) . "#end 0 100 0 200 16\n";

sub check {
    my ($checks, @more) = @_;
    return dprofpp([map({ ('--check', $_) } @$checks), @more, '-'], in => $profile);
}

# A check, whether it holds, what is said.
for my $case (
    ['calls(main::f) == 3', 1, '3'],
    ['calls(main::f) <= 2', 0, '3'],
    ['calls(main::f) < 1_000', 1, '3'],
    ['calls(main::?) != 5', 0, '5 in 2 subs'],
    ['calls(/^A::/) > 2', 1, '3 in 2 subs'],
    ['calls(*) = 8', 1, '8 in 4 subs'],
    ['calls(main::g) <= 25%', 1, '25%'],
    ['exclusive(main::g) <= 40 ms', 1, '40 ms'],
    ['exclusive(main::g) < 40ms', 0, '40 ms'],
    ['exclusive.real(main::g) < 0.09s', 1, '0.08 s'],
    ['inclusive(A::*) <= 20000us', 1, '20000 us in 2 subs'],
    ['inclusive(main::f) <= 70%', 1, '70%'],
    ['inclusive.system(main::f) == 0 s', 1, '0 s'],
    ['calls(nobody) == 0', 0, 'no sub has such a name'],
    )
{
    my ($text, $holds, $said) = @$case;
    my $got = check([$text]);
    like($got->{out}, qr/\A\Q@{[$holds ? 'ok      ' : 'FAILED  ']}$text: $said\E(?: \(closer.*\))?\n\z/, $text);
    is($got->{status}, $holds ? 0 : 1, '... exit status');
}

is(check(['exclusive(main::g) <= 80 ms'], '-r')->{status}, 0, 'the clock of the command line');
is(check(['calls(main::g) == 2'], '-g', 'main::f')->{status}, 0, 'inside one sub');
is(check(['calls(main::g) == 2', 'calls(main::f) == 1'])->{err}, "dprofpp: 1 of 2 checks failed\n", 'one of two');

for my $wrong ('calls', 'calls(f)', 'calls(f) <= x', 'exclusive(f) < 3', 'calls(f) < 3s', 'calls.real(f) < 3', 'time(f) < 3s',
    'calls(/(/) < 3', '')
{
    my $got = check([$wrong]);
    is($got->{status}, 2, "'$wrong' is no check");
    like($got->{err}, qr/\Adprofpp: .+\n/, '... which is said');
}
is(check(['calls(f) < 3'], '-T')->{status}, 2, 'no other report with it');
is(dprofpp(['--to', 'junit', '-'], in => $profile)->{status}, 2, 'junit without a check');

my $folder = File::Temp::tempdir(CLEANUP => 1);
spew("$folder/limits", "# what the work costs\n\ncalls(main::f) == 3\r\n  calls(main::g)<=2\n");
my $got = check([], '--check-file', "$folder/limits");
is($got->{out}, "ok      calls(main::f) == 3: 3\nok      calls(main::g)<=2: 2\n", 'a file of checks');
SKIP: {
    require POSIX;
    skip 'no FIFOs here', 2 if !POSIX::mkfifo("$folder/fifo", 0600);
    my $pid = fork;
    if (!$pid) {
        alarm 20;
        spew("$folder/fifo", "calls(main::f) == 3\n");
        POSIX::_exit(0);
    }
    $got = DProf::Test::run([$^X, '-e', 'alarm 20; exec @ARGV', @DProf::Test::PERL, 'dprofpp', '--check-file', "$folder/fifo", '-'],
        in => $profile);
    is($got->{out}, "ok      calls(main::f) == 3: 3\n", '... a pipe of checks is read once');
    is($got->{status}, 0, '... exit status');
    waitpid $pid, 0;
}
spew("$folder/wrong", "calls(main::f) == 3\nwhat\n");
like(check([], '--check-file', "$folder/wrong")->{err}, qr/wrong line 2: 'what' is no check/, '... its line is said');
is(check([], '--check-file', "$folder/none")->{status}, 2, '... it is not there');

$got = check(['calls(main::f) == 3', 'calls(<"&>) < 3'], '--to', 'junit');
is($got->{out}, <<'X', 'junit');
<?xml version="1.0" encoding="UTF-8"?>
<testsuites>
<testsuite name="dprofpp" tests="2" failures="1" errors="0" skipped="0">
<testcase classname="dprofpp" name="calls(main::f) == 3"><system-out>3</system-out></testcase>
<testcase classname="dprofpp" name="calls(&lt;&quot;&amp;&gt;) &lt; 3"><failure message="no sub has such a name"/></testcase>
</testsuite>
</testsuites>
X
is($got->{status}, 1, '... and the exit status');

# A time is as decimal as its limit: N ticks of a microsecond are N us, and not a bit more.
{
    my ($at, $marks) = (0, '');
    for my $n (1 .. 400) {
        $marks .= "+ $at 0 $at main::s$n\n";
        $at += $n;
        $marks .= "- $at 0 $at main::s$n\n";
    }
    my $text = "#fOrTyTwO\n\$hz=1000000;\n\$XS_VERSION='DProf 20261129';\n\$rrun_utime=$at; \$rrun_stime=0; \$rrun_rtime=$at\nPART2\n$marks";
    my $run = dprofpp([(map { ('--check', "inclusive(main::s$_) <= ${_}us", '--check', "exclusive(main::s$_) == " . $_ / 1000 . 'ms') } 1 .. 400), '-'], in => $text);
    my @failed = grep { !/^ok/ } split /\n/, $run->{out};
    is(scalar @failed, 0, 'a time that is its limit holds it') or diag("$failed[0] ...");
    is($run->{status}, 0, '... so all 800 checks do');
}
done_testing;
