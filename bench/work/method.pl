# A small method, N times.
use strict;
use warnings;

package Counter;

sub new  { my ($class) = @_; return bless { count => 0 }, $class }
sub step { my $self = shift; return ++$self->{count} }

package main;

my ($n) = @ARGV;
my $counter = Counter->new;
$counter->step for 1 .. $n;
