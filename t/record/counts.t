# Programs that count their own calls: the profile has the same counts.
use strict;
use warnings;
use lib 't/lib';
use DProf::Record;
use Test::More;

my %program;

$program{recursion} = <<'END';
sub fib { $made{fib}++; my $n = shift; return $n < 2 ? $n : fib($n - 1) + fib($n - 2) }
sub even { $made{even}++; return $_[0] ? odd($_[0] - 1) : 1 }
sub odd  { $made{odd}++;  return $_[0] ? even($_[0] - 1) : 0 }
sub ackermann {
    $made{ackermann}++;
    my ($m, $n) = @_;
    return $n + 1 if !$m;
    return ackermann($m - 1, $n ? ackermann($m, $n - 1) : 1);
}
fib(13); even(101); ackermann(2, 4);
END

$program{closures} = <<'END';
sub make { $made{make}++; my $n = shift; return sub { $closures++; return $n++ } }
sub apply { $made{apply}++; my $code = shift; return $code->(@_) }
my @made = map { make($_) } 1 .. 40;
for my $closure (@made) { apply($closure) for 1 .. 3 }
my $again; $again = sub { $selves++; return $_[0] ? $again->($_[0] - 1) : 0 }; $again->(30);
END

$program{methods} = <<'END';
{ package Base;  sub new { $made{new}++; return bless {}, shift } sub hi { $made{hi}++; 1 } sub DESTROY { $made{DESTROY}++; 1 } }
{ package Child; our @ISA = 'Base'; sub hi { $made{child_hi}++; my $self = shift; $self->SUPER::hi; $self } }
for my $i (1 .. 25) {
    my $object = $i % 2 ? Base->new : Child->new;
    my $name = 'hi';
    $object->hi; $object->$name; my $code = $object->can('hi'); $object->$code;
}
END

$program{die} = <<'END';
sub level { $made{level}++; my $n = shift; die { at => $n } if $n <= 0; level($n - 1); $never = 1 }
sub catch { $made{catch}++; my $n = shift; eval { level($n) }; return ref $@ }
catch($_) for 0 .. 20;
sub rethrow { $made{rethrow}++; eval { level(2) }; die $@ } eval { rethrow() } for 1 .. 7;
sub nested { $made{nested}++; eval { eval { level(1) }; level(3) }; eval { level(0) } } nested() for 1 .. 5;
local $SIG{__DIE__} = sub { $handlers++ }; eval { level(4) } for 1 .. 3; delete $SIG{__DIE__};
sub guarded { $made{guarded}++; local $SIG{ALRM} = sub { die "alarm\n" }; eval { level(1) }; 1 } guarded();
END

$program{goto} = <<'END';
sub final { $made{final}++; return "@_" }
sub hop { $made{hop}++; my $n = shift; @_ = ($n - 1); goto &hop if $n > 0; goto &final }
hop($_) for 0 .. 12;
sub by_name { $made{by_name}++; goto &{"final"} } sub by_ref { $made{by_ref}++; my $c = \&final; goto $c }
by_name(), by_ref() for 1 .. 4;
sub deep { $made{deep}++; $_[0] ? deep($_[0] - 1) + 1 : do { @_ = (5); goto &hop } } deep(9);
END

$program{'leave by last, next, redo and labels'} = <<'END';
no warnings 'exiting';
sub out  { $made{out}++;  last OUTER if $_[0] > 5; next OUTER if $_[0] % 2; return 1 }
sub via  { $made{via}++;  out(@_); $after_via++ }
OUTER: for my $i (1 .. 9) { for my $j (1 .. 3) { via($i) } }
my $redone; sub again { $made{again}++; if (!$redone++) { redo } 1 } for my $k (1 .. 3) { again() }
my $jumps = 0; sub jump { $made{jump}++; goto LAND if $jumps++ < 4; 1 }
LAND: jump() if $jumps < 4;
sub block { $made{block}++; { last } { next } for (1 .. 2) { next if $_ == 1; last } 1 } block() for 1 .. 6;
sub whiles { $made{whiles}++; my $i = 0; while (1) { last if $i++ > 3; next } until (0) { last } return $i } whiles() for 1 .. 3;
END

