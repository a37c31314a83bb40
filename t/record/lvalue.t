# lvalue subs and methods, with every way to assign through them.
use strict;
use warnings;
use lib 't/lib';
use DProf::Record;
use Test::More;

my $run = same(<<'END', 'lvalue subs');
use strict; no warnings; our ($v, @a, %h) = (1, 1, 2, 3); @a = (1, 2, 3); %h = (k => 1); sub lv :lvalue { $v } lv() = 42; print "$v\n"; lv()++; lv() += 5; lv() =~ s/8/9/; print "$v ", lv(), "\n"; (lv()) = (7, 8); print "$v\n"; my ($p) = lv(); print "$p\n"; for (lv()) { $_ = 'loop' } print "$v\n"; \ lv(); my $r = \lv(); $$r = 'by ref'; print "$v\n"; local $v = 'local'; lv() .= '!'; print "$v\n";
sub el :lvalue { $a[$_[0]] } el(1) = 'b'; el(5) = 'far'; print join('|', map { defined $_ ? $_ : 'u' } @a), "\n"; sub key :lvalue { $h{$_[0]} } key('k') = 2; key('new')++; print join(',', map { "$_=$h{$_}" } sort keys %h), "\n"; my $code = sub :lvalue { $h{k} }; $code->() = 'anon'; print "$h{k}\n"; swap(lv(), key('k')); sub swap { @_[0, 1] = @_[1, 0] } print "$v $h{k}\n";
{ package Obj; sub new { bless { n => 1 } } sub n :lvalue { $_[0]{n} } sub nested :lvalue { $_[0]->n } sub sub_str :lvalue { substr $_[0]{n}, 0, 1 } } my $o = Obj->new; $o->n = 5; $o->n *= 3; $o->nested = 9; $o->nested++; print $o->n, "\n"; $o->n = 'word'; $o->sub_str = 'L'; print $o->n, "\n"; sub ret :lvalue { return $v } ret() = 'returned'; print "$v\n"; sub list :lvalue { @a } (list()) = (7, 8, 9); print "@a\n"; sub cond :lvalue { $_[0] ? $v : $h{k} } cond(1) = 'v'; cond(0) = 'k'; print "$v $h{k}\n"; eval { nolv() = 1; 1 } or print "died\n" if 0; sub dies :lvalue { die "in it\n"; $v } eval { dies() = 1 }; print $@; sub goes :lvalue { goto &lv } eval { goes() = 'gone'; 1 } ; print "$v\n"; sub wa :lvalue { $main::w = wantarray; $v } wa() = 1; print defined $main::w ? $main::w : 'u', "\n"; (wa()) = 1; print $main::w, "\n"; sub rec :lvalue { $_[0] ? rec($_[0] - 1) : $v } rec(20) = 'deep'; print "$v\n"; print lv, "\n"; foreach my $x (lv(), lv()) { print "$x\n" }
END
cmp_ok $run->{profile}->calls('main::lv'), '>=', 13, 'they are recorded';
is $run->{profile}->calls('main::rec'), 21, 'each of them';
done_testing;
