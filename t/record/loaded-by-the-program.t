# `use Devel::DProf` in a program records from there on; `require` does not; loading it twice does nothing more.
use strict;
use warnings;
use lib 't/lib';
use DProf::Record;
use Test::More;

{
    my $run = plain("sub f { 1 } BEGIN { f() for 1 .. 5 } use Devel::DProf; f() for 1 .. 3; use Devel::DProf; f(); print \$^P, qq{\\n};\n", switches => []);
    my $profile = DProf::Marks->read_file("$run->{folder}/tmon.out");
    marks_ok($profile, 'use');
    is $profile->calls('main::f'), 4, 'use: records from there on';
    is "$run->{out}$run->{err}", "0\n", 'use: nothing is said, $^P is 0';
}
{
    my $run = plain("use Devel::DProf 'file=other', 'hz=100'; sub f { 1 } f();\n");
    my $profile = DProf::Marks->read_file("$run->{folder}/other");
    is $profile->{header}[1], '$hz=100;', 'use with a list: those are the options';
    is $profile->calls('main::f'), 1, 'and it records';
}
for my $program ("require Devel::DProf; sub f { 1 } f(); print qq{\$Devel::DProf::VERSION\\n};\n", "use Devel::DProf (); sub f { 1 } f(); print qq{\$Devel::DProf::VERSION\\n};\n") {
    my $run = plain($program);
    is_deeply [glob "$run->{folder}/tmon.out*"], [], 'require: no profile';
    is $run->{err}, '', 'require: nothing is said';
    cmp_ok $run->{out}, '>', 20110802, 'require: the version is there';
}
{
    my $run = profiled("use Devel::DProf; sub f { 1 } f() for 1 .. 3; require Devel::DProf; Devel::DProf->import('file=other', 'nonsense'); f(); BEGIN { f() } exit 2;\n");
    marks_ok($run->{profile}, 'loaded again');
    is $run->{profile}->calls('main::f'), 5, 'loaded again: one profile of all';
    is $run->{err} . $run->{status}, 512, 'loaded again: nothing is said';
    is @{ $run->{files} }, 1, 'loaded again: no other file';
    ok !-e "$run->{folder}/other", 'loaded again: nor by its options';
}
{
    my $run = plain("sub f { 1 } f(); eval 'use Devel::DProf; 1' or die \$@; f() for 1 .. 6; g(); sub g { f() } sub h { require Devel::DProf; 1 } h();\n");
    my $profile = DProf::Marks->read_file("$run->{folder}/tmon.out");
    marks_ok($profile, 'use in a string eval, in the middle of the run');
    calls_are($profile, { 'main::f' => 7, 'main::g' => 1 }, 'code that was compiled before is recorded');
}
{
    my $run = plain("sub outer { inner() } sub inner { require Devel::DProf; Devel::DProf->import; leaf() } sub leaf { 1 } outer(); leaf();\n");
    my $profile = DProf::Marks->read_file("$run->{folder}/tmon.out");
    marks_ok($profile, 'begun inside of calls');
    is $profile->calls('main::leaf'), 2, 'begun inside of calls: what comes after is recorded';
    is $profile->calls('main::outer'), 0, 'begun inside of calls: what began before is not counted';
}

# The classic way in a perl without -d.
{
    my $run = plain("use Devel::DProf 'hook=sub'; sub f { 1 } f() for 1 .. 3; print qq{ok\n};\n");
    is "$run->{out}$run->{err}$run->{status}", "ok\n0", 'hook=sub without -d: no harm';
    is(DProf::Marks->read_file("$run->{folder}/tmon.out")->calls('main::f'), 3, 'hook=sub without -d: the calls are there');
}
done_testing;
