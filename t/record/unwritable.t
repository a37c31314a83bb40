# A profile that cannot be written is one line on standard error; the program runs unprofiled, with its own exit status.
use strict;
use warnings;
use lib 't/lib';
use DProf::Record;
use Test::More;

use Errno;
use POSIX ();

my $program = "sub f { print qq{f\\n} } f(); print STDERR qq{own\\n}; exit 5;\n";

unwritable('a folder that is not there', 'no/such/folder/tmon.out', Errno::ENOENT());
unwritable('a folder',                   'folder',                  Errno::EISDIR(), sub { mkdir 'folder' });
unwritable('a file used as a folder',    'x.pl/tmon.out',           Errno::ENOTDIR());
unwritable('a pipe that nobody reads',   'fifo',                    Errno::ENXIO(), sub { POSIX::mkfifo('fifo', 0600) });
unwritable('a name that is too long',    'n' x 300,                 Errno::ENAMETOOLONG());
unwritable('a path that is too long',    join('/', ('n' x 100) x 60), undef);
unwritable('a symbolic link into nothing', 'link',                  Errno::ENOENT(), sub { symlink 'no/such/folder/x', 'link' });
unwritable('a loop of symbolic links',   'loop',                    Errno::ELOOP(), sub { symlink 'loop', 'loop' });
unwritable('a socket',                   'socket',                  Errno::ENXIO(), sub { make_socket('socket') });
unwritable('a file that is immutable to us', '/proc/version',       undef) if -e '/proc/version';

SKIP: {
    skip 'root may write everywhere, and nobody cannot read this folder', 8 if $> == 0 && !can_drop();
    unwritable('a folder that is read-only', 'tmon.out', Errno::EACCES(), sub { chmod 0555, '.'; become_nobody() });
    unwritable('a file that is read-only in such a folder', 'tmon.out', Errno::EACCES(),
        sub { open my $fh, '>', 'tmon.out'; chmod 0444, 'tmon.out'; chmod 0555, '.'; become_nobody() });
}

# Nothing is left behind that was not there.
{
    my $run = profiled($program, options => 'file=no/such/folder/tmon.out');
    my @left = grep { !m{/(?:x\.pl|\.\w+)\z} } glob "$run->{folder}/*";
    is "@left", '', 'no file appears elsewhere';
}

# A folder that is deleted under the program, before it starts.
{
    my $folder = fresh();
    spew("$folder/x.pl", $program);
    my $run = plain('', folder => $folder, command => [perl_with('-d:DProf', "$folder/x.pl")],
        before => sub { mkdir 'gone'; chdir 'gone'; rmdir '../gone' });
    is $run->{out}, "f\n", 'a working folder that is gone does no harm';
    is $run->{status} >> 8, 5, '... the exit status is the program\'s own';
    like $run->{err}, qr/\A[^\n]*DProf[^\n]*tmon\.out[^\n]*\nown\n\z/, '... one line says why';
}
done_testing;

# In $set_up, the folder is the current one. The line must hold the path (its end, if long) and the reason.
sub unwritable {
    my ($name, $path, $errno, $set_up) = @_;

    my %how   = (before => $set_up || sub { });
    my $plain = plain($program, %how);
    my $run   = profiled($program, %how, options => "file=$path");
    is $run->{out},    $plain->{out},    "$name: same standard output";
    is $run->{status}, $plain->{status}, "$name: same exit status";
    (my $line = $run->{err}) =~ s/^own\n//m;
    my $reason = defined $errno ? do { local $! = $errno; "$!" } : '';
    like $line, qr/\A[^\n]*DProf[^\n]*\Q$reason\E[^\n]*\n\z/, "$name: one line says why";
    like $line, qr/\Q$path\E/, "$name: and where" if length $path < 200;
    return;
}

sub make_socket {
    my ($path) = @_;
    require Socket;
    socket my $socket, Socket::PF_UNIX(), Socket::SOCK_STREAM(), 0 or die $!;
    bind $socket, Socket::sockaddr_un($path) or die $!;
    return;
}

# Can another user load our modules? A tree in root's home is closed to all others.
sub can_drop {
    return if !defined getpwnam 'nobody';
    my $child = fork;
    die "fork: $!\n" if !defined $child;
    if (!$child) {
        become_nobody();
        POSIX::_exit(grep({ m{/blib/} && !-r "$_/." } @INC) ? 1 : 0);
    }
    waitpid $child, 0;
    return $? == 0;
}

sub become_nobody {
    my ($uid, $gid) = (getpwnam 'nobody')[2, 3];
    return if $>;
    $) = "$gid $gid";
    $( = $gid;
    POSIX::setuid($uid);
    return;
}
