#!/usr/bin/perl
# bench/pascal.pl [ROUTINES]: how long dprofpp takes for a Pascal program of a million lines, in user time. With a
# goto out of a routine and a halt in it, which leave calls open that have to be found.
use strict;
use warnings;

use File::Temp ();
use FindBin;
use lib "$FindBin::Bin/lib";
use Bench qw(dprofpp);

my $n      = $ARGV[0] || 90_000;
my $folder = File::Temp::tempdir(CLEANUP => 1);
my $body   = "begin\n  i := i + 1;\n  if i > 0 then begin\n    i := i - 1;\n    i := i + 2\n  end;\n  while i > 3 do\n    i := 3;\n";

chdir $folder or die "$folder: $!\n";
open my $fh, '>', 'big.p' or die "big.p: $!\n";
print {$fh} "program big(output);\nlabel 9;\nvar i: integer;\nprocedure out; begin goto 9 end;\nprocedure stop; begin halt end;\n";
for my $i (1 .. $n) {
    my $last = $i == 5 ? 'out; ' : $i == $n ? 'stop; ' : '';
    print {$fh} "procedure p$i;\n$body  ${last}i := 1\nend;\n";
}
print {$fh} "begin\n", map({ $_ == 7 ? "  9: p7;\n" : "  p$_;\n" } 1 .. $n), "  i := 0\nend.\n";
close $fh or die "big.p: $!\n";

# The header, out and stop were entered once; p6 was never called; label 9 was reached by the goto.
my @counts = (1, 1, 1, map({ $_ == 6 ? (0, 0, 0) : (1, 1, 0) } 1 .. $n), 1);
open $fh, '>', 'pmon.out' or die "pmon.out: $!\n";
binmode $fh;
print {$fh} pack 'V4 V*', 0x116, 2_000_000_000, @counts + 3, $n + 3, @counts;
close $fh or die "pmon.out: $!\n";

my $dprofpp = join ' ', dprofpp();
my $failed  = 0;
my $lines   = `wc -l < big.p`;
print "lines ", $lines + 0, "\n";
for my $report (qw(pretty listing top tree)) {
    my $before = (times)[2];
    my $status = system "$dprofpp big.p pmon.out -q --report $report > out 2> /dev/null";
    $failed++ if $status;
    printf "%-8s %.2f s user, %d bytes%s\n", $report, (times)[2] - $before, -s 'out', $status ? ', FAILED' : '';
}
exit($failed ? 1 : 0);
