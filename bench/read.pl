#!/usr/bin/perl
# How fast profiles are read. bench/README tells how to read it.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use Bench qw(root built_in dprofpp workdir measure median compile commas original nytprof install_peers verdict machine);
use Getopt::Long;

my %opt = (runs => 5, marks => '1e5,1e6,1e7');
GetOptions(\%opt, 'runs=i', 'marks=s', 'built=s', 'install', 'help') or usage(2);
usage(0) if $opt{help};
built_in($opt{built}) if defined $opt{built};
install_peers() if $opt{install};

my $folder  = workdir();
my $maker   = compile('marks');
my @dprofpp = dprofpp();
my ($old)   = original() ? grep { -x } '/usr/bin/dprofpp' : ();

# From here on a peer takes too long: some microseconds a mark.
my $too_many_for_peers = 2e6;

$| = 1;
machine();
my $empty = make(2, 'text');
my $start = median(map { measure(@dprofpp, $empty)->{cpu} } 1 .. $opt{runs});
my $old_start = $old && median(map { measure($^X, $old, $empty)->{cpu} } 1 .. $opt{runs});
printf "dprofpp on an empty profile: %.1f ms%s\n", 1e3 * $start, $old ? sprintf ', the original %.1f ms', 1e3 * $old_start : '';

for my $dialect ('text', 'compact') {
    print "\n$dialect\n";
    printf "  %11s%9s%10s%12s%10s%9s   %s\n", 'marks', 'MB', 'ns/mark', 'Mmarks/s', 'MB/s', 'KiB', 'beside (CPU, start-up left out)';
    grow($dialect, $_) for map { 0 + $_ } split /,/, $opt{marks};
}
instructions();
csv();

sub usage {
    my ($status) = @_;
    print { $status ? *STDERR : *STDOUT } <<'TEXT';
bench/read.pl [--runs N] [--marks N,N,...] [--built FOLDER] [--install]

Times dprofpp on generated profiles of 10^5 to 10^7 marks (--marks 1e8: more),
beside wc -l and the original dprofpp on the same files, N runs each (5), the
medians. --built measures what was built in another tree. --install gets the peers.
TEXT
    exit $status;
}

sub make {
    my ($marks, $dialect) = @_;
    my $file = "$folder/$marks.$dialect";
    system("$maker $marks $dialect > $file") == 0 or die "cannot write $file\n";
    return $file;
}

# One size: ours and its neighbours in turn on one cached file.
sub grow {
    my ($dialect, $marks) = @_;
    my $file = make($marks, $dialect);
    my $bytes = -s $file;
    my (@ours, @wc, @old);
    for (1 .. $opt{runs}) {
        push @wc,   measure('wc', '-l', $file);
        push @ours, measure(@dprofpp, $file);
        push @old,  measure($^X, $old, $file) if $old && $marks <= $too_many_for_peers && @old < 3;
    }
    unlink $file;
    my $cpu = median(map { $_->{cpu} - $start } @ours);
    my $wc  = median(map { $_->{cpu} } @wc);
    printf "  %11s%9.1f%10.1f%12.1f%10.0f%9d ", commas($marks), $bytes / 1e6, 1e9 * $cpu / $marks, $marks / $cpu / 1e6,
        $bytes / $cpu / 1e6, median(map { $_->{size} } @ours);
    my @beside = $marks >= 1e6 && $dialect eq 'text'
        ? 'time of wc -l ' . verdict($cpu / $wc, '<=', 4)
        : sprintf 'time of wc -l times %.1f', $cpu / $wc;
    if (@old) {
        my $times = median(map { $_->{cpu} - $old_start } @old) / $cpu;
        push @beside, $marks >= 1e6
            ? 'speed of the original ' . verdict($times, '>=', 30)
            : sprintf 'speed of the original times %.0f', $times;
    }
    push @beside, verdict($bytes / $cpu / 1e9, '>=', 1.5) . ' GB/s' if $marks >= 1e6 && $dialect eq 'text';
    push @beside, verdict($marks / $cpu / 1e6, '>=', 40) . ' Mmarks/s' if $marks >= 1e6 && $dialect eq 'compact';
    print '  ', join('; ', @beside), "\n";
    return;
}

# Instructions for one mark: the difference between two sizes.
sub instructions {
    print "\ninstructions per mark\n";
    if (system('command -v valgrind > /dev/null')) {
        print "  not counted: valgrind is not installed (--install gets it)\n";
        return;
    }
    for my $dialect ('text', 'compact') {
        my ($few, $many) = map { counted(make($_, $dialect)) } 50_000, 150_000;
        printf "  %-8s %.0f\n", $dialect, ($many - $few) / 100_000;
    }
    return;
}

sub counted {
    my ($file) = @_;
    my $said = `valgrind --tool=callgrind --callgrind-out-file=/dev/null @dprofpp $file 2>&1 > /dev/null`;
    my ($count) = $said =~ /Collected : (\d+)/ or die "valgrind: $said\n";
    return $count;
}

# NYTProf's reader on a profile of its own, of as many calls as half a million marks have.
sub csv {
    my ($nytprofcsv) = grep { -x } '/usr/bin/nytprofcsv';
    return if !nytprof() || !$nytprofcsv;
    my $file = "$folder/nytprof.out";
    local $ENV{NYTPROF} = "stmts=0:slowops=0:file=$file";
    measure($^X, '-d:NYTProf', root() . '/bench/work/method.pl', 250_000);
    my $run = measure($^X, $nytprofcsv, '--file', $file, '--out', "$folder/csv");
    printf "\nnytprofcsv on NYTProf's profile of 250,000 calls: %.0f ns for what is two marks here\n", 1e9 * $run->{cpu} / 250_000;
    return;
}
