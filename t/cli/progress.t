# Ctrl-C while a profile is being read gives the report of what was read.
use strict;
use warnings;

use lib 't/lib';

use DProf::Test qw(slurp top);
use Devel::DProf::Progress;
use File::Temp ();
use Test::More;

# A shell that starts the tests in the background leaves them ignored.
@SIG{qw(INT QUIT)} = ('DEFAULT') x 2;

is(Devel::DProf::Progress::line('a.out', 50, 200, 3), 'a.out [#######                       ]  25%, 9 s left',
    'the bar');
is(Devel::DProf::Progress::line("a\e", 5_000_000, undef, 3), 'a\x1b: 5 MB read', 'no end known');

# A profile that comes from us, so that we know how far the reading is: it never ends by itself.
my ($out, $err) = map { File::Temp->new } 1 .. 2;
pipe my $read, my $write or die "pipe: $!\n";
my $pid = fork;
die "fork: $!\n" if !defined $pid;
if (!$pid) {
    close $write;
    open STDIN,  '<&', $read  or die "$!\n";
    open STDOUT, '>', "$out" or die "$!\n";
    open STDERR, '>', "$err" or die "$!\n";
    exec @DProf::Test::PERL, top() . '/dprofpp', '-' or die "$!\n";
}
close $read;
local $SIG{PIPE} = 'IGNORE';
local $SIG{ALRM} = sub { kill 'KILL', $pid; die "it did not stop\n" };
alarm 120;
binmode $write;
syswrite $write, "#fOrTyTwO\n\$hz=1000;\n\$XS_VERSION='DProf 20261129';\n# All values are given in HZ\n"
    . "\$rrun_utime=0; \$rrun_stime=0; \$rrun_rtime=0\nPART2\n#run id=1 pid=1 started=1.0 cpu=thread\n";
my $tick = 0;
my ($written, $asked) = (0, 0);
while (1) {
    my $chunk = join '', map { my $t = $tick++; "+ $t 0 $t main::a\n- $t 0 $t main::a\n" } 1 .. 5000;
    last if !defined syswrite $write, $chunk;
    $written += length $chunk;
    kill 'INT', $pid if $written > 20_000_000 && !$asked++;
}
close $write;
waitpid $pid, 0;
alarm 0;
is($?, 0, 'status 0');
like(slurp("$out"), qr/main::a$/m, 'a report');
like(slurp("$err"), qr/stopped before the end/, '... and that it is of a part');

done_testing;
