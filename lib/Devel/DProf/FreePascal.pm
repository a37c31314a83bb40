package Devel::DProf::FreePascal;

use strict;
use warnings;

use Devel::DProf::Pascal;
use File::Basename ();
use File::Spec;
use File::Temp ();

# The compiler and its options; DPROFPP_FPC says others. -gl lets the end of a run be told by lines.
our @COMPILER = qw(fpc -Miso -gl);

# The words of the command that compiles the program. ISO Pascal has no units: one that uses some is written in
# Free Pascal's own mode, or says which.
sub compiler {
    my ($program) = @_;
    my $said = $ENV{DPROFPP_FPC};
    return split ' ', $said if defined $said && $said =~ /\S/;
    return grep { $_ ne '-Miso' || !$program->_uses } @COMPILER;
}

# run(\@words, \%set): instruments the program, compiles it, runs it with its arguments. Returns a hash:
# files (pmon.out and the program) and status, or error.
sub run {
    my ($words, $set) = @_;
    my ($path, @arguments) = @$words;
    my $program = eval { Devel::DProf::Pascal::source($path, dialect => $set->{dialect} || 'today') };
    return { error => $@ } if !$program;
    return { error => join "\n", $program->complaints(1) } if $program->hard;
    my $folder = File::Temp::tempdir('dprofpp-XXXXXX', TMPDIR => 1, CLEANUP => 1);
    my $built = eval { build($program, $path, $folder) };
    return { error => $@ } if !$built;
    unlink 'pmon.out', map { "pmon.out.$_" } qw(run labels returns);
    my $status = start($built, @arguments);
    return { error => "cannot run $built: $!" } if $status < 0;
    note_signal($status & 127) if $status & 127;
    return { error => "$path left no pmon.out here", status => $status } if !-s 'pmon.out';
    return { files => ['pmon.out', $path], status => $status };
}

# The compiled program's path. Dies with what the compiler said.
sub build {
    my ($program, $path, $folder) = @_;
    my $name = File::Basename::basename($path);
    my $text = File::Spec->catfile($folder, $name);
    (my $built = $text) =~ s/\.\w+\z//;
    open my $fh, '>', $text or die "$text: $!\n";
    binmode $fh;
    $program->_instrument($fh);
    close $fh or die "$text: $!\n";
    my @command = (compiler($program), '-v0e', '-l-', beside($path), "-o$built", $text);
    my ($status, $said) = capture(@command);
    die "$command[0] is not there: Free Pascal compiles instrumented programs (Debian: apt install fpc)\n"
        if $status < 0;
    return $built if $status == 0 && -x $built;
    $said =~ s/^\Q$folder\E\/?//mg;
    die "$command[0] does not compile $name:\n$said";
}

# Where files that are included and units are found: beside the source, as it is compiled elsewhere.
sub beside {
    my ($path) = @_;
    my $folder = File::Spec->rel2abs(File::Basename::dirname($path));
    return ("-Fi$folder", "-Fu$folder");
}

# What a command prints, and its status; -1 if it cannot be started.
sub capture {
    my (@command) = @_;
    my $out = File::Temp->new;
    my $pid = fork;
    return (-1, '') if !defined $pid;
    if (!$pid) {
        open STDIN,  '<', File::Spec->devnull;
        open STDOUT, '>', "$out" or exit 127;
        open STDERR, '>&', \*STDOUT;
        { no warnings 'exec'; exec { $command[0] } @command; }
        exit 127;
    }
    waitpid $pid, 0;
    my $status = $?;
    open my $fh, '<', "$out" or return ($status, '');
    local $/;
    my $said = <$fh>;
    return ($status >> 8 == 127 ? -1 : $status, defined $said ? $said : '');
}

# Runs it in the foreground; an interrupt is for the program.
sub start {
    my (@command) = @_;
    local $SIG{INT}  = 'IGNORE';
    local $SIG{QUIT} = 'IGNORE';
    my $pid = fork;
    return -1 if !defined $pid;
    if (!$pid) {
        $SIG{INT} = $SIG{QUIT} = 'DEFAULT';
        { no warnings 'exec'; exec { $command[0] } @command; }
        exit 127;
    }
    waitpid $pid, 0;
    return $?;
}

# A program that a signal ended could not say so itself.
sub note_signal {
    my ($signal) = @_;
    open my $fh, '<', 'pmon.out.run' or return;
    my @lines = grep { $_ ne "running\n" } <$fh>;
    close $fh;
    open $fh, '>', 'pmon.out.run' or return;
    print {$fh} @lines, "signal $signal\n";
    close $fh;
    return;
}

1;

__END__

=encoding utf8

=head1 NAME

Devel::DProf::FreePascal - compiles and runs an instrumented Pascal program

=head1 DESCRIPTION

What C<dprofpp --run prog.p> does. C<run(\@words, \%set)> returns a hash with C<files> (F<pmon.out> and the program) and
C<status> (as waitpid has it), or with C<error>. C<build>, C<beside>, C<capture>, C<compiler>, C<start> and
C<note_signal> are its parts. The environment's C<DPROFPP_FPC> is another compiler or other options.

=cut
