# However a program ends, every mark up to that moment is in its file.
use strict;
use warnings;
use lib 't/lib';
use DProf::Record;
use Test::More;

use Config;
use Cwd 'abs_path';

# A shell that starts the tests in the background leaves it ignored.
$SIG{INT} = 'DEFAULT';

my %number;
@number{ split ' ', $Config{sig_name} } = split ' ', $Config{sig_num};
my %end = (
    'kill -9'                => ['kill KILL => $$', 'KILL'],
    'SIGTERM'                => ['kill TERM => $$', 'TERM'],
    'SIGINT'                 => ['kill INT => $$', 'INT'],
    'SIGSEGV'                => ['kill SEGV => $$', 'SEGV'],
    'SIGALRM'                => ['alarm 1; kill ALRM => $$', 'ALRM'],
    'a true segmentation fault' => ['require B; { no strict; local $SIG{SEGV}; my $x = unpack "p", pack "J", 1; print $x }', 'SEGV'],
    'abort'                  => ['POSIX::abort()', 'ABRT'],
    'POSIX::_exit'           => ['POSIX::_exit(7)'],
    'exec'                   => ['exec $^X, "-e", "exit 8"'],
    'exec of what is not there' => ['{ no warnings; exec "/no/such/program" } exit 9'],
    'dump'                   => ['CORE::dump()', 'ABRT'],
    'kill by a child'        => ['my $me = $$; if (!fork) { kill KILL => $me; POSIX::_exit(0) } 1 while 1', 'KILL'],
);
my %left = ('exec of what is not there' => 1);
my $program = <<'END';
use strict; use POSIX (); setrlimit(); my $n = 0; sub leaf { return $n++ } sub branch { leaf() for 1 .. 3; return } sub last_call { return } branch() for 1 .. 3_210; sub final { last_call(); END_HERE } sub setrlimit { } final();
END
# {sub => calls}: what dprofpp reads of a killed run that left its tree in a file of its own.
sub left_in_tree {
    my ($run) = @_;
    my $dprofpp = abs_path('dprofpp');
    my ($file) = grep { !/\.tree\z/ } glob "$run->{folder}/tmon.out*";
    my %calls;
    for (qx{"$^X" "$dprofpp" -q -O -1 -U "$file" 2>/dev/null}) {
        $calls{$2} = $1 if /\A *(?:\S+ +){3}(\d+) .*main::(branch|leaf|last_call|final)$/;
    }
    return \%calls;
}

for my $name (sort keys %end) {
    my ($how, $signal) = @{ $end{$name} };
    (my $text = $program) =~ s/END_HERE/$how/;
    for my $way ('', 'hz=100', 'format=compact', 'portable=1', 'hook=sub,portable=1', 'format=tree') {
        next if $way && $name !~ /-9|SEGV|_exit/ && ($way !~ /portable/ || $name ne 'exec');
        my $full  = $way ? "$name, $way" : $name;
        my $plain = plain($text);
        my $run   = profiled($text, options => $way);
        is $run->{status} & 127, $signal ? $number{$signal} : 0, "$full: ends so";
        is $run->{status}, $plain->{status}, "$full: same exit status";
        my $profile = $run->{profile};
        marks_ok($profile, $full, killed => !$left{$name}) if $way !~ /tree/;
        # What is written in buffers may lack the last of them: the portable way.
        if ($way =~ /portable/ && $signal) {
            cmp_ok $profile->calls('main::leaf'), '>', 7_000, "$full: but for the last buffer all marks are there";
            next;
        }
        if ($way eq 'format=tree' && !%{ $profile->{nodes} }) {
            is_deeply left_in_tree($run), { branch => 3_210, leaf => 9_630, last_call => 1, final => 1 },
                "$full: all calls are in the tree that it left";
            # Killed while that tree was being written behind the marks: what is written of it is not counted too.
            my $file = "$run->{folder}/tmon.out";
            (my $cut = slurp($file)) =~ s/#+\z//;
            spew($file, "${cut}PART3\n0 0 - 0 1 1 1 - - - -\n1 0 - 700 1 1 1 - - - main::leaf\n2 1 - 9");
            is_deeply left_in_tree($run), { branch => 3_210, leaf => 9_630, last_call => 1, final => 1 },
                "$full: ... also if it was killed while it wrote that tree";
            next;
        }
        calls_are($profile, { 'main::branch' => 3_210, 'main::leaf' => 9_630, 'main::last_call' => 1, 'main::final' => 1 }, "$full: all marks are there");
        next if $left{$name} || $way =~ /tree/;
        my @open = @{ $profile->{open} };
        is $open[0], 'main::final', "$full: what was open is open";
        ok !$profile->ended, "$full: and there is no #end";
    }
}
done_testing;
