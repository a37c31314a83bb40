# The runtime for z88dk is what dev/ccprof-z88dk makes of the one for sdcc.
use strict;
use warnings;
use Test::More;

plan skip_all => 'no dev/ here: run it in the top folder' if !-f 'dev/ccprof-z88dk';
my $want = qx($^X dev/ccprof-z88dk -n);
open my $fh, '<', 'share/z80/ccprof_z88dk.asm' or die "$!\n";
my $is = do { local $/; <$fh> };
is($is, $want, 'share/z80/ccprof_z88dk.asm (dev/ccprof-z88dk writes it)');
done_testing;
