package Devel::DProf::Run;

use strict;
use warnings;

use Config;
use Cwd ();
use Devel::DProf::Source;

# script($text): profiles a perl script, its arguments quoted as in a shell. See command().
sub script {
    my (@words) = @_;
    return command($^X, @words);
}

# command(@words): profiles a command. A perl gets its switches on the command line; of anything else the
# perls below it are profiled, by PERL5OPT.
# Returns a hash: status (as $?), files (the profiles that it wrote), error (if it did not start).
sub command {
    my (@words) = @_;
    local %ENV = %ENV;
    if (is_perl($words[0])) {
        splice @words, 1, 0, profiling_switches()
            if !grep { /\A-d(?::DProf\b|\z)/ } switches(@words[1 .. $#words]);
    } else {
        $ENV{PERL5OPT} = join ' ', '-d:DProf', grep { defined } $ENV{PERL5OPT};
        $ENV{PERL5LIB} = join $Config{path_sep}, module_folders(), grep { defined } $ENV{PERL5LIB};
    }
    my %before = map { ($_ => stamp($_)) } candidates();
    my ($pid, $error) = spawn(@words);
    return { error => $error } if !$pid;
    my $status = wait_for($pid);
    my @files = grep { !defined $before{$_} || $before{$_} ne stamp($_) } candidates();
    return { status => $status, files => [family_first($pid, @files)] };
}

# Those of perl's arguments that are its switches, as perl takes them: without the words that belong to -I and -e,
# and what follows.
sub switches {
    my (@words) = @_;
    my @found;
    while (@words && $words[0] =~ /\A-./s && $words[0] ne '--') {
        push @found, shift @words;
        shift @words if $found[-1] =~ /\A-[acfghlnpsStTuUvwWX\d]*[IeE]\z/;
    }
    return @found;
}

sub is_perl {
    my ($word) = @_;
    return $word eq $^X || $word =~ m{(?:\A|/)perl[\d.]*\z};
}

sub profiling_switches {
    return ((map { "-I$_" } module_folders()), '-d:DProf');
}

# The folders where our own modules are, if perl would not find them by itself.
sub module_folders {
    my %known = map { ($_ => 1) } grep { defined } map { $Config{$_} }
        qw(privlibexp archlibexp sitelibexp sitearchexp vendorlibexp vendorarchexp);
    my @found;
    for my $file ('Devel/DProf.pm', 'auto/Devel/DProf/DProf.' . $Config{dlext}) {
        my ($folder) = grep { !ref && -f "$_/$file" } @INC;
        push @found, Cwd::abs_path($folder) if defined $folder && !$known{$folder};
    }
    my %seen;
    return grep { !$seen{$_}++ } @found;
}

# The pattern of file names that the recorder will use: %p and the others stand for anything.
sub pattern {
    my $file;
    for my $options ($ENV{PERL_DPROF}) {
        ($file) = ",$options" =~ /.*,file=([^,]*)/s if defined $options;
    }
    $file = $ENV{PERL_DPROF_OUT_FILE_NAME} if !defined $file;
    return defined $file && $file ne '' ? $file : 'tmon.out';
}

# Files that may be profiles of that pattern, with those of children beside them.
sub candidates {
    my ($folder, $name) = pattern() =~ m{\A(.*/)?([^/]*)\z}s or return;
    $folder = '' if !defined $folder;
    my $regex = join '', map { /\A%[a-z]\z/ ? '.*?' : $_ eq '%%' ? '%' : quotemeta }
        $name =~ /(%[a-z%]|.)/gs;
    opendir my $dir, $folder eq '' ? '.' : $folder or return;
    return map { $folder . $_ } sort grep { /\A$regex(?:\.\d+)*\z/s } readdir $dir;
}

# What changes when a file is written anew. A new file may get the number of the old one, in the same
# second: the run tells them apart.
sub stamp {
    my ($path) = @_;
    my @stat = stat $path or return '';
    my $run = Devel::DProf::Source::run_of($path);
    return join ' ', @stat[1, 7, 9, 10], map { defined ? $_ : '' } @$run{qw(id pid started)};
}

# Starts it; the pid, or undef and why not.
sub spawn {
    my (@words) = @_;
    pipe my $read, my $write or return (undef, "pipe: $!");
    my $pid = fork;
    return (undef, "fork: $!") if !defined $pid;
    if (!$pid) {
        close $read;    # $write closes by itself when the program starts
        no warnings 'exec';
        exec { $words[0] } @words;
        print {$write} "$words[0]: $!";
        close $write;
        require POSIX;
        POSIX::_exit(127);
    }
    close $write;
    my $error = do { local $/; <$read> };
    return ($pid, '') if !defined $error || $error eq '';
    wait_for($pid);
    return (undef, $error);
}

# Ctrl-C is for the program, and the report still comes.
sub wait_for {
    my ($pid) = @_;
    local @SIG{qw(INT QUIT)} = ('IGNORE', 'IGNORE');
    local $?;
    1 while waitpid($pid, 0) < 0 && $!{EINTR};
    return $?;
}

# The profile of the process itself before those of others.
sub family_first {
    my ($pid, @files) = @_;
    my (@own, @rest);
    for my $file (@files) {
        my $of = Devel::DProf::Source::run_of($file)->{pid};
        if (defined $of && $of eq $pid) {
            push @own, $file;
        } else {
            push @rest, $file;
        }
    }
    return (@own, @rest);
}

# "exited with status 3", "was killed by signal 9", or ''.
sub ending {
    my ($status) = @_;
    return 'was killed by signal ' . ($status & 127) if $status & 127;
    return $status >> 8 ? 'exited with status ' . ($status >> 8) : '';
}

1;

__END__

=head1 NAME

Devel::DProf::Run - profile a command and find what it wrote

=head1 SYNOPSIS

    my $run = Devel::DProf::Run::script('script.pl', 'an argument');
    die $run->{error} if $run->{error};
    print "it wrote @{ $run->{files} }\n";

=head1 DESCRIPTION

=over

=item script(@words)

Profiles a perl script with its arguments.

=item command(@words)

Profiles any command: a perl by C<-d:DProf> on its command line, the perls that anything else starts
by C<PERL5OPT>.

=item ending($status)

Says in words how it ended; an empty string if all was well.

=item pattern()

The pattern of file names that the recorder will use.

=item is_perl, switches, profiling_switches, module_folders, candidates, stamp, spawn, wait_for, family_first

Parts of these.

=back

C<script> and C<command> return a hash with C<status> (as C<$?>) and C<files>, the profiles that
were really written, wherever the environment sent them; or with C<error> if it could not be
started.

=cut
