# Recursion as deep as perl itself can go is recorded to the last level, also through callbacks, and left by die or last.
use strict;
use warnings;
use lib 't/lib';
use DProf::Record;
use Test::More;

for my $way ('', 'format=compact') {
    my $name = $way || 'as it comes';
    my $run  = same(<<'END', "a hundred thousand levels, $name", options => $way, unread => 1);
no warnings; sub down { my $n = shift; return $n ? 1 + down($n - 1) : 0 } print down(100_000), "\n";
sub dying { my $n = shift; $n ? dying($n - 1) : die "deep\n" } eval { dying(100_000) }; print $@; sub after { 1 } after();
OUT: for (1) { leaving(50_000); sub leaving { my $n = shift; last OUT if !$n; leaving($n - 1) } } after();
END
    my $profile = DProf::Marks->read_file("$run->{folder}/tmon.out");
    marks_ok($profile, $name);
    calls_are($profile, { 'main::down' => 100_001, 'main::dying' => 100_001, 'main::leaving' => 50_001, 'main::after' => 2 }, "$name: calls");
    is $profile->{deepest}, 100_001, "$name: as deep as it went";
    my ($first) = grep { $_->[4] eq 'main::after' } @{ $profile->{marks} };
    my @before  = @{ $profile->{marks} };
    my $depth   = 0;
    for (@before) { last if $_ == $first; $depth += $_->[0] eq '+' ? 1 : -1 }
    is $depth, 0, "$name: all frames that a die left are closed before the next call";
}

# Through C: sort, callbacks, overload, tie.
my $run = same(<<'END', 'through C functions');
no warnings; use List::Util 'first'; { package Over; use overload '""' => sub { my $n = $_[0][0]; $n ? '' . bless([$n - 1]) : 'bottom' } }
sub by_first { my $n = shift; return $n ? first { by_first($n - 1) } 1 : 1 } print by_first(800), "\n"; sub by_sort { my $n = shift; return 1 if !$n; my @s = sort { by_sort($n - 1); 0 } 1, 2; return 2 } print by_sort(700), "\n"; print bless([700], 'Over'), "\n";
END
calls_are($run->{profile}, { 'main::by_first' => 801, 'main::by_sort' => 701 }, 'calls');
done_testing;
