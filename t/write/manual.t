# The sessions in the manual of dprofpp were really run.
use strict;
use warnings;

use lib 't/lib';

use Devel::DProf::Options;
use DProf::Test qw(dprofpp in_folder slurp spew);
use File::Temp ();
use Test::More;

my $folder  = File::Temp->newdir;
my $manual  = slurp('dprofpp');
my $profile = slurp('t/data/report/shapes.in');

my @sessions;
for my $block ($manual =~ /^((?:    .*\n)+)/mg) {
    $block =~ s/^    //mg;
    push @sessions, $block if $block =~ /\A\$ dprofpp /;
}
cmp_ok(scalar @sessions, '>', 3, 'there are some');

in_folder("$folder", sub {
    spew('tmon.out', $profile);
    for my $session (@sessions) {
        my ($command, $want) = $session =~ /\A\$ dprofpp ([^\n]*)\n(.*)\z/s or die $session;
        is(dprofpp([Devel::DProf::Options::split_words($command)])->{out}, $want, "dprofpp $command");
    }
});

done_testing;
