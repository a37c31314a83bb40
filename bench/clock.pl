#!/usr/bin/perl
# Are the times true? Programs that know what their subs cost, and what dprofpp says of them.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use Bench qw(ours dprofpp workdir machine median verdict);
use Getopt::Long;

my %opt = (order => 20, rounds => 9);
GetOptions(\%opt, 'order=i', 'rounds=i', 'busy', 'help') or usage(2);
usage(0) if $opt{help};

my $folder  = workdir();
my $program = "$FindBin::Bin/pieces.pl";
my $missed  = 0;

machine();
my @neighbours = $opt{busy} ? map { neighbour() } 1 .. 2 : ();
pieces($_) for '', 'format=compact', 'format=tree', 'portable=1';
cheap($_) for '', 'format=tree';
order($opt{order});
kill 9, @neighbours;
exit($missed ? 1 : 0);

sub usage {
    my ($status) = @_;
    print { $status ? \*STDERR : \*STDOUT } <<'USAGE';
bench/clock.pl [--busy] [--rounds N] [--order N]

Profiles programs that burn and sleep known amounts in known subs and compares:
pieces within 3 %, subs that cost next to nothing within 15 % of a plain run (medians
of N (9) rounds), and the order of subs the same in N (20) runs. --busy: beside two busy processes.
USAGE
    exit $status;
}

sub neighbour {
    my $pid = fork;
    die "fork: $!\n" if !defined $pid;
    return $pid if $pid;
    1 while 1;
}

# What the program says of itself: name => [calls, seconds].
sub truth {
    my (@command) = @_;
    open my $from, '-|', @command or die "$command[0]: $!\n";
    my %truth = map { my ($name, @rest) = split; ($name => \@rest) } <$from>;
    close $from or die "status $?: @command\n";
    return \%truth;
}

sub profiled {
    my ($options, @arguments) = @_;
    my $file = "$folder/profile";
    my $truth = truth($^X, ours(), "-d:DProf=file=$file,text=1G,limit=4G" . ($options && ",$options"), $program, @arguments);
    open my $from, '-|', dprofpp(), '--json', $file or die "dprofpp: $!\n";
    my %sub;
    while (my $line = <$from>) {
        my ($name) = $line =~ /"name":"main::(\w+)"/ or next;
        for my $kind (qw(exclusive inclusive)) {
            my ($cpu, $real) = $line =~ /"$kind":\{"cpu":([\d.]+),.*?"real":([\d.]+)\}/;
            $sub{$name}{$kind} = { cpu => $cpu, real => $real };
        }
    }
    close $from or die "dprofpp: status $?\n";
    unlink glob "$file*";
    return ($truth, \%sub);
}

sub off { my ($is, $should) = @_; return $should ? 100 * ($is / $should - 1) : 0 }

sub judge {
    my ($off, $most) = @_;
    my $good = abs $off <= $most;
    $missed++ if !$good;
    return $good ? 'ok' : 'MISSED';
}

# Once for each clock. A sub that only sleeps has next to no CPU time of its own, so only its real time is judged.
sub pieces {
    my ($options) = @_;
    my %row;
    for my $clock (qw(cpu real)) {
        my ($truth, $sub) = profiled($options, 'pieces', $clock);
        push @{ $row{$_} }, [ @{ $truth->{$_} }, $sub->{$_}{inclusive}{$clock} ] for keys %$truth;
    }

    printf "\npieces, %s%21s%31s\n", $options || 'default', 'CPU s: true, told', 'real s: true, told';
    for my $name (sort keys %row) {
        my ($cpu, $real) = @{ $row{$name} };
        my @off = map { off($_->[2], $_->[1]) } $cpu, $real;
        my $worst = $name =~ /^burn/ && abs $off[0] > abs $off[1] ? $off[0] : $off[1];
        printf "  %-12s %6d  %9.4f %9.4f %+6.2f%%  %9.4f %9.4f %+6.2f%%  %s\n", $name, $cpu->[0], @$cpu[1, 2],
            $off[0], @$real[1, 2], $off[1], judge($worst, 3);
    }
    return;
}

# Plain and profiled runs in turn, and their medians: one run and the next differ by a tenth and more on a
# shared machine, whichever of the two they are.
sub cheap {
    my ($options) = @_;
    my (%plain, %told);
    for my $round (1 .. $opt{rounds}) {
        my $truth = truth($^X, $program, 'cheap', 'cpu');
        my (undef, $sub) = profiled($options, 'cheap', 'cpu');
        push @{ $plain{$_} }, $truth->{$_}[1] for keys %$truth;
        push @{ $told{$_} }, $sub->{$_}{inclusive}{cpu} for keys %$truth;
    }

    printf "\ncheap subs, a million calls, %s: CPU s plainly, told (medians of %d runs each; least..most)\n",
        $options || 'default', $opt{rounds};
    for my $name (sort keys %plain) {
        my ($plain, $told) = map { median(@{ $_->{$name} }) } \%plain, \%told;
        my $off = off($told, $plain);
        printf "  %-14s %9.4f %9.4f %+6.2f%%  %s  (%.4f..%.4f, %.4f..%.4f)\n", $name, $plain, $told, $off,
            judge($off, 15), map { (sort { $a <=> $b } @{ $_->{$name} })[0, -1] } \%plain, \%told;
    }
    return;
}

sub order {
    my ($runs) = @_;
    my %seen;
    for (1 .. $runs) {
        my (undef, $sub) = profiled('', 'cheap', 'cpu');
        $seen{ join ' > ', sort { $sub->{$b}{exclusive}{cpu} <=> $sub->{$a}{exclusive}{cpu} } grep { /^cheap/ } keys %$sub }++;
    }
    my ($most) = sort { $seen{$b} <=> $seen{$a} } keys %seen;
    my $verdict = judge($seen{$most} == $runs ? 0 : 100, 0);
    print "\norder in $seen{$most} of $runs runs: $most  $verdict\n";
    return;
}
