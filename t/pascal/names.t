# A name is a call where it means a routine: not where it is a field of a with's record, nor a constant of an
# enumeration that is declared nearer.
use strict;
use warnings;

use lib 't/lib';
use DProf::CallTree qw(tree_is);
use Test::More;

tree_is('a field of a with', <<'END', [1, 0, 10], 'p 1x');
program p(output);
type rec = record n: integer end;
var r: rec; i, k: integer;
function n: integer;
begin n := 5 end;
begin
  for i := 1 to 10 do
    with r do k := k + n
end.
END

# Of pointers, arrays of several dimensions, records in records, an arm of a record, its tag, and a parameter;
# behind the end of the with the name is the function again.
tree_is('fields however they are come by', <<'END', [1, 2, 1], "p 1x\n-f 1x\n-q 1x\n--f 1x");
program p(output);
type link = ^node;
     node = record next: link; case t: boolean of true: (f: integer; in1: record a: integer end); false: () end;
     two  = array [1..2, 1..3] of array [1..4] of node;
     same = two;
var s: same; l: link; k: integer;
function f: integer;
begin f := 1 end;
procedure q(var n: node);
var t: integer;
begin
  with n do k := k + f;
  k := k + f
end;
begin
  with s[1][2, 3] do k := f;
  with s[1, 2, 3], next^ do begin k := f; k := f end;
  with l^.next^ do with in1 do k := f;
  with s[1, 2] [3].in1 do k := f;  { the function }
  with l^ do k := f;
  q(l^)
end.
END

tree_is('constants of enumerations', <<'END', [1, 1, 1, 1, 0], "p 1x\n-q 1x\n-two 1x");
program p(output);
var k: integer;
procedure q;
var c: (one, two, three); r: record a: array [boolean] of set of (four, five) end;
begin
  c := two;
  if c = two then k := ord(five)
end;
function two: integer;
begin two := 2 end;
function five: integer;
begin five := 5 end;
begin q; k := two end.
END

# Nothing is said for certain where the record's type is another text's.
my $got = tree_is('a type that is not known', <<'END', [1, 0, 10], "p 1x\n-n 0x");
program p(output);
uses other;
var r: rec; i, k: integer;
function n: integer;
begin n := 5 end;
begin
  for i := 1 to 10 do
    with r do k := k + n
end.
END
is($got->{err} . $got->{status}, '0', 'is no reason for a word');
done_testing;
