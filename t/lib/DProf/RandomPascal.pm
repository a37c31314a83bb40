package DProf::RandomPascal;

use strict;
use warnings;

# Random Pascal programs that keep tallies of their own: nested structures, gotos in loops and out of them and
# out of routines, forward declarations, recursion, functions in conditions. Each tally is a statement on
# a line of its own; at its end the program prints a line "K N" for each: the K-th ran N times.

# program($seed, %how): its text and a hash from line to tally. jumps => 1: also gotos out of routines.
sub program {
    my ($seed, %how) = @_;
    srand $seed;
    my $self = { lines => [], tallies => {}, n => 0, jumps => $how{jumps}, names => 0 };
    my $depth = 1 + int rand 3;
    put($self, 'program rnd(output);', 'label 900;', 'const most = 4000;',
        'var tally: array [1..most] of integer; fuel, g, k: integer;',
        'rec: array [1..2] of record q: integer end;');
    my @scope = map { { name => "p$_", function => int rand 3 ? 0 : 1 } } 1 .. 2 + int rand 4;
    put($self, head($_) . ' forward;') for @scope[1 .. $#scope];
    for my $i (0 .. $#scope) {
        my $forward = $i ? 1 : 0;
        routine($self, $scope[$i], $forward, \@scope, $depth, []);
    }
    put($self, 'begin');
    put($self, 'fuel := 300; g := 0; for k := 1 to most do tally[k] := 0;');
    block($self, \@scope, 3, 'k2', [], 'main') for 1 .. 3;
    put($self, "900: g := g + 1;") if $how{jumps};
    put($self, '900: ;') if !$how{jumps};
    tally($self);
    my $tallies = $self->{n};
    put($self, "for k := 1 to $tallies do writeln(k: 1, ' ', tally[k]: 1)");
    put($self, 'end.');
    return (join('', map { "$_\n" } @{ $self->{lines} }), $self->{tallies});
}

sub put { my ($self, @lines) = @_; push @{ $self->{lines} }, @lines; return }

sub tally {
    my ($self) = @_;
    my $k = ++$self->{n};
    put($self, "tally[$k] := tally[$k] + 1;");
    $self->{tallies}{ scalar @{ $self->{lines} } } = $k;
    return;
}

# The same as a statement without its `;`, in a place of its own.
sub tally_alone {
    my ($self) = @_;
    tally($self);
    $self->{lines}[-1] =~ s/;\z//;
    return;
}

sub head {
    my ($routine) = @_;
    return $routine->{function} ? "function $routine->{name}(n: integer): integer;"
        : "procedure $routine->{name}(n: integer);";
}

sub routine {
    my ($self, $me, $forward, $scope, $depth, $labels) = @_;
    put($self, $forward ? ($me->{function} ? 'function ' : 'procedure ') . "$me->{name};" : head($me));
    my $label = 100 + ++$self->{names};
    put($self, "label $label;", 'var a, b, k2: integer;');
    my @inner = @$scope;
    for (1 .. ($depth > 0 ? int rand 3 : 0)) {
        my $nested = { name => "q" . ++$self->{names}, function => int rand 2 };
        routine($self, $nested, 0, \@inner, $depth - 1, [@$labels, $label]);
        push @inner, $nested;
    }
    put($self, 'begin');
    put($self, 'fuel := fuel - 1; a := n; b := 0;');
    tally($self);
    put($self, 'if fuel > 0 then begin');
    block($self, \@inner, 2 + int rand 2, 'k2', [$self->{jumps} ? @$labels : ()], $label) for 1 .. 1 + int rand 2;
    put($self, 'end;');
    put($self, "$label: b := b + 1;");
    tally($self);
    put($self, "$me->{name} := b mod 5 + n mod 3;") if $me->{function};
    put($self, 'g := g + 1', 'end;');
    return;
}

sub condition {
    my ($self, $scope) = @_;
    my @functions = grep { $_->{function} } @$scope;
    return "g mod 3 = 0" if rand() < 0.3;
    return "fuel mod " . (2 + int rand 4) . " = 1" if rand() < 0.4 || !@functions;
    my $f = $functions[rand @functions];
    my $call = "$f->{name}(g mod 4) > " . int rand 4;
    return $call if rand() < 0.8;
    return '(g mod 2 = 0) ' . (rand() < 0.5 ? 'and' : 'or') . " ($call)";
}

# A call of a function that changes no value, or nothing.
sub plus_call {
    my ($scope) = @_;
    my @functions = grep { $_->{function} } @$scope;
    return '' if !@functions || rand() < 0.6;
    return " + 0 * $functions[rand @functions]{name}(g mod 4)";
}

# A sequence of statements, each a random structure, with tallies between.
sub block {
    my ($self, $scope, $depth, $counter, $outer, $label) = @_;
    for (1 .. 1 + int rand 3) {
        statement($self, $scope, $depth, $counter, $outer, $label);
        tally($self);
    }
    return;
}

sub statement {
    my ($self, $scope, $depth, $counter, $outer, $label) = @_;
    my $kind = $depth > 0 ? int rand 13 : 8 + int rand 3;
    my $go = $label eq 'main' ? 900 : $label;
    my $inside = sub { block($self, $scope, $depth - 1, $counter, $outer, $label) };
    if ($kind <= 1) {
        put($self, 'if ' . condition($self, $scope) . ' then begin');
        $inside->();
        put($self, 'end else begin');
        $inside->();
        put($self, 'end;');
    } elsif ($kind == 2) {
        put($self, 'if ' . condition($self, $scope) . ' then begin');
        $inside->();
        put($self, 'end;');
    } elsif ($kind == 3 && $label ne 'main') {
        put($self, "a := 0; while (a" . plus_call($scope) . " < 3) and (fuel > 0) do begin a := a + 1; fuel := fuel - 1;");
        $inside->();
        put($self, 'end;');
    } elsif ($kind == 4 && $label ne 'main') {
        put($self, 'repeat a := a + 1; fuel := fuel - 1;');
        $inside->();
        put($self, 'until (a' . plus_call($scope) . ' > 2) or (fuel < 0);');
    } elsif ($kind == 5) {
        my $v = "v" . ++$self->{names};
        put($self, "case (g + fuel * fuel" . plus_call($scope) . ") mod 4 of");
        put($self, '0: begin');
        $inside->();
        put($self, 'end;', '1, 2: g := g + 2;', '3: ;', 'end;');
    } elsif ($kind == 6) {
        put($self, 'if ' . condition($self, $scope) . " then goto $go;");
    } elsif (($kind == 7 || $kind == 9) && @$outer) {
        put($self, "if fuel mod 3 = 2 then goto $outer->[rand @$outer];");
    } elsif ($kind == 10) {
        # No begin: an else goes to the nearest if.
        put($self, 'if ' . condition($self, $scope) . ' then', 'if ' . condition($self, $scope) . ' then');
        tally_alone($self);
        put($self, 'else if ' . condition($self, $scope) . ' then');
        put($self, @$outer ? "goto $outer->[rand @$outer]" : "goto $go", 'else');
        tally($self);
    } elsif ($kind == 11 && $label ne 'main') {
        put($self, 'for k2 := 1 to 2' . plus_call($scope) . ' do');
        tally($self);
        put($self, 'repeat', 'while g < 0 do', 'g := 0', 'until true;');
    } elsif ($kind == 12) {
        put($self, 'with rec[1' . plus_call($scope) . '] do');
        tally($self);
    } else {
        my $callee = $scope->[rand @$scope];
        put($self, $callee->{function} ? "g := g + $callee->{name}(g mod 3);"
            : "$callee->{name}(g mod 4);");
    }
    return;
}

1;
