# --base of profiles with times: what was slowed is found, what chance does is not; moved anonymous subs stay the same.
use strict;
use warnings;

use lib 't/lib';

use DProf::Test qw(dprofpp in_folder spew);
use File::Temp;
use Test::More;

my $folder = File::Temp::tempdir(CLEANUP => 1);

# A run: {name => [calls, ticks a call]}, each called from main::outer; lines: where its anonymous subs stand.
sub run_of {
    my ($file, $subs, %how) = @_;
    my ($at, $marks, $text) = (0, 0, '');
    my $outer = $how{outer} || 10;
    $text .= "#sub main::outer x.pl $outer perl\n";
    for my $name (sort keys %$subs) {
        my $line = $name =~ /ANON__\[x\.pl:(\d+)/ ? $1 : 1;
        $text .= "#sub $name " . ($line > 1 ? "x.pl $line anon" : 'y.pl 1 perl') . "\n";
    }
    $text .= "+ 0 0 0 main::outer\n";
    for my $name (sort keys %$subs) {
        my ($calls, $ticks) = @{ $subs->{$name} };
        for (1 .. $calls) {
            $text .= "+ $at 0 $at $name\n";
            $at += $ticks;
            $text .= "- $at 0 $at $name\n";
            $marks += 2;
        }
    }
    $marks += 2;
    spew("$folder/$file", "#fOrTyTwO\n\$hz=1000000;\n\$XS_VERSION='DProf 20261129';\n"
        . "\$rrun_utime=$at; \$rrun_stime=0; \$rrun_rtime=$at\nPART2\n#run id=$file pid=1 started=1.0 cpu=thread\n$text"
        . "- $at 0 $at main::outer\n#end 0 $at 0 $at $marks\n");
    return "$folder/$file";
}

sub compare {
    my ($base, $now, @more) = @_;
    return dprofpp([map({ ('--base', $_) } @$base), @more, @$now]);
}

# The sections of a report: title => names.
sub sections {
    my ($text) = @_;
    my (%in, $title);
    for my $line (split /\n/, $text) {
        $title = $1 if $line =~ /\A(\S.*):\z/;
        push @{ $in{$title} }, $1 if defined $title && $line =~ /\A\s*[-+][\d.]+ .*  (\S.*)\z/;
    }
    return \%in;
}

my @wobble = (0, 7, 3, 5, 1, 6);
my @base = map { run_of("base$_", { 'A::same' => [100, 100 + $wobble[$_]], 'A::slow' => [50, 200 + $wobble[$_]], 'A::gone' => [3, 10],
    'A::often' => [1000, 1], 'A::fast' => [10, 900 + $wobble[$_]], 'A::seldom' => [40, 2] }) } 0 .. 2;
my @now = map { run_of("now$_", { 'A::same' => [100, 100 + $wobble[$_]], 'A::slow' => [50, 300 + $wobble[$_]], 'A::new' => [4, 10],
    'A::often' => [1001, 1], 'A::fast' => [10, 600 + $wobble[$_]], 'A::seldom' => [39, 2] }) } 3 .. 5;

my $got = compare(\@base, \@now);
is($got->{status}, 0, 'three runs a side');
is($got->{err}, '', '... nothing is said aside');
is_deeply(sections($got->{out}), { Slower => ['A::slow'], Faster => ['A::fast'], New => ['A::new'], Gone => ['A::gone'],
    'Called more often' => ['A::often'], 'Called less often' => ['A::seldom'] }, '... what differs is found, chance is not');
like($got->{out}, qr/^\+0\.00\d+ +0\.010\d+ +0\.015\d+ +50 +50  A::slow$/m, '... with its figures');
like($got->{out}, qr/^[-+]\S+ +\S+ +\S+ +1000 +1001  A::often$/m, '... one call more is seen');

my $none = compare([$base[0]], [$base[0]]);
like($none->{out}, qr/^Nothing differs\.$/m, 'a run and itself');
like(compare([$base[0]], [$now[0]])->{out}, qr/One run a side: how much times vary by chance is not known/, 'one run a side: that is said');
unlike(compare([$base[0]], [run_of('little', { 'A::slow' => [50, 210], 'A::same' => [100, 100], 'A::fast' => [10, 900],
    'A::often' => [1000, 1], 'A::gone' => [3, 10], 'A::seldom' => [40, 2] })])->{out}, qr/A::slow/, '... less than a tenth is not listed');

# Anonymous subs: lines moved by 5, one more stands in front of the file, one is new in the middle.
my $old = run_of('old', { 'main::__ANON__[x.pl:12]' => [1, 10], 'main::__ANON__[x.pl:14]' => [2, 10] });
my $moved = run_of('moved', { 'main::__ANON__[x.pl:17]' => [1, 10], 'main::__ANON__[x.pl:19]' => [2, 10] }, outer => 15);
like(compare([$old], [$moved])->{out}, qr/^Nothing differs\.$/m, 'anonymous subs that moved with their outer sub');
$moved = run_of('moved2', { 'main::__ANON__[x.pl:13]' => [1, 10], 'main::__ANON__[x.pl:18]' => [2, 10] });
like(compare([$old], [$moved])->{out}, qr/^Nothing differs\.$/m, '... that moved inside it: by order');
$moved = run_of('moved3', { 'main::__ANON__[x.pl:12]' => [1, 10], 'main::__ANON__[x.pl:13]' => [7, 10], 'main::__ANON__[x.pl:14]' => [2, 10] });
is_deeply(sections(compare([$old], [$moved])->{out}), { New => ['main::__ANON__[x.pl:13]'] }, '... one between them is new');

is(compare([$old], [$moved], '--to', 'folded')->{out}, "main::outer;main::__ANON__[x.pl:12] 10000 10000\n"
    . "main::outer;main::__ANON__[x.pl:13] 0 70000\nmain::outer;main::__ANON__[x.pl:14] 20000 20000\n", 'folded: before and now');
# Several homes in several files: g stands before f now, and another file before all.
sub homes {
    my ($file, @subs) = @_;
    my $at = 0;
    my $text = join '', map { my ($name, $path, $line) = @$_;
        "#sub main::$name $path $line " . ($name =~ /ANON/ ? 'anon' : 'perl') . "\n" } @subs;
    for my $sub (@subs) {
        my ($calls) = reverse @$sub;
        $text .= join '', map { $at++; "+ $at 0 $at main::$sub->[0]\n- $at 0 $at main::$sub->[0]\n" } 1 .. $calls;
    }
    spew("$folder/$file", "#fOrTyTwO\n\$hz=1000;\n\$rrun_utime=$at; \$rrun_stime=0; \$rrun_rtime=$at\nPART2\n"
        . "#run id=$file pid=1 started=1.0 cpu=thread\n$text#end 0 $at 0 $at 0\n");
    return "$folder/$file";
}
sub anonymous { my ($file, $line, $calls) = @_; return ["__ANON__[$file:$line]", $file, $line, $calls] }
my $homes = homes('homes', ['f', 'x.pl', 10, 1], anonymous('x.pl', 12, 2), ['g', 'x.pl', 20, 1], anonymous('x.pl', 23, 3),
    anonymous('y.pl', 7, 4), ['h', 'y.pl', 9, 1], anonymous('y.pl', 10, 5));
my $others = homes('others', anonymous('a.pl', 3, 9), ['h', 'y.pl', 19, 1], anonymous('y.pl', 20, 5), anonymous('y.pl', 8, 4),
    ['g', 'x.pl', 30, 1], anonymous('x.pl', 33, 3), ['f', 'x.pl', 40, 1], anonymous('x.pl', 42, 2));
my $of = sections(compare([$homes], [$others])->{out});
is_deeply([$of->{New}, grep { /Gone|Called/ } keys %$of], [['main::__ANON__[a.pl:3]']], 'anonymous subs of several subs and files');

my $csv = compare([$old], [$moved], '--to', 'csv');
is($csv->{status}, 1, 'csv has no base');
like($csv->{err}, qr/csv cannot show what changed since a base/, '... which is said');
is(compare(["$folder/nothing"], [$old])->{status}, 1, 'a base that is not there');
like(compare([$old], [$moved], '-f', '13')->{out}, qr/^Nothing differs\.$/m, '-f hides');
like(compare(\@base, \@now, '-g', 'A::slow')->{out}, qr/^Slower:\n.*\n.*A::slow\n\z/m, '-g, both sides');

# The processes of one run are one run.
sub process {
    my ($id, $pid, $ticks) = @_;
    return "#fOrTyTwO\n\$hz=1000;\n\$XS_VERSION='DProf 20261129';\n\$rrun_utime=$ticks; \$rrun_stime=0; \$rrun_rtime=$ticks\nPART2\n"
        . "#run id=$id pid=$pid started=1.0 cpu=thread\n+ 0 0 0 main::a\n- $ticks 0 $ticks main::a\n#end 0 $ticks 0 $ticks 2\n";
}

in_folder($folder, sub {
    spew('old.out',    process(66, 40, 100));
    spew('old.out.44', process(66, 44, 300));
    spew("$_.out",     process(77, 50, 200)) for 'new', 'tmon';
    spew("$_.out.55",  process(77, 55, 600)) for 'new', 'tmon';
    my $want = qr/: 0\.800 seconds \(1 run\), was 0\.400 \(1 run\): .*^Slower:\n.*\n +\+0\.400 +0\.400 +0\.800 +2 +2  main::a$/ms;

    my $got = compare(['old.out', 'old.out.44'], ['new.out', 'new.out.55']);
    like($got->{out}, $want, 'the processes of one run are one run, on both sides');
    is($got->{err}, '', '... nothing is said aside');
    is(compare(['old.out', 'old.out.44'], ['new.out', 'new.out.55'], '--to', 'folded')->{out}, "main::a 400000000 800000000\n", '... folded too');

    $got = compare(['old.out'], []);
    like($got->{out}, $want, 'where the profile is read with its children, the base is too');
    is($got->{err}, "dprofpp: reading tmon.out and 1 more of its run: tmon.out.55\ndprofpp: reading old.out and 1 more of its run: old.out.44\n",
        '... and it says so');
    like(compare(['old.out', './old.out.44'], [])->{out}, $want, '... no process counts twice');
    like(compare(['old.out'], ['new.out'])->{out}, qr/: 0\.200 seconds \(1 run\), was 0\.100 \(1 run\)/, 'files that are named are read alone, both');
    is(compare(['old.out'], [], '-o', 'old.out.44')->{status}, 2, '-o is none of the files that are read');

    $got = compare(['old.out', './old.out'], ['new.out']);
    like($got->{out}, qr/was 0\.100 \(1 run\)/, 'a base that is named twice counts once');
    is($got->{err}, "dprofpp: ./old.out was named before; it counts once\n", '... and it says so');
    spew('copy', process(66, 40, 100));
    $got = compare(['old.out', 'copy'], ['new.out']);
    is($got->{status}, 2, 'a process and its copy are no base');
    like($got->{err}, qr/old\.out and copy are of the same process; --all/, '... and it says so');
    like(compare(['old.out', 'copy'], ['new.out'], '--all')->{out}, qr/was 0\.200 \(1 run\)/, '... without --all');
});

# What a run has nothing of counts there as nothing: it is still a run.
sub run_with_x {
    my ($file, $ticks) = @_;
    return run_of($file, { $ticks ? ('A::x' => [1, $ticks]) : (), 'A::y' => [1, 100] });
}
my @x = (run_with_x('x0', 0), run_with_x('x1000', 1000), run_with_x('x500', 500), run_with_x('again500', 500));
for my $how (['-g', 'A::x'], ['--only', 'A::x']) {
    my ($option) = @$how;
    like(compare([@x[2, 3]], [@x[0, 1]], @$how, '-l')->{out}, qr/\(2 runs\), was .* \(2 runs\)/, "$option: a run without the sub is a run");
    my $got = compare([$x[0]], [$x[1]], @$how);
    is_deeply(sections($got->{out})->{New}, ['A::x'], "$option: what is new") or diag $got->{err};
    is($got->{status}, 0, '... status');
    is($got->{err}, '', '... nothing is said aside');
    is_deeply(sections(compare([$x[1]], [$x[0]], @$how)->{out})->{Gone}, ['A::x'], "$option: what is gone");
    $got = compare([$x[0]], [$x[0]], @$how);
    is($got->{out}, '', "$option: nothing on both sides");
    is($got->{status}, 1, '... status');
    is($got->{err}, 'dprofpp: no sub' . ($option eq '-g' ? '' : ', package or file') . " matches A::x\ndprofpp: nothing is left to report\n",
        '... and it says so');
}
like(compare([@x[2, 3]], [@x[0, 1]], '-g', 'A::x')->{out}, qr/: 0\.000500 seconds \(2 runs\), was 0\.000500 /, '-g: the mean is of all runs');
unlike(compare([$x[1]], [$x[0]], '-g', 'A::x', '--anonymize', '--to', 'folded')->{out}, qr/A::x/, '... no name is left by --anonymize');

done_testing;
