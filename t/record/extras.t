# What is asked for besides: required files, string evals and builtins as frames, and the subs that were never called.
use strict;
use warnings;
use lib 't/lib';
use DProf::Record;
use Test::More;

my $folder = fresh();
spew("$folder/Loaded.pm", "package Loaded; sub import { helper() } sub helper { 1 } helper(); BEGIN { helper() if defined &helper } 1;\n");
spew("$folder/broken.pl", "sub before { 1 } before(); die qq{broken\\n};\n");
spew("$folder/done.pl",   "main::f(); 5;\n");
my $program = <<'END';
use Loaded; sub f { 1 } f(); print do './done.pl', "\n"; eval { require './broken.pl' }; print $@; do './none.pl'; require Loaded; eval 'f(); f()'; eval 'f(' or print "syntax\n"; for (1 .. 3) { eval 'f(); eval q{f()}' } eval { f() }; eval 'die "x\n"'; print $@; sub in { return eval 'f(); 7' } print in(), "\n"; sub out { eval 'return 8' } print out(), "\n"; { no warnings; LOOP: for (1 .. 2) { eval 'f(); next LOOP' } }
END

for my $way ('', 'format=compact', 'format=tree') {
    my $name = 'files=1' . ($way && ", $way");
    my $run  = same($program, $name, folder => $folder, switches => ["-I$folder", '-I.'], options => join ',', 'files=1', $way);
    my $calls = $run->{profile}->all_calls;
    my %found;
    for (keys %$calls) { $found{$1} += $calls->{$_} if /(Loaded\.pm|broken\.pl|done\.pl|none\.pl|eval)/ && !/BEGIN/ }
    is $found{'Loaded.pm'}, 1, "$name: a module that was used, once";
    is $found{'broken.pl'}, 1, "$name: a file that died";
    is $found{'done.pl'},   1, "$name: a file that was done";
    is $found{eval}, 1 + 1 + 3 + 3 + 1 + 1 + 1 + 2, "$name: string evals" or diag explain [grep { /eval/ } sort keys %$calls];
    is $calls->{'main::f'}, 2 + 2 + 3 + 3 + 1 + 1 + 2, "$name: the calls in them too" or diag explain $calls;
    my @kinds = map { $_->[2] } values %{ $run->{profile}{sub} };
    ok grep({ $_ eq 'file' } @kinds) >= 3 && grep({ $_ eq 'eval' } @kinds) >= 1, "$name: of kinds file and eval";
    my $without = same($program, "without$way", folder => $folder, switches => ["-I$folder", '-I.'], options => $way);
    is grep({ $_->[2] eq 'file' || $_->[2] eq 'eval' } values %{ $without->{profile}{sub} }), 0, 'without files=1 there are none';
}

