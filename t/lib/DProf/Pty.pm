package DProf::Pty;

# A program at a terminal of its own, without modules that are not core: Linux's /dev/ptmx.

use strict;
use warnings;

use Fcntl qw(O_NOCTTY O_RDWR);
use POSIX ();

my ($TIOCSPTLCK, $TIOCGPTN, $TIOCSWINSZ) = (0x40045431, 0x80045430, 0x5414);
my $PATIENCE = $ENV{PATIENCE} || 60;    # seconds until a test is given up; none waits so long when all is well

# 1: there are such terminals here.
sub there { return $^O eq 'linux' && -c '/dev/ptmx' && $POSIX::VERSION && eval { pair(); 1 } ? 1 : 0 }

# The master's handle and the path of the terminal.
sub pair {
    sysopen my $master, '/dev/ptmx', O_RDWR | O_NOCTTY or die "ptmx: $!\n";
    my $number = pack 'i', 0;
    ioctl $master, $TIOCSPTLCK, $number or die "unlock: $!\n";
    ioctl $master, $TIOCGPTN, $number or die "number: $!\n";
    return ($master, '/dev/pts/' . unpack 'i', $number);
}

# new($lines, $columns, @command): runs it.
sub new {
    my ($class, $lines, $columns, @command) = @_;
    my ($master, $path) = pair();
    sysopen my $tty, $path, O_RDWR | O_NOCTTY or die "$path: $!\n";
    my $size = pack 'S4', $lines, $columns, 0, 0;
    ioctl $tty, $TIOCSWINSZ, $size or die "size: $!\n";
    my $self = bless { master => $master, tty => $tty, path => $path, seen => '' }, $class;
    $self->{before} = $self->settings;
    my $pid = fork;
    die "fork: $!\n" if !defined $pid;
    if (!$pid) {
        close $master;
        POSIX::setsid();
        sysopen my $own, $path, O_RDWR or POSIX::_exit(126);    # becomes our terminal
        open STDIN,  '<&', $own or POSIX::_exit(126);
        open STDOUT, '>&', $own or POSIX::_exit(126);
        open STDERR, '>&', $own or POSIX::_exit(126);
        exec { $command[0] } @command or POSIX::_exit(127);
    }
    $self->{pid} = $pid;
    return $self;
}

# The terminal's modes, as text.
sub settings {
    my ($self) = @_;
    my $modes = POSIX::Termios->new;
    $modes->getattr(fileno $self->{tty}) or return '';
    return join ' ', map { sprintf '%x', $_ } $modes->getiflag, $modes->getoflag, $modes->getcflag, $modes->getlflag,
        map { $modes->getcc($_) } 0 .. POSIX::NCCS() - 1;
}

sub type {
    my ($self, $keys) = @_;
    syswrite $self->{master}, $keys;
    return;
}

# Reads until the output since the last call has it: that output, or undef if it never comes.
sub until {
    my ($self, $regex) = @_;
    my $deadline = time + $PATIENCE;
    my $text = '';
    until ($text =~ $regex) {
        my $more = $self->more($deadline) or return;
        $text .= $more;
    }
    return $text;
}

# Bytes that came; '' is never returned, undef: none came.
sub more {
    my ($self, $deadline) = @_;
    my $ready = '';
    vec($ready, fileno $self->{master}, 1) = 1;
    return if select($ready, undef, undef, $deadline - time) <= 0;
    return if !sysread $self->{master}, my $bytes, 65536;
    $self->{seen} .= $bytes;
    return $bytes;
}

# Waits for the end: the wait status. All output is in {seen}. With POSIX::WUNTRACED() also until it is stopped.
sub end {
    my ($self, $flags) = @_;
    # Its output must be read, or it may wait for us.
    my $deadline = time + $PATIENCE;
    while (waitpid($self->{pid}, POSIX::WNOHANG() | ($flags || 0)) == 0) {
        kill KILL => $self->{pid} if time > $deadline;
        my $ready = '';
        vec($ready, fileno $self->{master}, 1) = 1;
        $self->more($deadline) if select $ready, undef, undef, 0.01;
    }
    my $status = $?;
    my $ready = '';
    vec($ready, fileno $self->{master}, 1) = 1;
    while (select(my $now = $ready, undef, undef, 0) > 0) {
        $self->more($deadline) or last;
    }
    $self->{pid} = undef if !$flags;
    return $status;
}

sub DESTROY {
    my ($self) = @_;
    local ($?, $!);
    kill KILL => $self->{pid} if $self->{pid};
    waitpid $self->{pid}, 0 if $self->{pid};
    return;
}

1;
