# Subs are named by where they were defined: the same name in each run, one name for each definition, and
# no name that breaks a line.
use strict;
use warnings;
use lib 't/lib';
use DProf::Record;
use Test::More;

# The names and counts of a program's subs, but for pragmas and the like.
sub names_are {
    my ($program, $want, $name, %how) = @_;

    for my $way ('', 'format=compact') {
        my $run   = same($program, $way ? "$name, $way" : $name, %how, options => $way);
        my $calls = $run->{profile}->all_calls;
        delete $calls->{$_} for grep { /^(?:strict|warnings|feature|utf8|vars|List::Util|Sub::Util|XSLoader|DynaLoader|Exporter|UNIVERSAL)::|::BEGIN\[/ } keys %$calls;
        is_deeply $calls, $want, $way ? "$name: names and counts, $way" : "$name: names and counts";
    }
    return;
}

names_are(<<'END', { 'main::__ANON__[x.pl:1]' => 2, 'main::__ANON__[x.pl:3]' => 3, 'Pkg::__ANON__[x.pl:5]' => 1, 'main::__ANON__[x.pl:10]' => 1 }, 'anonymous subs');
my $one = sub { 1 };
my $two = sub {
    my $first_statement = 1;
    return 2 };
{ package Pkg; our $c = sub { 3 } }
my $empty = sub { };
my $late = sub {

    1 } if 0; my $l = sub {
    1 };
$one->() for 1, 2; $two->() for 1 .. 3; $Pkg::c->(); $l->() ;
END

names_are(<<'END', { 'main::__ANON__[x.pl:1]' => 1, 'main::__ANON__[x.pl:1:2]' => 2, 'main::__ANON__[x.pl:1:3]' => 3, 'main::make' => 5, 'main::__ANON__[x.pl:2]' => 5 }, 'twins on one line, and clones of one definition');
my ($a1, $a2, $a3) = (sub { 1 }, sub { 2 }, sub { 3 }); $a1->(); $a2->() for 1 .. 2; $a3->() for 1 .. 3;
sub make { my $n = shift; return sub { $n } } $_->() for map { make($_) } 1 .. 5;
END

names_are(<<'END', { 'main::__ANON__[x.pl:1/eval:1]' => 50, 'main::__ANON__[x.pl:2/eval:2]' => 1, 'main::named' => 50, 'main::__ANON__[x.pl:3/eval:1]' => 20, 'main::__ANON__[x.pl:3/eval:1:2]' => 20, 'main::twice' => 20 }, 'subs of string evals: by the place of the eval, not by its number');
for my $i (1 .. 50) { my $c = eval 'sub { $i }'; $c->(); eval 'no warnings; sub named { 1 } named()' }
my $c = eval "\n" . 'sub { 1 }'; $c->();
sub twice { my ($x, $y) = @{ eval 'my $i = $_[0]; [sub { $i }, sub { $i + 1 }]' }; $x->(); $y->() } twice($_) for 1 .. 20;
END

names_are(<<'END', { 'main::__ANON__[x.pl:1/eval:1/eval:1]' => 3, 'main::__ANON__[made.pl:78]' => 1 }, 'an eval in an eval, and #line');
eval 'my $c = eval q{sub { 1 }}; $c->()' for 1 .. 3;
# line 77 "made.pl"
my $c = sub {
    1 }; $c->();
END

my $phases = <<'END';
BEGIN { $main::x = 1 }
BEGIN { $main::x = 2 } BEGIN { $main::x = 3 }
INIT { 1 }
CHECK { 1 }
END { 1 } END { 2 }
package Other; INIT { 1 }
sub main::one { 1 } main::one();
END
{
    my $run = same($phases, 'BEGIN and its kin');
    my %calls = %{ $run->{profile}->all_calls };
    is_deeply \%calls, { map { ($_ => 1) } 'main::BEGIN[x.pl:1]', 'main::BEGIN[x.pl:2]', 'main::BEGIN[x.pl:2:2]', 'main::INIT[x.pl:3]',
        'main::CHECK[x.pl:4]', 'main::END[x.pl:5]', 'main::END[x.pl:5:2]', 'Other::INIT[x.pl:6]', 'main::one' }, 'BEGIN and its kin: by their places';
    is_deeply [map { $run->{profile}{sub}{$_}[2] } 'main::BEGIN[x.pl:1]', 'main::END[x.pl:5:2]', 'main::one'], [qw(begin begin perl)], 'and of their kinds';
}

names_are(<<'END', { 'A::x' => 2, 'A::y' => 1, 'B::x' => 1, 'A::AUTOLOAD' => 1, 'C::AUTOLOAD' => 1, 'D::made' => 1, 'D::__ANON__[x.pl:5]' => 1 }, 'AUTOLOAD');
{ package A; our $AUTOLOAD; sub AUTOLOAD { 1 } sub DESTROY { } } A::x(); A->x; A->y; { no warnings; A::y() if 0 }
{ package B; our @ISA = 'A'; } B->x;
$A::AUTOLOAD = undef; A::AUTOLOAD();
{ package C; sub AUTOLOAD { our $AUTOLOAD = undef; 1 } } $C::AUTOLOAD = ''; C::AUTOLOAD();
{ package D; our $AUTOLOAD; sub AUTOLOAD { my $c = sub { 5 }; goto &$c } } D::made();
END

names_are(<<'END', { 'main::real' => 4, 'Lib::util' => 2, 'main::__ANON__[x.pl:3]' => 1, 'Gone::f' => 2, 'Gone::g' => 1, 'Deleted::m' => 2, 'main::replaced' => 2 }, 'aliases, freed packages, deleted and renamed globs');
sub real { 1 } { no warnings; *alias = \&real; *Else::where = \&real; } real(); alias(); Else::where(); my $r = \&alias; $r->();
{ package Lib; sub util { 1 } } { no warnings; *util = \&Lib::util; } util(); Lib::util();
{ no warnings; *installed = sub { 1 }; } installed();
{ package Gone; sub f { 1 } sub g { 1 } } my ($f, $g) = (\&Gone::f, \&Gone::g); $f->(); $g->(); undef %Gone::; $f->();
{ package Deleted; sub m { 1 } } my $m = \&Deleted::m; $m->(); delete $Deleted::{m}; $m->();
{ no warnings; sub replaced { 1 } replaced(); eval 'sub replaced { 2 }'; replaced(); }
END

SKIP: {
    skip 'needs Sub::Util', 1 if !has_module('Sub::Util');
    my $long  = 'L' x 10_000;
    my $utf8  = "caf\xc3\xa9";
    my %odd   = (
        'My::two\x20words' => 1, 'My::new\x0aline' => 1, 'My::tab\x09' => 1, 'My::back\x5cslash' => 1, 'My::\x7f\x01' => 1, "My::$utf8" => 2,
        "My::\xe2\x82\xac" => 1, 'My::Pkg::<script>&"' => 1, "My::$long" => 1, 'My::[1:2]' => 1, 'My::#end' => 1, 'My::+' => 1,
        'with\x20blank::f' => 1, 'main::' => 1, 'My::%s%n' => 1,
    );
    names_are(<<'END', \%odd, 'odd names');
use Sub::Util 'set_subname';
set_subname($_, sub { 1 })->() for 'My::two words', "My::new\nline", "My::tab\t", 'My::back\\slash', "My::\x7f\x01", "My::caf\xe9", "My::\x{20ac}",
    'My::Pkg::<script>&"', 'My::' . 'L' x 10_000, 'My::[1:2]', 'My::#end', 'My::+', 'with blank::f', 'main::', 'My::%s%n';
{ use utf8; no warnings; my $name = "My::caf\x{e9}"; utf8::upgrade($name); set_subname($name, sub { 1 })->() }
END
}

# Names do not grow for ever: evals in a loop, AUTOLOAD with a new name each time.
{
    my $run = same(<<'END', 'many');
my $sum = 0;
for my $i (1 .. 3000) { my $c = eval "package P$_[0]; sub { \$sum += $i }"; $c->() }
for my $i (1 .. 12_000) { my $n = "made$i"; main->$n }
sub AUTOLOAD { our $AUTOLOAD; return if $AUTOLOAD =~ /DESTROY/; 1 }
END
    my @names = $run->{profile}->names;
    is $run->{profile}->calls('P::__ANON__[x.pl:2/eval:1]'), 3000, 'an eval in a loop makes one name';
    is $run->{profile}->calls('main::AUTOLOAD'), 2000, 'after 10,000 names the rest is AUTOLOAD';
    is grep({ /^main::made\d+\z/ } @names), 10_000, 'the first 10,000 have theirs';
}

# Evals in evals without end: they are named by their places as long as that is readable.
{
    my $run = same(<<'END', 'evals in evals');
sub f { my $n = shift; $n ? eval 'f($n - 1)' : eval 'sub { 1 }' } f(200)->();
our $left = 200; our $code = '$left-- > 0 ? eval $code : sub { 2 }'; eval($code)->();
eval 'eval q{1} for 1 .. 1000; eval(q{sub { 2 }})->()'; (eval 'sub { 1 }')->() for 1 .. 1000;
END
    my @anonymous = grep { /__ANON__/ } $run->{profile}->names;
    is grep({ length > 1200 } @anonymous), 0, 'names of evals in evals do not grow for ever';
    is $run->{profile}->calls('main::__ANON__[x.pl:3/eval:1]'), 1000, 'a thousand evals of one place have one name';
    is $run->{profile}->calls('main::__ANON__[x.pl:1/eval:1]'), 1, 'a sub of an eval in a recursion';
}

# The same in a second run, whatever was loaded before.
{
    my $program = <<'END';
eval 'my $x = 1' for 1 .. ($ARGV[0] || 0);
my $c = eval 'sub { eval q{sub { 1 }} }'; $c->()->(); my @c = (sub { 1 }, sub { 2 }); $_->() for reverse @c; BEGIN { 1 }
END
    my @runs = map { profiled($program, args => [$_])->{profile} } 0, 0, 7;
    is join("\n", $runs[1]->names), join("\n", $runs[0]->names), 'names are the same in a second run';
    is join("\n", $runs[2]->names), join("\n", $runs[0]->names), 'and do not depend on how many evals went before';
}

# A sub's file, line and kind.
{
    my $run = profiled(<<'END');
use strict;

sub two_lines {

    return 1; }
my $anon = sub {
    2 }; two_lines(); $anon->(); utf8::is_utf8('x'); eval "\n\nsub evaled { 3 } 1"; evaled(); A->auto;
{ package A; sub AUTOLOAD { our $AUTOLOAD; 1 } }
# line 40 "else where.pl"
sub elsewhere { 1 } elsewhere();
END
    my $sub = $run->{profile}{sub};
    is_deeply $sub->{'main::two_lines'}, ['x.pl', 5, 'perl'], 'a sub: its file, the line of its first statement';
    is_deeply $sub->{'main::__ANON__[x.pl:7]'}, ['x.pl', 7, 'anon'], 'an anonymous one';
    is_deeply $sub->{'utf8::is_utf8'}, ['-', 0, 'xsub'], 'an XSUB';
    is_deeply $sub->{'main::evaled'}, ['x.pl:7/eval', 3, 'perl'], 'one of a string eval';
    is_deeply [@{ $sub->{'A::auto'} }[0, 2]], ['x.pl', 'autoload'], 'one reached through AUTOLOAD';
    is_deeply $sub->{'main::elsewhere'}, ['else\x20where.pl', 40, 'perl'], 'one that #line places elsewhere';
}
done_testing;