# A file and an eval end where they end, not with the next call.
{
    spew("$folder/Small.pm", "1;\n");
    my $run = profiled("use lib '.'; require Small; my \$x = eval '1'; my \$n = 0; \$n++ for 1 .. 2_000_000;\n", folder => $folder, options => 'files=1,format=tree');
    my ($all, %time) = (0);
    for my $node (values %{ $run->{profile}{nodes} }) { $all += $node->{real}; $time{$1} = $node->{real} if $node->{name} =~ /(Small\.pm|\(eval\)\[x)/ }
    is scalar(keys %time), 2, 'files=1: the two are there';
    cmp_ok $time{$_} || 0, '<', $all / 4, "files=1: $_ has not the time after it ($time{$_} of $all)" for sort keys %time;
}

my $builtins = <<'END';
use strict; my @list = sort { f($a) <=> f($b) } 3, 1, 2; sub f { $_[0] } open my $fh, '>', 'data' or die; print $fh "line $_\n" for 1 .. 3; close $fh; open $fh, '<', 'data' or die; my @lines = <$fh>; close $fh; my $n = grep { /line (\d)/ } @lines; (my $t = "aaa") =~ s/a/b/g; system 'true'; my $x = `echo hello`; select undef, undef, undef, .001; my @f = glob '*'; unlink 'data'; sleep 0; my @s = stat '.'; opendir my $d, '.'; my @e = readdir $d; f(1); print "$n $t $x"; my $j = join ',', map { sprintf '%d', $_ } @list; eval { die "x\n" }; die_in() if 0; my $pid = fork; if (!$pid) { exec 'true' } waitpid $pid, 0; wait; kill 0, $$; mkdir 'dd'; rmdir 'dd'; print STDERR "";
END
for my $way ('', 'format=compact') {
    my $name    = 'builtins=1' . ($way && ", $way");
    my $run     = same($builtins, $name, options => join ',', 'builtins=1', $way);
    my $calls   = $run->{profile}->all_calls;
    my %want = ('CORE::system' => 1, 'CORE::sort' => 1, 'CORE::print' => 5, 'CORE::sleep' => 1, 'CORE::sselect' => 1, 'CORE::open' => 2, 'CORE::close' => 2, 'CORE::unlink' => 1);
    my %got = map { ($_ => $calls->{$_} || 0) } keys %want;
    is_deeply \%got, \%want, "$name: as often as they were called" or diag explain $calls;
    cmp_ok $calls->{'CORE::readline'}, '>=', 1, "$name: readline";
    ok grep({ /^CORE::match/ } keys %$calls), "$name: matching";
    cmp_ok $calls->{'main::f'}, '>=', 5, "$name: subs called from within a builtin are inside of it";
    is_deeply [grep { $_->[2] ne 'builtin' } map { $run->{profile}{sub}{$_} } grep { /^CORE::/ } keys %{ $run->{profile}{sub} }], [], "$name: all of kind builtin";
    my $without = profiled($builtins, options => $way);
    is grep({ /^CORE::/ } $without->{profile}->names), 0, 'without builtins=1 there are none';
}

# An exec is the last call of a program, and it and those before are in the file, also if code was compiled before the recorder
# came. One that fails is over.
for my $way ('', 'portable=1', 'format=compact,portable=1') {
    my $name = 'builtins=1' . ($way && ", $way");
    my $body = 'sub f { 1 } f() for 1 .. 10; { no warnings; exec "./no-such-program" } exec "true"';
    my $before = plain("sub begin { require Devel::DProf; Devel::DProf::start('tmon.out') } begin(); $body;\n", env => { PERL_DPROF => "builtins=1,$way" });
    my %profile = (
        'an exec' => profiled("$body;\n", options => "builtins=1,$way")->{profile},
        'an exec that was compiled before' => DProf::Marks->read_file("$before->{folder}/tmon.out"),
        'an exec in a child' => DProf::Marks->read_file((grep { /\.\d+\z/ } @{ profiled("my \$p = fork; if (!\$p) { $body } waitpid \$p, 0;\n", options => "builtins=1,$way")->{files} })[0]),
    );
    for my $case (sort keys %profile) {
        marks_ok($profile{$case}, "$name: $case", killed => 1);
        calls_are($profile{$case}, { 'main::f' => 10, 'CORE::exec' => 2 }, "$name: $case, with all calls before it");
        is_deeply $profile{$case}{open}, ['CORE::exec'], "$name: $case is open, and not one that failed";
    }
}

{
    my $run = same(<<'END', 'uncalled=1', options => 'uncalled=1');
sub called { 1 } sub never { 2 } { package P; sub once { 1 } sub unused { 1 } sub DESTROY { } } called(); P->once; my $anon = sub { 1 }; my $ran = sub { 1 }; $ran->(); sub declared; eval 'sub evaled { 1 }'; { no warnings; *alias = \&never; } sub constant () { 5 }
END
    my %kind = map { ($_ => $run->{profile}{sub}{$_}[2]) } keys %{ $run->{profile}{sub} };
    my @uncalled = sort grep { $kind{$_} eq 'uncalled' } keys %kind;
    ok grep({ $_ eq 'main::never' } @uncalled), 'uncalled=1: a sub that was never called';
    ok grep({ $_ eq 'P::unused' } @uncalled), 'uncalled=1: in a package';
    ok grep({ $_ eq 'main::evaled' } @uncalled), 'uncalled=1: of a string eval';
    is grep({ /called\z|once\z/ && !/un/ } @uncalled), 0, 'uncalled=1: none that was called';
    is grep({ /declared/ } @uncalled), 0, 'uncalled=1: none that has no body';
    is_deeply [@{ $run->{profile}{sub}{'main::never'} }[0, 1]], ['x.pl', 1], 'uncalled=1: with its file and line';
    my $without = profiled("sub never { 1 } sub f { 1 } f();\n");
    is grep({ $_->[2] eq 'uncalled' } values %{ $without->{profile}{sub} }), 0, 'without uncalled=1 there are none';
}
done_testing;
