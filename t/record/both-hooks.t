# hook=sub, the classic way, counts the same calls as the other on every program that both can run, also if the program sets $^P.
use strict;
use warnings;
use lib 't/lib';
use DProf::Record;
use Test::More;

my %program = (
    'plain calls'  => 'sub f { 1 } sub g { f(); f() } g() for 1 .. 5; &g; main->f; my $m = "f"; main->$m; &{\&f}();',
    'recursion'    => 'sub fib { my $n = shift; $n < 2 ? $n : fib($n - 1) + fib($n - 2) } print fib(12), "\n";',
    'closures'     => 'my @c = map { my $n = $_; sub { $n++ } } 1 .. 5; $_->() for @c, @c; my $x = sub { $c[0]->() }; $x->();',
    'die'          => 'sub d { my $n = shift; $n ? d($n - 1) : die "x\n" } for (1 .. 3) { eval { d(3) }; print $@ } eval { eval { d(1) }; d(2) }; sub e { eval { d(1) }; 7 } print e(), "\n";',
    'goto'         => 'sub t { "@_" } sub s1 { @_ = (1); goto &t } sub s2 { goto &s1 } print s1(), s2(), "\n"; sub count { my $n = shift; @_ = ($n - 1); goto &count if $n; 5 } print count(20), "\n";',
    'contexts'     => 'sub c { wantarray ? "l" : defined wantarray ? "s" : "v" } my $s = c(); my ($l) = c(); c(); print "$s$l\n"; sub many { (1, 2, 3) } my @l = many(); print scalar(@l), "\n"; print scalar(my @e = ()), "\n"; sub none { } my @n = none(); print scalar(@n), "\n";',
    'AUTOLOAD'     => 'our $AUTOLOAD; sub AUTOLOAD { my $n = $AUTOLOAD; $n =~ s/.*:://; "auto $n" } print foo(), bar(1), "\n"; print main->baz, "\n";',
    'XSUBs'        => 'use List::Util qw(max sum); print max(1, 2), sum(1, 2, 3), "\n"; print utf8::is_utf8("x") ? 1 : 0, UNIVERSAL::isa([], "ARRAY"), main->can("nothing") ? 1 : 0, "\n";',
    'tie, overload, DESTROY' => '{ package T; sub TIESCALAR { bless [] } sub FETCH { 5 } sub STORE { } } tie my $t, "T"; $t = $t + 1 for 1 .. 3; { package O; use overload "+" => sub { 7 }, q{""} => sub { "o" } } my $o = bless [], "O"; print $o + 1, "$o\n"; { package D; sub DESTROY { my $x = 1; $x } } { bless [], "D" } my $d = bless [], "D"; undef $d;',
    'lvalue'       => 'my $v = 1; sub lv :lvalue { $v } lv() = 5; print "$v\n"; lv()++; print lv(), "\n";',
    'signals and handlers' => '$SIG{USR1} = sub { 1 }; kill USR1 => $$ for 1 .. 2; sub w { 1 } local $SIG{__WARN__} = \&w; warn "x"; local $SIG{__DIE__} = sub { 1 }; eval { die "y" };',
    'evals'        => 'for my $i (1 .. 3) { eval "sub made$i { 1 } made$i()" } sub inner { 1 } eval "inner()"; my $c = eval "sub { inner() }"; $c->();',
    'prototypes'   => 'sub two($$) { $_[0] + $_[1] } sub block(&@) { my $c = shift; $c->() } sub arr(\@) { scalar @{ $_[0] } } my @a = (1, 2); print two(1, 2), block { 5 } 1; print arr(@a), "\n";',
    'exit inside'  => 'sub deep { $_[0] ? deep($_[0] - 1) : exit 3 } END { fin() } sub fin { 1 } deep(5);',
    'arguments'    => 'sub inc { $_[0]++ } my $x = 1; inc($x); inc($_) for my @l = (1, 2); print "$x @l\n"; sub outer { inner(@_) } sub inner { "@_" } print outer(1, 2), "\n";',
);
for my $name (sort keys %program) {
    my $op  = same("$program{$name}\n", "$name, hook=op");
    my $sub = same("$program{$name}\n", "$name, hook=sub", options => 'hook=sub');
    my ($a, $b) = map { counted($_->{profile}) } $op, $sub;
    is_deeply $b, $a, "$name: both count the same";
}

# A program that sets $^P in the middle, in either mode.
for my $way ('', 'hook=sub') {
    my $run = profiled('sub f { 1 } sub g { f() } g() for 1 .. 3; my $was = $^P; $^P = 0; g() for 1 .. 3; $^P = $was; eval "g() for 1 .. 3"; $^P |= 1; eval "sub h { g() } h()"; print "end\n"; exit 3;' . "\n", options => $way);
    is "$run->{out}$run->{err}$run->{status}", "end\n768", 'a program that sets $^P' . ($way && ", $way") . ': lives';
    marks_ok($run->{profile}, 'a program that sets $^P' . ($way && ", $way"));
    is $run->{profile}->calls('main::f'), 10, 'a program that sets $^P: each call once' if !$way;
}

# A sub cannot be left by `last`, as the manual says; perl refuses that, and goes on.
{
    my $run = profiled("sub f { last } sub g { for my \$i (1 .. 3) { f() } return 5 } print eval { g() } ? qq{five\n} : \$@; eval 'for (1) { sub { next }->() } 1' or print \$@; print qq{end\n};\n", options => 'hook=sub');
    is "$run->{out}$run->{status}", qq{Can't "last" outside a loop block at x.pl line 1.\nCan't "next" outside a loop block at (eval 1) line 1.\nend\n0}, 'hook=sub: last out of a sub is refused';
    marks_ok($run->{profile}, 'hook=sub, last out of a sub');
    is $run->{profile}->calls('main::f'), 1, '... and it was called once';
}

# What a call costs is measured in either mode, and the trial leaves nothing behind.
{
    my %cost;
    for my $way ('hook=op', 'hook=sub') {
        my $profile = profiled("sub f { 1 } f() for 1 .. 3;\n", options => "$way,hz=1000000000")->{profile};
        ($cost{$way}) = map { /^(\d+)/ } $profile->meta('over');
        is_deeply counted($profile), { 'main::f' => 3 }, "$way: the trial is not in the profile";
    }
    cmp_ok $cost{'hook=sub'}, '>', 2 * $cost{'hook=op'}, "hook=sub costs several times as much: $cost{'hook=op'}, $cost{'hook=sub'}";
}
done_testing;

sub counted {
    my ($profile) = @_;
    my $calls = $profile->all_calls;
    return { map { ($_ => $calls->{$_}) } grep { !/^(?:strict|warnings|overload|XSLoader|DynaLoader|Config|List::Util|Exporter|vars)::(?!max|sum)|BEGIN/ } keys %$calls };
}
