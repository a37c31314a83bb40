# From a program to its profile by way of Free Pascal: the golden programs' counts are those of the original
# system; what the instrumented program prints and returns is what the plain one does; the counts survive
# whatever ends it.
use strict;
use warnings;

use lib 't/lib';
use DProf::Test qw(slurp spew dprofpp top in_folder run);
use File::Copy ();
use File::Temp ();
use POSIX ();
use Test::More;

# A shell that starts the tests in the background leaves them ignored.
@SIG{qw(INT QUIT)} = ('DEFAULT') x 2;

use Devel::DProf::FreePascal;
use Devel::DProf::Pascal;

plan skip_all => 'needs Free Pascal (fpc)' if !grep { -x "$_/fpc" } split /:/, $ENV{PATH} || '';

my $data   = top() . '/t/data/pascal';
my $folder = File::Temp::tempdir(CLEANUP => 1);
File::Copy::copy($_, $folder) for glob "$data/*.i";

sub counts { return join ' ', unpack 'x16 l<*', slurp($_[0]) }

# The plain program, where Free Pascal can compile it.
sub plain {
    my ($path) = @_;
    my ($status) = Devel::DProf::FreePascal::capture(qw(fpc -Miso -v0 -l-), "-o$folder/plain", $path);
    return $status == 0 ? "$folder/plain" : undef;
}

sub instrumented {
    my ($path) = @_;
    my $program = Devel::DProf::Pascal::source($path, dialect => 'today');
    return eval { Devel::DProf::FreePascal::build($program, 'instrumented.p', $folder) };
}

my ($compiled, $endless) = (0, 0);
my @briefly = ($^X, '-e', 'alarm 2; exec @ARGV');
for my $path (glob("$data/*.p"), glob("$data/generated/*.p"), glob("$data/mismatch/*.p")) {
    (my $pmon = $path) =~ s/\.p\z/.pmon/;
    my ($name) = $path =~ m{(\w+)\.p\z};
    next if !-e $pmon;
    my @values = split ' ', counts($pmon);
    my $built = instrumented($path);
    if (!$built) {
        like($@, qr/oct|message/i, "$name: only Berkeley's own extensions do not compile");
        next;
    }
    $compiled++;
    in_folder($folder, sub {
        unlink 'pmon.out';
        # px stopped some of these after 500000 statements; here nothing does.
        my $got = run([@briefly, $built]);
        if ($got->{status} eq 'signal ' . POSIX::SIGALRM()) {
            $endless++;
            return;
        }
        my $plain = plain($path);
        my $want  = $plain && run([$plain]);
        is($got->{out}, $want ? $want->{out} : slurp("$data/$name.run.out"), "$name: prints the same")
            if $want || $name ne 'exprs';    # reals are printed otherwise
        is($got->{status}, $want->{status}, "$name: returns the same") if $want;
        # Free Pascal evaluates arguments from the right; the ledger draws random numbers there.
        is(counts('pmon.out'), join(' ', @values), "$name: the counts of the original system")
            if $name ne 'ledger';
    });
}
ok($compiled - $endless > 40, "$compiled programs compiled, $endless of them without an end");

# --- whatever ends it ---

my $loop = <<'END';
program ends(input, output);
var i: integer;
procedure step(n: integer);
begin
   i := i + 1;
   if n = 7 then
      case i of
         1: halt;
         1000: writeln('stop')
      end
end;
procedure divide;
begin
   i := 10 div (i - i)
end;
begin
   i := 0;
   read(i);
   if i = 3 then divide;
   if i = 4 then halt(9);
   i := 0;
   writeln('ready');
   while true do step(1)
