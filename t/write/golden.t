# Every t/data/report/NAME.WHAT is a session with dprofpp: its commands give what stands under them.
# A new case is a new file with a line "$ dprofpp ..." and then DPROF_GOLDEN=update prove -b t/write/golden.t
use strict;
use warnings;

use lib 't/lib';

use DProf::Test qw(golden golden_text in_folder);
use Devel::DProf::Options;
use Test::More;

in_folder('t/data/report', sub {
    for my $path (sort grep { !/\.in\z/ } glob '*.*') {
        golden(golden_text($path, \&Devel::DProf::Options::split_words), $path);
    }
});

done_testing;
