# What is not a regular file is written to as it is: never unlinked, truncated or renamed. Symbolic links are followed.
use strict;
use warnings;
use lib 't/lib';
use DProf::Record;
use Test::More;

use POSIX ();

my $program = "sub f { 1 } f() for 1 .. 5; print qq{out\\n}; exit 3;\n";

# /dev/null and its kin stay what they are.
for my $device (grep { -c } '/dev/null', '/dev/zero') {
    my @before = stat $device;
    my $run    = profiled($program, options => "file=$device");
    is "$run->{out}$run->{err}$run->{status}", "out\n768", "$device: nothing is said";
    my @after = stat $device;
    is "@after[0, 1, 2, 6]", "@before[0, 1, 2, 6]", "$device: it is the same device";
}
SKIP: {
    skip 'no /dev/full', 21 if !-c '/dev/full';
    for my $calls (5, 50_000) {
        my $run = profiled("sub f { 1 } f() for 1 .. $calls; print qq{out\\n}; exit 3;\n", options => 'file=/dev/full');
        is "$run->{out}$run->{status}", "out\n768", "/dev/full, $calls calls: the program is not harmed";
        like $run->{err}, qr{\A[^\n]*/dev/full[^\n]*\n\z}, "/dev/full, $calls calls: one line says that the profile is lost";
    }
    # The failure shows between two calls.
    for my $what ('Devel::DProf::flush()', 'no warnings; exec "/no/such/program"') {
        for my $way ('format=text', 'format=compact', 'format=tree', 'format=tree,hz=100') {
            my $run = profiled("sub f { 1 } f(); { $what } f() for 1 .. 5; print qq{out\n}; exit 3;\n", options => "file=/dev/full,$way");
            is "$run->{out}$run->{status}", "out\n768", "/dev/full, $what, $way: the program is not harmed";
            like $run->{err}, qr{\A[^\n]*/dev/full[^\n]*\n\z}, "/dev/full, $what, $way: one line says that the profile is lost";
        }
    }
    my $run = profiled("sub f { 1 } f(); print qq{out\n}; Devel::DProf::flush(); exit 3;\n", options => 'file=/dev/full');
    like $run->{err}, qr{\A[^\n]*/dev/full[^\n]*\n\z}, '/dev/full, no call after the failure: one line all the same';
}

# A FIFO with a reader.
for my $calls (5, 50_000) {
    my $folder = fresh();
    POSIX::mkfifo("$folder/fifo", 0600) or die "mkfifo: $!\n";
    my $reader = reader("$folder/fifo", "$folder/read");
    my $run    = profiled("sub f { 1 } f() for 1 .. $calls; print qq{out\\n}; exit 3;\n", folder => $folder, options => 'file=fifo');
    waitpid $reader, 0;
    is "$run->{out}$run->{err}$run->{status}", "out\n768", "a FIFO, $calls calls: nothing is said";
    ok -p "$folder/fifo", "a FIFO, $calls calls: it is one still";
    my $profile = DProf::Marks->read_file("$folder/read");
    marks_ok($profile, "a FIFO, $calls calls");
    is $profile->calls('main::f'), $calls, "a FIFO, $calls calls: all marks come through";
    like $profile->{header}[4], qr/^\$rrun_utime=0; \$rrun_stime=0; \$rrun_rtime=0;? +\z/, "a FIFO, $calls calls: the totals of the header are zero" if $calls > 5;
}

# A reader that lets the program wait, while signals come.
{
    my $folder = fresh();
    POSIX::mkfifo("$folder/fifo", 0600) or die "mkfifo: $!\n";
    my $reader = reader("$folder/fifo", "$folder/read", sub { select undef, undef, undef, .2 });
    my $run    = profiled("use Time::HiRes 'ualarm'; sub f { 1 } \$SIG{ALRM} = sub { 1 }; ualarm 20_000, 20_000; f() for 1 .. 20_000; ualarm 0; print qq{out\\n}; exit 3;\n", folder => $folder, options => 'file=fifo,limit=0');
    waitpid $reader, 0;
    is "$run->{out}$run->{err}$run->{status}", "out\n768", 'a FIFO and signals: nothing is said';
    is(DProf::Marks->read_file("$folder/read")->calls('main::f'), 20_000, 'a FIFO and signals: all marks come through');
}

# A reader that goes away: the program does not get the SIGPIPE.
{
    my $folder = fresh();
    POSIX::mkfifo("$folder/fifo", 0600) or die "mkfifo: $!\n";
    my $reader = reader("$folder/fifo", undef);
    my $run    = profiled("sub f { 1 } f() for 1 .. 100_000; print qq{out\\n}; exit 3;\n", folder => $folder, options => 'file=fifo');
    waitpid $reader, 0;
    is "$run->{out}$run->{status}", "out\n768", 'a reader that goes away: the program runs on';
    like $run->{err}, qr{\A[^\n]*fifo[^\n]*\n\z}, 'a reader that goes away: one line says so';
}

# Symbolic links.
{
    my $folder = fresh();
    mkdir "$folder/real" or die $!;
    spew("$folder/real/old.out", "an old file that is no profile\n");
    symlink 'real/old.out', "$folder/tmon.out" or die $!;
    my $run = profiled($program, folder => $folder);
    is readlink "$folder/tmon.out", 'real/old.out', 'a symbolic link stays';
    is(DProf::Marks->read_file("$folder/real/old.out")->calls('main::f'), 5, 'and its target is replaced');
    unlink "$folder/real/old.out";
    $run = profiled($program, folder => $folder);
    is readlink "$folder/tmon.out", 'real/old.out', 'a link whose target is not there yet stays';
    is(DProf::Marks->read_file("$folder/real/old.out")->calls('main::f'), 5, 'and the target is made');
}

# Standard output as the target, in a pipe.
SKIP: {
    skip 'no /dev/stdout here', 2 if !-e '/dev/stdout';
    my $run = plain('', command => ['/bin/sh', '-c', '"$@" | cat', 'sh', perl_with('-d:DProf=file=/dev/stdout', '-e', 'sub f { 1 } f() for 1 .. 5')]);
    my $profile = DProf::Marks->read_bytes($run->{out});
    marks_ok($profile, '/dev/stdout, a pipe');
    is $run->{err}, '', '/dev/stdout, a pipe: nothing is said';
}
done_testing;

# A process that reads the pipe into a file, or reads a little and goes.
sub reader {
    my ($fifo, $to, $first_do) = @_;

    my $pid = fork;
    defined $pid or die "fork: $!\n";
    return wait_for_reader($pid, $fifo) if $pid;
    # Opened for both, so that it need not wait for the writer; the end comes when the writer is gone.
    open my $keep, '+<', $fifo or POSIX::_exit(1);
    open my $in, '<', $fifo or POSIX::_exit(1);
    spew("$fifo.ready", '');
    sysread $in, my $first, 100 or POSIX::_exit(1);
    close $keep;
    $first_do->() if $first_do;
    if (defined $to) {
        local $/;
        spew($to, $first . (readline($in) || ''));
    }
    POSIX::_exit(0);
}

sub wait_for_reader {
    my ($pid, $fifo) = @_;
    select undef, undef, undef, .01 while !-e "$fifo.ready";
    return $pid;
}
