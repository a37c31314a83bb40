# No name of a profile reaches a terminal or breaks a line: control characters, escapes, bytes that are no
# UTF-8, direction overrides, ten thousand letters.
use strict;
use warnings;

use lib 't/lib';

use File::Temp ();
use DProf::Test qw(in_folder spew dprofpp);
use Test::More;

# As the file has it, as a report shows it, what it is.
my @NAMES = (
    ['main::\x1b[31mred\x1b]0;title\x07', 'main::\x1b[31mred\x1b]0;title\x07', 'terminal escapes'],
    ['main::new\x0aline',       'main::new\x0aline',       'a newline'],
    ["main::\xc3\xa9t\xc3\xa9", "main::\xc3\xa9t\xc3\xa9", 'UTF-8 goes through'],
    ["main::bad\xff\xfe",       'main::bad\xff\xfe',       'no UTF-8'],
    ["main::\xe2\x80\xaertl",   'main::\xe2\x80\xaertl',   'a direction override'],
    ["main::\xc2\x9bcsi",       'main::\xc2\x9bcsi',       'a C1 control'],
    ['main::a\x20blank',        'main::a blank',           'a blank'],
    ['main::' . 'x' x 10_000,   'main::' . 'x' x 10_000,   'ten thousand letters'],
    ['main::%s%n%d',            'main::%s%n%d',            'no format'],
    ['main::$(touch\x20x)`id`', 'main::$(touch x)`id`',    'no shell'],
);

my $profile = "#fOrTyTwO\n\$hz=1000;\n\$XS_VERSION='DProf 20261129';\n# All values are given in HZ\n"
    . "\$rrun_utime=1000; \$rrun_stime=0; \$rrun_rtime=1000\nPART2\n";
my $tick = 0;
for my $name (@NAMES) {
    $profile .= "+ $tick 0 $tick $name->[0]\n";
    $tick += 10;
    $profile .= "- $tick 0 $tick $name->[0]\n";
}
$profile .= "#end 0 $tick 0 $tick " . 2 * @NAMES . "\n";

# What stands before and after a name in its line.
my %lines = (
    table     => [['-q', '-O', '-1', '-U'], '.*  ', ''],
    tree      => [['-T'], '', ''],
    collapsed => [['-t'], '', ''],
    merged    => [['-S', '-U'], '', " x 1  \t0\\.010s"],
    callees   => [['--report', 'callees', '-O', '-1', '-U'], 'Callees of ', ': 1 call, .*'],
);
for my $report (sort keys %lines) {
    my ($words, $before, $after) = @{ $lines{$report} };
    my $got = dprofpp([@$words, '-'], in => $profile);
    is($got->{err}, '', "$report: nothing is said");
    unlike($got->{out}, qr/[\x00-\x08\x0b-\x1f\x7f]/, "$report: no control character comes out");
    for my $name (@NAMES) {
        ok($got->{out} =~ /^$before\Q$name->[1]\E$after$/m, "$report: $name->[2]");
    }
}

my $cut = dprofpp(['-q', '-O', '-1', '--width', '80', '-'], in => $profile)->{out};
is(scalar(grep { length > 80 } split /\n/, $cut), 0, 'on a terminal of 80 columns names fit');
like($cut, qr/main::x+\.\.x+$/m, '... with their middle left out');

SKIP: {
    skip 'no JSON::PP', 2 if !eval { require JSON::PP; 1 };
    my $json = dprofpp(['--json', '-O', '-1', '-U', '-'], in => $profile)->{out};
    my $data = eval { JSON::PP::decode_json($json) };
    ok($data, 'JSON that can be read') or diag $@;
    my @got  = map { $_->{name} } grep { defined $_->{name} } @{ $data->{subs} };
    my @want = map { $_->[0] } @NAMES;
    for (@want) {
        s/\\x([0-9a-f]{2})/chr hex $1/ge;
        s/([\xff\xfe])/sprintf '\\x%02x', ord $1/ge;
        utf8::decode($_);
    }
    is_deeply(\@got, \@want, '... with the names as the program had them');
}

# Names of files are no better.
my $folder = File::Temp->newdir;
in_folder("$folder", sub {
    my $name = "a\e[2J\xc2\x9bm\xe2\x80\xae\xff\xc3\xa9.out";
    spew($name, $profile);
    my $shown = 'a\x1b[2J\xc2\x9bm\xe2\x80\xae\xff' . "\xc3\xa9.out";
    my $got = dprofpp(['--each', '-O', '1', $name, $name]);
    is(substr($got->{out}, 0, length($shown) + 2), "$shown:\n", 'the name of a file in a report');
    spew($name, '');
    is(dprofpp([$name])->{err}, "dprofpp: $shown: this file is empty: nothing was recorded in it\n",
        '... and in a message');
    is(dprofpp(["--$name"])->{err} =~ tr/\e\xff//, 0, '... and in one of wrong usage');
});

# Bytes that are no UTF-8 are no letters of Latin-1 either, whatever a name goes through.
my $two = "#fOrTyTwO\n\$hz=1000;\n\$rrun_utime=5; \$rrun_stime=0; \$rrun_rtime=5\nPART2\n#run id=1 pid=1 started=1.0 cpu=thread\n"
    . "+ 0 0 0 main::bad\xff\n- 1 0 1 main::bad\xff\n+ 1 0 1 main::bad\xc3\xbf\n- 5 0 5 main::bad\xc3\xbf\n#end 0 5 0 5 4\n";
for my $words ([], [qw(-G nosuch)], [qw(--skip nosuch)], [qw(-g main::*)], ['-A'], ['-R']) {
    my $got = dprofpp(['-q', '-a', @$words, '-'], in => $two);
    my @names = map { / (main::.*)/ ? $1 : () } split /\n/, $got->{out};
    is_deeply([sort @names], ['main::bad\xff', "main::bad\xc3\xbf"], "two names stay two: @$words");
    $got = dprofpp(['-T', @$words, '-'], in => $two);
    is($got->{out}, 'main::bad\xff' . "\nmain::bad\xc3\xbf\n", '... and in the order of calls');
}
my $grouped = dprofpp(['-q', '-G', "bad\xff", '-'], in => $two)->{out};
like($grouped, qr/ bad\\xff$/m, 'a group has the bytes that were asked for');

# What a profile and a file of checks say beside names.
(my $versioned = $profile) =~ s/DProf 20261129/DProf\e]0;pwn\a\xc2\x9b1m/;
in_folder("$folder", sub {
    spew('versioned', $versioned);
    like(dprofpp(['-V', 'versioned'])->{out}, qr/^XS_VERSION: DProf\\x1b\]0;pwn\\x07\\xc2\\x9b1m$/m, 'a version');
    spew('limits', "calls(main::a\xc2\x9b31m\xe2\x80\xae\xff\xed\xa0\x80\xef\xbf\xbe\xc3\xa9\e) == 1\n");
    my $shown = 'calls(main::a\xc2\x9b31m\xe2\x80\xae\xff\xed\xa0\x80\xef\xbf\xbe' . "\xc3\xa9" . '\x1b) == 1';
    like(dprofpp(['--check-file', 'limits', '-'], in => $profile)->{out}, qr/^FAILED  \Q$shown\E: /, 'a check');
    like(dprofpp(['--check-file', 'limits', '--to', 'junit', '-'], in => $profile)->{out}, qr/ name="\Q$shown\E">/, '... as XML');
});
done_testing;
