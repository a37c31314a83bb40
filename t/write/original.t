# On profiles that the original made, its dprofpp and ours name the same subs, counts and trees.
use strict;
use warnings;

use lib 't/lib';

use DProf::Test qw(dprofpp run);
use Test::More;

# The original is the one that is found without our folders.
delete @ENV{qw(PERL5LIB PERL5OPT DPROFPP_OPTS)};
my ($original) = grep { -x } '/usr/bin/dprofpp', split /\n/, run(['sh', '-c', 'command -v dprofpp'])->{out};
my $version = $original ? run([$original, '-V'])->{out} : '';
plan skip_all => 'the original dprofpp (libdevel-dprof-perl) is not installed'
    if $version !~ /^\S*dprofpp version: 20110802/m;

sub counts {
    my ($table) = @_;
    my %calls;
    for my $line (split /\n/, $table) {
        $calls{$2} += $1 if $line =~ /^ *\S+ +\S+ +\S+ +(\d+) +\S+ +\S+ +(\S.*)$/;
    }
    return \%calls;
}

for my $profile (map { "t/data/report/$_.in" } qw(shapes goto)) {
    my $theirs = run([$original, '-O', '-1', $profile]);
    my $ours = dprofpp(['-O', '-1', $profile]);
    ok(scalar keys %{ counts($theirs->{out}) }, "$profile: the original reads it");
    is_deeply(counts($ours->{out}), counts($theirs->{out}), "$profile: the same subs and counts");
    is(dprofpp(['-T', $profile])->{out}, run([$original, '-T', $profile])->{out},
        "$profile: the same tree");
}

done_testing;
