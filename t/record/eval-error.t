# $@ is the program's alone: it keeps its value over calls, through frames left by die, in DESTROY, in handlers.
use strict;
use warnings;
use lib 't/lib';
use DProf::Record;
use Test::More;

same(<<'END', '$@');
use strict; my @said;
sub nothing { 1 } sub caught { eval { die "inner\n" }; return $@ } sub dies { die $_[0] }
$@ = "kept\n"; nothing() for 1 .. 100; print $@;
print caught(), $@; eval { dies("one\n") }; print $@; nothing(); print $@;
eval { dies({ code => 5 }) }; print $@->{code}, "\n"; eval { dies(bless [3], 'Thrown') }; print ref $@, $@->[0], "\n";
{ package Cleans; sub new { bless [] } sub DESTROY { eval { 1 } } } eval { my $o = Cleans->new; dies("survives\n") }; print "[$@]\n";
{ package Dies; sub new { bless [] } sub DESTROY { die "in DESTROY\n" } } { local $SIG{__WARN__} = sub { print "warned: @_" }; eval { my $o = Dies->new; 1 }; print "[$@]\n" }
eval { eval { dies("first\n") }; print "1 $@"; dies("second\n") }; print "2 $@";
eval { die }; print $@; eval { eval { die "foo\n" }; die }; print $@;
local $SIG{__DIE__} = sub { push @said, $_[0] }; eval { dies("handled\n") }; print @said, $@;
eval 'nothing(); die "string\n"'; print $@; eval 'nothing('; print $@ ? "syntax\n" : "none\n"; eval { nothing() }; print "[$@]\n";
print defined eval { dies("x\n"); 1 } ? 'lives' : 'died', "\n"; { local $@ = 'outer'; eval { dies("y\n") }; } print "[$@]\n";
require Carp; eval { Carp::croak("croaked") }; print $@; sub confesses { Carp::confess("all") } eval { confesses(1, 'two', [3]) ; }; my $e = $@; $e =~ s/0x[0-9a-f]+/ADDR/g; print $e;
sub level { my $n = shift; $n ? level($n - 1) : die "deep\n" } for (1 .. 50) { eval { level($_) }; print $@ if $_ == 50 }
$SIG{__DIE__} = 'DEFAULT'; my $r = eval { local $SIG{ALRM} = sub { die "alarm\n" }; kill ALRM => $$; nothing() for 1 .. 1000; 1 }; print defined $r ? 'no' : $@;
END
same("sub a { die qq{the end\\n} } sub b { a() } b();\n",              'an uncaught die');
same("sub a { die { x => 1 } } \$SIG{__DIE__} = sub { print 'handler ', ref \$_[0], qq{\\n}; exit 7 }; a();\n", 'a handler that exits');
same("sub a { \$! = 5; \$? = 0; die qq{with errno\\n} } a();\n",       'the status of a die is $!');
same("sub a { \$! = 0; \$? = 512; die qq{with status\\n} } a();\n",    'or $?');
done_testing;
