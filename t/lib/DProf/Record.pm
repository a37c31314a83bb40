package DProf::Record;

# Runs Perl programs plainly and under the recorder, each in a fresh folder of its own, and compares.
use strict;
use warnings;
use Config;
use Cwd qw(abs_path getcwd);
use Exporter 'import';
use Fcntl;
use File::Copy 'copy';
use File::Temp 'tempdir';
use POSIX ();
use Test::More;
use DProf::Marks;

our @EXPORT = qw(plain profiled same marks_ok calls_are perl_with has_module data slurp spew fresh ways);

# No program of these tests needs more than a moment; this ends what hangs.
my $patience = 120;

# Debian's own Devel::DProf may be installed: ours must come first, also where PERL5LIB does not count.
my %seen;
my @inc = map { "-I$_" } grep { !$seen{$_}++ } map { abs_path($_) } first_of('Devel/DProf.pm'),
    first_of("auto/Devel/DProf/DProf.$Config{dlext}");
my $perl = abs_path($^X) || $^X;

sub first_of {
    my ($file) = @_;
    for (@INC) { return $_ if !ref && -e "$_/$file" }
    BAIL_OUT("Devel::DProf is not built: no $file in \@INC");
}

# What the environment says to the recorder is up to each test.
delete @ENV{qw(PERL5OPT PERL5DB PERL_DPROF PERL_DPROF_OUT_FILE_NAME PERL_DPROF_TICKS PERL_DPROF_BUFFER)};

# DPROF_TEST_OPTIONS="portable=1,hz=100": options for every run of a suite that names none of its own.
my $standing = defined $ENV{DPROF_TEST_OPTIONS} ? $ENV{DPROF_TEST_OPTIONS} : '';

# The recorder's ways of writing and timing: each must tell the same.
sub ways { return ('', 'hz=100', 'format=compact', 'portable=1') }

# Command words for a perl with our recorder in its path.
sub perl_with { return ($perl, @inc, @_) }

sub fresh { return tempdir(CLEANUP => 1) }

sub data { return abs_path("t/data/record/$_[0]") }

sub slurp {
    my ($path) = @_;
    open my $fh, '<', $path or die "$path: $!\n";
    binmode $fh;
    local $/;
    my $bytes = <$fh>;
    return defined $bytes ? $bytes : '';
}

sub spew {
    my ($path, $bytes) = @_;
    open my $fh, '>', $path or die "$path: $!\n";
    binmode $fh;
    print {$fh} $bytes or die "$path: $!\n";
    close $fh or die "$path: $!\n";
    return $path;
}

sub has_module {
    my ($module) = @_;
    return system($perl, '-e', "exit !eval 'require $module; 1'") == 0;
}

# plain PROGRAM, HOW: runs it. PROGRAM is the text, or the path of a file, which is copied.
#   switches  for perl, a list        args     for the program, a list
#   env       {NAME => value}         before   code that runs in the new process before perl
#   folder    instead of a fresh one  script   name of the program's file, else x.pl
#   command   instead of all that: a list, run as it is
# Returns {status, out, err, folder}: wait status and what it said. It returns when the program and all that it
# started have ended, as long as they keep the descriptors they were given.
sub plain {
    my ($program, %how) = @_;

    my $folder = $how{folder} || fresh();
    my @command = $how{command} ? @{ $how{command} }
        : ($perl, @inc, @{ $how{load} || [] }, @{ $how{switches} || [] },
        program_in($folder, $program, $how{script}), @{ $how{args} || [] });
    return run_in($folder, \%how, @command);
}

# profiled PROGRAM, HOW: the same under the recorder. `options` go behind -d:DProf=. The result has also
#   files     the paths of tmon.out and its family
#   profile   what tmon.out says, as a DProf::Marks, if there is one
sub profiled {
    my ($program, %how) = @_;

    my @options = grep { length } $standing, defined $how{options} ? $how{options} : '';
    my $load    = join '=', '-d:DProf', @options ? join(',', @options) : ();
    my $run     = plain($program, %how, load => [$load]);
    my $main    = "$run->{folder}/tmon.out";
    $run->{files} = [grep { !/\.core\z/ } glob "\Q$main\E*"];
    $run->{profile} = DProf::Marks->read_file($main) if !$how{unread} && -f $main;
    return $run;
}

