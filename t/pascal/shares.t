# Where the counters do not say how often a place called: each gets what it can have called, all together what
# there was, and a ~ where other numbers fit as well.
use strict;
use warnings;

use lib 't/lib';
use DProf::CallTree qw(tree_is);
use Test::More;

my $both = <<'END';
program p(output);
var i: integer; b: boolean;
function f: boolean;
begin f := true end;
procedure app(function g: boolean);
begin
  b := g;
  b := g;
  b := g
end;
begin
  if b and f then
    i := 100;
  app(f)
end.
END
tree_is('right of and, and through a parameter', $both, [1, 3, 1, 0], "p 1x\n-f ~1x\n-app 1x\n--f ~2x");
tree_is('all evaluated whole',                   $both, [1, 4, 1, 0], "p 1x\n-f 1x\n-app 1x\n--f 3x");
tree_is('none of them',                          $both, [1, 0, 1, 0], "p 1x\n-f 0x\n-app 1x\n--f 0x");

# In one routine it does not matter which of them it was; in several it does. No place gets more than its
# statement ran.
my $maybes = <<'END';
program p(output);
var i: integer; b: boolean;
function f: boolean;
begin f := true end;
procedure q;
begin
  b := b or f
end;
begin
  b := f;
  b := b and f;
  for i := 1 to 3 do b := b and f;
  CALL
end.
END
(my $alone = $maybes) =~ s/CALL/b := false/;
tree_is('in one routine',  $alone, [1, 3, 0, 3], "p 1x\n-f 3x");
$maybes =~ s/CALL/q/;
tree_is('in several ones', $maybes, [1, 5, 1, 3], "p 1x\n-f ~4x\n-q 1x\n--f ~1x");
tree_is('all there are',   $maybes, [1, 6, 1, 3], "p 1x\n-f 5x\n-q 1x\n--f 1x");

# Free Pascal's mod calls twice; nothing else does.
my $twice = <<'END';
program p(output);
var i: integer;
function f: integer;
begin f := 3 end;
procedure q;
begin
  i := f mod 2
end;
procedure r;
begin
  i := 2 mod (1 + ord((i = 1) and (f = 1)))
end;
begin q; r end.
END
tree_is('left of mod', $twice, [1, 3, 1, 1], "p 1x\n-q 1x\n--f 2x\n-r 1x\n--f 1x");

# What is given to several parameters is split once, also where one hands it on to another, and where they do
# that in a circle.
my $given = <<'END';
program p(output);
var i: integer;
procedure a; begin i := i + 1 end;
procedure b; begin i := i + 2 end;
procedure app(procedure g; n: integer);
begin
  for i := 1 to n do g
end;
procedure app2(procedure g);
begin
  app(g, 2);
  g
end;
begin
  app(a, 3);
  app(b, 5);
  app2(a);
  a
end.
END
tree_is('given to two parameters', $given, [1, 7, 5, 3, 10, 1],
    "p 1x\n-a 1x\n-app 2x\n--a ~5x\n--b 5x\n-app2 1x\n--a ~1x\n--app 1x");

my $handed = <<'END';
program p(output);
procedure a; begin end;
procedure last(procedure g);
begin
  g; g
end;
procedure again(procedure g; n: integer);
begin
  if n > 0 then again(g, n - 1) else last(g)
end;
begin again(a, 1) end.
END
tree_is('handed on', $handed, [1, 2, 1, 2, 1], "p 1x\n-again 1x\n--last 1x\n---a 2x\n--again 1x");

done_testing;
