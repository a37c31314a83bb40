# The very end of a program is recorded: END blocks, exits and dies in them, handlers at exit, global destruction, and #end after all of it.
use strict;
use warnings;
use lib 't/lib';
use DProf::Record;
use Test::More;

my $head = "sub f { 1 } sub g { 1 } { package D; sub new { bless [\$_[1]] } sub DESTROY { my \$s = shift; main::g(); 1 } }\n";
my @cases = (
    ['END blocks', 'END { f() } END { f(); f() } f()', { 'main::f' => 4 }],
    ['global destruction', 'our $o = D->new(1); our @o = map { D->new($_) } 1 .. 5; f()', { 'D::DESTROY' => 6, 'main::g' => 6 }],
    ['global destruction of a cycle', 'my $o = D->new; push @$o, $o; undef $o; f()', { 'D::DESTROY' => 1, 'main::g' => 1 }],
    ['die in END', 'END { f() } END { g(); die "late\n" } f()', { 'main::f' => 2, 'main::g' => 1 }],
    ['exit in END', 'END { f() } END { g(); exit 3 } f()', { 'main::f' => 2, 'main::g' => 1 }],
    ['exit inside of calls', 'sub deep { $_[0] ? deep($_[0] - 1) : exit 4 } END { f() } our $o = D->new; deep(20)', { 'main::deep' => 21, 'main::f' => 1, 'D::DESTROY' => 1 }],
    ['die inside of calls', 'sub deep { $_[0] ? deep($_[0] - 1) : die "deep\n" } END { f() } our $o = D->new; deep(20)', { 'main::deep' => 21, 'main::f' => 1, 'D::DESTROY' => 1 }],
    ['exit in a signal handler', '$SIG{USR1} = sub { f(); exit 5 }; END { f() } our $o = D->new; sub deep { $_[0] ? deep($_[0] - 1) : do { kill USR1 => $$; g() for 1 .. 5 } } deep(5)', { 'main::deep' => 6, 'main::f' => 2, 'D::DESTROY' => 1 }],
    ['die in a signal handler', '$SIG{USR1} = sub { f(); die "signalled\n" }; END { f() } sub deep { $_[0] ? deep($_[0] - 1) : do { kill USR1 => $$; f() for 1 .. 5 } } deep(5)', { 'main::deep' => 6, 'main::f' => 2 }],
    ['exit in a DESTROY', '{ package E; sub DESTROY { main::f(); exit 6 } } { my $e = bless [], "E" } g()', { 'main::g' => 0, 'E::DESTROY' => 2 }], # perl does call it twice
    ['exit in global destruction', '{ package E; sub DESTROY { main::f(); exit 6 } } our $e = bless [], "E"; g()', { 'main::f' => 1, 'E::DESTROY' => 1 }],
    ['die in global destruction', '{ package E; sub DESTROY { main::f(); die "burning\n" } } our $e = bless [], "E"; g()', { 'main::f' => 1, 'E::DESTROY' => 1 }],
    ['exit in a sort, a tie, an overload', '{ package T; sub TIESCALAR { bless [] } sub FETCH { main::f(); my @s = sort { exit 7 } 2, 1 } } { package O; use overload q{""} => sub { tie my $t, "T"; my $x = $t } } sub deep { $_[0] ? deep($_[0] - 1) : "" . bless [], "O" } deep(3)', { 'main::deep' => 4, 'main::f' => 1, 'T::FETCH' => 1 }],
    ['a class that is destroyed with the rest', 'our $o = D->new; undef *D::new; f()', { 'D::DESTROY' => 1 }],
    ['a program that compiles only', 'BEGIN { f() } f()', { 'main::f' => 1 }, switches => ['-c']],
    ['a program that does not compile', 'BEGIN { f() } f( ;', { 'main::f' => 1 }],
    ['nothing at all', '', {}, empty => 1],
    ['perl -n', 'f();', { 'main::f' => 2 }, switches => ['-n'], args => ['x.pl']],
);
for my $case (@cases) {
    my ($name, $text, $calls, %how) = @$case;
    for my $way ('', 'format=compact', 'format=tree', 'portable=1') {
        my $full = $way ? "$name, $way" : $name;
        my $code = $name eq 'perl -n' ? "${head}$text\n" : "$head$text;\n";
        my $run  = same($code, $full, options => $way, %how);
        my $profile = $run->{profile};
        calls_are($profile, $calls, "$full: calls");
        my ($end) = grep { /^\d+ \d+ \d+ \d+ \d+\z/ } $profile->meta('end');
        is $end && (split / /, $end)[0], $run->{status} >> 8, "$full: #end has the status";
    }
}
done_testing;
