# Options: -d:DProf= beats PERL_DPROF beats the classic variables; what is wrong is one line that names what is right, and the program runs.
use strict;
use warnings;
use lib 't/lib';
use DProf::Record;
use Test::More;

my $program = "sub f { 1 } f() for 1 .. 3; print qq{out\\n}; exit 5;\n";

# Who wins: [options, environment, the file that is written, its $hz].
for my $case (
    ['',                  {},                                                    'tmon.out', 1_000_000],
    ['hz=100',            {},                                                    'tmon.out', 100],
    ['file=a,hz=1000',    {},                                                    'a',        1000],
    ['',                  { PERL_DPROF => 'file=b,hz=100' },                     'b',        100],
    ['file=c',            { PERL_DPROF => 'file=b,hz=100' },                     'c',        100],
    ['hz=1000',           { PERL_DPROF => 'file=b,hz=100' },                     'b',        1000],
    ['',                  { PERL_DPROF_OUT_FILE_NAME => 'd', PERL_DPROF_TICKS => 100, PERL_DPROF_BUFFER => 0 }, 'd', 100],
    ['',                  { PERL_DPROF_OUT_FILE_NAME => 'd', PERL_DPROF => 'file=e' }, 'e', 1_000_000],
    ['file=g',            { PERL_DPROF_OUT_FILE_NAME => 'd', PERL_DPROF => 'file=e' }, 'g', 1_000_000],
    ['hz=100,hz=1000000000', {},                                                 'tmon.out', 1_000_000_000],
    [',hz=100,,',         { PERL_DPROF => '' },                                  'tmon.out', 100],
    ['format=text',       {},                                                    'tmon.out', 1_000_000],
    ['file=two words',    {},                                                    'two words', 1_000_000],
    ['text=1k,limit=2M,children=0,files=0,builtins=0,uncalled=0,hook=op,start=begin', {}, 'tmon.out', 1_000_000],
) {
    my ($options, $env, $file, $hz) = @$case;
    my $name = join ' ', "-d:DProf=$options", map { "$_=$env->{$_}" } sort keys %$env;
    my $run  = profiled($program, options => $options, env => $env);
    is "$run->{out}$run->{err}$run->{status}", "out\n1280", "$name: nothing is said";
    ok -e "$run->{folder}/$file", "$name: writes $file" or next;
    my $profile = DProf::Marks->read_file("$run->{folder}/$file");
    is $profile->{header}[1], "\$hz=$hz;", "$name: \$hz=$hz";
    is $profile->calls('main::f'), 3, "$name: records";
    my @left = map { m{([^/]+)\z} } glob "$run->{folder}/*";
    is "@left", join(' ', sort 'x.pl', $file), "$name: and no other file";
}

# What is wrong: [options, environment, what the line must name].
for my $case (
    ['no_such=1',       {}, qr/no_such.*file.*format.*hz.*hook/],
    ['no_such',         {}, qr/no_such.*file.*format.*hz/],
    ['hz=50',           {}, qr/50.*hz.*100, 1000, 1000000/],
    ['hz=',             {}, qr/hz.*100, 1000, 1000000/],
    ['hz',              {}, qr/hz.*100, 1000, 1000000/],
    ['format=binary',   {}, qr/binary.*format.*text, compact or tree/],
    ['children=yes',    {}, qr/yes.*children.*0 or 1/],
    ['limit=lots',      {}, qr/lots.*limit/],
    ['limit=-1',        {}, qr/-1.*limit/],
    ['text=99999999999G', {}, qr/99999999999G.*text/],
    ['start=now',       {}, qr/now.*start.*begin, init, end or no/],
    ['toggle=KILL',     {}, qr/KILL.*toggle/],
    ['toggle=NOSUCH',   {}, qr/NOSUCH.*toggle/],
    ['hook=all',        {}, qr/all.*hook.*op or sub/],
    ['file=',           {}, qr/file/],
    ['FILE=x',          {}, qr/FILE/],
    ['',                { PERL_DPROF => 'nonsense' },    qr/nonsense.*PERL_DPROF/],
    ['',                { PERL_DPROF => 'hz=1' },        qr/1.*hz.*PERL_DPROF/],
    ['',                { PERL_DPROF_TICKS => 'fast' },  qr/fast.*PERL_DPROF_TICKS/],
    ['hz=' . 'x' x 9000, {}, qr/hz|too long/],
    ["hz=1\n2",         {}, qr/hz/],
) {
    my ($options, $env, $want) = @$case;
    my $name = substr join(' ', "-d:DProf=$options", map { "$_=$env->{$_}" } sort keys %$env), 0, 60;
    $name =~ s/\n/ /g;
    my $run = profiled($program, options => $options, env => $env);
    is "$run->{out}$run->{status}", "out\n1280", "$name: the program runs";
    like $run->{err}, $want, "$name: the message names what is wrong and what is right";
    like $run->{err}, qr/\A[^\n]+\n\z/, "$name: in one line" or diag $run->{err};
    is $run->{profile} && $run->{profile}->calls('main::f'), 3, "$name: and is recorded all the same";
}

# The parts of a name.
{
    my $run = profiled("sub f { 1 } f(); print \$\$;\n", options => 'file=p.%p.%t.%%.%s.%h.out');
    my ($made) = map { m{([^/]+)\z} } glob "$run->{folder}/p.*";
    like $made, qr/\Ap\.$run->{out}\.0\.%\.\d{10}\..+\.out\z/, 'file=%p.%t.%%.%s.%h';
    my $folder = fresh();
    profiled($program, folder => $folder, options => 'file=n.%n') for 1 .. 3;
    is join(' ', map { m{([^/]+)\z} } sort glob "$folder/n.*"), 'n.1 n.2 n.3', 'file=%n takes the next free number';
    profiled($program, folder => $folder, options => 'file=odd%q%');
    ok -e "$folder/odd%q%", 'what is no part stays as it is';
}
done_testing;
