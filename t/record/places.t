# format=tree: each node stands at the line that made its call, also where frames are taken up that were open before: after a
# fork, a start, the turn of a trace into a tree. And while perl compiles.
use strict;
use warnings;
use lib 't/lib';
use DProf::Record;
use Test::More;

sub places {
    my ($profile) = @_;
    return { map { $_->{name} =~ /\Amain::(\w+)\z/ ? ($1 => $_->{site}) : () } values %{ $profile->{nodes} } };
}

# The child's first call is made far from where its parents were called.
{
    my $run = profiled(<<'END', options => 'format=tree');
sub in { 1 }
sub f {
    my $p = fork;
    if (!$p) { in(); exit 0 }
    waitpid $p, 0;
}
sub g {
    f();
}
g();
END
    my ($child) = grep { /tmon\.out\.\d+\z/ } @{ $run->{files} };
    is_deeply places(DProf::Marks->read_file($child)), { g => 'x.pl:10', f => 'x.pl:8', in => 'x.pl:4' }, 'a forked child';
}

# Out of a C function, and under hook=sub where all is called by one.
for my $hook ('hook=op', 'hook=sub') {
    my $run = profiled(<<'END', options => "format=tree,start=no,$hook");
use List::Util 'first';
sub in { 1 }
sub f {
    Devel::DProf::start();
    in();
}
sub g {
    f();
}
first {
    g()
} 1;
END
    my $places = places($run->{profile});
    is_deeply [@$places{qw(g f in)}], ['x.pl:11', 'x.pl:8', 'x.pl:5'], "a start in the middle, $hook";
}

# A trace that turns into a tree.
{
    my $run = profiled(<<'END', options => 'text=1,limit=1');
sub in { 1 }
sub f {
    in() for 1 .. 30_000;
    in();
}
sub g {
    f();
}
g();
END
    is_deeply [@{ places($run->{profile}) }{qw(g f)}], ['x.pl:9', 'x.pl:7'], 'a trace that turns into a tree';
}

# One statement of perl's own, whose line moves.
{
    my $run = profiled(<<'END', options => 'format=tree');
BEGIN { require overload; overload::constant(integer => sub { $_[1] }) }
my @x = (1,
    2,
    3);
END
    my @lines = sort map { $_->{name} =~ /__ANON__\[x\.pl/ ? $_->{site} : () } values %{ $run->{profile}{nodes} };
    is_deeply \@lines, ['x.pl:2', 'x.pl:3', 'x.pl:4'], 'calls that are made while perl compiles';
}
done_testing;
