# Programs of today, by dprofpp --run: what Free Pascal compiles and runs is counted, and the report is of it.
use strict;
use warnings;

use lib 't/lib';
use DProf::Test qw(slurp spew dprofpp in_folder run);
use File::Temp ();
use Test::More;

use Devel::DProf::FreePascal;

plan skip_all => 'needs Free Pascal (fpc)' if !grep { -x "$_/fpc" } split /:/, $ENV{PATH} || '';

my $folder = File::Temp::tempdir(CLEANUP => 1);

# What dprofpp --run makes of the program, with these options.
sub profiled {
    my ($name, $text, @options) = @_;
    spew("$folder/$name.p", $text);
    my $got;
    in_folder($folder, sub {
        unlink glob 'pmon.out*';
        $got = dprofpp([@options, '--run', "$name.p"]);
    });
    return $got;
}

# --- the dialect ---

my $capital = "PROGRAM capital(output);\nBEGIN\n   writeln('here')\nEND.\n";
like(profiled('capital', $capital, '--dialect', 'berkeley')->{err},
    qr/^dprofpp: cannot run it: capital\.p:1:1: expected/m, '--dialect is heeded by what instruments');

# Free Pascal tells no case apart, whatever case the keywords are in.
my $cases = profiled('cases', <<'END', '--report', 'listing');
program cases(output);
var i, k: integer;
procedure Foo(n: integer);
begin
   if n = 3 then Exit;
   k := k + 1;
   if n = 9 then HALT(3);
   null
end;
begin
   k := 0;
   for i := 1 to 10 do begin
      foo(i);
      if i = 5 then Continue;
      K := k + 1;
      if i > 7 then Break;
      k := k + 1
   end;
   FOO(9)
end.
END
like($cases->{out}, qr/^ +3 +9\.---\| *procedure Foo/m, 'a name in several cases: its calls');
like($cases->{out}, qr/^ +6 +8\.---\| +k := k \+ 1;$/m, 'behind Exit');
like($cases->{out}, qr/^ +15 +7\.---\| +K := k \+ 1;$/m, 'behind Continue');
like($cases->{out}, qr/^ +17 +6\.---\| +k := k \+ 1$/m, 'behind Break');
like($cases->{out}, qr/HALT\(3\);?  <--- the program ended here$/m, 'HALT');
in_folder($folder, sub {
    like(dprofpp(['pmon.out', 'cases.p'])->{out}, qr/ 9 .* Foo +3$/m, 'a report of the profile reads the program so, too');
    like(dprofpp(['pmon.out'])->{out}, qr/ 9 .* Foo +3$/m, 'and finds it');
    like(dprofpp(['pmon.out', 'cases.p', '--base', 'pmon.out'])->{out}, qr/^Total Statements Executed = 82, were/m, '--base');
    like(dprofpp(['--instrument', 'cases.p'])->{out}, qr/'dialect modern'/, '--instrument');
    my $old = dprofpp(['--instrument', 'cases.p', '--dialect', 'berkeley']);
    like($old->{out}, qr/'dialect berkeley'/, 'unless --dialect says otherwise');
});

# --- what old programs have none of ---

my $units = profiled('units', <<'END', '--report', 'listing');
{$mode objfpc}
program units(output);
uses sysutils,
   math;
var i: integer;
begin
   for i := 1 to 3 do writeln(inttostr(i), max(i, 2))
end.
END
like($units->{out}, qr/\A12\n22\n33\n/, 'a program that uses units runs');
like($units->{out}, qr/^ +7 +3\.---\| +writeln/m, 'and is counted');

like(profiled('own', "program own;\nuses sysutils;\nbegin\n   writeln(inttostr(5))\nend.\n")->{out},
    qr/\A5\nTotal Statements Executed = 1$/m, 'one that says no mode is of Free Pascal\'s own');

my $strings = profiled('texts', <<'END', '--report', 'listing');
{$mode objfpc}
program texts(output);
const last = 'the last';
var i: integer; s: string;
begin
   for i := 1 to 5 do begin
      case i of 1: s := 'ab'; 2: s := 'c'; 3: s := ''; 4: s := last; 5: s := #9#10 end;
      case s of 'ab', 'x': write(1); 'c': write(2); '', ' ': write(3); else write(4) end;
      case s of last, 'c': write(5) end;
      case s of #9#10, #9: write(6) end
   end;
   case s[1] of '''', #9: write(7); 'a', #10: write(8) end;
   writeln
end.
END
like($strings->{out}, qr/\A125345467\n/, 'strings as labels') or diag explain $strings;
in_folder($folder, sub {
    like(slurp('pmon.out.run'), qr/^label 12 '''' 0\nlabel 12 #9 1\nlabel 12 'a' 0\nlabel 12 #10 0$/m,
        'characters are counted still');
});

# --- what lies beside the source ---

mkdir "$folder/sub dir" or die "$folder: $!\n";
spew("$folder/sub dir/value.inc", "const value = 21;\n");
spew("$folder/sub dir/helper.pas", <<'END');
unit helper;
interface
function twice(i: integer): integer;
implementation
function twice(i: integer): integer;
begin
   twice := 2 * i
end;
end.
END
my $parts = profiled('sub dir/parts', <<'END');
{$mode objfpc}
program parts;
uses helper;
{$I value.inc}
begin
   writeln(twice(value))
end.
END
like($parts->{out}, qr/\A42\nTotal Statements Executed = 1$/m, 'an included file and a unit beside the source')
    or diag $parts->{err};
is(join(' ', map { m{([^/]+)\z} } glob "'$folder/sub dir/'*"), 'helper.pas parts.p value.inc', 'and no file is left there');

# --- a program that goes elsewhere ---

mkdir "$folder/elsewhere" or die "$folder: $!\n";
profiled('moves', <<'END');
program moves(output);
begin
   chdir('elsewhere');
   halt(2)
end.
END
like(slurp("$folder/pmon.out.run"), qr/^ended 2$/m, 'it changes its folder: how it ended is told where it began');
is(join(' ', glob "'$folder/elsewhere/'*"), '', 'and no file is left there');

# --- what the compiler checks is the program's, not the counters' ---

# The program with counters that are at their largest, and how it ends.
sub full {
    my ($last) = @_;
    spew("$folder/full.p", <<"END");
{\$R+}{\$Q+}
program full(output);
var i: integer; k: int64; a: array[1..3] of integer;
begin
   k := 9223372036854775807;
   i := 3;
   case i of 1, 2: ; 3, 4: writeln('three') end;
   if i = 3 then $last
end.
END
    my $got;
    in_folder($folder, sub {
        my $text = dprofpp(['--instrument', 'full.p'])->{out};
        $text =~ s/begin zzopen;/$& for zzs := 1 to zzc^[3] - 3 do zzc^[4 + zzs] := 2147483647; zzl^[3] := 2147483647;/;
        spew('counts.p', $text);
        my ($status, $said) = Devel::DProf::FreePascal::capture(qw(fpc -Miso -v0e -l-), "-o$folder/counts", 'counts.p');
        die $said if $status;
        $got = run(["$folder/counts"]);
    });
    return "$got->{out}$got->{status}";
}

is(full('i := 4'),     "three\n0",   'counters go round where numbers are checked');
is(full('a[i+1] := 1'), "three\n201", 'a range is checked directly behind a counter');
is(full('k := k + 1'), "three\n215", 'and an overflow');

done_testing;
