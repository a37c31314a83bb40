# $! keeps its value over every call, entry and exit, also where the recorder must extend its file or take up a new sub.
use strict;
use warnings;
use lib 't/lib';
use DProf::Record;
use Test::More;

my $program = <<'END';
use strict; use Errno; my ($wrong, $calls) = (0, 0);
sub set { $! = $_[0]; return }
sub keep { my $x = $! + 0; return $x }
sub deep { $! = 7; return $_[0] ? deep($_[0] - 1) : 0 }
for my $i (1 .. 30_000) { set($i % 130 + 1); $wrong++ if $! + 0 != $i % 130 + 1; $wrong++ if keep() != $i % 130 + 1; $calls += 2 }
for my $i (1 .. 300) { $! = 33; eval "sub new_$i { 1 } 1" or die; $! = 33; { no strict 'refs'; &{"new_$i"}() } $wrong++ if $! + 0 != 33 }
for my $i (1 .. 300) { $! = 33; my $c = sub { $! = 34; die "x\n" if $i % 2; 1 }; eval { $c->() }; $wrong++ if $! + 0 != 34 }
{ package Gone; sub new { bless [] } sub DESTROY { my $x = 1; $x++ } } for (1 .. 50) { $! = 21; { my $o = Gone->new } $wrong++ if $! + 0 != 21 }
deep(2000); $wrong++ if $! + 0 != 7;
print "wrong $wrong\n";
open my $fh, '<', '/no/such/file' or print "$!\n"; sub nothing { 1 } nothing(); print $! + 0, "\n";
END
for my $way (ways()) {
    my $run = same($program, $way || 'as it comes', options => $way);
    like $run->{out}, qr/^wrong 0$/m, 'and the program sees no error number but its own';
}
done_testing;
