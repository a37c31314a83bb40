# Changes follows CPAN::Changes::Spec, and its newest entry is this version.
use strict;
use warnings;
use Test::More;

my $version = version('DProf.pm');
my $changes = slurp('Changes');
like $changes, qr/\ARevision history for Devel-DProf\n\n\Q$version\E [0-9N]/, "the newest entry is $version";
SKIP: {
    eval { require Test::CPAN::Changes; 1 } or skip 'Test::CPAN::Changes is not installed', 1;
    Test::CPAN::Changes::changes_file_ok('Changes', { version => $version });
}
done_testing;

sub version {
    my ($path) = @_;
    my ($found) = slurp($path) =~ /\$VERSION\s*=\s*'([0-9._]+)'/;
    return $found;
}

sub slurp {
    my ($path) = @_;
    open my $fh, '<', $path or die "$path: $!\n";
    local $/;
    return scalar <$fh>;
}
