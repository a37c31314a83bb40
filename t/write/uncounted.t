# Calls that nobody counted (folded stacks) are not shown as none; calls that were really none are.
use strict;
use warnings;

use lib 't/lib';

use DProf::Test qw(dprofpp spew);
use File::Temp;
use Test::More;

my $folder = File::Temp::tempdir(CLEANUP => 1);
my $folded = "main;a 100\nmain;b 300\nmain;b;a 50\nx 30\n";

sub report { return dprofpp([@_, '-'], in => $folded)->{out} }

is(report('-T'), "main\n   a\n   b\n      a\nx\n", 'the tree names no number of calls');
unlike(report('-S'), qr/ x \d/, '-S neither');
like(report('--to', 'csv'), qr/^"b",,,\w+,,/m, 'csv: empty');
like(report('--to', 'json'), qr/"name":"b"[^}]*"calls":null/, 'json: null');
my $dot = report('--to', 'dot');
is(scalar(() = $dot =~ /^  n\d+ \[/mg), 5, 'dot has all the subs');
unlike($dot, qr/\d calls?|\dx"/, '... and no number of calls');

my $check = dprofpp(['--check', 'calls(a) <= 10', '-'], in => $folded);
is($check->{out}, "FAILED  calls(a) <= 10: calls were not counted in it\n", 'a check of calls cannot be made');
is($check->{status}, 1, '... and does not pass');

spew("$folder/before", "main;a 100\nmain;b 300\nmain;b;a 50\n");
my $compared = dprofpp(['--base', "$folder/before", '-'], in => $folded)->{out};
like($compared, qr/^New\b.*\n(?:.*\n)*?.*\bx$/m, 'what has time on one side only is new');

# A forked child ends calls that its parent made.
$dot = dprofpp(['--to', 'dot', 't/data/report/reenter.in'])->{out};
like($dot, qr/label="main::child[^"]*\\n0 calls"/, 'dot: a sub of no calls but with time is there');
my $many = join '', map { "main;s$_ 10\n" } 1 .. 70;
for my $case ([[], 61], [['-O', '-1'], 72], [['-O', '5'], 6]) {
    my ($options, $nodes) = @$case;
    my $out = dprofpp(['--to', 'dot', @$options, '-'], in => $many)->{out};
    is(scalar(() = $out =~ /^  n\d+ \[/mg), $nodes, "dot @$options: $nodes nodes, one of them what is outside");
}

# What we write ourselves we read again, and other single frames too.
my $again = dprofpp(['-'], in => dprofpp(['--to', 'folded', 't/data/report/ours.in'])->{out});
is($again->{err}, '', 'folded of our own is known');
like($again->{out}, qr/Shop::load$/m, '... and read');
like(dprofpp(['-'], in => "perl 3\nperl;main 4")->{out}, qr/57\.1 .* main$/m, 'a first line of one frame');
spew("$folder/strange", "one two 3\nfour five 5\n");
like(dprofpp(["$folder/strange"])->{err}, qr/--from folded/, 'what cannot be told: --from is named');
done_testing;
