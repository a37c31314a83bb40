# --run runs a Z80 program: its console is ours, its calls are those of an independent count, its end is
# seen, and it touches nothing that it was not allowed to.
use strict;
use warnings;

use lib 't/lib';

use DProf::Test qw(dprofpp in_folder slurp spew top);
use Devel::DProf::Profile;
use Devel::DProf::Z80;
use File::Temp ();
use Test::More;

plan skip_all => 'built without libz80ex' if !Devel::DProf::Profile::can_run_z80();

my $data   = top() . '/t/data/z80';
my $folder = File::Temp->newdir;

# The fields of a table: name => calls.
sub calls_of {
    my ($text) = @_;
    return map { /^ *[\d.]+ +\S+ +\S+ +(\d+) +\S+ +\S+ +(\S+)$/ ? ($2 => $1) : () } split /\n/, $text;
}

# A CP/M program: LD C,call; LD DE,block; CALL 5 for each, then RET; a file control block for NAME.EXT.
sub caller_of {
    my ($name, $extension, @calls) = @_;
    my $block = 0x100 + 8 * @calls + 1;
    return join('', map { pack 'C2 C v C v', 0x0E, $_, 0x11, $block, 0xCD, 5 } @calls) . "\xC9"
        . pack('C A8 A3', 0, $name, $extension) . "\0" x 24;
}

# LD BC,prefixes; LD SP,0106; PUSH BC; JR to the PUSH: fills all memory with them, itself at last.
sub prefixes { return pack 'C a2 C v C C2', 1, $_[0] x 2, 0x31, 0x106, 0xC5, 0x18, 0xFD }

