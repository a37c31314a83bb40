# What is refused, and how that is said: no report is printed half, nothing is shown that does not belong
# to its source.
use strict;
use warnings;

use lib 't/lib';
use DProf::Test qw(slurp spew dprofpp top in_folder run);
use File::Copy ();
use File::Temp ();
use Test::More;

my $data   = top() . '/t/data/pascal';
my $folder = File::Temp::tempdir(CLEANUP => 1);
my $counts = slurp("$data/gotoin.pmon");
for my $name (qw(gotoin.p nestfun.p incl1.i)) {
    File::Copy::copy("$data/$name", "$folder/$name") or die "$name: $!\n";
}
File::Copy::copy("$data/errors/$_.p", "$folder/$_.p") for qw(syn synbad noend);
spew("$folder/empty.p", '');
symlink top() . '/dprofpp', "$folder/pxp" or plan skip_all => "no links here: $!";

sub refused {
    my ($bytes, $words, $status, $text) = @_;
    unlink "$folder/pmon.out";
    spew("$folder/pmon.out", $bytes) if defined $bytes;
    local $Test::Builder::Level = $Test::Builder::Level + 1;
    my $got;
    in_folder($folder, sub { $got = dprofpp($words) });
    is($got->{status}, $status, "@$words: exit status $status");
    is($got->{out},    '',      "@$words: nothing is printed");
    like($got->{err}, $text, "@$words: $text");
    return;
}

refused(undef, ['gotoin.p'], 2, qr/^dprofpp: pmon\.out: No such file/);
refused('', ['gotoin.p'], 1, qr/pmon\.out: no pmon\.out: expected the magic number/);
refused(substr($counts, 0, 10), ['gotoin.p'], 1, qr/a pmon\.out of 10 bytes: expected a header of 16/);
refused("\x17" . substr($counts, 1), ['gotoin.p'], 1, qr/magic number/);
refused(substr($counts, 0, -4), ['gotoin.p'], 1, qr/its header says 204 bytes: found 200/);
refused($counts . "\0", ['gotoin.p'], 1, qr/its header says 204 bytes: found 205/);
refused($counts, ['nestfun.p'], 1,
    qr/does not belong to this source.*they part at nestfun\.p line \d+, counter \d+/);
refused($counts, ['synbad.p'], 1, qr/synbad\.p:12:11: expected an expression, found '\*'$/m);
refused($counts, ['noend.p'], 1, qr/noend\.p:3:1: expected end, found the end of the file$/m);
spew("$folder/dot.p", "{ no more than this }.\n");
refused(undef, ['--report', 'pretty', 'dot.p'], 1, qr/dot\.p:1:22: expected a program, found '\.'$/m);
refused($counts, ['nosuch.p'], 1, qr/^dprofpp: nosuch\.p: No such file/);
refused($counts, ['gotoin.p', 'nestfun.p'], 2, qr/one program at a time/);
# Neither what was found beside the program nor the program itself is overwritten.
spew("$folder/old.out", $counts);
for my $words (['gotoin.p', '-o', 'pmon.out'], ['gotoin.p', '--report', 'listing', '-o', 'gotoin.p'],
    ['pmon.out', 'gotoin.p', '--base', 'old.out', '-o', 'old.out']) {
    my $source = slurp("$folder/gotoin.p");
    refused($counts, $words, 2, qr/would overwrite/);
    is(slurp("$folder/pmon.out") . slurp("$folder/gotoin.p") . slurp("$folder/old.out"), "$counts$source$counts", '... all are whole');
}

SKIP: {
    skip 'no /dev/full here', 12 if !-c '/dev/full';
    refused($counts, ['gotoin.p', @$_, '-o', '/dev/full'], 1, qr/^dprofpp: .*No space left on device$/m)
        for ['--report', 'listing'], [];
    spew("$folder/long.p", "program long(output);\nbegin\n" . "  writeln('a line of text');\n" x 2000 . "end.\n");
    refused($counts, ['long.p', @$_, '-o', '/dev/full'], 1, qr/\Adprofpp: .*No space left on device$/m)
        for [qw(--report pretty)], ['--instrument'];
}

# What changed is a table and nothing else: no check is skipped in silence.
refused($counts, ['gotoin.p', '--base', 'pmon.out', '--check', 'calls(nosuch) == 1'], 1, qr/check cannot show what changed since a base/);
refused($counts, ['gotoin.p', '--base', 'pmon.out', '--json'],   1, qr/json cannot show what changed since a base/);
refused($counts, ['gotoin.p', '--base', 'pmon.out', '--report', 'listing'], 1, qr/listing cannot show/);
refused($counts, ['gotoin.p', '--base', 'pmon.out', $_, 'nosuch'], 1,
    qr/\Adprofpp: no sub(?:, package or file)? matches nosuch\ndprofpp: nothing is left to report\n(?!.*nosuch)/s) for '--only';
