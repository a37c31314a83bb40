# Small programs of every kind, profiled for real, give the trees that -T and -t have always been documented
# to give: dprofpp without a file name, called through perl from another folder, nothing on standard error.
use strict;
use warnings;

use lib 't/lib';

use DProf::Test qw(dprofpp in_folder run spew);
use File::Temp ();
use Test::More;

my @PROGRAMS = (
    [nested => <<'PROGRAM', <<'TREE', <<'COLLAPSED'],
sub low { 1 } sub middle { low() } sub high { middle(); low() }
low(); middle(); high();
PROGRAM
main::low
main::middle
   main::low
main::high
   main::middle
      main::low
   main::low
TREE
main::low
main::middle
   main::low
main::high
   main::middle
      main::low
   main::low
COLLAPSED
    [repeated => <<'PROGRAM', <<'TREE', <<'COLLAPSED'],
sub leaf { 1 } sub twice { leaf() for 1 .. 2 }
leaf() for 1 .. 3;
twice() for 1 .. 2;
leaf();
PROGRAM
main::leaf
main::leaf
main::leaf
main::twice
   main::leaf
   main::leaf
main::twice
   main::leaf
   main::leaf
main::leaf
TREE
main::leaf (3x)
main::twice (2x)
   main::leaf (2x)
main::leaf
COLLAPSED
    ['exit in nested subs' => <<'PROGRAM', <<'TREE'],
sub inner { exit 0 } sub outer { inner() }
outer();
outer();
PROGRAM
main::outer
   main::inner
TREE
    [fork => <<'PROGRAM', <<'TREE'],
sub parent { 1 } sub child { 1 }
parent();
my $pid = fork;
if (!$pid) { child(); exit 0 }
waitpid $pid, 0;
parent();
PROGRAM
main::parent
main::parent
TREE
    ['&sub;' => <<'PROGRAM', <<'TREE'],
sub taker { shift } sub giver { &taker; @_ == 1 or die "arguments are not shared\n" }
giver(1, 2);
PROGRAM
main::giver
   main::taker
TREE
    ['die through frames' => <<'PROGRAM', <<'TREE'],
sub thrower { die "on purpose\n" } sub through { thrower(); 1 } sub catcher { eval { through() }; 1 }
catcher();
sub after { 1 }
after();
PROGRAM
main::catcher
   main::through
      main::thrower
main::after
TREE
    [BEGIN => <<'PROGRAM', <<'TREE'],
sub early { 1 }
BEGIN { early() }
early();
PROGRAM
main::BEGIN
   main::early
main::early
TREE
    ['flipping $^P' => <<'PROGRAM', <<'TREE', <<'COLLAPSED'],
sub seen { 1 }
seen();
$^P -= 0x40;
seen();
PROGRAM
main::seen
main::seen
TREE
main::seen (2x)
COLLAPSED
    ['goto &sub' => <<'PROGRAM', <<'TREE'],
sub target { 1 } sub jumper { goto &target }
jumper();
PROGRAM
main::jumper
main::target
TREE
);

my $folder = File::Temp->newdir;
in_folder("$folder", sub {
    for my $program (@PROGRAMS) {
        my ($name, $text, $tree, $collapsed) = @$program;
        unlink glob 'tmon.out*';
        spew('program.pl', $text);
        my $profiled = run([@DProf::Test::PERL, '-d:DProf', 'program.pl']);
        is($profiled->{status} . $profiled->{err}, '0', "$name: runs");
        my $got = dprofpp(['-T']);
        is($got->{out}, $tree, "$name: -T");
        is($got->{err} . $got->{status}, '0', "$name: -T says nothing else");
        $got = dprofpp(['-t']);
        is($got->{out}, defined $collapsed ? $collapsed : collapsed($tree), "$name: -t");
        is($got->{err} . $got->{status}, '0', "$name: -t says nothing else");
        is(dprofpp(['-TF'])->{out}, $tree, "$name: -TF");
    }
});

# Equal leaves in a row, the only folding that the other programs need.
sub collapsed {
    my ($tree) = @_;
    my @lines;
    for my $line (split /\n/, $tree) {
        if (@lines && $lines[-1][0] eq $line) { $lines[-1][1]++ }
        else                                  { push @lines, [$line, 1] }
    }
    return join '', map { $_->[0] . ($_->[1] > 1 ? " ($_->[1]x)" : '') . "\n" } @lines;
}

done_testing;
