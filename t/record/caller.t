# caller and Carp tell the same with us.
use strict;
use warnings;
use lib 't/lib';
use DProf::Record;
use Test::More;

my $program = <<'END';
use strict; use warnings; use Carp qw(carp croak cluck confess longmess shortmess);
sub shape { my $i = 0; my @l; while (my @c = caller $i++) { push @l, join ',', map { defined $_ ? $_ : 'u' } @c[0 .. 7] } return join "\n", @l, '' }
sub one { return shape(@_) } sub two { return one(1, 'x') } sub ctx { my @l = shape(); return $l[0] }
my $anon = sub { return two() }; print $anon->(); print scalar ctx(); my ($l) = ctx(); print $l; ctx();
print eval { two() }; print eval 'two()'; print eval qq{#line 77 "other.file"\ntwo()}; { package Other; print main::two() } print Obj->method; { package Obj; sub method { return main::one() } sub AUTOLOAD { our $AUTOLOAD; return "$AUTOLOAD\n" . main::one() } sub DESTROY { } }
print Obj->unknown; print Obj::also_unknown(3); sub gone { goto &one } print gone(); my @s = sort { print shape(); $a <=> $b } 2, 1; sub by { print shape(); $a <=> $b } @s = sort by 2, 1;
use List::Util 'first'; my $f = first { print shape(); 1 } 1; { package T; sub TIESCALAR { bless [] } sub FETCH { print main::shape(); 1 } } tie my $t, 'T'; my $v = $t;
{ package O; use overload '+' => sub { print main::shape(); 1 }, '""' => sub { print main::shape(); 's' } } my $o = bless [], 'O'; $v = $o + 1; $v = "$o";
{ package D; sub DESTROY { print main::shape() } } { my $d = bless [], 'D' } local $SIG{USR1} = sub { print shape() }; kill USR1 => $$; one();
local $SIG{__WARN__} = sub { print @_ }; sub warns { carp 'carped'; cluck 'clucked' } warns(1, [2]); sub croaks { croak 'croaked' } eval { croaks({}) }; print $@; print longmess('long'), shortmess('short'); sub in { return longmess('in') } print in('a', undef, 1.5, "text\nline");
print join ',', map { defined $_ ? $_ : 'u' } (caller(0))[0 .. 4]; print "none\n" if !defined caller; sub here { return (caller(0))[3] } print here(), "\n"; my $named = \&here; print $named->(), "\n"; *alias = \&here; print alias(), "\n"; local *__ANON__ = 'renamed'; print sub { (caller(0))[3] }->(), "\n";
BEGIN { print +(caller(0))[3], "\n" } END { print +(caller(0))[3], "\n" } INIT { print shape() }
END
my $run = same($program, 'caller');
cmp_ok length $run->{out}, '>', 2000, 'the program says much';
done_testing;
