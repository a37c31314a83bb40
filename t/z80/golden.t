# Every t/data/z80/NAME.session is a session with dprofpp over the golden images: its commands give what
# stands under them. DPROF_GOLDEN=update prove -b t/z80/golden.t writes them anew.
use strict;
use warnings;

use lib 't/lib';

use DProf::Test qw(golden golden_text in_folder);
use Devel::DProf::Options;
use Test::More;

in_folder('t/data/z80', sub {
    for my $path (sort glob '*.session') {
        golden(golden_text($path, \&Devel::DProf::Options::split_words), $path);
    }
});

done_testing;
