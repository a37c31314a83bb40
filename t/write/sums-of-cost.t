# What profiling cost is said of what is shown: of a part (-g) its own, of several runs each at its own price. And the mean of
# recursive calls is that of all of them.
use strict;
use warnings;

use lib 't/lib';

use DProf::Test qw(dprofpp spew);
use File::Temp;
use Test::More;

my $folder = File::Temp::tempdir(CLEANUP => 1);

# $calls calls of main::a and of main::b, 1000 ticks each; a call costs $price ticks.
sub run {
    my ($name, $calls, $price) = @_;
    my ($at, $marks) = (0, '');
    for my $sub (qw(main::a main::b)) {
        for (1 .. $calls) {
            $marks .= "+ $at 0 $at $sub\n";
            $at += 1000;
            $marks .= "- $at 0 $at $sub\n";
        }
    }
    my $over = $price * 1000;
    spew("$folder/$name", "#fOrTyTwO\n\$hz=1000000;\n\$XS_VERSION='DProf 20261129';\n"
        . "\$rrun_utime=$at; \$rrun_stime=0; \$rrun_rtime=$at\nPART2\n#run id=$name pid=1 started=1.0 cpu=thread\n"
        . "#over $over 0 $over 1000\n$marks#end 0 $at 0 $at " . 4 * $calls . "\n");
    return "$folder/$name";
}
my ($cheap, $dear) = (run(c0ffee => 10, 10), run(bada55 => 10, 100));

sub cost {
    my $out = dprofpp([@_])->{out};
    return $out =~ /User\+System Time = [\d.]+ Seconds, (?:less|with) ([\d.]+) of profiling/ ? 1_000_000 * $1 : $out;
}
# Half of a call's cost lies in its caller, which here has no time to take it off.
is(cost($cheap), 100, 'of all');
is(cost('-g', 'main::a', $cheap), 50, '-g: of the part');
is(cost('-g', 'main::a', $cheap, $dear), 550, '-g of a sum');
is(cost('--raw', $_->[1]), $_->[0], "--raw: $_->[0]") for [200, $cheap], [2000, $dear];
is(cost('--raw', @$_), 2200, '--raw: each run at its own price, in any order') for [$cheap, $dear], [$dear, $cheap];

# f calls itself twice: 300, 200 and 100 ticks.
my $tree = "#fOrTyTwO\n\$hz=1000;\n\$XS_VERSION='DProf 20261129';\n\$rrun_utime=300; \$rrun_stime=0; \$rrun_rtime=300\nPART2\n"
    . "#run id=1 pid=1 started=1.0 cpu=thread\n& 2 main f\n#site 1 x.pl\nPART3\n0 0 - 0 0 0 0 - - - -\n"
    . "1 0 x.pl:1 1 100 0 100 300 300 9:1 main::f\n2 1 x.pl:1 1 100 0 100 200 200 8:1 main::f\n"
    . "3 2 x.pl:1 1 100 0 100 100 100 7:1 main::f\n#end 4\n#end 0 300 0 300 6\n";
like(dprofpp(['--stats', '-'], in => $tree)->{out}, qr/^\s*3\s+\S+\s+~?0\.200?\d*\s.*main::f$/m, '--stats: the mean of calls that lie in each other');
done_testing;
