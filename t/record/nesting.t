# Frames are opened and closed at the very moment: random programs that leave subs in every way there is
# print how deep they are at each call, as caller() tells it, and the profile shows the same calls in the
# same order at the same depths.
use strict;
use warnings;
use lib 't/lib';
use DProf::Record;
use Test::More;

my $state;
my @ways = ways();
for my $seed (1 .. 32) {
    $state = $seed * 7919;
    my $way  = $ways[$seed % @ways];
    my $name = "program $seed" . ($way ? ", $way" : '');
    my $run  = same(program(), $name, options => $way);
    my @want = grep { /^f\d+ \d+\z/ } split /\n/, $run->{out};
    my @got  = depths($run->{profile});
    cmp_ok scalar @want, '>', 10, "$name: makes calls enough";
    my ($first) = grep { !defined $got[$_] || $got[$_] ne $want[$_] } 0 .. $#want;
    is $first, undef, "$name: " . @want . ' calls at their depths'
        or diag("call $first: caller says $want[$first], the profile says "
            . (defined $got[$first] ? $got[$first] : 'nothing') . "\n$run->{folder}");
    is @got, @want, "$name: and no more";
}
done_testing;

# For each entry of a sub f1, f2 ...: its name and how many such are open then.
sub depths {
    my ($profile) = @_;

    my ($depth, @found) = 0;
    for (@{ $profile->{marks} }) {
        my ($sign, undef, undef, undef, $name) = @$_;
        next if $name !~ /^main::(f\d+)\z/;
        $depth += $sign eq '+' ? 1 : -1;
        push @found, "$1 $depth" if $sign eq '+';
    }
    return @found;
}

# Not rand: each perl and each run shall make the same programs.
sub pick {
    my ($n) = @_;
    $state = ($state * 1103515245 + 12345) % 2147483648;
    return int($state / 65536) % $n;
}

sub program {
    my $subs = 6 + pick(6);
    my $text = <<'HEAD';
use strict; no warnings; no strict 'refs'; use List::Util qw(first reduce);
our ($fuel, $a, $b) = 250; $| = 1;
sub depth { my ($i, $n) = (1, 0); while (my @c = caller $i++) { $n++ if $c[3] =~ /^main::f\d+\z/ } $n }
{ package Guard; sub new { bless [pop] } sub DESTROY { local $@; eval { my $f = "main::f$_[0][0]"; &$f(1) } if $main::fuel > 0 } }
{ package Tie; sub TIESCALAR { bless [pop] } sub FETCH { my $f = "main::f$_[0][0]"; &$f(1); 1 } }
{ package Over; use overload '+' => sub { my $f = "main::f$_[0][0]"; &$f(1); 2 }, '""' => sub { my $f = "main::f$_[0][0]"; &$f(1); 'o' } }
HEAD
    for my $i (1 .. $subs) {
        my @body = map { statement($subs) } 0 .. pick(5);
        $text .= "sub f$i { print \"f$i \", depth(), \"\\n\"; return 1 if \$fuel-- <= 0;\n  " . join("\n  ", @body) . "\n  1 }\n";
        # What a comparison holds is freed when its run loop has ended, and so is its frame: nothing here.
        $text .= "sub by_f$i { f$i(0); 1 }\n";
    }
    return $text . <<"FOOT";
OUTER: for my \$round (1 .. 12) { eval { for my \$inner (1 .. 2) { my \$f = 'f' . (1 + (\$round * 5) % $subs); \&\$f(\$inner) } }; print "caught\\n" if \$@ }
FOOT
}

sub statement {
    my ($subs) = @_;
    my ($f, $g) = map { 'f' . (1 + pick($subs)) } 1 .. 2;
    my $n = substr $f, 1;
    my @kinds = (
        "$f(1);",
        "$f(1) if \$_[0] > 0;",
        "eval { $f(1); die 'x' }; $g(0) if \$@;",
        "eval { eval { $f(1) }; die { of => 1 } if \$@; 1 } or $g(1);",
        "die \"$f\\n\" if \$fuel % 7 == 0;",
        "last OUTER if \$fuel % 37 == 0;",
        "next OUTER if \$fuel % 13 == 0;",
        "{ last if \$fuel % 3; $f(1) }",
        "for (1 .. 2) { next if \$fuel % 2; $f(\$_); }",
        "goto &$f if \$fuel % 5 == 0;",
        "\@_ = (1); goto \&{\"main::$f\"} if \$fuel % 4 == 1;",
        "my \@s = sort { $f(0); \$a <=> \$b } 2, 1 if \$fuel % 4 == 0;",
        "my \@t = sort by_$f 1, 2 if \$fuel % 4 == 2;",
        "first { $f(0) } 1, 2 if \$fuel % 3 == 0;",
        "\&first(\\\&by_$f, 1, 2) if \$fuel % 5 == 1;",
        "reduce { $f(0) } 1, 2, 3 if \$fuel % 6 == 0;",
        "eval \"$f(1); die 1 if \\\$fuel % 2\";",
        "my \$guard = Guard->new($n);",
        "{ my \$guard = Guard->new($n); $g(1) if \$fuel % 3 == 1 }",
        "tie my \$tied, 'Tie', $n; my \$v = \$tied;",
        "my \$o = bless [$n], 'Over'; my \$w = \$fuel % 2 ? \$o + 1 : \"\$o\";",
        "return $f(0) if \$fuel % 6 == 1;",
        "my \$c = sub { $f(1); return 3 }; \$c->() if \$fuel % 3 == 2;",
        "local \$_ = 'aa'; s/a/$f(0)/ge if \$fuel % 4 == 3;",
        "my \@m = map { $f(\$_) } 0, 1; my \@n = grep { $g(\$_) } 0;",
        "\&$f;",
        "local \$SIG{__DIE__} = sub { $f(0) }; eval { die 'y' };",
        "local \$SIG{__WARN__} = sub { $f(1); die 'warned' if \$fuel % 2 }; eval { warn 'z' };",
    );
    return $kinds[pick(scalar @kinds)];
}