$program{sort} = <<'END';
sub by_number { $made{by_number}++; return $a <=> $b }
sub by_args($$) { $made{by_args}++; my ($x, $y) = @_; return $x <=> $y }
my @list = map { ($_ * 7919) % 101 } 1 .. 60;
my @s = sort by_number @list; @s = sort by_args @list; my $by = \&by_number; @s = sort $by @list;
sub key { $made{key}++; return $_[0] } @s = sort { key($a) <=> key($b) } @list;
sub inner { $made{inner}++; my @t = sort by_number 3, 1, 2; return $a <=> $b } @s = sort inner @list[0 .. 9];
my $n = 0; sub dies { $made{dies}++; die "enough\n" if ++$n == 10; return $a <=> $b } eval { @s = sort dies @list };
@s = reverse sort by_number @list; @list = sort by_number @list;
END

$program{'List::Util callbacks'} = <<'END';
use List::Util qw(first reduce);
sub double { $made{double}++; return 2 * $_[0] }
my $found = first { double($_) > 50 } 1 .. 100;
my $sum   = reduce { double($a) + $b } 1 .. 20;
my $block = sub { $blocks++; return $_ > 5 }; &first($block, 1 .. 10) for 1 .. 3;
my $add = sub { $adds++; return $a + $b }; &reduce($add, 1 .. 10);
my $deep = first { first { double($_) > 3 } 1 .. 4 } 1 .. 2;
my $hits = 0; my $died = sub { $dies++; die "out\n" if ++$hits == 4; 0 }; eval { &first($died, 1 .. 10) };
END

$program{'tie, overload and string evals'} = <<'END';
{ package Tied; sub TIEHASH { $made{TIEHASH}++; bless {} } sub FETCH { $made{FETCH}++; $_[1] } sub EXISTS { $made{EXISTS}++; 1 } }
{ package Number; use overload '+' => \&plus, '<=>' => \&compare, '""' => \&text, '0+' => \&text, bool => \&text;
  sub plus { $made{plus}++; Number::make($_[0][0] + (ref $_[1] ? $_[1][0] : $_[1])) }
  sub compare { $made{compare}++; my ($x, $y, $swap) = @_; ($swap ? -1 : 1) * ($x->[0] <=> (ref $y ? $y->[0] : $y)) }
  sub text { $made{text}++; "n$_[0][0]" } sub make { $made{make}++; bless [shift] } }
tie my %tied, 'Tied'; my @got = @tied{1 .. 5}; my $is = exists $tied{x}; $is = "$tied{a}$tied{b}";
my $sum = Number::make(1); $sum = $sum + $_ for 1 .. 6; my @sorted = sort { $a <=> $b } map { Number::make($_) } 3, 1, 2; my $text = "$sum @sorted";
for my $i (1 .. 5) { eval 'sub made_' . $i . ' { $made{made_' . $i . '}++; 1 } made_' . $i . '() for 1 .. ' . $i }
eval 'called(); die "x\n"' for 1 .. 3; sub called { $made{called}++; 1 }
END

my $head = "use strict; our (%made, \$closures, \$selves, \$never, \$handlers, \$after_via, \$blocks, \$adds, \$dies);\n"
    . "no strict 'refs';\n";
my $foot = <<'END';
END { print map { "main:$_ $made{$_}\n" } sort keys %made;
    print map { "anon:$$_[0] $$_[1]\n" } grep { $$_[1] } [closures => $closures], [selves => $selves],
        [handlers => $handlers], [blocks => $blocks], [adds => $adds], [dies => $dies] }
END

for my $name (sort keys %program) {
    for my $way (ways()) {
        my $full    = $way ? "$name, $way" : $name;
        my $run     = same("$head$program{$name}$foot", $full, options => $way);
        my $profile = $run->{profile} or next;
        is join("\n", counted($run->{out}, $profile)), join("\n", kept($run->{out})), "$full: counts";
    }
}
done_testing;

# What the program kept, and the same of the profile: a sub is found by its last name, an anonymous one by its
# count, since only the profile knows its place.
sub kept { return split /\n/, shift }

sub counted {
    my ($out, $profile) = @_;

    my %calls = %{ $profile->all_calls };
    my %named;
    for (keys %calls) { $named{ $1 eq 'Child' && $2 eq 'hi' ? 'child_hi' : $2 } += $calls{$_} if /^(\w+)::(\w+)\z/ }
    my %anonymous = map { ($calls{$_} => 1) } grep { /::__ANON__\[/ } keys %calls;
    return map {
        my ($kind, $name, $count) = /^(\w+):(\w+) (\d+)\z/;
        my $found = $kind eq 'main' ? $named{$name} : $anonymous{$count} ? $count : undef;
        "$kind:$name " . (defined $found ? $found : 'none');
    } split /\n/, $out;
}
