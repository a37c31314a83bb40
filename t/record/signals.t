# Signals, timers, handlers and masks are the program's: they come when and how they come without us.
use strict;
use warnings;
use lib 't/lib';
use DProf::Record;
use Test::More;

use Config;

my $run = same(<<'END', 'handlers');
use strict; use POSIX (); my @got; sub handler { push @got, $_[0]; return } sub work { my $x = 0; $x += $_ for 1 .. 50; $x }
for my $sig (qw(HUP INT QUIT USR1 USR2 ALRM TERM CHLD CONT WINCH PROF VTALRM PIPE XFSZ XCPU IO)) { local $SIG{$sig} = \&handler; kill $sig => $$; work() for 1 .. 5; }
print "@got\n"; print join(' ', map { "$_=" . (defined $SIG{$_} ? $SIG{$_} : 'u') } sort grep { $_ ne 'BUS' } keys %SIG), "\n";
my $set = POSIX::SigSet->new; POSIX::sigprocmask(POSIX::SIG_BLOCK(), POSIX::SigSet->new, $set); print join(',', grep { $set->ismember($_) } 1 .. 64), " blocked\n"; open my $fh, '<', '/proc/self/status'; print grep { /^Sig(?:Blk|Ign|Pnd)/ } <$fh>;
my $old = POSIX::SigAction->new; for my $n (POSIX::SIGPROF(), POSIX::SIGALRM(), POSIX::SIGXFSZ(), POSIX::SIGPIPE(), POSIX::SIGSEGV()) { POSIX::sigaction($n, undef, $old); print "$n ", $old->handler, "\n" }
my $block = POSIX::SigSet->new(POSIX::SIGUSR1(), POSIX::SIGPIPE(), POSIX::SIGXFSZ()); $SIG{$_} = \&handler for qw(USR1 PIPE XFSZ); @got = (); POSIX::sigprocmask(POSIX::SIG_BLOCK(), $block, $set); kill $_ => $$ for qw(USR1 PIPE XFSZ); work() for 1 .. 40_000; my $pending = POSIX::SigSet->new; POSIX::sigpending($pending); print join(',', grep { $pending->ismember($_) } 1 .. 31), " pending, got @got\n"; POSIX::sigprocmask(POSIX::SIG_SETMASK(), $set); work(); print join(' ', sort @got), "\n";
END
is $run->{profile}->calls('main::handler'), 19, 'each handler call is recorded';

same(<<'END', 'alarm and timers');
use strict; use Time::HiRes qw(setitimer getitimer ITIMER_REAL ITIMER_PROF ITIMER_VIRTUAL); sub work { my $x = 0; $x += $_ for 1 .. 50; $x } print join(',', map { int getitimer $_ } ITIMER_REAL, ITIMER_PROF, ITIMER_VIRTUAL), "\n"; print alarm(0), "\n";
for my $i (1 .. 3) { my $r = eval { local $SIG{ALRM} = sub { die "alarm $i\n" }; Time::HiRes::ualarm(5000); work() while 1; 1 }; print $@ } my $n = 0; { local $SIG{PROF} = sub { $n++ }; setitimer(ITIMER_PROF, .01, .01); work() while $n < 3; setitimer(ITIMER_PROF, 0) } print $n >= 3 ? "prof\n" : "none\n"; { local $SIG{VTALRM} = sub { $n = -1 }; setitimer(ITIMER_VIRTUAL, .01); work() while $n >= 0 } print "$n\n"; 
{ local $SIG{ALRM} = sub { $n = 5 }; Time::HiRes::ualarm(2000); my $got = select undef, undef, undef, 3; print "$n $got ", $! + 0, "\n" }
END

