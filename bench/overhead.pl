#!/usr/bin/perl
# What profiling costs the profiled program. bench/README tells how to read it.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use Bench qw(root built_in ours workdir measure median quartiles commas original nytprof install_peers verdict machine);
use Getopt::Long;

my %opt = (runs => 11);
GetOptions(\%opt, 'runs=i', 'only=s', 'built=s', 'install', 'help') or usage(2);
usage(0) if $opt{help};
built_in($opt{built}) if defined $opt{built};
install_peers() if $opt{install};

my $folder  = workdir();
my $profile = "$folder/profile";
my $pod     = "$folder/large.pod";

# name, size for the light variants, size for the heavy ones, calls made at a size
my @programs = (
    { name => 'fib',     size => 28,        small => 25,      calls => \&fib_calls },
    { name => 'method',  size => 1_000_000, small => 250_000, calls => sub { $_[0] } },
    { name => 'closure', size => 1_000_000, small => 250_000, calls => sub { $_[0] } },
    { name => 'xsub',    size => 1_000_000, small => 250_000, calls => sub { $_[0] } },
);

# What the profile of ten calls holds.
my %looks = (
    'hz=100'  => qr/^\$hz=100;.*(?:^\+ \d+ \d+ \d+ Counter::step\n.*){10}/ms,
    'default' => qr/^\$hz=1000000;.*(?:^\+ \d+ \d+ \d+ Counter::step\n.*){10}/ms,
    'compact' => qr/^\$hz=100;.*^& [0-9a-f]+ Counter step\n/ms,
    'tree'    => qr/^PART3\n.* Counter::step\n/ms,
    'stopped' => qr/\A(?!.*^\+ )/ms,
);

# What each variant has to reach: how many times cheaper a call is than under NYTProf
# with stmts=0:slowops=0, and how much slower Pod::Man may become.
my @variants = grep { $_ } (
    light('hz=100',  'hz=100',                times => 15, podman => 1.12),
    light('default', '',                      times => 8,  podman => 1.16),
    light('compact', 'format=compact,hz=100', times => 18),
    light('tree',    'format=tree',           times => 22),
    light('stopped', 'start=no',              nsec  => 4),
    nytprof() && {
        name => 'NYTProf subs', heavy => 1, switches => ['-d:NYTProf'],
        env  => { NYTPROF => "stmts=0:slowops=0:file=$profile" },
    },
    nytprof() && {
        name => 'NYTProf', heavy => 1, switches => ['-d:NYTProf'], env => { NYTPROF => "file=$profile" },
    },
    original() && {
        name => 'original DProf', heavy => 1, switches => [original(), '-d:DProf'],
        env  => { PERL_DPROF_OUT_FILE_NAME => $profile },
    },
);

$| = 1;
machine();
my %wanted = map { $_ => 1 } split /,/, $opt{only} || 'start,fib,method,closure,xsub,podman';
my $start = start_up();
for my $program (grep { $wanted{ $_->{name} } } @programs) {
    calls($program);
}
pod_man() if $wanted{podman};

sub usage {
    my ($status) = @_;
    print { $status ? *STDERR : *STDOUT } <<'TEXT';
bench/overhead.pl [--runs N] [--only NAME,...] [--built FOLDER] [--install]

Runs small programs plainly and under each profiler in turn, N times (11), and
prints the medians of the differences within a round. NAMEs: start fib method
closure xsub podman. --built measures what was built in another tree. --install gets the peers: Debian's libdevel-nytprof-perl and
libdevel-dprof-perl.
TEXT
    exit $status;
}

# A variant of ours, if this recorder knows the options and does as they say.
sub light {
    my ($name, $options, %target) = @_;
    my $file = "file=$profile";
    my $self = {
        name => "ours $name", target => \%target,
        switches => [ours(), '-d:DProf=' . join ',', grep { $_ ne '' } $file, $options],
    };
    my $said = `$^X @{ $self->{switches} } ${\root()}/bench/work/method.pl 10 2>&1`;
    $said ||= 'nothing, and writes something else' if -e $profile && slurp($profile) !~ $looks{$name};
    unlink $profile;
    return $self if !$? && $said eq '';
    chomp $said;
    print "ours $name: not measured, the recorder says: $said\n";
    return;
}

