# $^W, $^P, $DB::* and the warnings of the program are as they are without us.
use strict;
use warnings;
use lib 't/lib';
use DProf::Record;
use Test::More;

my $program = <<'END';
print "W=$^W P=$^P\n"; sub f { my $x; my $y = $x . 'a'; return $^W } print f(), "\n";
{ local $^W = 1; print f(), "\n"; eval 'sub redefined { 1 } sub redefined { 2 } redefined()'; eval 'my $once = $Only::once'; my $z = undef . 'b' }
print f(), "\n"; use warnings; my $undefined; my $text = "$undefined"; sub g { my $u; return "$u" } g(); { no warnings; g2() } sub g2 { no warnings; my $u; return "$u" }
sub deep { return $_[0] ? deep($_[0] - 1) : 0 } deep(150);
END
for my $switches ([], ['-w'], ['-W'], ['-X']) {
    my $name = @$switches ? "perl @$switches" : 'perl';
    same($program, $name, switches => $switches);
}
done_testing;
