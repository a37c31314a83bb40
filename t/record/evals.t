# Code of string evals comes and goes: what is remembered of it does not grow, and subs keep their names however many evals came since.
use strict;
use warnings;
use lib 't/lib';
use DProf::Record;
use Test::More;

# Two subs on a line, kept from the first eval; then 9,000 evals whose subs are freed; then the kept ones again.
my $keep = <<'END';
my ($one, $two) = @{ eval '[sub { 1 }, sub { 2 }]' };
$one->(); $two->(); $two->();
for (1 .. 3_000) { my $f = eval 'sub { 3 }'; $f->(); my $g = eval 'sub { 4 }'; $g->() }
my $late = eval 'sub { 5 }';
for (1 .. 3_000) { my $f = eval 'sub { 3 }'; $f->() }
$one->(); $two->(); $two->(); $late->();
END
for my $how ('', 'format=tree') {
    my $run = profiled($keep, options => $how);
    my $kept = 'main::__ANON__[x.pl:1/eval:1]';
    (my $second = $kept) =~ s/\]$/:2]/;
    calls_are($run->{profile}, {
        $kept => 2, $second => 4, 'main::__ANON__[x.pl:4/eval:1]' => 1, 'main::__ANON__[x.pl:5/eval:1]' => 3_000,
    }, join ', ', 'subs of old evals keep their names', grep { length } $how);
}

# What runs in an eval is named by its place, also after many evals inside it.
{
    my $run = profiled("eval 'for (1 .. 3000) {\n my \$f = eval q{sub { 1 }}; \$f->(); eval q{1} }';\n");
    my @names = grep { /__ANON__/ } keys %{ $run->{profile}{calls} };
    is_deeply \@names, ['main::__ANON__[x.pl:1/eval:2/eval:1]'], 'an eval that is still running keeps its place';
}

# Subs of one line are numbered in the order in which they are compiled, however often and in whatever order they are called.
{
    my $run = profiled(<<'END');
sub mk { eval 'my @s = (sub { "big" }, sub { "small" }); @s' }
for my $i (1 .. 100) { my ($big, $small) = mk(); $i % 2 || $i > 90 ? $big->() : $small->() }
my ($one, $two) = (sub { 1 }, sub { 2 }); $two->(); $two->(); $one->();
END
    calls_are($run->{profile}, {
        'main::__ANON__[x.pl:1/eval:1]' => 55, 'main::__ANON__[x.pl:1/eval:1:2]' => 45, 'main::__ANON__[x.pl:3]' => 1, 'main::__ANON__[x.pl:3:2]' => 2,
    }, 'two subs on a line');
}

# A file that is loaded again and again has its subs once.
{
    my $folder = fresh();
    spew("$folder/conf.pl", "use strict; use warnings; my \$cb = sub { 42 }; \$cb->(); (sub { 43 })->();\nsub again { 1 } again();\n");
    my $run = profiled('no warnings; do "./conf.pl" for 1 .. 50;' . "\n", folder => $folder);
    calls_are($run->{profile}, {
        'main::BEGIN[./conf.pl:1]' => 50, 'main::BEGIN[./conf.pl:1:2]' => 50, 'main::__ANON__[./conf.pl:1]' => 50, 'main::__ANON__[./conf.pl:1:2]' => 50, 'main::again' => 50,
    }, 'a file that is loaded fifty times');
    is scalar(grep { /conf\.pl/ } $run->{profile}->names), 4, '... has no further names';
}

# Names that perl frees with their subs, and whose place other names take.
{
    my $run = profiled('for my $i (1 .. 50) { eval "my sub lex$i { $i } lex$i(); lex$i()" }' . "\n");
    calls_are($run->{profile}, { map { ("main::lex$_" => 2) } 1 .. 50 }, 'lexical subs of evals');
    for my $text ('eval "my sub lx { $i } lx()"', 'eval "use utf8; sub foo$i { $i } foo$i(); 1" or die; delete $main::{"foo$i"}') {
        $run = profiled("use utf8; for my \$i (1 .. 6000) { $text } print qq{ok\\n};\n", options => 'format=tree');
        is "$run->{out}$run->{status}", "ok\n0", "6000 times $text";
    }
}