end.
END
spew("$folder/ends.p", $loop);
my $built = instrumented("$folder/ends.p") or die $@;
in_folder($folder, sub {
    my $got = run([$built], in => '4');
    is($got->{status}, 9, 'halt(9): the status');
    is((split ' ', counts('pmon.out'))[0], 1, 'and a profile');
    like(slurp('pmon.out.run'), qr/^ended 9$/m, 'pmon.out.run says so');

    $got = run([$built], in => '3');
    is($got->{status}, 200, 'a run-time error: the status');
    like(slurp('pmon.out.run'), qr/^error 200\nat .*DIVIDE,\s+line 14 of .*\n(?:open.*\n)*open .*main,\s+line 19 of /m,
        'where it was, and what was open');
    my $listing = dprofpp(['pmon.out', 'ends.p', '--report', 'listing'])->{out};
    like($listing, qr/^ +14 .*i := 10 div \(i - i\)  <--- runtime error 200$/m, 'the listing marks the place');
    like($listing, qr/^ +19 .*divide;?  <--- this call was open$/m, 'and the call');

    spew('zero', "0\n");
    for my $signal (qw(INT TERM KILL)) {
        unlink 'pmon.out.run';
        my $output = File::Temp->new;
        my $pid = fork;
        die "fork: $!\n" if !defined $pid;
        if (!$pid) {
            open STDIN,  '<', 'zero';
            open STDOUT, '>', "$output";
            exec { $built } $built or POSIX::_exit(127);
        }
        my $tries = 0;
        select undef, undef, undef, 0.05 while !-s 'pmon.out.run' && $tries++ < 100;
        select undef, undef, undef, 0.2;
        kill $signal, $pid;
        waitpid $pid, 0;
        is($? & 127, eval "POSIX::SIG$signal()", "SIG$signal ends it as it would the plain one");
        my @values = split ' ', counts('pmon.out');
        ok($values[1] > 1000, "and $values[1] calls are in the profile");
        like(slurp('pmon.out.run'), qr/^running$/m, 'pmon.out.run has no end');
    }
});

# --- labels of a case, each by itself ---

spew("$folder/labels.p", <<'END');
program labels(output);
var i, n: integer; c: char;
function next: integer;
begin n := n + 1; next := n end;
begin
   n := 0;
   for i := 1 to 6 do
      case next of
         1, 3: write('a');
         2: write('b');
         4, 5, 6: write('c')
      end;
   for c := 'a' to 'c' do case c of 'a', 'b': ; 'c': end;
   writeln
end.
END
$built = instrumented("$folder/labels.p") or die $@;
in_folder($folder, sub {
    is(run([$built])->{out}, "abaccc\n", 'a case with lists of labels does what it did');
    is(join(' ', unpack 'l<*', slurp('pmon.out.labels')), '7 1 1 1 1 1 1 1', 'and counts each label');
    like(slurp('pmon.out.run'), qr/^label 9 1 1\nlabel 9 3 1\n(?:label 11 \d 1\n){3}label 13 'a' 1\nlabel 13 'b' 1\n\z/m,
        'and tells them');
});

# --- a full disk: the program does what it would do plainly ---

my $disk = "$folder/disk";
mkdir $disk or die "$disk: $!\n";
my @on_a_disk = ('unshare', '-rm', 'sh', '-c', 'mount -t tmpfs -o size=4k none "$1" && cd "$1" && shift && exec "$@"', 'sh', $disk);
SKIP: {
    skip 'no disk of its own (unshare, mount)', 2 if run([@on_a_disk, 'true'])->{status} ne '0';
    my $got = run([@on_a_disk, 'sh', '-c', 'cat /dev/zero > full 2>&-; "$1"; echo $?; wc -c < pmon.out', 'sh', $built]);
    is($got->{out}, "abaccc\n0\n0\n", 'a full disk: it runs, and leaves no half of a profile');
    is($got->{err}, '', 'without a word');
}

