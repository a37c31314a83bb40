# Every t/data/tmon/NAME.read is a session with dprofpp on NAME.in: dialects of all writers, damage of all kinds.
# original-*.in were recorded by Devel::DProf 20110802 on original-*.pl.txt. A new case is a new .in and a .read
# with a line "$ dprofpp ...", then DPROF_GOLDEN=update prove -b t/read/tmon.t and a look at the difference.
use strict;
use warnings;

use lib 't/lib';

use DProf::Test qw(golden golden_text in_folder);
use Devel::DProf::Options;
use Test::More;

in_folder('t/data/tmon', sub {
    for my $path (sort glob '*.read') {
        golden(golden_text($path, \&Devel::DProf::Options::split_words), $path);
    }
});
ok(!-e '/tmp/dprof-was-here', 'nothing in a profile was run');

done_testing;
