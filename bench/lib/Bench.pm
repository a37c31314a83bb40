package Bench;

# What the benches share: measuring one run of a command, medians, finding the
# peers, a folder for the profiles.
use strict;
use warnings;
use Config;
use Exporter 'import';
use File::Path 'mkpath';
use File::Temp 'tempdir';

# So that the folders go at Ctrl-C, too.
$SIG{INT} = sub { exit 130 };

our @EXPORT_OK = qw(root built_in ours dprofpp workdir measure compile machine median quartiles commas original nytprof install_peers verdict);

my ($root) = __FILE__ =~ m{\A(.*?)/?bench/lib/Bench\.pm\z} or die "strange place: ${\__FILE__}\n";
$root = '.' if $root eq '';

sub root { return $root }

# The switches that load what was built here, or in another tree.
my $built = $root;

sub built_in {
    ($built) = @_;
    return;
}

# They lie as an installation has them, libraries and shared objects in one folder: in
# blib they do not, and XSLoader then loads DynaLoader, Config and warnings to find them.
my $installed;

sub ours {
    return ("-I$installed") if $installed;
    -e "$built/blib/arch/auto/Devel/DProf/DProf.so" || die "nothing is built in $built: perl Makefile.PL && make\n";
    mkpath("$root/build/bench");
    my $folder = tempdir('installed-XXXXXX', DIR => "$root/build/bench", CLEANUP => 1);
    system('cp', '-r', "$built/blib/lib/.", "$built/blib/arch/.", $folder) == 0 or die "cannot copy to $folder\n";
    return ('-I' . ($installed = $folder));
}

sub dprofpp {
    return ($^X, ours(), "$built/dprofpp");
}

# A folder on the project's own disk (a tmpfs would make the recorder write in another
# way than most users see), removed at exit.
sub workdir {
    mkpath("$root/build/bench");
    return tempdir('run-XXXXXX', DIR => "$root/build/bench", CLEANUP => 1);
}

# Runs a command. Returns its CPU and wall time in seconds and its largest size in KiB.
sub measure {
    my (@command) = @_;
    open my $from, '-|', _measure_program(), @command or die "measure: $!\n";
    my ($user, $system, $wall, $size, $status) = split ' ', scalar <$from>;
    close $from or die "measure failed\n";
    die "status $status of: @command\n" if $status;
    return { cpu => ($user + $system) / 1e6, wall => $wall / 1e6, size => $size };
}

my $program;

sub _measure_program {
    return $program ||= compile('measure');
}

# Compiles bench/NAME.c, if it has changed, and returns the path of the program.
sub compile {
    my ($name) = @_;
    my ($source, $to) = ("$root/bench/$name.c", "$root/build/bench/$name");
    if (!-e $to || -M $to > -M $source) {
        mkpath("$root/build/bench");
        system("$Config{cc} -O2 -o $to $source") == 0 or die "cannot compile $source\n";
    }
    return $to;
}

sub median { return (quartiles(@_))[1] }

# First quartile, median, third.
sub quartiles {
    my (@values) = @_;
    my @sorted = sort { $a <=> $b } @values;
    return map { _at($_ * $#sorted, @sorted) } 0.25, 0.5, 0.75;
}

sub _at {
    my ($place, @sorted) = @_;
    my $below = int $place;
    my $above = $below < $#sorted ? $below + 1 : $below;
    return $sorted[$below] + ($place - $below) * ($sorted[$above] - $sorted[$below]);
}

sub commas {
    my ($number) = @_;
    1 while $number =~ s/^(\d+)(\d{3})/$1,$2/;
    return $number;
}

# The switches that load the original DProf, if it is installed: its folder first,
# and ours nowhere.
sub original {
    for my $folder (grep { !m{\bblib\b} } @INC) {
        my $file = "$folder/Devel/DProf.pm";
        open my $fh, '<', $file or next;
        local $/;
        return ("-I$folder") if <$fh> =~ /VERSION\s*=\s*'20110802/;
    }
    return;
}

sub nytprof {
    return scalar grep { -e "$_/Devel/NYTProf.pm" } @INC;
}

sub install_peers {
    my @packages = qw(libdevel-nytprof-perl libdevel-dprof-perl valgrind);
    system('apt-get', 'install', '-y', '--no-install-recommends', @packages) == 0
        or die "could not install @packages; as root: apt-get update && apt-get install @packages\n";
    return;
}

# "ok (18.2 >= 15)" or "MISSED (14.1 >= 15)": a measured value beside what it has to reach.
sub verdict {
    my ($value, $sign, $target) = @_;
    my $good = $sign eq '>=' ? $value >= $target : $value <= $target;
    return sprintf '%s (%.4g %s %s)', $good ? 'ok' : 'MISSED', $value, $sign, $target;
}

# Says on what the numbers that follow were measured.
sub machine {
    my ($cpu) = map { /^model name\s*:\s*(.*)/ ? $1 : () } _lines('/proc/cpuinfo');
    my ($load) = map { (split)[0] } _lines('/proc/loadavg');
    printf "perl %vd, %s, load %s\n", $^V, $cpu || 'unknown CPU', defined $load ? $load : 'unknown';
    print "NYTProf is not installed: no comparison with it (--install gets it)\n" if !nytprof();
    print "the original DProf is not installed: no comparison with it (--install gets it)\n" if !original();
    return;
}

sub _lines {
    my ($path) = @_;
    open my $fh, '<', $path or return;
    return <$fh>;
}

1;
