# --anonymize: no name of the program is left in any format; figures and shapes stay.
use strict;
use warnings;

use lib 't/lib';

use DProf::Test qw(dprofpp);
use Test::More;

my @profiles = map { "t/data/report/$_.in" } qw(ours loads);
# Words of their names, paths and command lines.
my $secret = qr/Shop|price|shop\.pl|Shape|Square|report\b|tramp|landing|spin|Cart|usage|--all|x86_64|Time::HiRes|strict/;

for my $profile (@profiles) {
    for my $format (qw(folded speedscope firefox chrome callgrind dot csv markdown json tmon html flame)) {
        my $got = dprofpp(['--anonymize', '--to', $format, $profile]);
        is($got->{status}, 0, "$profile as $format");
        my ($found) = data_of($format, $got->{out}) =~ /(.{0,30}$secret.{0,30})/;
        is($found, undef, '... tells no name');
    }
    for my $report (qw(top tree collapsed merged callers stats)) {
        my $got = dprofpp(['--anonymize', '--report', $report, $profile]);
        my ($found) = $got->{out} =~ /(.{0,30}(?!Time)$secret.{0,30})/;
        is($found, undef, "$profile: $report tells no name");
    }
}

# What the program said of itself while it ran, who it was and when.
my $run = "#fOrTyTwO\n\$hz=1000;\n\$XS_VERSION='DProf 20261129';\n# All values are given in HZ\n"
    . "\$rrun_utime=0; \$rrun_stime=0; \$rrun_rtime=0\nPART2\n#run id=1 pid=471147 started=1764488888.5 cpu=thread\n"
    . "#host bigiron\n#cmd launch\n+ 0 0 0 main::a\n#mark 10 0 10 Order of Smith\n- 500 0 500 main::a\n#end 0 1000 0 1000 2\n";
for my $format (qw(folded speedscope firefox chrome callgrind dot csv markdown json html flame pprof)) {
    my $got = dprofpp(['--anonymize', '--to', $format, '-'], in => $run);
    is($got->{status}, 0, "a run as $format");
    my ($found) = $got->{out} =~ /(.{0,30}(?:471147|17644888|bigiron|launch|Smith).{0,30})/s;
    is($found, undef, '... says nothing of it');
}

# A page has a program of its own, whose words are no secret.
sub data_of {
    my ($format, $text) = @_;
    my $plain = { html => dprofpp(['--to', 'html', 't/data/report/tree.in'])->{out},
        flame => dprofpp(['--to', 'flame', 't/data/report/tree.in'])->{out} }->{$format} or return $text;
    my %known = map { $_ => 1 } split /\n/, $plain;
    return join "\n", grep { !$known{$_} } split /\n/, $text;
}

my @rows = map { [split /\n/, dprofpp(['-q', '-U', '-O', '-1', @$_, $profiles[0]])->{out}] } [], ['--anonymize'];
@rows = map { [map { /\A([\s\d.~]*)/ ? $1 : '' } @$_] } @rows;
is_deeply($rows[1], $rows[0], 'figures stay');
my %seen;
my @names = map { /,"name":"([^"]+)","file"|\{"name":"([^"]+)","file"/ ? $1 || $2 : () } split /\n/, dprofpp(['--anonymize', '--json', $profiles[0]])->{out};
is(scalar(grep { $seen{$_}++ } @names), 0, 'two subs are two');
ok((grep { $_ eq 'main::BEGIN' } @names), 'BEGIN stays BEGIN');
ok((grep { /\Amain::__ANON__\[f\d+\.pl:17\]\z/ } @names), 'an anonymous sub keeps its line');
is(dprofpp(['--anonymize', '--verify', $profiles[0]])->{status}, 2, 'a report that has names of its own is refused');

done_testing;
