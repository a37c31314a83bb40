# The table of options: bundles and long names, DPROFPP_OPTS, near misses; what --help, the completions
# and the manual list is the table.
use strict;
use warnings;

use lib 't/lib';

use Devel::DProf::Options;
use DProf::Test qw(dprofpp slurp top);
use Test::More;

my @OPTIONS = @Devel::DProf::Options::OPTIONS;

sub parsed {
    my (@words) = @_;
    my $set  = Devel::DProf::Options::defaults();
    my @rest = Devel::DProf::Options::parse($set, '', @words);
    return ($set, @rest);
}

# The letters of old, with and without values.
for my $letter (split //, 'OgGPfdlzaAvuTtqrRsUFEIpQVShH') {
    my ($option) = grep { ($_->{letter} || '') eq $letter } @OPTIONS;
    ok($option, "-$letter is there");
    is($option->{arg} ? 1 : 0, $letter =~ /[OgGfp]/ ? 1 : 0, "-$letter: a value or none, as of old");
    like($option->{name}, qr/\A[a-z][a-z-]+\z/, "-$letter has a long name");
}
{
    my (%letters, %names);
    is(scalar(grep { $_->{letter} && $letters{ $_->{letter} }++ } @OPTIONS), 0, 'no letter twice');
    is(scalar(grep { $names{ $_->{name} }++ } @OPTIONS), 0, 'no name twice');
}

my ($set, @rest) = parsed('-lO5', '-q', 'a', '-rI', '--', '-b');
is($set->{sort},   'calls', '-lO5: l');
is($set->{rows},   5,       '-lO5: O 5');
is($set->{header}, 0,       '-q');
is($set->{clock}, 'real', 'options may follow files');
is_deeply(\@rest, ['a', '-b'], '-- ends the options');
is((parsed())[0]{rows}, undef, 'no -O: what is usual for the report');
is((parsed('-O', '-1'))[0]{rows},  -1, '-O -1');
is((parsed('--rows=-1'))[0]{rows}, -1, '--rows=-1');
is((parsed('--rows', '7'))[0]{rows}, 7, '--rows 7');
is((parsed('-r', '-s'))[0]{clock}, 'system', 'of -r -s the last counts');
is((parsed('-s', '-r'))[0]{clock}, 'real',   'of -s -r the last counts');
is((parsed('-r', '--cpu'))[0]{clock}, 'cpu', '--cpu undoes -r');
is((parsed('-I', '-E'))[0]{inclusive}, 0, '-E undoes -I');
is((parsed('-d', '--no-reverse'))[0]{reverse}, 0, '--no-reverse undoes -d');
is((parsed('-q', '--header'))[0]{header}, 1, '--header undoes -q');
is((parsed('-'))[1], '-', '- is a file');
is_deeply((parsed('-g', 'a', '--inside', 'b'))[0]{inside}, ['a', 'b'], '-g adds up');
is_deeply((parsed('--run', '--', 'x', '-y'))[0]{command}, ['x', '-y'], '--run -- x -y');

for my $near (['tre', 'tree'], ['roes', 'rows'], ['inclusiv', 'inclusive'], ['jsno', 'json']) {
    eval { parsed("--$near->[0]") };
    like($@, qr/\Aunknown option --$near->[0] \(did you mean --$near->[1]\?\)\n\z/, "near $near->[1]");
}
eval { parsed('--tr') };
like($@, qr/\Aunknown option --tr /, 'long names are never abbreviated');
eval { parsed('--xyzzy') };
is($@, "unknown option --xyzzy\n", 'nothing is near xyzzy');

is_deeply([Devel::DProf::Options::split_words(q{a  'b c' "d \"e\"" f\ g '' h"i"j})],
    ['a', 'b c', 'd "e"', 'f g', '', 'hij'], 'words as a shell splits them');