sub slurp {
    my ($path) = @_;
    open my $fh, '<', $path or die "$path: $!\n";
    local $/;
    return scalar <$fh>;
}

sub fib_calls {
    my ($n) = @_;
    return 1 if $n < 2;
    my ($low, $high) = (1, 1);
    ($low, $high) = ($high, $low + $high + 1) for 2 .. $n;
    return $high;
}

# One run; its file of marks is measured and removed.
sub one {
    my ($variant, $program, @arguments) = @_;
    local @ENV{ keys %{ $variant->{env} } } = values %{ $variant->{env} };
    my $run = measure($^X, @{ $variant->{switches} }, root() . "/bench/work/$program.pl", @arguments);
    $run->{bytes} = 0;
    for my $file (glob "$profile*") {
        $run->{bytes} += -s $file;
        unlink $file or die "$file: $!\n";
    }
    return $run;
}

# Every variant once in each round, so that what disturbs the machine disturbs all.
sub rounds {
    my ($count, $program, $arguments) = @_;
    my @all = ({ name => 'plain' }, { name => 'plain small', heavy => 1 }, @variants);
    my %runs;
    for my $round (1 .. $count) {
        push @all, shift @all;
        for my $variant (@all) {
            push @{ $runs{ $variant->{name} } }, one($variant, $program, $arguments->($variant));
        }
    }
    return \%runs;
}

# --- start-up and exit ---------------------------------------------------------

sub start_up {
    my $runs  = rounds($opt{runs} + 10, 'fib', sub { return 0 });
    my @plain = @{ $runs->{plain} };
    my %start = ('plain' => median(map { $_->{cpu} } @plain), 'plain small' => median(map { $_->{cpu} } @plain));
    heading('start-up and exit of an empty program', 'CPU ms', 'wall ms', 'KiB');
    row('plain', map { sprintf '%.2f', $_ } 1e3 * $start{plain}, 1e3 * median(map { $_->{wall} } @plain),
        median(map { $_->{size} } @plain));
    for my $variant (@variants) {
        my @runs = @{ $runs->{ $variant->{name} } };
        $start{ $variant->{name} } = median(map { $_->{cpu} } @runs);
        my ($cpu, $wall) = map { 1e3 * differences($_, \@runs, \@plain) } qw(cpu wall);
        my $size = differences('size', \@runs, \@plain);
        row($variant->{name}, sprintf('%+.2f', $cpu), sprintf('%+.2f', $wall), sprintf('%+d', $size),
            $variant->{target} ? ('CPU ' . verdict($cpu, '<=', 3), 'size ' . verdict($size, '<=', 2048)) : ());
    }
    return \%start;
}