# The signals that our own writing could cause.
same(<<'END', 'SIGPIPE of the program', killed => 1);
sub f { 1 } my $n = 0; $SIG{PIPE} = sub { $n++ }; pipe my $r, my $w; close $r; select((select($w), $| = 1)[0]); f() for 1 .. 10; print {$w} "x"; print "$n ", $! + 0, "\n"; $SIG{PIPE} = 'DEFAULT'; f(); print "now\n"; $| = 1; print ''; syswrite $w, 'x'; print "not here\n";
END
same(<<'END', 'default actions', killed => 1);
sub f { 1 } f() for 1 .. 10; $SIG{USR1} = 'IGNORE'; kill USR1 => $$; f(); print "ignored\n"; $| = 1; kill TERM => $$; f(); print "not here\n";
END
same(<<'END', 'ignored from outside', before => sub { $SIG{$_} = 'IGNORE' for qw(PIPE XFSZ INT TERM) });
sub f { 1 } f(); kill $_ => $$ for qw(PIPE XFSZ INT TERM); f(); print "alive\n"; print join ' ', map { "$_=" . (defined $SIG{$_} ? $SIG{$_} : 'u') } qw(PIPE XFSZ INT TERM BUS); print "\n"; system $^X, '-e', 'print "$SIG{PIPE} $SIG{INT}\n"';
END
same(<<'END', 'blocked from outside', before => sub { require POSIX; POSIX::sigprocmask(POSIX::SIG_BLOCK(), POSIX::SigSet->new(POSIX::SIGUSR1(), POSIX::SIGPIPE())) });
use POSIX (); sub f { 1 } f() for 1 .. 40_000; my $s = POSIX::SigSet->new; POSIX::sigprocmask(POSIX::SIG_BLOCK(), POSIX::SigSet->new, $s); print join(',', grep { $s->ismember($_) } 1 .. 64), "\n";
END

SKIP: {
    skip 'unsafe signals are not to be had', 4 if $] < 5.008001;
    same(<<'END', 'immediate signals', env => { PERL_SIGNALS => 'unsafe' });
sub work { my $x = $_[0]; return $x + 1 } my $n = 0; $SIG{USR1} = sub { $n++ }; my $x = 0; for my $i (1 .. 2000) { kill USR1 => $$ if $i % 10 == 0; $x = work($x) } print "$n $x\n";
END
}

# Handlers that perl runs at once, in the middle of whatever there is (POSIX::sigaction), return or die there. perl
# itself does not always survive that, with or without us; but what is recorded is whole.
for my $handler ('h()', 'h(); die "timeout\n"') {
    my $text = <<"END";
use POSIX (); use Time::HiRes qw(setitimer ITIMER_REAL); our (\$n, \$x) = (0, 0); sub h { \$n++; return } sub work { my \$x = \$_[0]; return \$x + 1 }
POSIX::sigaction(POSIX::SIGALRM(), POSIX::SigAction->new(sub { $handler })); while (\$n < 12) { eval { setitimer(ITIMER_REAL, .0004, .0004); \$x = work(\$x) while \$n < 12 } } setitimer(ITIMER_REAL, 0); print "end\n";
END
    for my $way ('', 'hz=100', 'format=compact', 'portable=1') {
        my $name = join ', ', 'immediate signals', $handler =~ /die/ ? 'that die' : (), grep { length } $way;
        my ($run, $survived);
        for (1 .. 5) {
            $run = profiled($text, options => join ',', 'text=1G', grep { length } $way);
            last if $survived = $run->{status} == 0;
            last if $run->{profile} && $run->{profile}->problems;
        }
        marks_ok($run->{profile}, $name, killed => !$survived);
        unlike $run->{err}, qr/DProf/, "$name: nothing is said";
    }
}

# A handler of the program for SIGBUS takes ours away; the manual names it.
same("sub f { 1 } \$SIG{BUS} = sub { print qq{bus\\n} }; kill BUS => \$\$; f() for 1 .. 10;\n", 'its own SIGBUS handler');
my $bus = profiled("sub f { 1 } f(); \$| = 1; print qq{x\\n}; kill BUS => \$\$; f(); print qq{not here\\n};\n");
is $bus->{status} & 127, (split ' ', $Config{sig_num})[(grep { (split ' ', $Config{sig_name})[$_] eq 'BUS' } 0 .. 40)[0]], 'a SIGBUS from outside ends it as it would';
is $bus->{out}, "x\n", 'at once';
done_testing;