eval { Devel::DProf::Options::split_words(q{a 'b}) };
like($@, qr/a quote is not closed/, 'an open quote');

# What lists them.
my $help = dprofpp(['--help']);
is($help->{status}, 0, '--help: status 0');
is($help->{out}, dprofpp(['-h'])->{out}, '-h is the same');
my $manual = slurp('dprofpp');
for my $option (@OPTIONS) {
    my $name   = $option->{name};
    my $letter = $option->{letter} ? "-$option->{letter}, " : '';
    my $arg    = $option->{arg} ? " $option->{arg}" : '';
    like($help->{out}, qr/^ +\Q$letter--$name$arg\E\s/m, "--help lists --$name");
    my $item = $option->{letter} ? "B<-$option->{letter}>, B<--$name>" : "B<--$name>";
    $item .= " I<$option->{arg}>" if $option->{arg};
    ok($manual =~ /^=item \Q$item\E\n/m, "the manual tells of --$name");
}
for my $name ($manual =~ /^=item (?:B<-.>, )?B<--([a-z-]+)>/mg) {
    ok((grep { $_->{name} eq $name } @OPTIONS), "the manual's --$name is an option");
}
for my $shell (qw(bash zsh fish)) {
    my $got = dprofpp(['--completion', $shell]);
    is($got->{status}, 0, "completions for $shell");
    for my $option (@OPTIONS) {
        my $word = $shell eq 'fish' ? "-l $option->{name} " : "--$option->{name}";
        ok(index($got->{out}, $word) >= 0, "$shell: $word") or last;
    }
}
SKIP: {
    skip 'no Pod::Usage', 1 if !eval { require Pod::Usage; 1 };
    like(dprofpp(['-H'])->{out}, qr/NAME\s+dprofpp.*EXIT STATUS/s, '-H shows the manual');
}

# DPROFPP_OPTS.
my $data = top() . '/t/data/report';

sub with_options {
    my ($options, @words) = @_;
    return dprofpp(\@words, env => { DPROFPP_OPTS => $options });
}
like(with_options('-q -O 1', "$data/shapes.in")->{out}, qr/\A.*main::spin\n.*outside any sub\)\n\z/,
    'DPROFPP_OPTS: its options hold');
like(with_options('-I -O 1', '-E', "$data/shapes.in")->{out}, qr/^Exclusive Times$/m,
    '... -E undoes its -I');
like(with_options('-T', '-S', "$data/shapes.in")->{out}, qr/\Amain::report x 3/,
    '... the command line may ask for another report');
like(with_options('--json', '-S', "$data/shapes.in")->{out}, qr/\Amain::report x 3/,
    '... instead of a format');
like(with_options('-S', '--json', "$data/shapes.in")->{out}, qr/\A\{"format"/,
    '... or a format instead of a report');
is(with_options('-S', '-o', '/dev/null', '--to', 'json', "$data/shapes.in")->{status}, 0,
    '... or to a file');
# ... and then means none of the subs that the other one was of.
for my $words (['--callees', 'main::report'], ['-S'], ['--json'], ['--report', 'walkback'], ['--to', 'folded']) {
    my $want = dprofpp([@$words, "$data/shapes.in"]);
    my $got = with_options('--callers nope --callers main::spin', @$words, "$data/shapes.in");
    is_deeply($got, $want, "... '@$words' instead of --callers") or diag $got->{err};
}
is(with_options('--callers main::report', '--callers', 'main::spin', "$data/shapes.in")->{out},
    dprofpp(['--callers', 'main::report', '--callers', 'main::spin', "$data/shapes.in"])->{out}, '... of the same report they add up');
is(with_options('--callers nope', '-o', '/dev/null', '--to', 'csv', "$data/shapes.in")->{status}, 0, '... or to a file');
like(with_options("-q -O 1 '$data/shapes.in'")->{out}, qr/main::spin/, '... it may name a file');
like(with_options("-q -O 1 $data/1997.in", "$data/shapes.in")->{out}, qr/main::spin/,
    '... which a file of the command line replaces');
# Lists can be undone too.
my $plain = dprofpp(['-q', "$data/shapes.in"])->{out};
for my $options ('-g main::fact', '-f main', '-G main -P', '--only main::fact', '--skip main::fact', '--base nosuch', '--callers main::fact',
    "--check 'calls(*) > 0'", '--check-file nosuch') {
    my ($undo) = map { "--no-$_->{name}" } grep { $options =~ /\A(?:-$_->{letter}|--$_->{name}) / }
        map { { %$_, letter => $_->{letter} || '#' } } @OPTIONS;
    my @words = ('-q', $undo, $undo eq '--no-group' ? '--no-other' : (), "$data/shapes.in");
    my $got = with_options($options, @words);
    is($got->{out}, $plain, "... $undo undoes $options") or diag $got->{err};
}
is_deeply((parsed('-g', 'a', '--no-inside', '-g', 'b'))[0]{inside}, ['b'], '... what follows counts');
my $mistake = with_options('-Z', "$data/shapes.in");
is($mistake->{status}, 2, '... a mistake in it: status 2');
like($mistake->{err}, qr/^dprofpp: DPROFPP_OPTS: unknown option -Z$/m, '... is named');

# -f leaves rows out, or it is said that there are none.
my ($written) = dprofpp(['--formats'])->{out} =~ /^Written:(.*?)^Read/ms;
my @formats = $written =~ /^  (\w[\w-]*) /mg;
cmp_ok(scalar @formats, '>', 10, 'formats are listed');
for my $format (@formats) {
    my ($all, $less) = map { dprofpp(['--to', $format, @$_, 't/data/report/ours.in']) } [], ['-f', 'Shop::load'];
    if ($less->{err} eq '') { ok($less->{out} ne $all->{out}, "--to $format: -f leaves out rows") }
    else {
        like($less->{err}, qr/-f leaves out rows: \Q$format\E has none/, "--to $format: -f has no effect, as is said");
        ok($less->{out} eq $all->{out}, '... and it has none');
    }
}
done_testing;
