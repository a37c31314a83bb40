# A program that looks at the debugger's variables and subs, or sets $^P itself, behaves as without us and is recorded on.
use strict;
use warnings;
use lib 't/lib';
use DProf::Record;
use Test::More;

# The recorder does not need them, but -d promises them.
my $run = profiled('print join(" ", map { defined &{"DB::$_"} ? $_ : () } qw(sub lsub goto)), qq{ $^P\n};' . "\n");
is $run->{out}, "sub lsub goto 0\n", 'DB::sub, DB::lsub and DB::goto are there, $^P is 0';
is $run->{err}, '', 'and nothing is said';

my %program = (
    '$DB::sub is the program\'s' => q{sub f { $DB::sub = 'text'; my $x = $DB::sub . '!'; return $x } print f(), "\n"; print f(), "\n"; my $c = sub { local $DB::sub = 'X::y'; f() }; print $c->(), "\n"},
    'flags one by one' => q{sub f { 1 } sub g { f() + f() } for my $bit (map { 1 << $_ } 0 .. 9) { next if $bit == 2; $^P |= $bit; f(); eval 'g()'; $^P &= ~$bit; } f(); print "$^P\n"},
    'code compiled under $^P' => q{$^P = 1; eval 'sub inner { return $_[0] + 1 } 1' or die; my $x = 0; $x = inner($x) for 1 .. 5; print "$x\n"; $^P = 0; $x = inner($x) for 1 .. 5; print "$x\n"; sub lv :lvalue { my $d = $main::v } $^P |= 1; eval 'lv()'; print "lived\n"; $^P = 0},
    'a name with its place'   => q{BEGIN { $^P |= 0x200 } my $c = sub { (caller(0))[3] }; my $n = $c->(); print "$n\n"; $^P = 0},
    'an own DB::sub'          => q{sub f { $_[0] * 2 } { package DB; no warnings; no strict; *DB::sub = sub { $main::seen++; &$DB::sub } } my $x = f(4); print "$x\n"; print $main::seen ? "seen\n" : "unseen\n"},
    '@DB::args'               => q{sub args { package DB; my @c = caller(1); return "@DB::args" } sub f { args() } print f(1, 2, 'three'), "\n"; print f(), "\n"; sub shifted { shift; args() } print shifted(7, 8), "\n"},
    'the glob idiom'          => q{my $c = sub { local *__ANON__ = 'X::named'; inner() }; sub inner { (caller(1))[3] } print $c->(), "\n"; print inner2(), "\n"; sub inner2 { local $DB::sub = local *__ANON__ = 'X::z'; 1 }},
    'require perl5db is not'  => q{print defined &DB::DB ? '' : '', "ok\n"; sub f { 1 } f(); print exists $INC{'perl5db.pl'} ? "loaded\n" : "not\n"},
    '$DB::single and trace'   => q{$DB::single = 1; $DB::trace = 1; sub f { 1 } f(); print "$DB::single $DB::trace\n"; $DB::single = $DB::trace = 0},
);
my %calls = ('flags one by one' => { 'main::f' => 28, 'main::g' => 9 }, 'code compiled under $^P' => { 'main::inner' => 10 });
for my $name (sort keys %program) {
    my $run = same("$program{$name};\n", $name);
    calls_are($run->{profile}, $calls{$name}, "$name: calls") if $calls{$name};
}
done_testing;
