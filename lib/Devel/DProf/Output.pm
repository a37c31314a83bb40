package Devel::DProf::Output;

use strict;
use warnings;

use Devel::DProf::Say qw(fail say_aside);

sub output {
    my ($set, @files) = @_;
    if ($set->{open} && (!defined $set->{output} || $set->{output} eq '-')) {
        require Devel::DProf::Browser;
        $set->{output} = Devel::DProf::Browser::new_file($set->{ending});
    }
    my $path = $set->{output};
    my $out;
    if (!defined $path || $path eq '-') {
        open $out, '>&', \*STDOUT or die "cannot write to standard output: $!\n";
        return $out;
    }
    my @there = stat $path;
    for my $file (@files) {
        my @read = stat $file;
        die "-o $path would overwrite the profile that is to be read\n"
            if @there && @read && "@read[0, 1]" eq "@there[0, 1]" && -f $path;
    }
    open $out, '>', $path or die "cannot write $path: $!\n";
    binmode $out;
    return $out;
}

# All is written: closes it, and shows it if --open asked for that.
sub done {
    my ($set, $out) = @_;
    close $out or return fail("cannot write the report: $!");
    return if !$set->{open};
    require Devel::DProf::Browser;
    my $trouble = Devel::DProf::Browser::show($set->{output});
    fail($trouble) if defined $trouble;
    say_aside("wrote $set->{output}") if !defined $trouble;
    return;
}

# The columns of the terminal; 0 if the report does not go to one.
sub width {
    my ($set) = @_;
    return 0 if defined $set->{output} || !-t STDOUT;
    my ($columns) = ($ENV{COLUMNS} || '') =~ /\A(\d{1,5})\z/;
    ($columns) = `stty size 2>/dev/null </dev/tty` =~ /\A\d+ (\d{1,5})$/m if !$columns;
    return $columns || 80;
}

1;

__END__

=head1 NAME

Devel::DProf::Output - where the report of dprofpp goes

=head1 DESCRIPTION

=over

=item output(\%settings, @files)

The handle to print to. Dies if it cannot be written, or is one of the profiles to be read.

=item done(\%settings, $handle)

Closes it; with C<--open> shows it in a browser.

=item width(\%settings)

The columns of the terminal; 0 if the report does not go to one.

=back

=cut
