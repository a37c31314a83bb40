# No function is found where there is none: in random bytes, in other programs, in texts.
use strict;
use warnings;

use lib 't/lib';

use DProf::Test qw(dprofpp spew);
use Devel::DProf::Profile;
use File::Temp ();
use Test::More;

my $folder = File::Temp->newdir;

# The same bytes on every machine.
my $seed = 20261129;
sub random_bytes {
    my ($n) = @_;
    my $bytes = '';
    while (length $bytes < $n) {
        $seed = ($seed * 1103515245 + 12345) & 0x7fffffff;
        $bytes .= pack 'n', $seed >> 12 & 0xffff;
    }
    return $bytes;
}

sub found {
    my ($path) = @_;
    my $profile = eval { Devel::DProf::Profile->read_file($path, told => { from => 'z80' }) };
    return $profile ? join ' ', $profile->names : '';
}

for my $size (1 << 20, 65536, 65570, 49179, 1024) {
    spew("$folder/random", random_bytes($size));
    is(found("$folder/random"), '', "$size random bytes");
}
spew("$folder/zeros", "\0" x 65536);
is(found("$folder/zeros"), '', 'zeros');
spew("$folder/half", ("main\0\x21\xff\xff\xe5\xcd\x00\x00" x 5000) . "\0" x 5536);
is(found("$folder/half"), '', 'prologues whose pointers lead elsewhere');
my @programs = grep { -f && -s _ < 200_000 } glob '/usr/bin/*';
my $wrong = join "\n", grep { found($_) ne '' } @programs[0 .. ($#programs < 150 ? $#programs : 150)];
is($wrong, '', 'programs of this machine');

done_testing;
