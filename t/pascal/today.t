# Programs of today, by dprofpp --run: what Free Pascal compiles and runs is counted, and the report is of it.
use strict;
use warnings;

use lib 't/lib';
use DProf::Test qw(slurp spew dprofpp in_folder run);
use File::Temp ();
use Test::More;

plan skip_all => 'needs Free Pascal (fpc)' if !grep { -x "$_/fpc" } split /:/, $ENV{PATH} || '';

my $folder = File::Temp::tempdir(CLEANUP => 1);

# What dprofpp --run makes of the program, with these options.
sub profiled {
    my ($name, $text, @options) = @_;
    spew("$folder/$name.p", $text);
    my $got;
    in_folder($folder, sub {
        unlink glob 'pmon.out*';
        $got = dprofpp([@options, '--run', "$name.p"]);
    });
    return $got;
}

# --- the dialect ---

my $capital = "PROGRAM capital(output);\nBEGIN\n   writeln('here')\nEND.\n";
like(profiled('capital', $capital, '--dialect', 'berkeley')->{err},
    qr/^dprofpp: cannot run it: capital\.p:1:1: expected/m, '--dialect is heeded by what instruments');

done_testing;
