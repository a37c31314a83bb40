# wantarray and the values that come back are those of a plain run, in every context.
use strict;
use warnings;
use lib 't/lib';
use DProf::Record;
use Test::More;

same(<<'END', 'context');
use strict; sub ctx { my $w = wantarray; return $w ? ('list', 2, 3) : defined $w ? 'scalar' : do { print "void\n"; () } }
sub pass { return ctx() } sub last_value { ctx() } sub amp { &ctx } sub go { goto &ctx } my $code = \&ctx; sub with_return { if ($_[0]) { return ctx() } ctx() } sub lv :lvalue { my $x = ctx() }
for my $f (\&ctx, \&pass, \&last_value, \&amp, \&go, $code, \&with_return) { $f->(); my $s = $f->(); my ($l) = $f->(); my @l = $f->(); print "$s $l @l\n"; print scalar($f->()), ' ', (map { $_ } $f->()), "\n"; my %h = (k => scalar $f->()); print $h{k}, "\n"; if ($f->()) { print "bool\n" } my $n = () = $f->(); print "$n\n"; my $last = ($f->())[-1]; print "$last\n" }
sub lists { return (1, 2, 3) } sub arrays { my @a = (4, 5, 6); return @a } sub empty { return } sub hashes { my %h = (a => 1); return %h } sub slices { my @a = (7, 8, 9); return @a[0, 1] } sub unlessed { unless ($_[0]) { 5 } } sub loops { for (1 .. 3) { } } sub eval_list { eval { ctx() } } sub string { eval 'ctx()' } sub last_if { if ($_[0]) { 'yes' } else { 'no' } } sub nested { do { do { ctx() } } }
for my $f (\&lists, \&arrays, \&empty, \&hashes, \&slices, \&unlessed, \&loops, \&eval_list, \&string, \&last_if, \&nested) { my $s = $f->(); my @l = $f->(); my $c = () = $f->(); print join('|', map { defined $_ ? $_ : 'undef' } $s, @l, $c), "\n"; $f->() }
print "interpolated @{[ctx()]} ${\ ctx()}\n"; my @sorted = sort { $a cmp $b } ctx(); print "@sorted\n"; return_in_loop(); sub return_in_loop { for my $i (1 .. 3) { while (1) { return print "out $i\n" } } }
my ($p, $q, @r) = (ctx(), lists()); print "$p $q @r\n"; push my @pushed, ctx(); print "@pushed\n"; print "last statement\n" if (sub { ctx() })->(); local $_ = ctx(); print "$_\n"; my $t = ctx() ? ctx() : 0; print "$t\n"; my @m = map { ctx() } 1 .. 2; print "@m\n"; my @g = grep { ctx() } 1 .. 2; print "@g\n"; print reverse(ctx()), "\n"; 
{ package T; sub TIEARRAY { bless [] } sub FETCHSIZE { 2 } sub FETCH { wantarray ? 'l' : defined(wantarray) ? 's' : 'v' } sub DESTROY { print defined(wantarray) ? 'd' : 'v', "\n" } } { tie my @t, 'T'; print "@t\n" }
ctx() for 1; ctx() while $main::i++ < 1; eval { ctx() }; do { ctx() }; ctx(), 1; 
END
done_testing;
