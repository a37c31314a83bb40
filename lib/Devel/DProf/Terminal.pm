package Devel::DProf::Terminal;

use strict;
use warnings;

use POSIX ();
use Time::HiRes ();

# A screen and a keyboard. Dies if there is no terminal to write to.
sub new {
    my ($class) = @_;
    die "--live needs a terminal; --snapshot writes a report of the moment\n" if !-t STDOUT;
    my $self = bless { plain => ($ENV{TERM} || 'dumb') eq 'dumb' ? 1 : 0, entered => 0 }, $class;
    if (-t STDIN) {
        $self->{keys} = \*STDIN;
    } elsif (open my $tty, '<', '/dev/tty') {
        $self->{keys} = $tty;
    }
    $self->measure;
    return $self;
}

# The screen's size, from the terminal itself, else from the environment.
sub measure {
    my ($self) = @_;
    my ($lines, $columns) = `stty size 2>/dev/null </dev/tty` =~ /\A(\d+) (\d+)$/m;
    ($self->{lines}, $self->{columns}) = map { $_->[0] || ($_->[1] || '') =~ /\A(\d{1,5})\z/ && $1 || $_->[2] }
        [$lines, $ENV{LINES}, 24], [$columns, $ENV{COLUMNS}, 80];
    return;
}

# Keys come at once and without an echo; the screen is ours, what was on it comes back later. Ctrl-C and Ctrl-Z
# stay signals.
sub enter {
    my ($self) = @_;
    return if $self->{entered};
    $self->{entered} = 1;
    if ($self->{keys}) {
        my $now = POSIX::Termios->new;
        $now->getattr(fileno $self->{keys});
        $self->{before} = POSIX::Termios->new;
        $self->{before}->getattr(fileno $self->{keys});
        $now->setlflag($now->getlflag & ~(POSIX::ICANON() | POSIX::ECHO()));
        $now->setcc(POSIX::VMIN(), 1);
        $now->setcc(POSIX::VTIME(), 0);
        $now->setattr(fileno $self->{keys}, POSIX::TCSANOW());
    }
    $self->put("\e[?1049h\e[?25l\e[H\e[J") if !$self->{plain};
    return;
}

# All as it was.
sub leave {
    my ($self) = @_;
    return if !$self->{entered};
    $self->{entered} = 0;
    # The modes first: what is written may have to wait.
    $self->{before}->setattr(fileno $self->{keys}, POSIX::TCSANOW()) if $self->{before};
    $self->put("\e[0m\e[?25h\e[?1049l") if !$self->{plain};
    return;
}

sub DESTROY {
    my ($self) = @_;
    local ($@, $!);
    $self->leave;
    return;
}

# Lines of text: the whole screen. The first of them that has a heading's place is shown reversed.
sub show {
    my ($self, $heading, @lines) = @_;
    splice @lines, $self->{lines} if @lines > $self->{lines};
    if ($self->{plain}) {
        $self->put(join '', map({ "$_\n" } @lines), "\n");
        return;
    }
    my @shown = map { $_ == $heading ? "\e[7m$lines[$_]\e[0m" : $lines[$_] } 0 .. $#lines;
    $self->put("\e[H" . join("\r\n", map { "$_\e[K" } @shown) . "\e[J");
    return;
}

sub put {
    my ($self, $text) = @_;
    utf8::encode($text) if utf8::is_utf8($text);
    while (length $text) {
        my $put = syswrite STDOUT, $text;
        next if !defined $put && $!{EINTR};
        last if !defined $put;
        substr $text, 0, $put, '';
    }
    return;
}

# Keys that come within so many seconds: at once if there are some, undef: the keyboard has gone.
sub keys_within {
    my ($self, $seconds) = @_;
    my $ready = '';
    if (!$self->{keys}) {
        Time::HiRes::sleep($seconds);
        return '';
    }
    vec($ready, fileno $self->{keys}, 1) = 1;
    my $n = select $ready, undef, undef, $seconds < 0 ? 0 : $seconds;
    return '' if !defined $n || $n <= 0;
    my $got = sysread $self->{keys}, my $keys, 256;
    return $keys if $got;
    return '' if !defined $got && $!{EINTR};
    return;
}

1;

__END__

=head1 NAME

Devel::DProf::Terminal - a screen of text and single keys

=head1 DESCRIPTION

For C<dprofpp --live>. It needs nothing but the escape sequences that every terminal of today has; on
C<TERM=dumb> screens follow each other.

=over

=item new()

Dies if standard output is no terminal.

=item enter(), leave()

Takes the terminal; gives it back as it was. What is destroyed leaves by itself.

=item measure()

Asks for the size of the screen: C<lines> and C<columns>.

=item show($heading, @lines)

The whole screen. The line of that number is reversed.

=item keys_within($seconds)

What was typed, waiting so long for it: an empty string if nothing was, C<undef> if the keyboard has gone.

=item put($text)

Writes all of it.

=back

=cut
