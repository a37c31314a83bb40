# Recursion. fib(N) makes 2 * fib(N + 1) - 1 calls.
use strict;
use warnings;

my ($n) = @ARGV;

sub fib {
    my $n = shift;
    return $n < 2 ? $n : fib($n - 1) + fib($n - 2);
}

fib($n) if $n;