refused($counts, ['gotoin.p', '--dialect', 'basic'], 2, qr/expected berkeley or modern, found 'basic'/);

# Where a mistake or a comment stands is not looked for from the start of a long line each time: that would take minutes.
spew("$folder/odd.p", "program odd;\n" . '!' x 1_000_000 . "\nbegin end.\n");
refused($counts, ['odd.p'], 1, qr/\A(?:dprofpp: )?odd\.p:2:1: .*^(?:dprofpp: )?odd\.p:2:100: [^\n]*\n(?!.*^odd)/ms);
spew("$folder/comments.p", "program comments;\n" . "{}\t" x 300_000 . "\nbegin end.\n");
my $pretty = dprofpp(['--report', 'pretty', "$folder/comments.p"]);
is($pretty->{out} =~ tr/{//, 300_000, 'many comments on a line');

# A source that was changed so that its counters are as many is found out by its counts.
my $changed = slurp("$data/gotoin.p");
$changed =~ s/if k > limit then goto 99/if k > limit then goto 9/;
$changed =~ s/repeat\n(.*?)until k <= 0/while k > 0 do begin\n$1end/s;
spew("$folder/changed.p", slurp("$data/nestfun.p"));
my $text = slurp("$folder/changed.p");
$text =~ s/tell\(middle\(n\)\)/tell(n)/;
spew("$folder/changed.p", $text);
refused(slurp("$data/nestfun.pmon"), ['changed.p'], 1,
    qr/they part at changed\.p line 7, counter 3, which can be 0 at most and is 4/);

# --- pxp's own command line: what the original did with each, its exit status ---

my %words = (
    nofile => ['-z', 'gotoin.p'], empty => ['-z', 'gotoin.p'], shorthdr => ['-z', 'gotoin.p'],
    badmagic => ['-z', 'gotoin.p'], shortdata => ['-z', 'gotoin.p'], extra1 => ['-z', 'gotoin.p'],
    nodotp => ['primes'], usage1 => ['-q', 'gotoin.p'], noargs => [], usage3 => [qw(a.p b.p c.p)],
    nosuch => ['nosuch.p'], corez => ['-zc', 'gotoin.p'], coretoo => ['-c', 'gotoin.p'],
    dotiz => ['-z', 'incl1.i'], doti => ['incl1.i'], emptysrc => ['empty.p'], synerr => ['syn.p'],
    synerrw => ['-w', 'syn.p'], noend => ['noend.p'], synbad => ['synbad.p'],
);
my %counts = (
    empty => '', shorthdr => substr($counts, 0, 10), badmagic => "\x17" . substr($counts, 1),
    shortdata => substr($counts, 0, -4), extra1 => $counts . "\0",
);
for my $line (split /\n/, slurp("$data/errors/INDEX")) {
    my ($name, $want) = $line =~ /\A(\w+): .* exit (\d+)\z/ or next;
    next if !$words{$name};
    unlink "$folder/pmon.out";
    spew("$folder/pmon.out", exists $counts{$name} ? $counts{$name} : $counts) if $name ne 'nofile';
    my $got;
    in_folder($folder, sub { $got = run([@DProf::Test::PERL, './pxp', @{ $words{$name} }]) });
    is($got->{status}, $want, "pxp $name: exit status $want");
    my $prints = $name =~ /\A(?:doti|synerrw?)\z/;
    is($got->{out} ne '' ? 1 : 0, $prints ? 1 : 0, "pxp $name: " . ($prints ? 'prints' : 'prints nothing'));
    ok($got->{err} ne '', "pxp $name: says why") if $want;
    is($got->{out}, slurp("$data/errors/doti.out"), 'pxp prints an included file') if $name eq 'doti';
}
my $before = slurp("$folder/noend.p");
my $rewritten;
in_folder($folder, sub {
    is(run([@DProf::Test::PERL, './pxp', '-o', 'noend.p'])->{status}, 1, 'pxp -o: refused');
    is(slurp('noend.p'), $before, 'and the source is as it was');
    is(run([@DProf::Test::PERL, './pxp', '-o', 'nestfun.p'])->{status}, 0, 'pxp -o');
    $rewritten = slurp('nestfun.p');
});
is($rewritten, slurp("$data/nestfun.pp.txt"), 'the source is the pretty print now');
done_testing;
