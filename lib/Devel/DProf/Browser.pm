package Devel::DProf::Browser;

use strict;
use warnings;

use Devel::DProf::Source;

# What shows a file, the user's own choice first. The file's address is its one argument.
my @SHOWERS = qw(xdg-open open wslview sensible-browser x-www-browser firefox chromium google-chrome);

# A file of its own for a page, which stays: the browser may read it later.
sub new_file {
    my ($ending) = @_;
    require File::Temp;
    my ($fh, $path) = File::Temp::tempfile('dprofpp-XXXXXX', TMPDIR => 1, SUFFIX => $ending, UNLINK => 0);
    close $fh or die "cannot write $path: $!\n";
    return $path;
}

# Shows a file and does not wait. Returns what went wrong, or nothing.
sub show {
    my ($path) = @_;
    require Cwd;
    my $address = 'file://' . escaped(Cwd::abs_path($path));
    my @programs = grep { defined } map { Devel::DProf::Source::in_path($_) } wanted();
    return "no browser was found to show $path (BROWSER names one)" if !@programs;
    my $pid = fork;
    return "cannot start $programs[0]: $!" if !defined $pid;
    return if $pid;

    # A child of the child belongs to nobody here.
    require POSIX;
    POSIX::_exit(0) if fork;
    open STDIN,  '<', '/dev/null';
    open STDOUT, '>', '/dev/null';
    open STDERR, '>', '/dev/null';
    POSIX::setsid();
    for my $program (@programs) {
        no warnings 'exec';
        exec {$program} $program, $address;
    }
    POSIX::_exit(127);
}

# BROWSER is a list with colons between; what has arguments is not for us.
sub wanted {
    my @own = grep { /\A\S+\z/ } split /:/, defined $ENV{BROWSER} ? $ENV{BROWSER} : '';
    return (@own, @SHOWERS);
}

sub escaped {
    my ($path) = @_;
    $path =~ s{([^A-Za-z0-9/._~-])}{sprintf '%%%02X', ord $1}ge;
    return $path;
}

1;

__END__

=head1 NAME

Devel::DProf::Browser - shows a page in a browser

=head1 DESCRIPTION

=over

=item new_file($ending)

The path of a new temporary file that is not removed.

=item show($path)

Starts the user's browser (C<BROWSER>, else what this machine has) with the file and does not wait for
it. Returns what went wrong, or nothing.

=item wanted, escaped

Parts of it.

=back

=cut
