# $? after system, backticks, close, wait and in END is what it is without us.
use strict;
use warnings;
use lib 't/lib';
use DProf::Record;
use Test::More;

same(<<'END', '$?');
sub run { system $^X, '-e', "exit $_[0]"; return $? >> 8 } sub nothing { 1 }
for my $want (0, 1, 3, 255) { my $got = run($want); nothing(); print "$want $got ", $? >> 8, "\n" }
sub ticks { my $x = `$^X -e 'print 5; exit 4'`; nothing(); return "$x " . ($? >> 8) } print ticks(), "\n";
my $pid = fork; if (!$pid) { nothing(); exit 9 } waitpid $pid, 0; nothing(); print $? >> 8, "\n";
open my $fh, '-|', $^X, '-e', 'exit 6' or die; my @l = <$fh>; close $fh; nothing(); print $? >> 8, "\n";
system $^X, '-e', 'kill 9, $$'; nothing(); print $? & 127, "\n";
$? = 77; nothing(); eval { die "x\n" }; print "$?\n";
$SIG{CHLD} = sub { nothing(); my $got = waitpid -1, 0; print 'child ', $? >> 8, ' ', $got > 0 ? 'ok' : 'lost', "\n"; $done = 1 }; $pid = fork; if (!$pid) { exit 12 } 
for (1 .. 200) { last if $done; select undef, undef, undef, .02 } sub END { nothing(); print "END $?\n"; $? = 5 } exit 3;
END
done_testing;
