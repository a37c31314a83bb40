# The Perl code passes Perl::Critic with the settings of .perlcriticrc.
use strict;
use warnings;
use Test::More;

eval { require Perl::Critic; 1 } or plan skip_all => 'Perl::Critic is not installed';
my $critic = Perl::Critic->new(-profile => '.perlcriticrc');

# DProf.pm is loaded into the profiled program and loads nothing there, not even strict.
my $guest = Perl::Critic->new(-profile => '.perlcriticrc', -exclude => [qw(RequireUseStrict RequireUseWarnings)]);

for my $file (grep { -f } qw(Makefile.PL DProf.pm dprofpp dev/manifest), perl_files(qw(lib bench xt t/lib))) {
    my @found = ($file eq 'DProf.pm' ? $guest : $critic)->critique($file);
    ok(!@found, $file) or diag join '', @found;
}
done_testing;

sub perl_files {
    my (@paths) = @_;

    return grep { /\.(?:pm|pl|t)\z/ } map { -d $_ ? perl_files(glob "$_/*") : $_ } @paths;
}
