# Code that was compiled before the recorder was loaded is recorded: all kinds of calls in it.
use strict;
use warnings;
use lib 't/lib';
use DProf::Record;
use Test::More;

my $module = <<'END';
package Early; use strict; no warnings 'exiting'; use List::Util 'first';
sub plain { 1 } sub calls { plain() for 1 .. 3; Early->meth; my $c = sub { 2 }; $c->(); return 5 } sub meth { 1 } sub lv :lvalue { my $x = our $y }
sub dies { die "x\n" } sub catches { eval { dies() }; return $@ } sub goes { goto &plain } sub leaves { last } sub loops { for (1 .. 3) { leaves() } return }
sub by { $a <=> $b } sub sorts { my @s = sort by 3, 1, 2; return @s } sub firsts { return first { plain() } 1 } sub evals { return eval 'sub made { 1 } made()' } sub closes { my $n = shift; return sub { return plain($n) } }
sub nexts { for (1 .. 2) { plain(); next if $_ == 1; redo if $main::once++ < 1 } return } our $anon = sub { plain(); my $in = sub { plain() }; return $in->() }; sub nested { sub named_inside { plain() } return named_inside() } sub subst { my $s = 'aa'; $s =~ s/a/plain()/ge; return $s }
sub DESTROY { plain() } sub all { calls(); lv() = 1; catches(); goes(); loops(); sorts(); firsts(); evals(); closes(4)->(); nexts(); $anon->(); nested(); subst(); { my $o = bless [] } return }
1;
END
my %want = map { ("Early::$_" => 1) } qw(calls meth lv dies catches goes loops leaves sorts firsts evals made closes nexts nested named_inside subst DESTROY all);
# calls 3, goes 1, firsts 1, closes 1, nexts 3, anon 2, nested 1, subst 2, DESTROY 1
$want{'Early::plain'} = 15;
my $folder = fresh();
spew("$folder/Early.pm", $module);

my %way = (
    'loaded before by -M'     => sub { return plain('', folder => $folder, command => [perl_with("-I$folder", '-MEarly', '-MDevel::DProf', '-e', 'Early::all()')]) },
    'loaded before by use'    => sub { return plain("use Early; use Devel::DProf; Early::all();\n", folder => $folder, switches => ["-I$folder"]) },
    'loaded at run time'      => sub { return plain("use Early; require Devel::DProf; Devel::DProf->import; Early::all();\n", folder => $folder, switches => ["-I$folder"]) },
    'the other way round'     => sub { return plain("use Devel::DProf; use Early; Early::all();\n", folder => $folder, switches => ["-I$folder"]) },
);
for my $name (sort keys %way) {
    my $run     = $way{$name}->();
    is $run->{err}, '', "$name: nothing is said";
    my $profile = DProf::Marks->read_file("$folder/tmon.out");
    marks_ok($profile, $name);
    calls_are($profile, \%want, "$name: every call");
    my $anonymous = grep { /^Early::__ANON__/ } $profile->names;
    is $anonymous, 5, "$name: five anonymous subs";
}

# Code that runs already: of files and of strings, from within other ones.
{
    my $running = "sub f { 1 } sub g { f() } g() for 1 .. 2; require Devel::DProf; Devel::DProf::start('running.out'); g() for 1 .. 3; f(); 1;\n";
    my %running = (
        'do FILE'           => ["do './running.pl' or die \$\@;\n"],
        'require FILE'      => ["require './running.pl';\n"],
        'eval STRING'       => ['open my $in, "<", "running.pl" or die; local $/; eval scalar(<$in>) or die $@' . ";\n"],
        'sort'              => ["my \@s = sort { do './running.pl' or die \$\@; 1 } 1, 2;\n"],
        'do in do in eval'  => ["eval { eval q{do './outer.pl' or die \$\@; late() for 1 .. 4; 1} or die \$\@ }; sub late { 1 } print \$\@;\n", 'main::late' => 4, 'main::outer' => 5],
        'in a DESTROY'      => ["{ my \$x = bless []; } sub DESTROY { do './outer.pl' or die \$\@; late() for 1 .. 4; 1 } sub late { 1 }\n", 'main::late' => 4, 'main::outer' => 5],
    );
    spew("$folder/running.pl", $running);
    spew("$folder/outer.pl", "sub outer { 1 } outer(); do './running.pl' or die \$\@; outer() for 1 .. 5; 1;\n");
    for my $name (sort keys %running) {
        my ($text, %more) = @{ $running{$name} };
        unlink "$folder/running.out";
        my $run = plain($text, folder => $folder);
        is "$run->{out}$run->{err}$run->{status}", 0, "running already, $name: nothing is said";
        my $profile = DProf::Marks->read_file("$folder/running.out");
        marks_ok($profile, "running already, $name");
        calls_are($profile, { 'main::g' => 3, 'main::f' => 4, %more }, "running already, $name: every call") if $name ne 'sort';
        cmp_ok $profile->calls('main::g'), '>=', 3, "running already, $name: the calls" if $name eq 'sort';
    }
    my $format = plain("sub f { 1 } format STDOUT =\n@<<\nf()\n.\nrequire Devel::DProf; Devel::DProf::start('format.out'); write;\n", folder => $folder);
    is(DProf::Marks->read_file("$folder/format.out")->calls('main::f'), 1, 'a format that was compiled before');
}

# -M before -d:DProf, which comes first all the same.
my $run = profiled("Early::all();\n", switches => ["-I$folder", '-MEarly']);
calls_are($run->{profile}, \%want, '-d:DProf and -M: every call');
done_testing;