# The median over the rounds of a quantity less the plain run's in the same round.
sub differences {
    my ($what, $runs, $plain) = @_;
    return median(map { $runs->[$_]{$what} - $plain->[$_]{$what} } 0 .. $#$runs);
}

# --- calls ---------------------------------------------------------------------

sub calls {
    my ($program) = @_;
    my ($name, $count) = @$program{qw(name calls)};
    my $size = sub { my ($variant) = @_; return $program->{ $variant->{heavy} ? 'small' : 'size' } };
    my $runs = rounds($opt{runs}, $name, $size);

    my $plain = median(map { $_->{cpu} - $start->{plain} } @{ $runs->{plain} });
    heading(
        sprintf('%s, %s calls, plain %.1f ns each', $name, commas($count->($program->{size})),
            1e9 * $plain / $count->($program->{size})),
        'ns/call', '(quartiles)', 'CPU', 'wall', 'bytes/call'
    );
    my %extra = map { $_->{name} => [extra($_, $runs, $count->($size->($_)))] } @variants;
    my $peer  = $extra{'NYTProf subs'};
    for my $variant (@variants) {
        my ($low, $mid, $high) = map { 1e9 * $_ } @{ $extra{ $variant->{name} } };
        my @runs = @{ $runs->{ $variant->{name} } };
        row($variant->{name}, sprintf('%+.1f', $mid), sprintf('(%.1f..%.1f)', $low, $high), ratio($variant, $runs, 'cpu'),
            ratio($variant, $runs, 'wall'),
            sprintf('%.1f', median(map { $_->{bytes} } @runs) / $count->($size->($variant))),
            against($variant, $mid, $peer && 1e9 * $peer->[1]));
    }
    return;
}

# Quartiles of the extra CPU seconds of one call, start-up left out.
sub extra {
    my ($variant, $runs, $calls) = @_;
    my $plain = $runs->{ $variant->{heavy} ? 'plain small' : 'plain' };
    my $start = $start->{ $variant->{name} } - $start->{plain};
    my @runs  = @{ $runs->{ $variant->{name} } };
    return quartiles(map { ($runs[$_]{cpu} - $plain->[$_]{cpu} - $start) / $calls } 0 .. $#runs);
}

sub ratio {
    my ($variant, $runs, $what) = @_;
    my $plain = $runs->{ $variant->{heavy} ? 'plain small' : 'plain' };
    my @runs  = @{ $runs->{ $variant->{name} } };
    return sprintf '%.2f', median(map { $runs[$_]{$what} / $plain->[$_]{$what} } 0 .. $#runs);
}

# How a variant of ours stands against its target.
sub against {
    my ($variant, $nsec, $peer) = @_;
    my $target = $variant->{target} or return;
    return verdict($nsec, '<=', $target->{nsec}) . ' ns' if $target->{nsec};
    return if !$target->{times} || !$peer;
    my $times = $nsec > 0 ? $peer / $nsec : 999;
    return 'NYTProf subs / this: ' . verdict($times, '>=', $target->{times});
}

# --- a real program ------------------------------------------------------------

sub pod_man {
    my $size = collect_pod(1_000_000);
    my $runs = rounds($opt{runs} > 5 ? 5 : $opt{runs}, 'podman', sub { return (1, $pod) });
    heading(sprintf('Pod::Man over %s bytes of POD, plain %.2f s', commas($size), median(map { $_->{cpu} } @{ $runs->{plain} })),
        'CPU', 'wall', 'KiB', 'bytes');
    for my $variant (@variants) {
        my @runs = @{ $runs->{ $variant->{name} } };
        my $cpu  = ratio($variant, $runs, 'cpu');
        row($variant->{name}, $cpu, ratio($variant, $runs, 'wall'),
            sprintf('%+d', differences('size', \@runs, $runs->{plain})), commas(median(map { $_->{bytes} } @runs)),
            $variant->{target}{podman} ? verdict($cpu, '<=', $variant->{target}{podman}) : ());
    }
    return;
}

# The manuals of perl's own modules, largest first, until there is enough.
sub collect_pod {
    my ($enough) = @_;
    require Pod::Simple::JustPod;
    require File::Find;
    my %size;
    no warnings "once";
    my $look = sub { $size{$File::Find::name} = -s _ if /\.(?:pm|pod)\z/ && -f };
    File::Find::find({ no_chdir => 1, wanted => $look }, grep { -d && !/blib|^\./ } @INC);
    open my $out, '>', $pod or die "$pod: $!\n";
    for my $file (sort { $size{$b} <=> $size{$a} || $a cmp $b } keys %size) {
        my $parser = Pod::Simple::JustPod->new;
        $parser->output_string(\my $text);
        $parser->parse_file($file);
        next if !defined $text || $text =~ /^=encoding/m || $text =~ /[^\x00-\x7f]/;
        print {$out} $text, "\n";
        last if tell($out) > $enough;
    }
    close $out or die "$pod: $!\n";
    return -s $pod;
}

# --- printing ------------------------------------------------------------------

sub heading {
    my ($title, @columns) = @_;
    print "\n$title\n";
    return row('', @columns);
}

sub row {
    my ($name, @columns) = @_;
    my @verdicts = grep { /[<>]=/ } @columns;
    my $line = sprintf '  %-15s', $name;
    $line .= sprintf '%14s', $_ for grep { !/[<>]=/ } @columns;
    print join('  ', $line, @verdicts), "\n";
    return;
}
