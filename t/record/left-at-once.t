# A frame that is left is closed at the moment it is left, whatever leaves it, and not at the next call: the
# pause of 30 ms that follows lies outside.
use strict;
use warnings;
use lib 't/lib';
use DProf::Record;
use Test::More;

my %leave = (
    'return'          => 'sub f { return } f();',
    'the end'         => 'sub f { 1 } f();',
    'last'            => 'no warnings; sub f { last } for (1) { f() }',
    'next'            => 'no warnings; sub f { next } for (1) { f() }',
    'redo'            => 'no warnings; my $again = 0; sub f { $again++; redo } for (1) { f() if !$again }',
    'last LABEL'      => 'no warnings; sub f { g() } sub g { last OUT } OUT: for (1) { for (1) { f() } }',
    'goto LABEL'      => 'no warnings; sub f { g() } sub g { goto OUT } f(); OUT:',
    'die'             => 'sub f { g() } sub g { die } eval { f() };',
    'die in eval string' => 'sub f { die } eval "f()";',
    'die in a sort'   => 'sub f { die } eval { my @s = sort { f() } 2, 1 };',
    'a dying sort sub' => 'sub f { die } eval { my @s = sort f 2, 1 };',
    'die in first'    => 'use List::Util "first"; sub f { die } eval { first { f() } 1 };',
    'a dying XSUB'    => 'use List::Util; sub f { &List::Util::reduce(1, 2) } eval { f() };',
    'a dying tie'     => '{ package T; sub TIESCALAR { bless [] } sub FETCH { main::f() } } sub f { die } tie my $t, "T"; eval { my $x = $t };',
    'goto &sub'       => 'sub f { goto &g } sub g { 1 } f();',
    'goto &XSUB'      => 'sub f { goto &utf8::is_utf8 } f("x");',
    'an lvalue sub'   => 'my $v; sub f :lvalue { $v } f() = 1;',
    'an alarm'        => '$SIG{ALRM} = sub { f() }; sub f { die } eval { kill ALRM => $$; 1 };',
    'a callback'      => 'use List::Util "first"; my $f = sub { 1 }; &first($f, 1);',
);
for my $way ('', 'format=compact') {
    for my $name (sort keys %leave) {
        my $full    = $way ? "$name, $way" : $name;
        my $profile = profiled("sub after { 1 } $leave{$name} select undef, undef, undef, .03; after();\n", options => $way)->{profile};
        my @marks   = @{ $profile->{marks} };
        my ($at)    = grep { $marks[$_][4] eq 'main::after' } 0 .. $#marks;
        ok $at, "$full: there is a call after it" or next;
        my $depth = 0;
        $depth += $_->[0] eq '+' ? 1 : -1 for @marks[0 .. $at - 1];
        is $depth, 0, "$full: all is closed before the next call";
        cmp_ok $marks[$at][3] - $marks[ $at - 1 ][3], '>=', 29_000, "$full: and was before the pause";
    }
}

# A DESTROY that runs while perl unwinds, on a stack that has just been left, is not inside of what was left.
my $unwinding = <<'END';
use List::Util qw(first reduce); { package Guard; sub new { bless [] } sub DESTROY { main::in_destroy() } } sub in_destroy { 1 } sub dies { die "x\n" }
{ package T; sub TIESCALAR { bless [] } sub FETCH { main::dies() } } { package O; use overload q{""} => sub { main::dies() } }
my %how = (first => sub { first { dies() } 1 }, reduce => sub { reduce { dies() } 1, 2 }, tie => sub { tie my $t, 'T'; my $x = $t }, overload => sub { my $x = "" . bless [], 'O' }, sort => sub { my @s = sort { dies() } 2, 1 }, handler => sub { local $SIG{__WARN__} = sub { dies() }; warn 1 });
sub outer { my $how = shift; { my $guard = Guard->new; $how{$how}->() } } for my $how (sort keys %how) { eval { outer($how) } }
END
my @stack;
my %inside;
for (@{ same($unwinding, 'DESTROY while perl unwinds')->{profile}{marks} }) {
    my ($sign, $name) = @$_[0, 4];
    if ($sign eq '-') { pop @stack; next }
    push @stack, $name;
    $inside{ join ' ', grep { $_ ne 'main::outer' } @stack }++ if $name eq 'Guard::DESTROY';
}
is_deeply \%inside, { 'Guard::DESTROY' => 6 }, 'each DESTROY is inside of the sub that held the object, and nothing else';
done_testing;