# Units inside units: what is loaded in between, what dies, evals that run others to have their text.
{
    my $folder = fresh();
    spew("$folder/Once.pm", "BEGIN { 1 } my \$s = sub { 1 }; my \$t = sub { 2 }; 1;\n");
    my $run = profiled(<<'END', folder => $folder, switches => ['-I.']);
use strict; use warnings; my @s = (sub { 1 }); use Once; use Carp; BEGIN { eval { require Missing } } push @s, sub { 2 }; use Symbol;
$s[0]->(); $s[1]->() for 1 .. 3;
package T; sub TIESCALAR { bless [] } sub FETCH { eval 'sub { 1 }->()'; 'my $x = sub { 6 }; my $y = sub { 7 }; $x->(); $y->(); $y->()' } package main;
tie my $t, 'T'; eval $t;
eval 'BEGIN { 2 } die' for 1 .. 2; eval 'sub { 8 }->(); sub { 9 }->()';
END
    my $calls = $run->{profile}->all_calls;
    is_deeply { map { ($_ => $calls->{$_}) } grep { /\[x\.pl/ } keys %$calls }, {
        'main::BEGIN[x.pl:1]' => 1, map({ ("main::BEGIN[x.pl:1:$_]" => 1) } 2 .. 6), 'main::__ANON__[x.pl:1]' => 1, 'main::__ANON__[x.pl:1:2]' => 3,
        'T::__ANON__[x.pl:3/eval:1]' => 1, 'main::__ANON__[x.pl:4/eval:1]' => 1, 'main::__ANON__[x.pl:4/eval:1:2]' => 2,
        'main::BEGIN[x.pl:5/eval:1]' => 2, 'main::__ANON__[x.pl:5/eval:1]' => 1, 'main::__ANON__[x.pl:5/eval:1:2]' => 1,
    }, 'subs of one line are numbered in their own unit' or diag explain $calls;
}

# Evals while nothing is recorded.
for my $hook ('', ',hook=sub') {
    my $run = profiled(<<'END', options => "start=no$hook");
my @s;
push @s, eval 'sub { "A" }';
push @s, eval 'sub { "B" }, sub { "C" }';
Devel::DProf::start(); $_->() for @s;
END
    calls_are($run->{profile}, { 'main::__ANON__[x.pl:2/eval:1]' => 1, 'main::__ANON__[x.pl:3/eval:1]' => 1, 'main::__ANON__[x.pl:3/eval:1:2]' => 1 }, "evals before the start$hook");
}

# Evals between two profiles.
{
    my $run = profiled(<<'END');
my @s; for my $p (1, 2) { Devel::DProf::finish(); push @s, eval 'sub { 1 }' for 1 .. 3; Devel::DProf::start("again$p"); $_->() for @s }
END
    calls_are(DProf::Marks->read_file("$run->{folder}/again$_"), { 'main::__ANON__[x.pl:1/eval:1]' => 3 * $_ }, "evals before the start of another profile, $_") for 1, 2;
}

SKIP: {
    skip 'needs /proc/self/status', 8 if !open my $status, '<', '/proc/self/status';
    my $program = <<'END';
my ($n, $text) = @ARGV;
for (1 .. $n) { my $f = eval $text; main->can('q') ? q() : $f->() }
open my $status, '<', '/proc/self/status' or die; print map { /^VmHWM:\s*(\d+)/ ? $1 : () } <$status>;
END
    for my $text ('sub { 1 }', 'sub { 1 }, sub { 2 }', 'do "./one.pl"', 'do "./many.pl"; sub { 1 }', 'Devel::DProf::finish(); sub { 1 }, sub { 2 }', 'eval { require Nope }; sub { 1 }', 'package P; sub { 1 }', 'no warnings; sub q { 1 }') {
        my ($few, $many) = map { my $folder = fresh(); spew("$folder/one.pl", "sub { 1 }\n"); spew("$folder/many.pl", "my \@x = (sub { 1 }, sub { 2 }, sub { 3 });\n"); profiled($program, folder => $folder, args => [$_, $text], options => 'format=tree')->{out} } 8_000, 60_000;
        cmp_ok $many - $few, '<', 1024, "KiB that 52,000 evals more of '$text' take: $few, $many";
    }
}
done_testing;
