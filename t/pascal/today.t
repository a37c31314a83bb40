# Programs of today, by dprofpp --run: what Free Pascal compiles and runs is counted, and the report is of it.
use strict;
use warnings;

use lib 't/lib';
use DProf::Test qw(slurp spew dprofpp in_folder run);
use File::Temp ();
use Test::More;

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

done_testing;
