# A closure, N times.
use strict;
use warnings;

my ($n) = @ARGV;
my $count = 0;
my $next  = sub { return ++$count };
$next->() for 1 .. $n;
