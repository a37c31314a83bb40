# Re-formatting what was re-formatted changes nothing; folded or with the source's parentheses it stays the
# same program. Deep nesting is printed, or refused with a reason.
use strict;
use warnings;

use lib 't/lib';
use DProf::Test qw(slurp spew dprofpp top);
use File::Temp ();
use Test::More;

use Devel::DProf::Pascal;

my $data   = top() . '/t/data/pascal';
my $folder = File::Temp::tempdir(CLEANUP => 1);

sub pretty {
    my ($text, %how) = @_;
    chdir $data or die "$data: $!\n";    # included files are here
    my $program = Devel::DProf::Pascal::source('text.p', bytes => $text);
    return "mistakes: " . join ', ', $program->complaints if $program->hard;
    open my $fh, '>', "$folder/out" or die "$folder/out: $!\n";
    $program->_pretty($fh, { unit => 4, only => [], %how });
    close $fh;
    chdir top();
    return slurp("$folder/out");
}

# All of a text but comments and blanks, or what is wrong in it.
sub program_of {
    my ($text) = @_;
    my @complaints = Devel::DProf::Pascal::source('text.p', bytes => $text)->complaints(1);
    (my $all = pretty($text, strip_comments => 1)) =~ s/\s+|\{.*?\}//g;
    return join "\n", @complaints ? @complaints : $all;
}

for my $path (glob("$data/*.p"), glob("$data/generated/*.p")) {
    my ($name) = $path =~ m{(\w+)\.p\z};
    my $once = pretty(slurp($path));
    is(pretty($once), $once, "$name: pretty of pretty");
}
my $ledger = slurp("$data/ledger.p");
my $narrow = pretty($ledger, fold => 40);
is(pretty($narrow, fold => 40), $narrow, 'folded: pretty of pretty');
is(pretty($narrow), pretty($ledger), 'folding changes nothing but lines');
my ($long, $before) = map { scalar grep { length > 60 } split /\n/ } $narrow, pretty($ledger);
ok($long < $before, "$long lines of more than 60 bytes, $before before");
my $parens = "program p;\nbegin\n    a := (1 + 2) + (3)\nend.\n";
is(pretty($parens, keep_parens => 1), $parens, '--keep-parens keeps what is not needed');
is(pretty($parens), "program p;\nbegin\n    a := 1 + 2 + 3\nend.\n", 'without it goes');
my $modern = "PROGRAM Modern(OUTPUT);\nVAR A: ARRAY (.1..3.) OF INTEGER;\nBEGIN\nCASE A[1] OF 1..2: Halt ELSE WriteLn END\nEND.\n";
is(pretty(pretty($modern)), pretty($modern), 'modern Pascal');
my $empty = "Program Empty;\nlabel 1;\nbegin\nif a then else b; while c do;\ncase a of 1:; 2: begin end; else end; 1: end.\n";
unlike(pretty($empty), qr/null/, 'empty statements of modern Pascal are empty');
is(pretty(pretty($empty)), pretty($empty), 'and stay as they are');
my $behind = "program p;\nbegin\n    if a then begin {one\n  two}\n  b; {three\n four} end;\n  for i := 1 to 2 do c; {five}{six\n seven} end.\n";
is(pretty(pretty($behind)), pretty($behind), 'comments of several lines behind begin and before end');
my $blank = "program p;\nbegin\n    if a then {one}\n    b\nend.\n";
is(pretty(pretty($blank)), pretty($blank), 'comments behind then');

my $lines = "PROGRAM P; // p\nCONST n = // n\n1;\nTYPE e = (a, // a\nb); r = RECORD // r\nx: integer // x\nEND;\n"
    . "PROCEDURE q // q\n(i: integer); // i\nBEGIN x := // x\ny + // y\n1 // 1\nEND;\nBEGIN\n"
    . "q(i, // one\n2); // two\nif a // a\nthen // then\nb // b\nelse c // c\n;\nwriteln('d') // d\n; i := 2;\n"
    . "repeat // r\nuntil // u\na; // a\ncase i of // i\n1, // 1\n2: // 2\nend // e\n; with v do // v\nw // w\nEND.\n";
is(pretty(pretty($lines)), pretty($lines), 'line comments: pretty of pretty');
is(program_of(pretty($lines)),             program_of($lines), 'they swallow nothing of the program');
is(program_of(pretty($lines, fold => 20)), program_of($lines), 'nor do they in folded lines');

my %deep = (
    'begin'      => sub { 'begin ' x $_[0] . 'i := 1' . ' end' x $_[0] },
    'if'         => sub { 'if i > 0 then ' x $_[0] . 'i := 1' },
    'else if'    => sub { 'if i > 0 then i := 2 else ' x $_[0] . 'i := 1' },
    'repeat'     => sub { 'repeat ' x $_[0] . 'i := 1' . ' until true' x $_[0] },
    'case'       => sub { 'case i of 1: ' x $_[0] . 'i := 1' . ' end' x $_[0] },
    'parentheses' => sub { 'i := ' . '(' x $_[0] . '1' . ')' x $_[0] },
    'subscripts' => sub { 'i := ' . 'a[' x $_[0] . '1' . ']' x $_[0] },
    'calls'      => sub { 'i := ' . 'f(' x $_[0] . '1' . ')' x $_[0] },
    'operators'  => sub { 'i := 1' . ' + 1' x $_[0] },
    'not'        => sub { 'b := ' . 'not ' x $_[0] . 'b' },
);
for my $name (sort keys %deep) {
    my $text = pretty("program deep;\nbegin\n" . $deep{$name}->(10_000) . "\nend.\n");
    ok($text =~ /:= / && $text =~ /end\.\n\z/, "10000 levels of $name");
}
my $routines = "program deep;\n" . join('', map { "procedure p$_;\n" } 1 .. 10_000)
    . "begin end;\n" x 10_000 . "begin end.\n";
like(pretty($routines, flat => 1), qr/procedure p10000;/, '10000 levels of routines');
my $records = sub { "program deep; var r: " . 'record a: ' x $_[0] . 'integer' . ' end' x $_[0] . "; begin end.\n" };
like(pretty($records->(999)), qr/integer/, '999 levels of records');
like(pretty($records->(10_000)), qr/\Amistakes: .*expected types nested at most 1000 deep/, '10000 are refused');
done_testing;