# Labels as only Berkeley writes them, over two lines, and long.
my $long = 'two' . 'o' x 100;
spew("$folder/odd.p", <<"END");
program length(output);
const $long = 2;
var i: integer; c: char;
begin
   for i := -1 to 9 do
      case i of
         -1, -
         3: write('m');
         0, 1, 3, 4, 5, 6, 7: ;
         $long, - { $long $long } 100: write('l');
         10b, 11b: write('o')
      end;
   for c := 'a' to 'c' do case c of "a", "b": write(c); '''': ; 'c': end;
   writeln
end.
END
$built = instrumented("$folder/odd.p");
ok($built, 'odd labels, and a program with the name of a function that is used, compile') or diag $@;
in_folder($folder, sub {
    unlink glob 'pmon.out*';
    is(run([$built])->{out}, "mlooab\n", 'it does what it would under Berkeley Pascal');
    my $told = join ' ', slurp('pmon.out.run') =~ /^label (\d+ .*)$/mg;
    like($told, qr/^7 -1 1 7 - 3 0 /, 'labels over two lines');
    like($told, qr/ 10 two\w+ 1 10 - 100 0 11 10b 1 11 11b 1 13 "a" 1 13 "b" 1$/, 'labels are told as they stand there');
}) if $built;

# --- calls that a jump left: counted, where pmon.out alone leaves two ways ---

spew("$folder/left.p", <<'END');
program left(output);
label 9;
var i, n: integer;
procedure out; begin if i > 2 then goto 9 end;
procedure a; begin out; n := n + 1 end;
procedure b; begin out; n := n + 10 end;
begin
   n := 0; i := 0;
   9: i := i + 1;
   if i = 1 then begin
      a;
      b;
      n := n + 100;
      goto 9
   end;
   if i < 4 then begin
      if odd(i) then a else b;
      n := n + 1000;
      goto 9
   end;
   null;
   writeln(n: 1)
end.
END
$built = instrumented("$folder/left.p") or die $@;
in_folder($folder, sub {
    unlink glob 'pmon.out*';
    my $got = run([$built]);
    is($got->{out}, "1121\n", 'a program that leaves calls does what it did; null is nothing') or diag $got->{err};
    ok(-s 'pmon.out.returns', 'and counts what came back');
    my $with = dprofpp(['pmon.out', 'left.p', '--report', 'listing']);
    like($with->{out}, qr/^ +5 +\|    n := n \+ 1  <--- ran 1 time$/m, 'the listing has how often the rest ran');
    unlike($with->{out}, qr/ran ~/, 'for certain');
    is($with->{err}, '', 'without a word of doubt');
    unlink 'pmon.out.returns';
    my $alone = dprofpp(['pmon.out', 'left.p', '--report', 'listing']);
    like($alone->{out}, qr/^ +5 +\|    n := n \+ 1  <--- ran ~?\d+ times?$/m, 'without that the line is marked all the same');
});

spew("$folder/halts.p", <<'END');
program halts(output);
procedure deep(n: integer);
begin
   if n = 0 then
      halt(3);
   deep(n - 1);
   writeln('never')
end;
begin
   deep(2)
end.
END
$built = instrumented("$folder/halts.p") or die $@;
in_folder($folder, sub {
    unlink glob 'pmon.out*';
    is(run([$built])->{status}, 3, 'halt in a routine');
    my $listing = dprofpp(['pmon.out', 'halts.p', '--report', 'listing'])->{out};
    like($listing, qr/halt\(3\);?  <--- the program ended here$/m, 'the listing marks it');
    like($listing, qr/deep\(n - 1\);?  <--- this call was open$/m, 'and the calls that were open');
    like($listing, qr/writeln\('never'\)  <--- ran 0 times$/m, 'and what did not run');
});

# Conditions that are not evaluated whole call less often: no reason to doubt.
spew("$folder/hasty.p", <<'END');
program hasty(output);
var i, n: integer;
function f: boolean; begin n := n + 1; f := true end;
begin
   n := 0;
   for i := 1 to 10 do if (i > 5) and f then n := n + 1;
   writeln(n: 1)
end.
END
$built = instrumented("$folder/hasty.p") or die $@;
in_folder($folder, sub {
    unlink glob 'pmon.out*';
    run([$built]);
    my $got = dprofpp(['pmon.out', 'hasty.p', '--callers', 'f']);
    like($got->{out}, qr/^Callers of f: 5 calls, 10 statements, of them 10 its own$/m, 'short conditions: the calls');
    is($got->{err}, '', 'without a word of doubt');
});

# exit, break and continue are gotos without a label.
spew("$folder/leaves.p", <<'END');
program leaves(output);
var i, n: integer;
function f(k: integer): integer;
begin
   f := 0;
   if k > 3 then begin f := 1; exit end;
   n := n + 1
end;
begin
   n := 0;
   for i := 1 to 10 do begin
      if i = 2 then continue;
      n := n + f(i);
      if i = 7 then break;
      n := n + 1
   end;
   repeat
      i := i - 1;
      if i = 3 then continue;
      n := n + 1
   until i < 0;
   writeln(n: 1)
end.
END
$built = instrumented("$folder/leaves.p") or die $@;
in_folder($folder, sub {
    unlink glob 'pmon.out*';
    run([$built]);
    my $listing = dprofpp(['pmon.out', 'leaves.p', '--report', 'listing'])->{out};
    like($listing, qr/^ +7 +2\.---\|    n := n \+ 1$/m, 'behind exit');
    like($listing, qr/^ +13 +6\.---\|    n := n \+ f\(i\);$/m, 'behind continue');
    like($listing, qr/^ +15 +5\.---\|    n := n \+ 1$/m, 'behind break');
    like($listing, qr/^ +20 +7\.---\|    n := n \+ 1$/m, 'behind continue in a repeat');
});

# What is put in is called by no name that the program may give to something else. (Old programs have an inc of
# their own: standard Pascal has none.)
spew("$folder/names.p", <<'END');
program names(output);
var n: integer; ord: char;
procedure inc(var i: integer); begin i := i + 1 end;
function next: integer;
var inc, longint, int64: integer;
begin inc := n + 1; longint := 0; int64 := 0; n := inc + longint + int64; next := n end;
begin
   n := 0;
   inc(n);
   case next of 1: ; 2, 3: inc(n) end;
   for ord := 'a' to 'c' do case ord of 'a', 'b': ; 'c': inc(n) end;
   writeln(n: 1)
end.
END
$built = instrumented("$folder/names.p");
ok($built, 'a program with an inc and an ord of its own compiles') or diag $@;
in_folder($folder, sub {
    unlink glob 'pmon.out*';
    my $got = run([$built]);
    is($got->{out}, "4\n", 'does what it did') or diag $got->{status};
    is(join(' ', unpack 'l<*', slurp('pmon.out.labels')), '4 1 0 1 1', 'and counts its labels');
    like(dprofpp(['pmon.out', 'names.p', '--report', 'listing'])->{out}, qr/^ +3 +3\.---\|procedure inc/m, 'and its calls');
}) if $built;

# An included text comes onto one line: what its line comments hide is no more than before.
spew("$folder/lines.i", "n := 1; // one, { and\nn := n + 1; { // two } n := n + 1; (*) // *) n := n + 1;\n// the end");
spew("$folder/lines.p", "program lines(output);\nvar N: integer; // modern\nbegin\n   n := 5;\n#include \"lines.i\"\n   writeln(n: 1)\nend.\n");
$built = instrumented("$folder/lines.p") or die $@;
in_folder($folder, sub { is(run([$built])->{out}, "4\n", 'line comments of an included text') });

# --- all in one step ---

File::Copy::copy("$data/nestfun.p", $folder);
in_folder($folder, sub {
    my $got = dprofpp(['--run', 'nestfun.p']);
    is($got->{status}, 0, '--run prog.p');
    my $said = slurp("$data/nestfun.run.out");
    like($got->{out}, qr/\A\Q$said\ETotal Statements Executed = 81$/m,
        'the program prints, then the report');
    spew('wrong.p', "program wrong;\nbegin\n   undeclared := 1\nend.\n");
    $got = dprofpp(['--run', 'wrong.p']);
    is($got->{status}, 1, 'what does not compile is refused');
    like($got->{err}, qr/^dprofpp: wrong\.p\(3,\d+\) Error: Identifier not found "undeclared"$/m,
        'with the line of the source');
});
done_testing;
