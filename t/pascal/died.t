# Of several statements on the line where a program ended, or where a call was open, the one is marked with which
# all numbers fit; if there are several, the last of them, with a ~.
use strict;
use warnings;

use lib 't/lib';
use DProf::Test qw(spew dprofpp);
use File::Temp ();
use Test::More;

my $folder = File::Temp::tempdir(CLEANUP => 1);

# The listing of a program with these counters that ended with this trace: what is marked, "text <--- mark".
sub ends {
    my ($text, $counters, $death, $frames, $statements) = @_;
    my $headings = () = $text =~ /^(?:program|procedure)\b/mg;
    my $trace = "\n$death\n\n" . join '', map { "\t" . ($_ ? 'Called by' : 'Error in') . " \"$frames->[$_][0]\"+12 near line $frames->[$_][1].\n" }
        0 .. $#$frames;
    $trace .= "\n$statements statements executed in 0.00 seconds cpu time.\n" if defined $statements;
    spew("$folder/x.p", $text);
    spew("$folder/x.pmon", pack 'V*', 0x116, 2_000_000_000, 3 + @$counters, $headings, @$counters);
    spew("$folder/x.err", $trace);
    my @words = ("$folder/x.p", "$folder/x.pmon", '--died', "$folder/x.err");
    my $listing = dprofpp([@words, '--report', 'listing', '--marks']);
    my @marks = $listing->{out} =~ /\| *(\S.*?);?  (<---.*)$/mg;
    my ($total) = dprofpp(\@words)->{out} =~ /^Total Statements Executed = (.*)$/m;
    my $shown = "total $total\n";
    $shown .= join ' ', splice(@marks, 0, 2), "\n" while @marks;
    $shown =~ s/ $//mg;
    return ($shown, $listing->{err});
}

my $boom = <<'END';
program p(output);
var i, k: integer;
procedure boom(n: integer);
begin
  if n = 3 then begin i := 10 div (3 - n); i := i + 1 end; k := k + 1
end;
begin
  for i := 1 to 5 do begin k := k + 1; boom(i); k := k + 1 end
end.
END
my @counters = (1, 3, 1, 3);
my @frames   = (['boom', 5], ['p', 8]);
my $open     = "boom(i) <--- this call was open\nk := k + 1 <--- ran 2 times\n";
my $divided  = "total 17\ni := 10 div (3 - n) <--- Division by zero\ni := i + 1 <--- ran 0 times\nk := k + 1 <--- ran 2 times\n$open";

my ($shown, $err) = ends($boom, \@counters, 'Division by zero', \@frames);
is($shown, $divided, 'a division ends with a division by zero');
unlike($err, qr/several/, 'for certain');

($shown) = ends($boom, \@counters, 'Overflow', \@frames, 17);
(my $want = $divided) =~ s/Division by zero/Overflow/;
is($shown, $want, 'the number of statements tells');
($shown) = ends($boom, \@counters, 'Overflow', \@frames, 19);
is($shown, "total 19\nk := k + 1 <--- Overflow\n$open", 'and of the last one');

($shown, $err) = ends($boom, \@counters, 'Overflow', \@frames);
is($shown, "total 19\ni := i + 1 <--- ran ~1 time\nk := k + 1 <--- ~Overflow\n$open", 'nothing tells: a ~');
like($err, qr/a line of the trace has several statements on it that may have ended the run: the last one is marked/, 'and a word');

my $calls = <<'END';
program p(output);
var k: integer;
procedure q(n: integer);
begin
  k := 1 div n
end;
begin
  q(0); k := k + 1; q(1)
end.
END
($shown, $err) = ends($calls, [1, 1], 'Division by zero', [['q', 5], ['p', 8]]);
is($shown, "total 2\nk := 1 div n <--- Division by zero\nq(0) <--- this call was open\nk := k + 1 <--- ran 0 times\nq(1) <--- ran 0 times\n",
    'a routine was entered as often as it was called');
unlike($err, qr/several/, 'for certain');

# The statements around are not on the line that has one of those in them.
my $around = <<'END';
program p(output);
var k: integer;
begin
  repeat
    for k := 1 to 10 do
      if k > 3 then
        k := k * k
  until k > 100
end.
END
($shown, $err) = ends($around, [1, 1, 4, 1], 'Overflow', [['p', 7]]);
like($shown, qr/^k := k \* k <--- Overflow$/m, 'one statement on the line');
unlike($err, qr/several/, 'is certain');

# A routine that was left by a jump before hides which of two calls was open.
my $jumped = <<'END';
program p(output);
label 1;
var k: integer;
procedure q(n: integer);
begin
  if n > 1 then goto 1;
  k := 1 div n
end;
begin
  q(2); q(5);
  1: q(0); k := k + 1; q(1)
end.
END
($shown, $err) = ends($jumped, [1, 2, 1, 1, 1, 1], 'Division by zero', [['q', 7], ['p', 11]]);
like($err, qr/several statements on it that may be the call that was open/, 'a jump before: not certain') or diag $shown;

done_testing;
