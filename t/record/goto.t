# goto &sub: an exit and an entry at one moment. One that perl refuses is neither: the sub that tried it runs on, and nothing was called.
use strict;
use warnings;
use lib 't/lib';
use DProf::Record;
use Test::More;

# What is called after a refusal lies in the sub that tried. [NAME, PROGRAM, the calls with their callers]
my $head = 'use Scalar::Util (); use List::Util (); no warnings; sub in { 1 } sub to { 1 } sub fails { die "x\n" } sub none;' . "\n";
my @refused = (
    ['an XSUB out of an eval block', 'sub f { eval { goto &Scalar::Util::blessed }; print $@; in(); in() } f(1)', 'f', 'f in', 'f in'],
    ['an XSUB out of an eval string', 'sub f { eval q{goto &Scalar::Util::blessed}; print $@; in(); in() } f(1)', 'f', 'f in', 'f in'],
    ['an XSUB out of a sort sub', 'sub by { eval { goto &Scalar::Util::blessed } if 0; goto &Scalar::Util::blessed } sub f { eval { my @s = sort by 2, 1 }; print $@; in() } f(1)', 'f', 'f by', 'f in'],
    ['an XSUB out of a sort block', 'sub f { eval { my @s = sort { goto &Scalar::Util::blessed } 2, 1 }; print $@; in() } f(1)', 'f', 'f in'],
    ['an XSUB out of a callback', 'sub by { goto &Scalar::Util::blessed } sub f { eval { &List::Util::first(\&by, 1) }; print $@; in() } f(1)', 'f', 'f first', 'f first by', 'f in'],
    ['an XSUB outside of subs', 'eval { goto &Scalar::Util::blessed }; print $@; sub f { 1 } f()', 'f'],
    ['an XSUB that has been undefined', 'sub f { goto &Scalar::Util::blessed } undef &Scalar::Util::blessed; eval { f(1) }; print $@; in()', 'f', 'in'],
    ['a sub out of an eval block', 'sub f { eval { goto &to }; print $@; in(); in() } f(1)', 'f', 'f in', 'f in'],
    ['a sub out of a sort sub', 'sub by { goto &to } sub f { eval { my @s = sort by 2, 1 }; print $@; in() } f(1)', 'f', 'f by', 'f in'],
    ['a sub that has no body', 'sub f { goto &none } eval { f() }; print $@; in()', 'f', 'in'],
    ['an XSUB by a tied reference that dies', '{ package T; my $n = 0; sub TIESCALAR { bless [] } sub FETCH { die "x\n" if $n++; \&Scalar::Util::blessed } } tie my $to, "T"; my $x = $to; sub f { goto $to } eval { f(1) }; print $@; in()', 'TIESCALAR', 'FETCH', 'f', 'f FETCH', 'in'],
    ['an XSUB that dies', 'sub f { goto &List::Util::first } sub g { eval { f(\&fails, 1) }; print $@; in() } g()', 'g', 'g f', 'g first', 'g first fails', 'g in'],
);
push @refused, ['an XSUB out of a defer block', 'use feature "defer"; sub g { defer { my $to = \&Scalar::Util::blessed; goto $to } 1 } sub f { eval { g() }; print $@; in() } f(1)', 'f', 'f g', 'f in']
    if eval 'no warnings; use feature "defer"; sub { defer { my $to; goto $to } }';    # other perls do not compile that

# What perl does is recorded.
my @done = (
    ['an XSUB', 'sub f { goto &Scalar::Util::blessed } sub g { f([]); in() } g()', 'g', 'g f', 'g blessed', 'g in'],
    ['an XSUB, out of blocks and loops', 'sub f { for (1) { { while (1) { goto &Scalar::Util::blessed } } } } sub g { f([]); in() } g()', 'g', 'g f', 'g blessed', 'g in'],
    ['an XSUB in the place of a stub', 'sub f { goto &late } sub late; my $late = \&late; sub g { $late = \&late; *late = \&Scalar::Util::blessed; f([]); in() } g()', 'g', 'g f', 'g blessed', 'g in'],
    ['an XSUB that calls back', 'sub f { goto &List::Util::first } sub g { f(\&to, 1); in() } g()', 'g', 'g f', 'g first', 'g first to', 'g in'],
    ['a sub', 'sub f { goto &to } sub g { f(); in() } g()', 'g', 'g f', 'g to', 'g in'],
    ['a sub that AUTOLOAD makes', 'sub AUTOLOAD { 1 } sub f { goto &none } sub g { f(); in() } g()', 'g', 'g f', 'g none', 'g in'],
    ['an AUTOLOAD that is an XSUB', '*AUTOLOAD = \&Scalar::Util::blessed; sub f { goto &none } sub g { f([]); in() } g()', 'g', 'g f', 'g in'],
    ['by a tied reference', '{ package T; sub TIESCALAR { bless [] } sub FETCH { main::to(); \&main::to } } tie my $to, "T"; sub f { goto $to } sub g { f(); in() } my $x = $to; g()', 'TIESCALAR', 'FETCH', 'FETCH to', 'g', 'g f', 'g f FETCH', 'g f FETCH to', 'g to', 'g in'],
);
push @done, ['an XSUB out of a try block', 'use feature "try"; sub f { try { goto &Scalar::Util::blessed } catch ($e) { print $e } } sub g { f([]); in() } g()', 'g', 'g f', 'g blessed', 'g in']
    if eval 'no warnings; use feature "try"; sub { try { goto &to } catch ($e) { } }';
for my $case (@refused, @done) {
    my ($name, $text, @want) = @$case;
    for my $way ('', 'format=compact', 'files=1,builtins=1') {
        my $full = $way ? "$name, $way" : $name;
        my $run  = same("$head$text;\n", $full, options => $way);
        is_deeply [paths($run->{profile})], \@want, "$full: the calls, each where it was made";
    }
}
done_testing;

# The names of the open calls, outermost first, at each entry; without what only loads modules.
sub paths {
    my ($profile) = @_;

    my $extra = qr/\ACORE::|\A\(eval\)|\A[^:]+\z/;    # of files=1 and builtins=1
    my (@open, @paths);
    for (@{ $profile->{marks} }) {
        my ($sign, $name) = @$_[0, 4];
        pop @open, next if $sign eq '-';
        push @open, $name;
        next if $name =~ $extra || grep { /::BEGIN\[/ } @open;
        push @paths, join ' ', map { /(\w+)\z/ } grep { $_ !~ $extra } @open;
    }
    return @paths;
}
