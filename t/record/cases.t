# Programs that broke profilers: profiled, each says the same and ends the same as without, and the
# profile is whole.
use strict;
use warnings;
use lib 't/lib';
use DProf::Record;
use Test::More;

# What the profile of some must hold besides.
my %holds = (
    '01-last-out-of-sub-test-more-skip' => { 'Test::More::skip' => 1, 'Test::More::ok' => 2 },
    '07-goto-recursion-outer'           => { 'P::helper' => 1,  'main::rec'  => 5, 'main::rec2' => 4 },
    '09-list-util-shuffle'              => { 'List::Util::shuffle' => 1 },
    '13-shared-args-ampersand'          => { 'main::take' => 1, 'main::outer' => 1 },
    '16-lvalue-sub'                     => { 'main::lv' => 1 },
    '20-goto-xsub'                      => { 'main::biggest' => 1, 'List::Util::max' => 1 },
    '21-goto-times-swapped'             => { 'main::quick' => 1, 'main::slow' => 1 },
    '22-deep-recursion-segv'            => { 'main::r' => 20_001 },
    '23-exec-in-sub'                    => { 'main::go' => 1, 'main::a1' => 10 },
    '24-posix-exit'                     => { 'main::go' => 1, 'main::a1' => 20_000, 'POSIX::_exit' => 1 },
    '31-global-destruction'             => { 'G::DESTROY' => 1, 'main::m1' => 1 },
    '35-evalled-die-through-frames' => { map { ("main::$_" => 4) } qw(a1 b1 c1) },
    '37-perldb-toggle'              => { 'main::f' => 1, 'main::g' => 2 },
    '38-lvalue-substr-method'       => { 'Obj::n' => 3 },
    '39-die-in-destroy-sort-last'   => { 'D::DESTROY' => 1, 'main::cmp1' => 1, 'main::loop' => 1 },
    '40-redo-goto-label-out'        => { 'main::jump' => 1 },
    '41-local-DB-sub-glob-idiom'    => { 'main::inner' => 2 },
);

# These end without a word to the recorder: the last marks are missing, no more.
my %killed = map { ($_ => 1) } qw(23-exec-in-sub 24-posix-exit);

# No sub is called: by the first of them not in this process.
my %empty = map { ($_ => 1) } qw(25-fork-child-not-profiled 27-warnings-switched-on);

# Millions of calls: the test is whether they run; reading all the marks would take too long.
my %large = map { ($_ => 1) }
    qw(12-million-calls-column 14-many-small-calls-percent 32-tight-small-sub-ranked-last 33-closures-explode);

for my $path (sort glob 't/data/record/cases/*.pl') {
    my ($name) = $path =~ m{([^/]+)\.pl\z};
    my $program = data("cases/$name.pl");
SKIP: {
        skip "$name: perl without threads", 1 if $name =~ /thread/   && !perl_has_threads();
        skip "$name: needs Sub::Util",      1 if $name =~ /odd-names/ && !has_module('Sub::Util');
        if ($name =~ /unwritable/) {
            unwritable($program, $name);
            next;
        }
        my $whole = !$killed{$name} && !$large{$name};
        my $run   = same($program, $name, unread => !$whole, empty => $empty{$name});
        if ($large{$name}) {
            begins_with_marks($run, $name);
            next;
        }
        my $profile = $run->{profile} || DProf::Marks->read_file("$run->{folder}/tmon.out");
        marks_ok($profile, $name, killed => 1) if $killed{$name};
        calls_are($profile, $holds{$name}, "$name: calls") if $holds{$name};
    }
}
done_testing;

sub begins_with_marks {
    my ($run, $name) = @_;
    open my $fh, '<', "$run->{folder}/tmon.out" or return fail("$name: $!");
    read $fh, my $start, 200_000;
    return like $start, qr/^\+ \d+ \d+ \d+ main::\w+/m, "$name: there are marks";
}

sub unwritable {
    my ($program, $name) = @_;

    my %nowhere = (env => { PERL_DPROF_OUT_FILE_NAME => 'no/such/folder/tmon.out' });
    my ($plain, $run) = (plain($program, %nowhere), profiled($program, %nowhere));
    is $run->{out},    $plain->{out},    "$name: same standard output";
    is $run->{status}, $plain->{status}, "$name: same exit status";
    return like $run->{err}, qr{\A[^\n]*no/such/folder[^\n]*\n\z}, "$name: one line says that nothing is recorded";
}

sub perl_has_threads {
    require Config;
    return $Config::Config{useithreads};
}
