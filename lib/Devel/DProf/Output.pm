package Devel::DProf::Output;

use strict;
use warnings;

use Devel::DProf::Say qw(fail say_aside);
use Fcntl qw(O_CREAT O_WRONLY);

# Where the report goes. Of a file of -o the old text stays until there is a new one: the handle's scalar says to
# the writers of the library that it is to go first.
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
    refuse_inputs($path, @files, @{ $set->{inputs} || [] });
    $set->{new} = !-e $path && !-l $path;
    sysopen $out, $path, O_WRONLY | O_CREAT or die "cannot write $path: $!\n";
    binmode $out;
    ${*$out} = 1;
    return $out;
}

sub refuse_inputs {
    my ($path, @files) = @_;
    my @there = stat $path or return;
    return if !-f _;
    for my $file (@files) {
        no warnings 'newline';    # a name may end in one
        my @read = stat $file or next;
        die "-o $path would overwrite the profile that is to be read, or another such file\n"
            if "@read[0, 1]" eq "@there[0, 1]";
    }
    return;
}

# All is written: closes it, and shows it if --open asked for that.
sub done {
    my ($set, $out) = @_;
    my $none = defined ${*$out} && !tell $out && Devel::DProf::Say::status();
    # What is left of an old report that was longer.
    truncate $out, tell $out if defined ${*$out} && !$none && -f $out;
    close $out or return fail("cannot write the report: $!");
    unlink $set->{output} if $none && $set->{new};
    return if $none || !$set->{open};
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

The handle to print to. Dies if it cannot be written, or is one of the profiles or other files to be read.

=item done(\%settings, $handle)

Closes it; with C<--open> shows it in a browser. If nothing was written because of a fault, the file is as it was.

=item refuse_inputs($path, @files)

Dies if the path is one of the files.

=item width(\%settings)

The columns of the terminal; 0 if the report does not go to one.

=back

=cut
