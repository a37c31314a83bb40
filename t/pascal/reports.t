# The reports of statements: golden sessions, and what --json says of the same profile.
use strict;
use warnings;

use lib 't/lib';
use DProf::Test qw(slurp spew dprofpp top in_folder golden);
use File::Copy ();
use File::Temp ();
use Test::More;

$ENV{TZ} = 'UTC';
my $data   = top() . '/t/data/pascal';
my $folder = File::Temp::tempdir(CLEANUP => 1);
for my $path (glob("$data/*.p"), glob("$data/*.i"), glob("$data/*.pmon"), glob("$data/*.run.err")) {
    my ($name) = $path =~ m{([^/]+)\z};
    File::Copy::copy($path, "$folder/$name") or die "$path: $!\n";
    utime 486814800, 486814800, "$folder/$name";
}

my %sessions = (
    top        => [qw(ledger.p ledger.pmon)],
    inclusive  => [qw(ledger.p ledger.pmon -I -O 5)],
    'by-name'  => [qw(nestfun.p nestfun.pmon -a)],
    added      => [qw(nestfun.p nestfun.pmon nestfun.be.pmon)],
    base       => [qw(loops.p loops.pmon --base loops.be.pmon)],
    tree       => [qw(ledger.p ledger.pmon -T)],
    callers    => [qw(ledger.p ledger.pmon --callers rnd --callers move)],
    callees    => [qw(ledger.p ledger.pmon --callees serve)],
    procparm   => [qw(procparm.p procparm.pmon -T)],
    unexecuted => [qw(neverrun.p neverrun.pmon --report unexecuted)],
    only       => [qw(nestfun.p nestfun.pmon --only inner --only leaf)],
    skip       => [qw(ledger.p ledger.pmon -O 8 --skip move --skip note --skip skip --skip insert)],
    'skip-callees' => [qw(nestfun.p nestfun.pmon --skip middle --callees outer)],
    'skip-callers' => [qw(nestfun.p nestfun.pmon --skip middle --skip nestfun --callers outer --callers inner)],
    'skip-shared' => [qw(ledger.p ledger.pmon --skip expr --callers skip --callers term)],
    'skip-circle' => [qw(ledger.p ledger.pmon --skip expr --skip term --callers factor)],
    group      => [qw(nestfun.p nestfun.pmon -G .)],
    'group-other' => [qw(nestfun.p nestfun.pmon -I -G inner|leaf -P)],
    'group-edges' => [qw(nestfun.p nestfun.pmon -G inner|leaf --callers /inner/)],
    'group-shared' => [qw(ledger.p ledger.pmon -I -G ^(script|serve)$ -G ^(expr|eval)$ -O 9)],
    'group-json' => [qw(nestfun.p nestfun.pmon -G . --json)],
    died       => [qw(halted.p halted.pmon --died halted.run.err --report listing --only step)],
    jumps      => [qw(ledger.p ledger.pmon --report listing --only factor --only expr --marks)],
    'no-marks' => [qw(ledger.p ledger.pmon --report listing --only expr)],
    forward    => [qw(fwdproc.p fwdproc.pmon)],
    included   => [qw(incl.p incl.pmon)],
);
for my $name (sort keys %sessions) {
    my $got;
    in_folder($folder, sub { $got = dprofpp($sessions{$name}) });
    is($got->{status}, 0, "$name: exit status") or diag $got->{err};
    $got->{out} =~ s/^(dprofpp .* -- Version) \d+$/$1 N/m;
    golden($got->{out}, "$data/report.$name.txt");
}

SKIP: {
    skip 'JSON::PP is not here', 4 if !eval { require JSON::PP; 1 };
    my $got;
    in_folder($folder, sub { $got = dprofpp([qw(--json -O -1 ledger.p ledger.pmon)]) });
    my $json = JSON::PP::decode_json($got->{out});
    is($json->{unit}, 'statements', '--json: the unit');
    is($json->{total_statements}, 3929, 'the total');
    my ($own, $lines) = (0, 0);
    $own += $_->{own_statements} for @{ $json->{subs} };
    $lines += $_->{statements} for @{ $json->{lines} };
    is($own,   3929, 'routines add up to it');
    is($lines, 3929, 'and so do lines');
}
done_testing;
