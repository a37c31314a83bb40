# Perls that a profiled perl starts, by PERL5OPT, and a program that execs itself: each has a profile of its own, none replaces one of its family.
use strict;
use warnings;
use lib 't/lib';
use DProf::Record;
use Test::More;

my @perl = perl_with();
my $opt  = join ' ', @perl[1 .. $#perl], '-d:DProf';

# [NAME, PROGRAM, [{sub => calls} of each further profile]]
my @cases = (
    ['nested', 'sub outer { 1 } outer() for 1 .. 3; system $^X, "-e", "sub inner { 1 } inner() for 1 .. 5"; outer();', { 'main::outer' => 4 }, { 'main::inner' => 5 }],
    ['three deep', 'sub outer { 1 } outer(); system $^X, "-e", q{sub middle { 1 } middle(); system $^X, "-e", "sub innermost { 1 } innermost() for 1 .. 6"; middle()}; outer();',
        { 'main::outer' => 2 }, { 'main::middle' => 2 }, { 'main::innermost' => 6 }],
    ['one after the other', 'sub outer { 1 } for my $n (1 .. 3) { outer(); system $^X, "-e", "sub inner$n { 1 } inner$n() for 1 .. $n" }',
        { 'main::outer' => 3 }, { 'main::inner1' => 1 }, { 'main::inner2' => 2 }, { 'main::inner3' => 3 }],
    ['in parallel', 'sub outer { 1 } my @p = map { my $n = $_; my $p = fork; if (!$p) { exec $^X, "-e", "sub inner$n { 1 } inner$n() for 1 .. $n" } $p } 1 .. 4; waitpid $_, 0 for @p; outer();',
        { 'main::outer' => 1 }, { 'main::inner1' => 1 }, { 'main::inner2' => 2 }, { 'main::inner3' => 3 }, { 'main::inner4' => 4 }],
    ['an exec of itself', 'sub round { $_[0] } my $n = shift || 0; round($n) for 0 .. $n; exec $^X, $0, $n + 1 if $n < 3; exit 0;',
        { 'main::round' => 1 }, { 'main::round' => 2 }, { 'main::round' => 3 }, { 'main::round' => 4 }],
    ['backticks and a pipe', 'sub outer { 1 } outer(); print `$^X -e "sub ticked { 1 } ticked() for 1 .. 2; print 5"`; open my $fh, "-|", $^X, "-e", "sub piped { 1 } piped() for 1 .. 3; print 6"; print <$fh>; close $fh;',
        { 'main::outer' => 1 }, { 'main::ticked' => 2 }, { 'main::piped' => 3 }],
    ['one that loads the recorder besides', 'use Devel::DProf; sub outer { 1 } outer() for 1 .. 3; system $^X, "-e", "sub inner { 1 } inner()";', { 'main::outer' => 3 }, { 'main::inner' => 1 }],
);
for my $case (@cases) {
    my ($name, $text, @want) = @$case;
    # Without -d:DProf on the command line: PERL5OPT does it for all of them.
    my $folder = fresh();
    my $plain  = plain("$text\n", env => { PERL5OPT => join ' ', @perl[1 .. $#perl] });
    my $run    = plain("$text\n", folder => $folder, env => { PERL5OPT => $opt });
    is $run->{$_}, $plain->{$_}, "$name: same $_" for qw(out err status);
    my %profile = map { ($_ => DProf::Marks->read_file($_)) } glob "$folder/tmon.out*";
    is keys %profile, @want, "$name: " . @want . ' profiles' or diag join ' ', keys %profile;
    my %got = map { ($_ => calls_of($profile{$_})) } keys %profile;
    for my $want (@want) {
        my ($path) = grep { $got{$_} eq written($want) } sort keys %got;
        ok $path, "$name: one has " . written($want) or diag explain \%got;
        delete $got{$path} if $path;
    }
    my %id = map { ($_->run->{id} => 1) } values %profile;
    is keys %id, 1, "$name: all are of one family";
    marks_ok($profile{$_}, "$name: " . ($_ =~ /([^\/]+)\z/)[0], killed => $name =~ /exec|parallel/ ? 1 : 0, empty => $name eq 'in parallel') for sort keys %profile;

    # A second run in the same folder replaces them all.
    plain("$text\n", folder => $folder, env => { PERL5OPT => $opt });
    my @again = glob "$folder/tmon.out*";
    is @again, @want, "$name: a second run leaves as many" or diag "@again";
    my %ids = map { (DProf::Marks->read_file($_)->run->{id} => 1) } @again;
    is_deeply [grep { $id{$_} } keys %ids], [], "$name: all of the new family";
}
# Perls that start together, in a pipe, and live beside each other: each has its profile, on an old one too.
for my $options ('hz=1000000', 'portable=1', 'format=compact') {
    my $folder = fresh();
    my @perl   = perl_with("-d:DProf=$options");
    my $lost   = 0;
    for my $round (1 .. 12) {
        unlink "$folder/two", $round % 2 ? glob "$folder/tmon.out*" : ();
        plain('', folder => $folder, command => ['/bin/sh', '-c', '"$@" -e "sub one { 1 } one(); print 1; close STDOUT; select undef, undef, undef, .01 while !-e q{two}" | "$@" -e "sub two { 1 } two() while <STDIN>; open F, q{>two}"', 'sh', @perl]);
        my %ids;
        for my $profile (map { DProf::Marks->read_file($_) } grep { !/\.tree\z/ } glob "$folder/tmon.out*") {
            $ids{one}++ if $profile->calls('main::one');
            $ids{two}++ if $profile->calls('main::two');
        }
        $lost++ if join(' ', map { "$_ $ids{$_}" } sort keys %ids) ne 'one 1 two 1';
    }
    is $lost, 0, "perls that start together, $options: each has its profile";
}
done_testing;

sub calls_of {
    my ($profile) = @_;
    my $calls = $profile->all_calls;
    return written({ map { ($_ => $calls->{$_}) } grep { /^main::\w+\z/ } keys %$calls });
}

sub written { my ($calls) = @_; return join ' ', map { "$_=$calls->{$_}" } sort keys %$calls }
