# The runtime for pasmo: a program in the shape of the compilers of old prints its profile on every exit and
# flags a counter that went round.
use strict;
use warnings;

use lib 't/lib';

use DProf::Test qw(dprofpp in_folder slurp spew top);
use Devel::DProf::Profile;
use File::Temp ();
use Test::More;

plan skip_all => 'pasmo is not installed (Debian: pasmo)' if !grep { -x "$_/pasmo" } split /:/, $ENV{PATH};
plan skip_all => 'built without libz80ex' if !Devel::DProf::Profile::can_run_z80();

my $share  = top() . '/share/z80';
my $folder = File::Temp->newdir;
my $profile = "function  calls\r\nmain\t     1\r\ntwice\t     3\r\nonce\t     6\r\nlast\t     1\r\n";

in_folder("$folder", sub {
    spew($_, slurp("$share/$_")) for qw(demo.asm ccprof.asm);
    is(system('pasmo demo.asm demo.com >log 2>&1'), 0, 'assembled') or diag slurp('log');
    my $run = dprofpp(['--run', '--dump', 'end.bin', '-Q', 'demo.com']);
    is($run->{out}, "\r\nERROR: the end\r\nCALLED BY last\r\nCALLED BY main$profile", 'walkback and profile, from inside last()');
    is(dprofpp(['--report', 'listing', 'end.bin'])->{out}, $profile, 'the memory at the end holds it');
    like(dprofpp(['--report', 'walkback', 'end.bin'])->{out}, qr/#0 .*last\(\)  from main.*#1 .*main\(\)  from the startup/s,
        'and who was running');

    my $com = slurp('demo.com');
    my ($header) = dprofpp(['--report', 'image', 'demo.com'])->{out} =~ /^  ([0-9A-F]{4}) once /m;
    substr($com, hex($header) + 2 - 0x100, 3) = "\x98\x99\x99";
    spew('round.com', $com);
    $run = dprofpp(['--run', '-Q', 'round.com']);
    like($run->{out}, qr/^once\t     4\*\r$/m, 'a counter that went round is flagged');
    spew('round.txt', $run->{out});
    like(dprofpp(['round.txt'])->{out}, qr/^ .* 4 .*  once  \(wrapped\)$/m, 'which dprofpp understands');
});

done_testing;
