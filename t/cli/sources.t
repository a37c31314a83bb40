# Where profiles come from: files, standard input, packed files, the family of a run, many files.
use strict;
use warnings;

use lib 't/lib';

use DProf::Test qw(dprofpp in_folder run slurp spew top);
use File::Temp ();
use Test::More;

my $folder = File::Temp->newdir;
my $shapes = slurp('t/data/report/shapes.in');
my $want   = dprofpp(['t/data/report/shapes.in'])->{out};

sub profile {
    my ($id, $sub, $ticks) = @_;
    my $pid = unpack '%16C*', $sub;
    return "#fOrTyTwO\n\$hz=1000;\n\$XS_VERSION='DProf 20261129';\n# All values are given in HZ\n"
        . "\$rrun_utime=$ticks; \$rrun_stime=0; \$rrun_rtime=$ticks\nPART2\n"
        . ($id eq '' ? '' : "#run id=$id pid=$pid started=1.5 cpu=thread\n")
        . "+ 0 0 0 main::$sub\n- $ticks 0 $ticks main::$sub\n#end 0 $ticks 0 $ticks 2\n";
}

in_folder("$folder", sub {
    spew('plain', $shapes);
    is(dprofpp(['-'], in => $shapes)->{out}, $want, 'standard input as -');
    is(dprofpp(['/dev/stdin'], in => $shapes)->{out}, $want, 'standard input as /dev/stdin')
        if -e '/dev/stdin';
    (my $crlf = $shapes) =~ s/\n/\r\n/g;
    is(dprofpp(['-'], in => $crlf)->{out}, $want, 'CR LF');

    for my $tool (qw(gzip xz zstd)) {
        SKIP: {
            skip "$tool is not installed", 5 if !eval { run([$tool, '--version'])->{status} == 0 };
            my $packed = run([$tool, '-c'], in => $shapes)->{out};
            spew("packed-by-$tool", $packed);
            is(dprofpp(["packed-by-$tool"])->{out}, $want, "$tool, whatever the name");
            is(dprofpp(['-'], in => $packed)->{out}, $want, "$tool from standard input");
            my $piped = run(['sh', '-c', "cat packed-by-$tool | \"\$0\" \"\$\@\"",
                @DProf::Test::PERL, top() . '/dprofpp', '-']);
            is($piped->{out}, $want, "$tool from a pipe");
            my $cut = dprofpp(['-'], in => substr $packed, 0, length($packed) / 2);
            is($cut->{status}, 1, "$tool, cut off: status 1");
            like($cut->{err}, qr/$tool could not unpack all of it|no profile/, '... and said');
        }
    }
    spew('packed', "\x1f\x8b\x08" . 'x' x 40);
    my $without = dprofpp(['packed'], env => { PATH => '/nosuch' });
    is($without->{status}, 1, 'no gzip: status 1');
    like($without->{err}, qr/packed with gzip, which is not installed here: install it/, '... and said');

    # The family of a run.
    spew('tmon.out',      profile('aa', 'parent',   100));
    spew('tmon.out.12',   profile('aa', 'child',    300));
    spew('tmon.out.12.1', profile('aa', 'thread',   50));
    spew('tmon.out.7',    profile('bb', 'stranger', 900));
    spew('tmon.out.x',    profile('aa', 'copy',     900));
    my $got = dprofpp(['-q']);
    like($got->{out}, qr/\A.*main::child\n.*main::parent\n.*main::thread\n/, 'the family is summed');
    spew('tmon.out.99', profile('aa', 'parent', 100));
    is(dprofpp(['-q'])->{err}, $got->{err}, '... no copy either');
    unlink 'tmon.out.99';
    unlike($got->{out}, qr/stranger|copy/, '... and nobody else');
    like($got->{err}, qr/reading tmon\.out and 2 more of its run: tmon\.out\.12 tmon\.out\.12\.1\n/,
        '... and it says so');
    unlike(dprofpp(['-q', 'tmon.out'])->{out}, qr/child/, 'a file that is named is read alone');
    $got = dprofpp(['-T']);
    is($got->{out} . $got->{err}, "main::parent\n", '-T is the tree of one process');
    $got = dprofpp(['--each', '-O', '1']);
    like($got->{out}, qr/^tmon\.out:\n.*^tmon\.out\.12:\n.*^tmon\.out\.12\.1:\n/ms, '--each');

    $got = dprofpp(['tmon.out', 'tmon.out.12', 'tmon.out.7']);
    is($got->{status}, 2, 'runs are not mixed by mistake');
    like($got->{err}, qr/tmon\.out and tmon\.out\.7 are of different runs; --all/, '... and it says so');
    like(dprofpp(['--all', '-q', 'tmon.out', 'tmon.out.7'])->{out}, qr/stranger\n.*parent\n/, '--all');
    for my $name ('tmon.out-old', 'tmon.out.bak', 'tmon.out~') {
        rename 'tmon.out.7', $name;
        is(dprofpp(['tmon.out', $name])->{status}, 2, "... whatever follows the name: $name");
        rename $name, 'tmon.out.7';
    }
    $got = dprofpp(['-q', 'tmon.out', './tmon.out']);
    like($got->{out}, qr/ 0\.100 .* main::parent$/m, 'a file that is named twice counts once');
    like($got->{err}, qr{\./tmon\.out was named before; it counts once\n}, '... and it says so');
    is(dprofpp(['--verify', 'tmon.out', 'tmon.out.7'])->{status}, 0, '... not where each is shown by itself');
    spew('copy', profile('aa', 'parent', 100));
    $got = dprofpp(['-q', 'tmon.out', 'copy']);
    is($got->{status}, 2, 'a process and its copy are not added up');
    like($got->{err}, qr/tmon\.out and copy are of the same process; --all/, '... and it says so');
    like(dprofpp(['-q', '--all', 'tmon.out', 'copy'])->{out}, qr/ 0\.200 .* main::parent$/m, '... without --all');
    $got = dprofpp(['-q', 'tmon.out', 'run2'], spew('run2', profile('cc', 'stranger', 900)));
    like($got->{out}, qr/stranger\n.*parent\n/, 'runs of other names are summed');
    is($got->{err}, "dprofpp: the sum of 2 runs\n", '... and it says so');
    spew('other', profile('', 'other', 10));
    like(dprofpp(['-q', 'other', 'tmon.out'])->{out}, qr/parent\n.*other\n/, 'other names are summed');
    like(dprofpp(['-T', 'other', 'tmon.out'])->{out},
        qr/\Aother:\nmain::other\n\ntmon\.out:\nmain::parent\n\z/, 'trees are of one process each');

    # A pipe can be read once only: nothing looks into it before.
    SKIP: {
        require POSIX;
        skip 'no FIFOs here', 4 if grep { !POSIX::mkfifo($_, 0600) } 'pipe1', 'pipe2';
        my $piped = sub {
            my ($first, $second, @words) = @_;
            local $SIG{ALRM} = 'DEFAULT';
            return run(['sh', '-c', 'cat "$1" >pipe1 & cat "$2" >pipe2 & shift 2; exec "$@"', 'sh', $first, $second,
                $^X, '-e', 'alarm 20; exec @ARGV', @DProf::Test::PERL, top() . '/dprofpp', '-q', @words]);
        };
        $got = $piped->('plain', 'run2', 'pipe1', 'pipe2');
        is($got->{err}, '', 'two pipes');
        is($got->{out}, dprofpp(['-q', 'plain', 'run2'])->{out}, '... are summed');
        spew('junk', "junk\n");
        $got = $piped->('junk', '/dev/null', 'pipe1');
        is($got->{status}, 1, 'a pipe with something else in it is not waited for again');
        like($got->{err}, qr/\Adprofpp: pipe1: no profile/, '... but is said to be no profile');
        open my $drain, '<', 'pipe2';
    }

    # No name of a file is special.
    mkdir 'a b';
    spew("a b/\x{1}x; echo", profile('', 'odd', 10));
    $got = dprofpp(['-q', "a b/\x{1}x; echo", 'no\such' . "\n"]);
    like($got->{out}, qr/odd\n/, 'a file with an odd name');
    is($got->{err}, 'dprofpp: no\such\x0a: No such file or directory' . "\n", '... is said escaped');
});

done_testing;
