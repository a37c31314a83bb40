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

my ($out, $err) = map { File::Temp->new } 1 .. 2;
my $HEAD = "#fOrTyTwO\n\$hz=1000;\n\$XS_VERSION='DProf 20261129';\n# All values are given in HZ\n"
    . "\$rrun_utime=0; \$rrun_stime=0; \$rrun_rtime=0\nPART2\n#run id=1 pid=1 started=1.0 cpu=thread\n";

# dprofpp with a pipe from us as its standard input: the process and both ends.
sub reader {
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
    binmode $write;
    return ($pid, $read, $write);
}

# A profile that comes from us, so that we know how far the reading is: it never ends by itself.
my ($pid, $read, $write) = reader();
close $read;
local $SIG{PIPE} = 'IGNORE';
local $SIG{ALRM} = sub { kill 'KILL', $pid };
alarm 120;
syswrite $write, $HEAD;
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

# Where nothing comes any more Ctrl-C is heard too.
my @PIECES = ([$HEAD . "+ 1 0 1 main::a\n- 2 0 2 main::a\n", 0, qr/main::a$/m, qr/stopped before the end/, 'a part'],
    ['#fO', 256, qr/\A\z/, qr/standard input: stopped/, 'not even the first word']);
for my $piece (@PIECES) {
    my ($text, $status, $report, $said, $name) = @$piece;
    ($pid, $read, $write) = reader();
    syswrite $write, $text;
    alarm 20;
    # It has been read when we could not read it any more; then it waits, where one can see that.
    my $bits = '';
    vec($bits, fileno $read, 1) = 1;
    1 while select my $ready = $bits, undef, undef, 0;
    for (1 .. 500) {
        last if !-e "/proc/$pid/stat" || slurp("/proc/$pid/stat") =~ /\) S /;
        select undef, undef, undef, 0.01;
    }
    kill 'INT', $pid;
    waitpid $pid, 0;
    alarm 0;
    is($?, $status, "a pipe that waits: $name: status");
    like(slurp("$out"), $report, '... report');
    like(slurp("$err"), $said,   '... message');
}

done_testing;
