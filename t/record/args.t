# @_ is the very @_ of a plain run: aliases, sharing by &foo, changes, sizes, lifetimes.
use strict;
use warnings;
use lib 't/lib';
use DProf::Record;
use Test::More;

same(<<'END', '@_');
use strict; sub inc { $_[0]++ } my $x = 1; inc($x); print "$x\n"; my @a = (1, 2); inc($a[0]); inc($_) for @a; print "@a\n"; my %h; inc($h{new}); print join(',', %h), "\n"; sub untouched { 1 } untouched($h{none}); print exists $h{none} ? 'made' : 'not made', "\n";
sub take { return shift } sub outer { my $t = &take; return "$t @_" } print outer(1, 2, 3), "\n"; sub adds { push @_, 'added' } sub outer2 { &adds; return "@_" } print outer2(1), "\n"; sub resets { @_ = (9) } sub outer3 { &resets; return "@_" } print outer3(1, 2), "\n"; sub none { return scalar @_ } sub outer4 { &none() . &none } print outer4(1, 2), "\n";
sub go { unshift @_, 'front'; goto &list } sub list { return "@_" } print go(1), "\n"; my $n = 5; sub through { goto &inc } through($n); print "$n\n"; sub ref_args { return \@_ } my $r = ref_args(1, 2); print scalar @$r, "\n"; sub keep { my $k = \@_; return sub { "@$k" } } print keep(3, 4)->(), "\n";
sub swap { @_[0, 1] = @_[1, 0] } my ($p, $q) = (1, 2); swap($p, $q); print "$p $q\n"; sub deletes { delete $_[0]; $#_ } print deletes(1, 2), "\n"; sub undefs { undef @_; scalar @_ } print undefs(1), "\n"; sub locals { local @_ = (1, 2, 3); &none } print locals(), "\n"; sub constant { eval { $_[0] = 1 }; $@ ? "read only\n" : "changed\n" } print constant(5), constant("a"), constant($x); 
sub rec { return $_[0] ? rec($_[0] - 1, @_) : scalar @_ } print rec(30), "\n"; { package Gone; sub new { bless [$_[1]] } sub DESTROY { print "gone $_[0][0]\n" } } sub holds { print "in\n"; 1 } holds(Gone->new('argument')); print "after\n"; sub drops { undef $_[0]; print "dropped\n" } drops(my $g = Gone->new('dropped')); sub shifts { my $s = shift; undef $s; print "shifted\n" } shifts(Gone->new('shifted')); sub frees { @main::list = (); return defined $_[0] ? 'there' : 'freed' } our @list = (Gone->new('listed')); { no warnings; eval { frees(@list) } } 
my @many = (1 .. 5000); sub count { scalar @_ } print count(@many, @many), "\n"; sub proto(\@$) { scalar @{ $_[0] } . $_[1] } print proto(@many, 3), "\n"; sub block(&@) { my $c = shift; join ',', map { $c->($_) } @_ } print block { $_[0] * 2 } 1, 2, 3; print "\n"; sub opt($;$) { scalar @_ } print opt(1), opt(1, 2), "\n"; sub under(_) { $_[0] } $_ = 'topic'; print under, "\n"; 
foreach (map { $_ } 1 .. 2) { &none; print scalar @_, "\n" } @_ = ('main'); print &none, "\n"; sub self { my $c = \&none; &$c } print self(1, 2, 3), "\n"; print main->can('list')->(1, 2), "\n"; my $m = 'list'; print main->$m(4), "\n"; sub lvargs { ($_[0], my $z) = (8, 9) } lvargs($x); print "$x\n"; $_[0]++ for \my @e; substr_arg(substr(my $str = 'abc', 1, 1)); sub substr_arg { $_[0] = 'X' } print "$str\n"; 
END
done_testing;
