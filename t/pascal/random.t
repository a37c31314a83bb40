# A second oracle: random programs that keep tallies of their own are instrumented and run; what the profile
# says of each tally's line is what the program counted. DPROF_RANDOM=1000 for as many, DPROF_ALONE=1 for pmon.out
# without the files beside it.
use strict;
use warnings;

use lib 't/lib';
use DProf::RandomPascal;
use DProf::Test qw(slurp spew in_folder);
use File::Temp ();
use Test::More;

use Devel::DProf::FreePascal;
use Devel::DProf::Pascal;

my $programs = $ENV{DPROF_RANDOM} || 12;
my $first    = $ENV{DPROF_SEED} || 1;
plan skip_all => 'needs Free Pascal (fpc)' if !grep { -x "$_/fpc" } split /:/, $ENV{PATH} || '';

my $folder = File::Temp::tempdir(CLEANUP => 1);
my ($guessed, $jumped, $tallies) = (0, 0, 0);
for my $seed ($first .. $first + $programs - 1) {
    my $jumps = $seed % 2;
    my ($text, $tally_of) = DProf::RandomPascal::program($seed, jumps => $jumps);
    my ($printed, $profile);
    in_folder($folder, sub {
        spew('rnd.p', $text);
        my $program = Devel::DProf::Pascal::source('rnd.p', dialect => 'today');
        die join "\n", $program->complaints if $program->hard;
        my $built = Devel::DProf::FreePascal::build($program, 'rnd.p', "$folder");
        unlink glob 'pmon.out*';
        $printed = `$built`;
        spew('rnd.p', $text);
        my $again = Devel::DProf::Pascal::source('rnd.p', dialect => 'today');
        $again->tell('pmon.out') if !$ENV{DPROF_ALONE};    # with what is beside it
        $profile = $again->profile('pmon.out');
    });
    my %ran  = map { split ' ' } split /\n/, $printed;
    my %line = map { ($_->{line} => $_->{count}) } Devel::DProf::Pascal::_lines($profile);
    my %unsure = map { ($_->{line} => $_->{guessed}) } Devel::DProf::Pascal::_lines($profile);
    my @sure = grep { !$unsure{$_} } keys %$tally_of;
    my @wrong = grep { $line{$_} != $ran{ $tally_of->{$_} } } sort { $a <=> $b } @sure;
    $tallies += @sure;
    $jumped++ if grep { $_->{code} =~ /\A(?:jumps|doubt)\z/ } $profile->notes;
    my $marked = keys(%ran) - @sure;
    $guessed += $marked;
    is("@wrong", '', "seed $seed: " . @sure . ' tallies agree' . ($marked ? ", $marked are marked" : ''))
        or diag first_wrong(\@wrong, \%line, \%ran, $tally_of);
}
ok($tallies > 10 * $programs, "$tallies tallies in $programs programs agree; $jumped left routines by jumps, $guessed counts are marked");
done_testing;

sub first_wrong {
    my ($wrong, $line, $ran, $tally_of) = @_;
    return map { "line $_: profile $line->{$_}, program $ran->{ $tally_of->{$_} }\n" } @$wrong[0 .. ($#$wrong > 4 ? 4 : $#$wrong)];
}
