# At a terminal: colours, and a pager for what does not fit. In a pipe or a file nothing of that.
use strict;
use warnings;

use lib 't/lib';

use DProf::Pty;
use DProf::Test qw(dprofpp slurp top);
use File::Temp;
use Test::More;

my $ours = 't/data/report/ours.in';
my @ours = (@DProf::Test::PERL, top() . '/dprofpp');
my $folder = File::Temp::tempdir(CLEANUP => 1);

$SIG{$_} = 'DEFAULT' for qw(INT PIPE); # whatever who runs the tests has ignored
delete @ENV{qw(NO_COLOR DPROFPP_PAGER PAGER LINES COLUMNS DPROFPP_OPTS)};

my $plain = dprofpp([$ours])->{out};
unlike($plain, qr/\e/, 'no colour in a pipe');
my $bright = dprofpp(['--color', 'always', $ours])->{out};
like($bright, qr/^\e\[1m%Time .*Name\e\[0m$/m, '--color always: the head is bold');
like($bright, qr/^\e\[31m 73\.4 .* Shop::load\e\[0m$/m, '... what takes a fifth is red');
like($bright, qr/^\e\[33m 9\.17 /m, '... a twentieth yellow');
like($bright, qr/^ 1\.83 /m, '... the rest as it is');
(my $bare = $bright) =~ s/\e\[\d+m//g;
is($bare, $plain, '... and nothing else differs');
for my $how (['-S'], ['--callers', 'Shop::load'], ['--stats'], ['--base', $ours, '-F', $ours]) {
    my ($with, $without) = map { dprofpp(["--color=$_", @$how, $ours])->{out} } qw(always never);
    (my $stripped = $with) =~ s/\e\[\d+m//g;
    is($stripped, $without, "@$how: the same text");
}
unlike(dprofpp(['--color', 'always', '--json', $ours])->{out}, qr/\e/, 'a format has none');
is(dprofpp(['--color', 'sometimes', $ours])->{status}, 2, 'asked wrongly');

SKIP: {
    skip 'no terminals of our own here', 15 if !DProf::Pty::there();
    my $shown = sub {
        my ($lines, $env, @words) = @_;
        local %ENV = (%ENV, TERM => 'xterm', PAGER => 'cat', %$env);
        my $pty = DProf::Pty->new($lines, 100, @ours, @words);
        my $status = $pty->end;
        (my $text = $pty->{seen}) =~ s/\r\n/\n/g;
        return wantarray ? ($text, $status) : $text;
    };
    like(scalar $shown->(50, {}, $ours), qr/\e\[31m 73\.4/, 'colour on a terminal');
    unlike(scalar $shown->(50, { NO_COLOR => 1 }, $ours), qr/\e\[/, 'NO_COLOR');
    like(scalar $shown->(50, { NO_COLOR => '' }, $ours), qr/\e\[/, 'an empty one says nothing');
    unlike(scalar $shown->(50, { TERM => 'dumb' }, $ours), qr/\e\[/, 'TERM=dumb');
    unlike(scalar $shown->(50, {}, '--no-color', $ours), qr/\e\[/, '--no-color');

    my $marking = "$^X -pe 's/^/P:/'";
    like(scalar $shown->(8, { PAGER => $marking }, $ours), qr/^P:.*^P:.*Shop::load/ms, 'what does not fit goes through PAGER');
    unlike(scalar $shown->(50, { PAGER => $marking }, $ours), qr/^P:/m, 'what fits does not');
    unlike(scalar $shown->(8, { PAGER => $marking }, '--no-pager', $ours), qr/^P:/m, '--no-pager');
    unlike(scalar $shown->(8, { PAGER => $marking, DPROFPP_PAGER => '' }, $ours), qr/^P:/m, 'DPROFPP_PAGER comes first');
    my ($text, $status) = $shown->(8, { PAGER => '/no/such/pager -x' }, $ours);
    like($text, qr/Shop::load/, 'no such pager: it is shown all the same');
    is($status, 0, '... and that is no fault');
    like(scalar $shown->(8, { PAGER => "$^X -e 'print join q{ }, map { \$SIG{\$_} || q{default} } qw(PIPE INT)'" }, $ours), qr/default default/, 'the pager has its signals');
    ($text, $status) = $shown->(8, { PAGER => "$^X -e 'exit'" }, '-S', $ours);
    is($status, 0, 'who leaves the pager early has seen enough');
    $shown->(8, { PAGER => $marking }, '-o', "$folder/report", $ours);
    is(slurp("$folder/report"), $plain, '-o: neither colour nor pager');
    like(scalar $shown->(8, { PAGER => $marking }, '-T', $ours), qr/^main::run/m, '-T is printed as it is read');
}

done_testing;
