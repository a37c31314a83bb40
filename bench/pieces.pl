# Profiled by clock.pl. Burns and sleeps in subs of known names, and tells what its own clocks say of each:
# NAME CALLS CPU REAL. Argument: "pieces", or "cheap" for subs that cost next to nothing.
use strict;
use warnings;
use Time::HiRes qw(clock_gettime CLOCK_MONOTONIC);

## no critic (ProhibitConstantPragma ProhibitSleepViaSelect)
use constant CPU => 3;    # CLOCK_THREAD_CPUTIME_ID, which older Time::HiRes do not name

sub burn_10us   { my $i = 0; 1 while $i++ < 500;       return }
sub burn_100us  { my $i = 0; 1 while $i++ < 5_000;     return }
sub burn_1ms    { my $i = 0; 1 while $i++ < 50_000;    return }
sub burn_100ms  { my $i = 0; 1 while $i++ < 5_000_000; return }
sub sleep_10us  { select undef, undef, undef, 0.00001; return }
sub sleep_1ms   { select undef, undef, undef, 0.001;   return }
sub sleep_100ms { select undef, undef, undef, 0.1;     return }
sub sleep_1s    { select undef, undef, undef, 1;       return }

my %times = (
    burn_10us  => 20_000, burn_100us => 2_000, burn_1ms    => 200, burn_100ms => 3,
    sleep_10us => 2_000,  sleep_1ms  => 200,   sleep_100ms => 3,   sleep_1s   => 1,
);

sub cheap_1  { return $_[0] }
sub cheap_5  { my $n = shift; my $m = $n + 1; $n = $m * 2; $m = $n - 1; return $m }
sub cheap_20 { my $s = 0; $s += $_ for 1 .. 20; return $s }

sub loop_cheap_1  { for (1 .. 1_000_000) { cheap_1($_) }  return }
sub loop_cheap_5  { for (1 .. 1_000_000) { cheap_5($_) }  return }
sub loop_cheap_20 { for (1 .. 1_000_000) { cheap_20($_) } return }

my %loops = map { ($_ => 1) } qw(loop_cheap_1 loop_cheap_5 loop_cheap_20);

sub nothing { return }

# What asking the two clocks costs inside the two readings, and a call itself.
sub own_cost {
    my (@cpu, @real);
    my $code = \&nothing;
    for (1 .. 1001) {
        my ($real, $cpu) = (clock_gettime(CLOCK_MONOTONIC), clock_gettime(CPU));
        $code->();
        push @cpu,  clock_gettime(CPU) - $cpu;
        push @real, clock_gettime(CLOCK_MONOTONIC) - $real;
    }
    return map { (sort { $a <=> $b } @$_)[500] } \@cpu, \@real;
}

sub shuffle {
    my (@list) = @_;
    srand 7;
    for my $i (reverse 1 .. $#list) {
        my $j = int rand $i + 1;
        @list[$i, $j] = @list[$j, $i];
    }
    return @list;
}

my $times = $ARGV[0] eq 'cheap' ? \%loops : \%times;
my ($cpu_cost, $real_cost) = own_cost();
my (%cpu, %real);
for my $name (shuffle(map { ($_) x $times->{$_} } sort keys %$times)) {
    my $code = \&$name;
    my ($real, $cpu) = (clock_gettime(CLOCK_MONOTONIC), clock_gettime(CPU));
    $code->();
    $cpu{$name}  += clock_gettime(CPU) - $cpu - $cpu_cost;
    $real{$name} += clock_gettime(CLOCK_MONOTONIC) - $real - $real_cost;
}
printf "%s %d %.9f %.9f\n", $_, $times->{$_}, $cpu{$_}, $real{$_} for sort keys %$times;
