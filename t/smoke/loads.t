# Each module loads, and all of them are of one version.
use strict;
use warnings;
use Test::More;

my @modules = map { s{^lib/}{}; s{\.pm\z}{}; s{/}{::}g; $_ } modules('lib');
my $version = loaded('Devel::DProf');
ok $version && $version > 20110802, "Devel::DProf $version is newer than the original's last";
for my $module (@modules) {
    my $got = loaded($module);
    ok !defined $got || $got eq $version, "$module: " . (defined $got ? $got : 'no version of its own');
}
done_testing;

# The version of a module that a fresh perl loads.
sub loaded {
    my ($module) = @_;
    my @command = ($^X, (map { "-I$_" } @INC), '-e', "require $module; print defined $module->VERSION ? $module->VERSION : ''");
    open my $from, '-|', @command or die "$^X: $!\n";
    my $said = join '', <$from>;
    close $from;
    is $?, 0, "$module loads";
    return $said eq '' ? undef : $said;
}

sub modules {
    my ($folder) = @_;
    return map { -d $_ ? modules($_) : /\.pm\z/ ? $_ : () } sort glob "$folder/*";
}
