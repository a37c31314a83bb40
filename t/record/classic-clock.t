# hz=100 is the classic clock: user and system time of each mark are the very values that times(2) gives there, real time is within a tick.
use strict;
use warnings;
use lib 't/lib';
use DProf::Record;
use Test::More;

use POSIX ();

# The program asks times(2) before and after a call; the marks of that call must lie between, in ticks. It also
# says how many ticks the kernel had missed then: on a shared machine times(2) is late.
my $program = <<'END';
use strict; use POSIX (); use Time::HiRes (); sub burn { my $x = 0; $x += $_ for 1 .. 60_000; return } sub sys { for (1 .. 400) { open my $fh, '<', '/proc/self/stat' or next; my $l = <$fh> } return } sub idle { select undef, undef, undef, .015; return }
sub lag { my $mono = Time::HiRes::clock_gettime(Time::HiRes::CLOCK_MONOTONIC()); my $tick = eval { Time::HiRes::clock_gettime(Time::HiRes::CLOCK_MONOTONIC_COARSE()) }; return defined $tick ? ($mono, $tick) : ($mono, $mono) }
sub ask { my (undef, $tick) = lag(); my @t = POSIX::times(); my ($mono) = lag(); printf "@t[0, 1, 2] %d\n", 100 * ($mono - $tick); return } for my $round (1 .. 12) { for my $what (\&burn, \&sys, \&idle) { ask(); $what->(); ask() } }
END
my $tick = POSIX::sysconf(POSIX::_SC_CLK_TCK());
plan skip_all => "times(2) has $tick ticks a second here" if $tick != 100;

for my $way ('hz=100', 'hz=100,portable=1', 'hz=100,format=compact') {
    my $run     = same($program, $way, options => $way, mask => sub { (my $said = shift) =~ s/\d+/N/g; $said });
    my $again   = profiled($program, options => $way);
    my $profile = $again->{profile};
    my @asked   = map { [split ' '] } split /\n/, $again->{out};
    my (@marks, $n);
    # The XSUB that asks is itself recorded: its own two marks enclose the very moment.
    for my $mark (@{ $profile->{marks} }) {
        push @marks, $mark if $mark->[4] eq 'POSIX::times';
    }
    is @marks, 2 * @asked, "$way: each question is in the profile";
    my ($early, $late, $leapt, $real) = (0, 0, 0, 0);
    for my $i (0 .. $#asked) {
        my ($enter, $leave) = @marks[2 * $i, 2 * $i + 1];
        my ($now, $user, $system, $missed) = @{ $asked[$i] };
        $early++ if $enter->[1] > $user || $enter->[2] > $system;
        $late++  if $leave->[1] < $user - 1 || $leave->[2] < $system - 1;
        $leapt++ if $leave->[1] < $user     || $leave->[2] < $system;
        $real++  if $enter->[3] > $now + 1 + $missed || $leave->[3] < $now - 1;
    }
    is $early, 0, "$way: no mark before a question is later than its answer";
    is $late, 0, "$way: no mark after it is earlier by more than a tick";
    # Where the kernel divides CPU time anew at a tick of its own, one of its parts may leap.
    cmp_ok $leapt, '<=', @asked / 10, "$way: and hardly one by that";
    is $real,  0, "$way: real time is times(2)'s, to a tick";
    my ($first, $last) = @{ $profile->{marks} }[0, -1];
    cmp_ok $last->[1] + $last->[2], '>', $first->[1] + $first->[2], "$way: the clock runs";
}
done_testing;
