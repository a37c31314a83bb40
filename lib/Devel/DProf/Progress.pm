package Devel::DProf::Progress;

## no critic (RequireLocalizedPunctuationVars): Ctrl-C is taken until finish(), beyond any one block

use strict;
use warnings;

use Time::HiRes ();

# Nothing is shown of what takes less, and not more often than this. Seconds.
my $PATIENCE = 1;
my $OFTEN    = 0.2;

my $BAR = 30;

# new($name, $shows): watches the reading of one profile; shows it only if $shows.
sub new {
    my ($class, $name, $shows) = @_;
    my $now = Time::HiRes::time();
    my $self = bless { name => $name, shows => $shows, began => $now, said => $now, stop => 0 }, $class;
    # The first Ctrl-C stops the reading, the second everything.
    $self->{before} = $SIG{INT};
    $SIG{INT} = sub { $self->{stop} = 1; $SIG{INT} = 'DEFAULT' };
    return $self;
}

# Called with the bytes that were read and those there are (undef if unknown). True: stop reading.
sub step {
    my ($self, $bytes, $all) = @_;
    my $now = Time::HiRes::time();
    if ($self->{shows} && $now - $self->{began} >= $PATIENCE && $now - $self->{said} >= $OFTEN) {
        $self->show(line($self->{name}, $bytes, $all, $now - $self->{began}));
        $self->{said} = $now;
    }
    return $self->{stop};
}

# "tmon.out [######      ]  40%, 12 s left"
sub line {
    my ($name, $bytes, $all, $seconds) = @_;
    $name =~ s/([\x00-\x1f\x7f])/sprintf '\\x%02x', ord $1/ge;
    return sprintf '%s: %.0f MB read', $name, $bytes / 1e6 if !$all || $bytes > $all || !$bytes;
    my $share = $bytes / $all;
    my $full  = int $share * $BAR;
    return sprintf '%s [%s%s] %3d%%, %.0f s left', $name, '#' x $full, ' ' x ($BAR - $full),
        100 * $share, $seconds / $share - $seconds;
}

sub show {
    my ($self, $line) = @_;
    $line = substr $line, 0, 78;
    print STDERR "\r$line", ' ' x (($self->{width} || 0) - length $line);
    $self->{width} = length $line;
    return;
}

# Takes the bar away and gives Ctrl-C back.
sub finish {
    my ($self) = @_;
    print STDERR "\r", ' ' x $self->{width}, "\r" if $self->{width};
    $self->{width} = 0;
    $SIG{INT} = defined $self->{before} ? $self->{before} : 'DEFAULT';
    return;
}

1;

__END__

=head1 NAME

Devel::DProf::Progress - how far the reading of a profile is, and Ctrl-C

=head1 SYNOPSIS

    my $progress = Devel::DProf::Progress->new('tmon.out', -t STDERR);
    Devel::DProf::Profile->read_file('tmon.out', progress => sub { $progress->step(@_) });
    $progress->finish;

=head1 DESCRIPTION

After a second of reading it shows a bar on standard error with the time left. The first Ctrl-C
stops the reading, so that the report is of what was read so far; the second ends the program.

=over

=item new($name, $shows)

Begins; without a true C<$shows> nothing is shown.

=item step($bytes, $all)

So many bytes of so many (undef: unknown) were read. True if the reading shall stop.

=item finish()

Takes the bar away and gives Ctrl-C back.

=item line, show

Parts of these.

=back

=cut
