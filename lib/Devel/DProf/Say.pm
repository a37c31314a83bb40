package Devel::DProf::Say;

use strict;
use warnings;

use Devel::DProf::Profile;
use Exporter 'import';

our @EXPORT_OK = qw(fail gather lossy refuse say_aside say_notes shown wrong);

# Exit status: 0 good, 1 the profile or the report has a fault, 2 asked wrongly.
my $status = 0;

sub status { return $status }

sub wrong {
    my ($text) = @_;
    print STDERR 'dprofpp: ', printable($text), "\n", "Try 'dprofpp -h' for help.\n";
    return 2;
}

# It was asked wrongly, as what was read shows.
sub refuse {
    $status = wrong(@_);
    return;
}

# Something was lost in a profile, which its notes say.
sub lossy {
    $status ||= 1;
    return;
}

# Something that is worth knowing but is no fault.
sub say_aside {
    my ($text) = @_;
    print STDERR 'dprofpp: ', printable($text), "\n";
    return;
}

# One line for a terminal: names of files may hold anything.
sub printable {
    my ($text) = @_;
    chomp $text;
    utf8::encode($text) if utf8::is_utf8($text);
    return Devel::DProf::Profile::escaped($text);
}

sub fail {
    say_aside(@_);
    $status ||= 1;
    return;
}

sub shown {
    my ($path) = @_;
    return $path eq '-' ? 'standard input' : printable($path);
}

sub gather {
    my ($notes, $file, @new) = @_;
    for my $note (@new) {
        # The recorder has something else to say each time.
        my $kind = $note->{code} eq 'recorder' ? "recorder $note->{text}" : $note->{code};
        my $kept = $notes->{$kind} ||= { %$note, count => 0, file => $file, files => 0 };
        $kept->{count} += $note->{count};
        $kept->{files}++;
    }
    return;
}

sub say_notes {
    my ($set, $notes) = @_;
    for my $kind (sort keys %$notes) {
        my $note = $notes->{$kind};
        next if $set->{fake} && $kind =~ /\A(?:unfinished|open-frames)\z/;
        next if $kind eq 'coarse'; # nothing to mend; common in the original's profiles: for --verify
        my $text = shown($note->{file}) . ': ';
        $text .= sprintf 'line %.0f: ', $note->{line} if $note->{line};
        $text .= $note->{text};
        $text .= sprintf ' (%.0f times', $note->{count} if $note->{count} > 1;
        $text .= $note->{files} > 1 ? " in $note->{files} files)" : ')' if $note->{count} > 1;
        say_aside($text);
    }
    return;
}

1;

__END__

=head1 NAME

Devel::DProf::Say - what dprofpp says on standard error

=head1 DESCRIPTION

The messages of L<dprofpp>, and the exit status that they lead to.

=over

=item say_aside($text)

Something worth knowing that is no fault.

=item fail($text)

A fault: the exit status will be 1. Returns nothing.

=item wrong($text)

It was asked wrongly. Returns the exit status for that, 2.

=item refuse($text)

It was asked wrongly, which only what was read shows: the exit status will be 2. Returns nothing.

=item status()

The exit status so far: 0, 1 or 2.

=item lossy()

Something was lost in a profile; its notes say what.

=item shown($path), printable($text)

How a file is named to the user: C<-> is standard input. A text without what a terminal must not
get.

=item gather(\%notes, $file, @new)

Adds notes of a profile to those of others, by kind.

=item say_notes(\%settings, \%notes)

Says each kind once, with a count.

=back

=cut
