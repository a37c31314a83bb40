# Profiled by clock.pl. Burns and sleeps in subs of known names, and tells what its own clock says of each:
# NAME CALLS SECONDS. Arguments: "pieces", or "cheap" for subs that cost next to nothing; and the clock, "cpu" or
# "real". One of them only: asking for CPU time is a system call, which would be part of each piece's real time.
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

# What reading the clock twice costs inside the two readings, and a call itself: after something else has run, as
# before every piece, for a system call just made is a cheaper one.
sub own_cost {
    my ($clock) = @_;
    my @cost;
    my $code = \&nothing;
    for (1 .. 1001) {
        my $i = 0;
        1 while $i++ < 500;
        my $begin = clock_gettime($clock);
        $code->();
        push @cost, clock_gettime($clock) - $begin;
    }
    return (sort { $a <=> $b } @cost)[500];
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

my ($what, $which) = @ARGV;
my $times = $what eq 'cheap' ? \%loops : \%times;
my $clock = $which eq 'cpu' ? CPU : CLOCK_MONOTONIC;
my $cost  = own_cost($clock);
my %sum;
for my $name (shuffle(map { ($_) x $times->{$_} } sort keys %$times)) {
    my $code  = \&$name;
    my $begin = clock_gettime($clock);
    $code->();
    $sum{$name} += clock_gettime($clock) - $begin - $cost;
}
printf "%s %d %.9f\n", $_, $times->{$_}, $sum{$_} for sort keys %$times;
