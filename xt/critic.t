# The Perl code passes Perl::Critic with the settings of .perlcriticrc.
use strict;
use warnings;
use Test::More;

eval { require Perl::Critic; 1 } or plan skip_all => 'Perl::Critic is not installed';
my $critic = Perl::Critic->new(-profile => '.perlcriticrc');

for my $file (grep { -f } qw(Makefile.PL DProf.pm dprofpp dev/manifest), perl_files(qw(lib bench xt t/lib))) {
    my @found = $critic->critique($file);
    ok(!@found, $file) or diag join '', @found;
}
done_testing;

sub perl_files {
    my (@paths) = @_;

    return grep { /\.(?:pm|pl|t)\z/ } map { -d $_ ? perl_files(glob "$_/*") : $_ } @paths;
}
