#!/usr/bin/perl
# Are the times true? Programs that know what their subs cost, and what dprofpp says of them.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use Bench qw(ours dprofpp workdir machine median verdict);
use Getopt::Long;

my %opt = (order => 20);
GetOptions(\%opt, 'order=i', 'busy', 'help') or usage(2);
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
bench/clock.pl [--busy] [--order N]

Profiles programs that burn and sleep known amounts in known subs and compares:
pieces within 3 %, subs that cost next to nothing within 15 % of a plain run, and
the order of subs the same in N (20) runs. --busy: beside two busy processes.
USAGE
    exit $status;
}

sub neighbour {
    my $pid = fork;
    die "fork: $!\n" if !defined $pid;
    return $pid if $pid;
    1 while 1;
}

# What the program says of itself: name => [calls, cpu, real].
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

# A sub that only sleeps has next to no CPU time of its own, so only its real time is judged.
sub pieces {
    my ($options) = @_;
    my ($truth, $sub) = profiled($options, 'pieces');

    printf "\npieces, %s%21s%31s\n", $options || 'default', 'CPU s: true, told', 'real s: true, told';
    for my $name (sort keys %$truth) {
        my ($calls, $cpu, $real) = @{ $truth->{$name} };
        my $told = $sub->{$name}{inclusive};
        my ($cpu_off, $real_off) = (off($told->{cpu}, $cpu), off($told->{real}, $real));
        my $verdict = judge($name =~ /^burn/ ? $cpu_off : $real_off, 3);
        printf "  %-12s %6d  %9.4f %9.4f %+6.2f%%  %9.4f %9.4f %+6.2f%%  %s\n", $name, $calls, $cpu, $told->{cpu},
            $cpu_off, $real, $told->{real}, $real_off, $verdict;
    }
    return;
}

sub cheap {
    my ($options) = @_;
    my @plain = map { truth($^X, $program, 'cheap') } 1 .. 3;
    my ($truth, $sub) = profiled($options, 'cheap');

    printf "\ncheap subs, a million calls, %s: CPU s plainly, told\n", $options || 'default';
    for my $name (sort keys %$truth) {
        my $plain = median(map { $_->{$name}[1] } @plain);
        my $told  = $sub->{$name}{inclusive}{cpu};
        my $off   = off($told, $plain);
        printf "  %-14s %9.4f %9.4f %+6.2f%%  %s\n", $name, $plain, $told, $off, judge($off, 15);
    }
    return;
}

sub order {
    my ($runs) = @_;
    my %seen;
    for (1 .. $runs) {
        my (undef, $sub) = profiled('', 'cheap');
        $seen{ join ' > ', sort { $sub->{$b}{exclusive}{cpu} <=> $sub->{$a}{exclusive}{cpu} } grep { /^cheap/ } keys %$sub }++;
    }
    my ($most) = sort { $seen{$b} <=> $seen{$a} } keys %seen;
    my $verdict = judge($seen{$most} == $runs ? 0 : 100, 0);
    print "\norder in $seen{$most} of $runs runs: $most  $verdict\n";
    return;
}
