# --live follows a profile that is being written, at a terminal that it leaves as it was, however it ends.
use strict;
use warnings;

use lib 't/lib';

use DProf::Pty;
use DProf::Test qw(dprofpp in_folder slurp spew top);
use File::Temp ();
use IO::Handle ();
use POSIX ();
use Test::More;

# A shell that starts the tests in the background leaves them ignored.
@SIG{qw(INT QUIT)} = ('DEFAULT') x 2;

plan skip_all => 'no terminals of our own here' if !DProf::Pty::there();

my $folder = File::Temp->newdir;
my @dprofpp = (@DProf::Test::PERL, top() . '/dprofpp');
my $shown = qr/\e\[J\z/;    # the end of a screen
delete @ENV{qw(DPROFPP_OPTS PERL_DPROF PERL_DPROF_OUT_FILE_NAME COLUMNS LINES)};
$ENV{TERM} = 'xterm';

my $header = "#fOrTyTwO\n\$hz=1000;\n\$XS_VERSION='DProf x';\nPART2\n#run id=x pid=$$ started=%s\n#cmd the program\n#begin 0 0 0\n";

# A file as the recorder writes it: '#' up to the end of the room.
sub begin {
    my ($path, $marks) = @_;
    my $text = sprintf($header, time) . $marks;
    spew($path, $text . '#' x (65536 - length $text));
    return length $text;
}

# Puts marks over the filling; returns where they end.
sub put {
    my ($path, $at, $text) = @_;
    open my $fh, '+<', $path or die;
    sysseek $fh, $at, 0;
    syswrite $fh, $text;
    return $at + length $text;
}

sub live {
    my (@options) = @_;
    return DProf::Pty->new(16, 100, @dprofpp, '--live', '--every', '0.1', @options);
}

# It has gone, and the terminal is as it was.
sub is_left {
    my ($pty, $status, $name) = @_;
    is($pty->end, $status, "$name: it ends");
    is($pty->settings, $pty->{before}, "$name: the terminal has its modes back");
    like($pty->{seen}, qr/\e\[\?25h\e\[\?1049l(?:(?!\e).)*\z/s, "$name: and its screen");
    return;
}

in_folder("$folder", sub {
    # A file that grows.
    my $at = begin('x.out', "+ 10 0 10 main::work\n+ 20 0 30 main::leaf\n- 30 0 40 main::leaf\n");
    my $pty = live('x.out');
    my $screen = $pty->until(qr/now: main::work(?! >)[^\n]*\n.*main::leaf/s);
    like($screen, qr/x\.out: running, pid $$, .* 2 calls,/, 'what is there is shown');
    like($screen, qr/the program/, 'and what it is');
    $at = put('x.out', $at, "+ 40 0 50 main::other\n");
    ok($pty->until(qr/now: main::work > main::other/), 'what comes is shown');
    my $half = put('x.out', $at, '+ 50 0 60 main::par');
    $at = put('x.out', $half, "tial\n");
    ok($pty->until(qr/now: main::work > main::other > main::partial/), 'a line that comes in pieces');
    unlike($pty->{seen}, qr/main::par(?!tial)/, 'is never shown in pieces');

    # Keys.
    $pty->type('s');
    ok($pty->until(qr/by exclusive time/), 's: another order');
    $pty->type("/oth.r\x7f\x7f.r\r");
    ok($pty->until(qr/names like oth\.r(?:(?!main::leaf).)*main::other(?:(?!main::leaf).)*\e\[J/s), '/: only some names');
    $pty->type("/(\r");
    ok($pty->until(qr/no regular expression/), 'a bad one is refused');
    $pty->type("/x\e");
    ok($pty->until(qr/by exclusive time, user\+system time, names like oth/s), 'Esc leaves the filter as it was');
    $pty->type("/\r");
    $pty->type('c');
    ok($pty->until(qr/elapsed time/), 'c: the other clock');
    $pty->type('p');
    ok($pty->until(qr/PAUSED/), 'p: the screen stays');
    $at = put('x.out', $at, "- 60 0 70 main::partial\n- 60 0 70 main::other\n+ 70 0 90 main::late\n");
    $screen = $pty->until(qr/\e\[J.*\e\[J.*\e\[J/s);
    unlike($screen, qr/main::late/, 'whatever comes');
    $pty->type('p');
    ok($pty->until(qr/now: main::work > main::late/), 'p again: it goes on');
    put('x.out', $at, "- 80 0 100 main::late\n- 80 0 100 main::work\n#end 0 80 0 100 10\n");
    ok($pty->until(qr/x\.out: ended/), 'the end is shown');
    $pty->type('q');
    is_left($pty, 0, 'q');

    # Another run takes the file's place.
    begin('y.out', "+ 10 0 10 main::first\n");
    $pty = live('y.out');
    ok($pty->until(qr/now: main::first/), 'a run');
    begin('y.new', "+ 10 0 10 main::second\n");
    rename 'y.new', 'y.out';
    $screen = $pty->until(qr/now: main::second.*\e\[J/s);
    like($screen, qr/ 1 calls/, 'the next run begins anew');

    # Signals.
    kill TSTP => $pty->{pid};
    $pty->end(POSIX::WUNTRACED());
    like(slurp("/proc/$pty->{pid}/stat"), qr/\) T /, 'Ctrl-Z stops it');
    is($pty->settings, $pty->{before}, 'the shell has its terminal then');
    kill CONT => $pty->{pid};
    ok($pty->until(qr/1049h.*now: main::second/s), 'later it is back');
    $pty->type('q');
    is_left($pty, 0, 'q after Ctrl-Z');
    for my $signal (qw(INT TERM HUP QUIT)) {
        my $to = live('y.out');
        $to->until($shown);
        kill $signal => $to->{pid};
        my $number = { INT => 2, TERM => 15, HUP => 1, QUIT => 3 }->{$signal};
        is_left($to, $number, "SIG$signal") if $signal ne 'QUIT';
        is($to->end & 127, $number, "SIG$signal: it ends") if $signal eq 'QUIT';    # may leave a core
    }

    # Names that a terminal must not get.
    begin('n.out', "+ 10 0 10 main::a\\x1b[2Jb\n");
    $pty = live('n.out');
    like($pty->until(qr/now: .*\e\[J/s), qr/main::a\\x1b\[2Jb/, 'a name with an escape sequence');
    $pty->type('q');
    $pty->end;

    # Nor what it says of its run.
    (my $odd = sprintf $header, time) =~ s/pid=\d+/pid=1\e[31mPWN/;
    spew('p.out', "$odd+ 10 0 10 main::last\n" . '#' x 1000);
    $pty = live('p.out');
    like($pty->until(qr/main::last.*\e\[J/s), qr/pid 1\\x1b\[31mPWN/, 'a number of a process with an escape sequence');
    $pty->type('q');
    $pty->end;

    # A program that is not there any more, and did not say so.
    (my $gone = sprintf $header, time) =~ s/pid=\d+/pid=999999999/;
    spew('gone.out', "$gone+ 10 0 10 main::last\n" . '#' x 1000);
    $pty = live('gone.out');
    like($pty->until(qr/now: main::last.*\e\[J/s), qr/gone\.out: gone: it was killed/, 'a program that was killed');
    $pty->type('q');
    $pty->end;

    # A tree of a page that says it has 2^26 nodes.
    spew('tall.out', "$gone+ 10 0 10 main::last\n" . '#' x 1000);
    spew('tall.out.tree', pack "x32 Q x4056", 1 << 26);
    $pty = DProf::Pty->new(16, 100, 'sh', '-c', 'ulimit -v 2000000; exec "$@"', 'sh', @dprofpp, '--live', '--every', '0.1', 'tall.out');
    like($pty->until(qr/now: main::last.*\e\[J|memory/s), qr/tall\.out: gone/, 'a tree that says it is larger than its file');
    $pty->type('q');
    $pty->end;

    # A plain terminal gets no escape sequences.
    {
        local $ENV{TERM} = 'dumb';
        my $plain = live('y.out');
        $plain->until(qr/main::second/);
        $plain->type('q');
        is($plain->end, 0, 'TERM=dumb');
        unlike($plain->{seen}, qr/\e/, 'is sent no escape sequences');
    }

    # Each look costs what is new, however long the file is.
    my $marks = "+ 1 0 1 main::a\n- 1 0 1 main::a\n";
    spew('long.out', sprintf($header, time) . $marks x 600_000 . "+ 2 0 2 main::b\n" . '#' x 65536);
    $pty = live('long.out');
    ok($pty->until(qr/now: main::b/), 'a long file');
    SKIP: {
        my $read = sub { open my $fh, '<', "/proc/$pty->{pid}/io" or return; return <$fh> =~ /rchar: (\d+)/ ? $1 : undef };
        skip 'the system does not tell what was read', 1 if !defined $read->();
        my $before = $read->();
        $pty->until($shown) for 1 .. 5;
        cmp_ok($read->() - $before, '<', 20 * 65536, 'is not read again for each screen');
    }
    $pty->type('q');
    $pty->end;

    of_the_recorder($_) for qw(text compact tree);

    # Wrong usage.
    like(dprofpp(['--live', 'y.out'])->{err}, qr/--live needs a terminal; --snapshot/, 'no terminal');
    is(dprofpp(['--live', 'y.out'])->{status}, 2, 'is wrong usage');
    spew('no.out', 'something else');
    like(dprofpp(['--live', 'no.out'])->{err}, qr/no\.out: this is no profile of Perl/, 'no profile');
    like(dprofpp(['--live', 'none'])->{err}, qr/none: No such file.*makes one/, 'no file');
    like(dprofpp(['--live', '-T'])->{err}, qr/--live is a report of its own/, 'another report');
    like(dprofpp(['--live', 'x.out', 'y.out'])->{err}, qr/one profile at a time/, 'two files');
    like(dprofpp(['--every', '2'])->{err}, qr/--every is meaningful only/, '--every alone');
    like(dprofpp(['--live', '--every', '0'])->{err}, qr/expected seconds, 0\.1 or more/, '--every 0');
});

done_testing;

# A real program, in each kind of file; it waits until it is told to end.
sub of_the_recorder {
    my ($format) = @_;
    spew('run.pl', 'sub leaf { 1 } sub work { leaf() for 1 .. 1000; $| = 1; print "ready\n"; my $l = <STDIN>; leaf() for 1 .. 500 } work();');
    unlink 'r.out';
    pipe my $in, my $tell or die;
    pipe my $ready, my $out or die;
    my $pid = fork;
    die if !defined $pid;
    if (!$pid) {
        open STDIN, '<&', $in;
        open STDOUT, '>&', $out;
        close $_ for $tell, $ready, $in, $out;
        @ENV{qw(PERL_DPROF PERL_DPROF_OUT_FILE_NAME)} = ("format=$format", 'r.out');
        exec @DProf::Test::PERL, '-d:DProf', 'run.pl';
    }
    close $_ for $in, $out;
    readline $ready;
    my $pty = live('r.out');
    my $screen = $pty->until(qr/now: main::work(?!\w| >).* 1,000  main::leaf.*\e\[J/s);
    like($screen, qr/r\.out: running, pid $pid,/, "$format: a program that runs");

    my $snapshot = dprofpp(['--snapshot', '-O', '-1', 'r.out']);
    like($snapshot->{out}, qr/ 1000 .* main::leaf$/m, "$format: --snapshot: any report of the moment");
    like($snapshot->{err}, qr/\A\S+ r\.out: the program has been running for [\d.]+ seconds\n\z/, "$format: and nothing to complain of");
    is($snapshot->{status}, 0, "$format: status 0");
    is(dprofpp(['--snapshot', '--report', 'walkback', 'r.out'])->{out} =~ /^#0 .*main::work/m ? 1 : 0, 1, "$format: its walkback");

    print {$tell} "\n";
    close $tell;
    ok($pty->until(qr/r\.out: ended.* 1,500  main::leaf.*\e\[J/s), "$format: its end");
    $pty->type('q');
    is($pty->end, 0, "$format: q");
    waitpid $pid, 0;
    like(dprofpp(['--snapshot', 'r.out'])->{err}, qr/no program is writing it any more/, "$format: --snapshot later");
    return;
}