# Both, and what they say and how they end must be the same, and the profile must be whole. Returns the
# profiled run. Addresses are masked; `mask`, a sub, may mask more.
sub same {
    my ($program, $name, %how) = @_;

    my $without = plain($program, %how);
    my $with    = profiled($program, %how);
    for my $said (@$with{qw(out err)}, @$without{qw(out err)}) {
        $said =~ s/\b0x[0-9a-f]{6,}\b/0xADDRESS/g;
        $said = $how{mask}->($said) if $how{mask};
    }
    same_text($with->{out}, $without->{out}, "$name: same standard output");
    same_text($with->{err}, $without->{err}, "$name: same standard error");
    is $with->{status}, $without->{status}, "$name: same exit status";
    marks_ok($with->{profile}, $name, empty => $how{empty}, killed => $how{killed}) if !$how{unread};
    return $with;
}

# Of long texts only the first lines that differ are shown.
sub same_text {
    my ($got, $want, $name) = @_;

    return pass($name) if $got eq $want;
    my @got  = split /\n/, $got,  -1;
    my @want = split /\n/, $want, -1;
    my $at   = 0;
    $at++ while $at < @got && $at < @want && $got[$at] eq $want[$at];
    my $last = $at + 4;
    return is join("\n", grep { defined } @got[$at .. $last]), join("\n", grep { defined } @want[$at .. $last]),
        "$name (from line " . ($at + 1) . ')';
}

# There are marks, all lines are understood, frames are nested, time never runs backwards and, but for a
# run that was `killed`, every frame is closed and the profile has an end. `empty` ones may have no marks.
sub marks_ok {
    my ($profile, $name, %how) = @_;

    return fail("$name: there is a profile") if !$profile;
    my @problems = $profile->problems;
    push @problems, 'no marks' if !$how{empty} && !@{ $profile->{marks} } && !%{ $profile->{nodes} };
    if (!$how{killed}) {
        push @problems, 'open at the end: ' . join ' ', @{ $profile->{open} } if @{ $profile->{open} };
        push @problems, 'no #end' if !$profile->ended;
        push @problems, 'something behind the last newline' if length $profile->{tail};
    }
    push @problems, 'odd bytes behind the last newline' if $profile->{tail} =~ /\n/;
    return is join("\n", @problems), '', "$name: the profile is whole, balanced, in order";
}

# calls_are PROFILE, {NAME => calls}, NAME
sub calls_are {
    my ($profile, $want, $name) = @_;
    return fail("$name: there is a profile") if !$profile;
    my %got = map { ($_ => $profile->calls($_)) } keys %$want;
    return is_deeply(\%got, $want, $name);
}

sub program_in {
    my ($folder, $program, $name) = @_;

    if ($program =~ /\n/ || !-f $program) {
        $name = 'x.pl' if !$name;
        spew("$folder/$name", $program);
        return $name;
    }
    ($name = $program) =~ s{.*/}{} if !$name;
    copy($program, "$folder/$name") or die "$program: $!\n";
    return $name;
}

# The leash: a descriptor that all descendants inherit; when the last of them ends, reading it ends.
sub run_in {
    my ($folder, $how, @command) = @_;

    pipe my $leash, my $held or die "pipe: $!\n";
    my $pid = fork;
    defined $pid or die "fork: $!\n";
    if (!$pid) {
        close $leash;
        fcntl $held, F_SETFD, 0;
        eval { become($folder, $how, @command) };
        print STDERR $@;
        POSIX::_exit(126);
    }
    close $held;
    my $hung  = !wait_for_end($leash, $pid);
    my $status = $?;
    diag("ended after $patience seconds: @command") if $hung;
    return {
        status => $status, folder => $folder, hung => $hung,
        out    => slurp("$folder/.out"), err => slurp("$folder/.err"),
    };
}

sub become {
    my ($folder, $how, @command) = @_;

    chdir $folder or die "$folder: $!\n";
    my %env = %{ $how->{env} || {} };
    for (keys %env) {
        if (defined $env{$_}) { $ENV{$_} = $env{$_} }
        else                  { delete $ENV{$_} }
    }
    open STDIN,  '<', '/dev/null' or die "/dev/null: $!\n";
    open STDOUT, '>', '.out'      or die ".out: $!\n";
    open STDERR, '>', '.err'      or die ".err: $!\n";
    $how->{before}->() if $how->{before};
    exec { $command[0] } @command or die "$command[0]: $!\n";
}

# Sets $? to the status of the process. False if it had to be ended.
sub wait_for_end {
    my ($leash, $pid) = @_;

    my $ready = '';
    vec($ready, fileno $leash, 1) = 1;
    my $ended = select $ready, undef, undef, $patience;
    kill KILL => $pid if !$ended;
    waitpid $pid, 0;
    return $ended;
}

1;