in_folder("$folder", sub {
    spew('prof.com', slurp("$data/prof.com"));
    my $run = dprofpp(['--run', 'prof.com', '-O', '-1']);
    is($run->{status}, 0, 'it runs') or diag $run->{err};
    is(substr($run->{out}, 0, -s "$data/listing-raw.txt"), slurp("$data/listing-raw.txt"),
        'it prints what it prints elsewhere');
    my %hits = map { /^([0-9A-F]{4}) (\d+)$/ ? (hex $1 => $2) : () } split /\n/, slurp("$data/exit.hits");
    my %calls = calls_of($run->{out});
    my ($chains) = slurp("$data/expected.txt") =~ /=== exit\.bin\n(.*?)===/s;
    while ($chains =~ /^  [0-9A-F]{4} (\S+) +\d+  entry ([0-9A-F]{4})/mg) {
        is($calls{$1} || 0, $hits{ hex $2 } || 0, "$1: as often as an emulator of others counted");
    }
    is(dprofpp(['--verify'])->{status}, 0, 'tmon.out is good');
    is(dprofpp([])->{err}, '', 'nothing to say of it');

    # tick: LD 10, PUSH 11, CALL 17, CALL 17, POP 10, POP 10, RET 10 T-states, 20 times; the counters are left out.
    like($run->{out}, qr/ 0\.0004250 +0\.0004250 +20 .* tick$/m, 'T-states as the book of the Z80 has them');
    my ($all, $left_out) = $run->{err} =~ /ran for (\d+) T-states.*; (\d+) of them in the counters/;
    my ($rest, $whole) = map { quotemeta } sprintf('%.7f', ($all - $left_out) / 4e6), sprintf('%.6f', $all / 1e6);
    like($run->{out}, qr/Total Elapsed Time = $rest /, 'the rest of the run');
    my $raw = dprofpp(['--run', '--raw', '--clock', '1000000', '-O', '1', 'prof.com']);
    like($raw->{out}, qr/Total Elapsed Time = $whole /, '--raw: all of it; --clock');

    my $mapped = dprofpp(['--run', '--map', "$data/prof.sym", 'prof.com', '-O', '-1']);
    my %mapped = calls_of($mapped->{out});
    is_deeply({ map { ($_ => $mapped{"q$_"} || $mapped{$_} || 0) } keys %calls }, \%calls,
        'with a map the same functions are called as often');
    cmp_ok($mapped{putch}, '>', 100, 'and those without a header are there');
    is($mapped{ccr2}, undef, 'a label in a function is none');

    # The same program without its headers' names: nothing but CALL and RET.
    (my $bare = slurp("$data/prof.com")) =~ s/tick\0/\xff\xff\xff\xff\0/;
    spew('bare.com', $bare);
    my %bare = calls_of(dprofpp(['--run', '--map', "$data/prof.sym", 'bare.com', '-O', '-1'])->{out});
    is($bare{qtick}, 20, 'a function without a header, by its map');

    is(dprofpp(['--run', '--dump', 'end.bin', 'prof.com'])->{status}, 0, '--dump');
    is(dprofpp(['--report', 'image', '-q', 'end.bin'])->{out},
        dprofpp(['--report', 'image', '-q', "$data/exit.bin"])->{out}, 'its memory at the end holds the same profile');

    my @endings = (
        ["\x18\xfe",                 qr/jumps to itself at 0100/,   'an endless loop'],
        ["\xc3\x03\x01\xc3\x00\x01", qr/stopped at 010[03]/,        'a longer one, with --seconds 1'],
        ["\xcd\x00\x80",             qr/empty memory at 8000/,      'a crash'],
        [prefixes("\xDD"),           qr/stopped at/,             'nothing but prefixes'],
        [prefixes("\xFD"),           qr/stopped at/,             'nothing but the other prefix'],
        ["\x76",                     qr/ended with HALT at 0100/,   'HALT'],
        ["\x0e\xfa\xcd\x05\x00\xc9", qr/system call 250/,           'a system call that is not there'],
    );
    for my $case (@endings) {
        my ($bytes, $said, $name) = @$case;
        spew('x.com', $bytes);
        like(dprofpp(['--run', '--seconds', '1', 'x.com'])->{err}, $said, $name);
    }

    is(dprofpp(['-p', 'prof.com', '-O', '1'])->{status}, 0, '-p runs a program too');
    like(slurp('tmon.out'), qr/^#cmd prof\.com$/m, 'by its name');

    # Ctrl-C: CALL 0106; JR 0100 / RET, which says "!" first, so that it is known to run.
    spew('turn.com', pack 'H*', '0e021e21cd0500' . 'cd0d01' . '18fb' . '00' . 'c9');
    pipe my $said, my $saying or die;
    my $pid = fork;
    die if !defined $pid;
    if (!$pid) {
        open STDOUT, '>&', $saying;
        open STDERR, '>&', $saying;
        close $said;
        $SIG{INT} = 'DEFAULT';
        exec @DProf::Test::PERL, top() . '/dprofpp', '--run', '--seconds', '60', 'turn.com' or die;
    }
    close $saying;
    sysread $said, my $first, 1;
    kill INT => $pid;
    my $output = do { local $/; <$said> };
    waitpid $pid, 0;
    is($first, '!', 'a program that turns for ever');
    like($output, qr/the program stopped at 01\w\w\n.*it ran for \d+ T-states/s, 'Ctrl-C stops it');
    like($output, qr/ sub_010D$/m, 'and the report comes');

    # Output that nobody takes: BDOS 9 of memory without a "$", again and again, into a pipe that is full.
    spew('flood.com', pack 'H*', '0e09110002cd050018f6');
    for my $case (['--seconds', 1], ['--seconds', 60, 'INT']) {
        my ($signal) = splice @$case, 2;
        pipe my $unread, my $full or die;
        my $child = fork;
        die if !defined $child;
        if (!$child) {
            open STDOUT, '>&', $full;
            open STDERR, '>', 'said';
            $SIG{INT} = 'DEFAULT';
            exec @DProf::Test::PERL, top() . '/dprofpp', '--run', '-Q', @$case, 'flood.com' or die;
        }
        close $full;
        sysread $unread, my $byte, 1 if $signal;
        kill $signal => $child if $signal;
        local $SIG{ALRM} = sub { kill KILL => $child };
        alarm 30;
        waitpid $child, 0;
        alarm 0;
        is($?, 0, "@$case: output that nobody takes is not waited for" . ($signal ? ' after Ctrl-C' : ''));
        like(slurp('said'), qr/the program stopped at/, 'and it is said where that was');
    }

    # longjmp: two calls deep, then the stack pointer of the outermost one, and RET.
    # 0100 CALL 0107; JP 0; nop / 0107 LD (0200),SP; CALL 010F; RET / 010F CALL 0113; RET / 0113 LD SP,(0200); RET
    spew('jump.com', pack 'H*', 'cd0701' . 'c30000' . '00' . 'ed730002' . 'cd0f01' . 'c9' . 'cd1301' . 'c9'
        . 'ed7b0002' . 'c9');
    dprofpp(['--run', 'jump.com']);
    is(dprofpp(['-T'])->{out}, "sub_0107\n   sub_010F\n      sub_0113\n", 'longjmp leaves all that was open');
    is(dprofpp([])->{status}, 0, 'and nothing is mismatched');

    # A tail call: CALL 0107; JP 0 / 0107 JP 010A / 010A RET, with a map that knows both.
    spew('tail.com', pack 'H*', 'cd0701' . 'c30000' . '00' . 'c30a01' . 'c9');
    spew('tail.map', "_first = \$0107\n_last = \$010A\n");
    dprofpp(['--run', '--map', 'tail.map', 'tail.com']);
    is(dprofpp(['-T'])->{out}, "first\nlast\n", 'a jump at the end is a call');

    # Names of static functions are in what sdcc --debug writes: .cdb, .map or .noi.
    my %debug = (
        cdb => "L:A\$tail\$12:107\nL:Ftail\$first\$0\$0:107\r\nL:XFtail\$first\$0\$0:107\nL:G\$last\$0\$0:10A\nL:Ltail.last\$n\$1\$1:10A\n",
        map => "     00000107  A\$tail\$12      tail\n     00000107  Ftail\$first\$0\$0      tail\n     0000010A  C\$tail.c\$3\$0_0\$4    tail\n"
            . "     0000010A  _last     tail\n",
        noi => "DEF Ftail\$first\$0\$0 0x107\nDEF XG\$last\$0\$0 0x10A\nDEF G\$last\$0\$0 0x10A\n",
    );
    for my $kind (sort keys %debug) {
        spew("tail.$kind", $debug{$kind});
        dprofpp(['--run', '--map', "tail.$kind", 'tail.com']);
        is(dprofpp(['-T'])->{out}, "first\nlast\n", "static functions by .$kind of sdcc --debug");
    }

    # Raw bytes anywhere.
    spew('raw.bin', pack 'H*', '310090' . 'cd0880' . '18fe' . '76');
    is(dprofpp(['--run', '--origin', '8000', '--until', '8006', 'raw.bin'])->{err} =~ /T-states/ ? 1 : 0, 1,
        '--origin and --until');

    # Files: make, then nothing was made; with leave it is there; a link is never followed.
    spew('make.com', caller_of('NEW', 'TXT', 22));
    like(dprofpp(['--run', 'make.com'])->{err}, qr/not allowed to: --allow-write/, 'it may not write');
    ok(!-e 'new.txt', 'and did not');
    dprofpp(['--run', '--allow-write', 'make.com']);
    ok(-e 'new.txt', 'it may with --allow-write');
    spew('kill.com', caller_of('NEW', 'TXT', 19));
    dprofpp(['--run', 'kill.com']);
    ok(-e 'new.txt', 'it may not delete');
    dprofpp(['--run', '--allow-write', 'kill.com']);
    ok(!-e 'new.txt', 'it may with --allow-write');
    # A whole name is one file's, where the host has several that CP/M cannot tell apart; a pattern is all of them.
    spew($_, $_) for qw(new.txt NEW.TXT New.Txt);
    my $several = () = glob '[Nn]*.[Tt]*';
    dprofpp(['--run', '--allow-write', 'kill.com']);
    is(scalar(() = glob '[Nn]*.[Tt]*'), $several - 1, 'one file of a name is deleted');
    spew('kill.com', caller_of('NEW', 'TX?', 19));
    dprofpp(['--run', '--allow-write', 'kill.com']);
    is(scalar(() = glob '[Nn]*.[Tt]*'), 0, 'all of a pattern are');
    spew('secret', 'x' x 200);
    symlink 'secret', 'link.txt';
    # Open; INC A; RET Z; JR to itself: it turns for ever if the file was opened (A is not FF).
    my $peek = pack('C2 C v C v', 0x0E, 15, 0x11, 0x10d, 0xCD, 5) . pack('H*', '3c' . 'c8' . '18fe') . "\0"
        . pack('C A8 A3', 0, 'LINK', 'TXT') . "\0" x 24;
    spew('open.com', $peek);
    unlike(dprofpp(['--run', 'open.com'])->{err}, qr/jumps to itself/, 'a link is not opened');
    (my $plain = $peek) =~ s/LINK    TXT/SECRET     /;
    spew('open.com', $plain);
    like(dprofpp(['--run', 'open.com'])->{err}, qr/jumps to itself/, 'a plain file is');
});

done_testing;
