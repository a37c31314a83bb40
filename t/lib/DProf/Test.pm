package DProf::Test;

use strict;
use warnings;

use Cwd ();
use Exporter 'import';
use POSIX ();
use File::Temp ();
use Test::More;

our @EXPORT_OK = qw(dprofpp run in_folder golden golden_text spew slurp top all_of);

# The top of the distribution, and the switches that make a child find what was built there.
our $TOP = Cwd::abs_path('.');
our @PERL = ($^X, "-I$TOP/blib/lib", "-I$TOP/blib/arch");

sub top { return $TOP }

sub slurp {
    my ($path) = @_;
    open my $fh, '<', $path or die "$path: $!\n";
    binmode $fh;
    local $/;
    my $text = <$fh>;
    return defined $text ? $text : '';
}

sub spew {
    my ($path, $text) = @_;
    open my $fh, '>', $path or die "$path: $!\n";
    binmode $fh;
    print {$fh} $text or die "$path: $!\n";
    close $fh or die "$path: $!\n";
    return;
}

# Runs a command, with a text as its standard input; standard input is empty otherwise.
# Returns a hash: out, err, status.
sub run {
    my ($words, %how) = @_;
    my ($in, $out, $err) = map { File::Temp->new } 1 .. 3;
    print {$in} defined $how{in} ? $how{in} : '';
    close $in;
    my $pid = fork;
    die "fork: $!\n" if !defined $pid;
    if (!$pid) {
        open STDIN,  '<', "$in"  or die "$!\n";
        open STDOUT, '>', "$out" or die "$!\n";
        open STDERR, '>', "$err" or die "$!\n";
        no warnings 'exec';
        exec { $words->[0] } @$words;
        POSIX::_exit(127);
    }
    waitpid $pid, 0;
    my $status = $? & 127 ? 'signal ' . ($? & 127) : $? >> 8;
    return { out => slurp("$out"), err => slurp("$err"), status => $status };
}

# Runs our dprofpp. env => {...} is added to an environment without options for us.
sub dprofpp {
    my ($words, %how) = @_;
    local %ENV = %ENV;
    delete @ENV{qw(DPROFPP_OPTS PERL_DPROF PERL_DPROF_OUT_FILE_NAME PERL_DPROF_TICKS COLUMNS)};
    $ENV{$_} = $how{env}{$_} for keys %{ $how{env} || {} };
    return run([@PERL, "$TOP/dprofpp", @$words], in => $how{in});
}

# Calls code in another folder and comes back, also when it dies.
sub in_folder {
    my ($folder, $code) = @_;
    my $here = Cwd::getcwd();
    chdir $folder or die "$folder: $!\n";
    my $ok = eval { $code->(); 1 };
    my $error = $@;
    chdir $here or die "$here: $!\n";
    die $error if !$ok;
    return;
}

# Compares a text to a file; DPROF_GOLDEN=update writes the file instead.
sub golden {
    my ($got, $path) = @_;
    if (($ENV{DPROF_GOLDEN} || '') eq 'update') {
        spew($path, $got) if !-e $path || slurp($path) ne $got;
        return pass("$path updated");
    }
    local $Test::Builder::Level = $Test::Builder::Level + 1;
    my $want = -e $path ? slurp($path) : '';
    return is($got, $want, $path);
}

# The text of a session: each line "$ dprofpp ..." of the file is run in the file's folder; what it
# prints follows it, standard error after "! ", an exit status other than 0 as "[exit N]".
sub golden_text {
    my ($path, $split) = @_;
    my $text = '';
    for my $line (grep { /\A\$ / } split /\n/, slurp($path)) {
        my ($command) = $line =~ /\A\$ dprofpp(?: (.*))?\z/ or die "$path: $line\n";
        my %env;
        my @words = $split->(defined $command ? $command : '');
        my $got = dprofpp(\@words);
        $text .= "$line\n$got->{out}";
        $text .= "\n[no newline]\n" if $got->{out} =~ /[^\n]\z/;
        $text .= join '', map { "! $_\n" } split /\n/, $got->{err};
        $text .= "[exit $got->{status}]\n" if $got->{status};
    }
    return $text;
}

# All that --json says of a profile but what the file itself was like: numbers of marks, repairs, its version.
sub all_of {
    my ($profile, @how) = @_;
    require JSON::PP;
    my $data = eval { JSON::PP->new->utf8->decode(dprofpp([@how, '--json', '-U', $profile])->{out}) } or return;
    delete @{ $data->{run} }{qw(marks version lost)};
    delete $data->{notes};
    return $data;
}

1;
