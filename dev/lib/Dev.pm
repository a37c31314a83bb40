package Dev;

# What dev/coretest and dev/dists share: Debian's source packages, a build of this tree,
# a command with a time limit.
use strict;
use warnings;
use Cwd 'abs_path';
use Exporter 'import';
use File::Basename qw(basename dirname);
use File::Path qw(mkpath rmtree);
use POSIX ':sys_wait_h';
use Time::HiRes qw(time sleep);

our @EXPORT_OK = qw(fetch build_for outcome command slurp spew);

my $root = abs_path(dirname(__FILE__) . '/../..');
my $log  = "$root/build/log/source.log";
mkpath("$root/build/log");

# --- source packages -------------------------------------------------------------

# Unpacks the source package NAME into the folder $to: the newest revision that matches
# and that the archive really has. Returns the folder that was unpacked, or nothing. The
# deb-src lines are those of the machine's own deb lines and are used for this alone.
sub fetch {
    my ($name, $to, $wanted) = @_;
    my @apt = apt();
    mkpath($to);
    my %seen;
    my @revisions = grep { (!$wanted || /$wanted/) && !$seen{$_}++ }
        map { /^Version: (\S+)/ ? $1 : () } `apt-cache @apt showsrc --only-source $name 2>> $log`;
    for my $revision (sort { newer($b, $a) } @revisions) {
        my %before = map { $_ => 1 } folders($to);
        print STDERR "Fetching the source of $name $revision ...\n";
        command("cd '$to' && apt-get -q @apt source --only-source $name=$revision") or next;
        my ($new) = grep { !$before{$_} } folders($to);
        return $new if $new;
    }
    return;
}

sub folders {
    my ($in) = @_;
    return grep { -d } glob "$in/*";
}

sub newer {
    my ($one, $other) = @_;
    return system('dpkg', '--compare-versions', $one, 'gt', $other) == 0 ? 1 : -1;
}

my @apt_options;

# The options that make apt see source packages; the lists are fetched once a run.
sub apt {
    return @apt_options if @apt_options;
    command('dpkg-source', '--version') or die "needs dpkg-source (Debian: apt-get install dpkg-dev)\n";
    @apt_options = apt_with_sources("$root/build/apt");
    command(qw(apt-get -q), @apt_options, 'update') or warn "apt-get update had errors, see $log\n";
    return @apt_options;
}

sub apt_with_sources {
    my ($folder) = @_;
    mkpath(["$folder/parts", "$folder/lists/partial", "$folder/cache/archives/partial"]);
    for my $from (grep { -e } '/etc/apt/sources.list', glob '/etc/apt/sources.list.d/*') {
        my $text = slurp($from);
        next if $text !~ m{debian\.org|/debian};
        $from =~ /\.sources\z/ ? $text =~ s/^Types:.*/Types: deb-src/mg : $text =~ s/^deb(?:-src)?\s/deb-src /mg;
        spew("$folder/parts/" . basename($from), $text);
    }
    return map { ('-o', $_) } "Dir::Etc::SourceList=/dev/null", "Dir::Etc::SourceParts=$folder/parts",
        "Dir::State::Lists=$folder/lists", "Dir::Cache=$folder/cache", 'APT::Sandbox::User=root';
}

# --- building and running ----------------------------------------------------------

# Builds a copy of this tree for a perl, in $to, and returns that.
sub build_for {
    my ($perl, $to) = @_;
    rmtree($to);
    mkpath($to);
    print "Building the recorder for $perl ...\n";
    command("cd '$root' && tar cf - --exclude=./build --exclude=./blib --exclude=./.git --exclude='./Devel-DProf-*' --exclude='*.o' --exclude='*.a' . | (cd '$to' && tar xf -)"
            . " && cd '$to' && rm -f Makefile && '$perl' Makefile.PL && make -j2")
        or die "the build failed, see $log\n";
    return $to;
}

# Runs a command in a folder with its output in a file and \%env added to a cleaned
# environment. Returns its exit status, "signalN", or "timeout" when it took longer
# than $limit seconds.
sub in_time {
    my ($limit, $folder, $output, $env, @command) = @_;
    my $pid = fork;
    defined $pid or die "fork: $!\n";
    if (!$pid) {
        setpgrp;
        delete @ENV{qw(PERL5LIB PERL5OPT PERLLIB PERL_UNICODE)};
        @ENV{ keys %$env } = values %$env;
        chdir $folder or POSIX::_exit(126);
        open STDIN,  '<',  '/dev/null' or POSIX::_exit(126);
        open STDOUT, '>',  $output     or POSIX::_exit(126);
        open STDERR, '>', "$output.err" or POSIX::_exit(126);
        exec @command or POSIX::_exit(127);
    }
    my $until = time + $limit;
    my $step  = 0.005;
    while (waitpid($pid, WNOHANG) == 0) {
        if (time > $until) {
            kill 'KILL', -$pid;
            waitpid $pid, 0;
            return 'timeout';
        }
        sleep $step;
        $step = 0.1 if ($step *= 1.5) > 0.1;
    }
    my $status = $? & 127 ? 'signal' . ($? & 127) : $? >> 8;
    kill 'KILL', -$pid;
    return $status;
}

sub command {
    my (@command) = @_;
    my $line = @command == 1 ? $command[0] : join ' ', map { s/'/'\\''/g; "'$_'" } @command;
    return system("( $line ) >> '$log' 2>&1 < /dev/null") == 0;
}

# How a test file went: "STATUS/OK/NOT-OK".
sub outcome {
    my ($limit, $folder, $output, $env, @command) = @_;
    my $status = in_time($limit, $folder, $output, $env, @command);
    my ($ok, $not_ok) = (0, 0);
    for (split /\n/, slurp($output)) { /^ok\b/ ? $ok++ : /^not ok\b/ ? $not_ok++ : next }
    return "$status/$ok/$not_ok";
}

sub slurp {
    my ($path) = @_;
    open my $fh, '<', $path or die "$path: $!\n";
    local $/;
    return scalar <$fh>;
}

sub spew {
    my ($path, $text) = @_;
    open my $fh, '>', $path or die "$path: $!\n";
    print {$fh} $text;
    close $fh or die "$path: $!\n";
    return;
}

1;
