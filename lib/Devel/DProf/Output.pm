package Devel::DProf::Output;

use strict;
use warnings;

use Devel::DProf::Say qw(fail say_aside);
use Devel::DProf::Pager;
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
    if (pages($set)) {
        open $out, '>', \$set->{text} or die "cannot keep the report: $!\n";
        return $out;
    }
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

# Is it a report for a terminal that may have to go through a pager? The tree of calls is not: it is printed as it is read.
sub pages {
    my ($set) = @_;
    return $set->{paged} && !$set->{no_pager} && Devel::DProf::Pager::shows($set) && Devel::DProf::Pager::pager() ne '';
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
    return Devel::DProf::Pager::show($set->{text}) || fail("cannot write the report: $!") if defined $set->{text};
    unlink $set->{output} if $none && $set->{new};
    return if $none || !$set->{open};
    require Devel::DProf::Browser;
    my $trouble = Devel::DProf::Browser::show($set->{output});
    fail($trouble) if defined $trouble;
    say_aside("wrote $set->{output}") if !defined $trouble;
    return;
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

=item pages(\%settings)

True if the report is kept until it is whole, and shown through a pager if it does not fit the terminal.

=item refuse_inputs($path, @files)

Dies if the path is one of the files.

=back

=cut
