# A profile is bounded: text up to `text` bytes, then compact, and from `limit` on a tree; counts and sums stay exact, and old and new parts agree.
use strict;
use warnings;
use lib 't/lib';
use DProf::Record;
use Test::More;

my $program = <<'END';
sub leaf { return $_[0] } sub mid { leaf($_) for 1 .. $_[0]; return } sub top { mid(3); eval { dying() }; return } sub dying { die "x\n" } sub rec { $_[0] ? rec($_[0] - 1) : leaf(1) } my $anon = sub { rec(5) };
for my $i (1 .. 2500) { top(); $anon->() if $i % 5 == 0; my @s = sort { leaf($a) <=> leaf($b) } 2, 1 if $i % 10 == 0 } sub open_to_the_end { mid(10) for 1 .. 300; print "end\n"; exit 3 } open_to_the_end();
END
my %calls = ('main::top' => 2500, 'main::mid' => 2800, 'main::leaf' => 2500 * 3 + 500 + 250 * 2 + 3000, 'main::dying' => 2500, 'main::rec' => 3000, 'main::open_to_the_end' => 1);

# The recorder looks at the size when it makes room, in steps of this.
my $step = 262_144;

for my $options ('', 'limit=0', 'format=text', 'format=compact', 'format=tree', 'text=0', 'text=1', 'text=100k', 'text=300k', 'limit=100k', 'text=1,limit=1', 'limit=100k,hz=100',
    'format=compact,limit=1', 'text=100k,portable=1', 'limit=100k,portable=1', 'format=tree,hz=100', 'format=tree,portable=1')
{
    my $name    = $options || 'as it comes';
    my $run     = same($program, $name, options => $options);
    my $profile = $run->{profile};
    calls_are($profile, \%calls, "$name: counts stay exact");
    is @{ $run->{files} }, 1, "$name: one file is left" or diag "@{ $run->{files} }";
    my $bytes = $profile->{bytes};
    my %at = (compact => position($bytes, qr/^&/m), tree => position($bytes, qr/^PART3$/m));
    my %limit = (compact => $options =~ /text=(\d+)(k?)/ ? $1 * ($2 ? 1024 : 1) : undef, tree => $options =~ /limit=([1-9]\d*)(k?)/ ? $1 * ($2 ? 1024 : 1) : undef);
    if ($options =~ /format=(\w+)/) {
        is defined $at{$1} ? 1 : 0, 1, "$name: it is $1" if $1 ne 'text';
        is defined $at{compact} || defined $at{tree} ? 1 : 0, 0, "$name: it is text" if $1 eq 'text';
        next;
    }
    for my $part (qw(compact tree)) {
        next if !defined $limit{$part};
        next if $part eq 'compact' && defined $limit{tree} && $limit{tree} <= $limit{compact} + $step;
        ok defined $at{$part}, "$name: a part is $part" or next;
        cmp_ok $at{$part}, '>=', $limit{$part} - 10_000, "$name: $part begins not before its limit";
        cmp_ok $at{$part}, '<=', $limit{$part} + $step + 10_000, "$name: and not long after";
    }
    ok !defined $at{tree}, "$name: no tree" if !$limit{tree};
    cmp_ok scalar(keys %{ $profile->{nodes} }), '<', 60, "$name: few nodes" if defined $at{tree};
}

# The tree: its sums, sites and shapes.
{
    my $profile = profiled("sub leaf { 1 }\nsub a { leaf();\n  for (1 .. 3) {\n    leaf();\n  }\n}\nsub b { a() }\na() for 1 .. 2; b();\n", options => 'format=tree')->{profile};
    my @nodes = values %{ $profile->{nodes} };
    my %by_id = map { ($_->{id} => $_) } @nodes;
    my $path;
    $path = sub { my $n = shift; return $n->{id} ? $path->($by_id{ $n->{parent} }) . "/$n->{name}\@$n->{site}" : '' };
    my %calls = map { ($path->($_) => $_->{calls}) } grep { $_->{id} } @nodes;
    is_deeply { map { ($_ => $calls{$_}) } grep { /main::/ && !/BEGIN/ } keys %calls }, {
        '/main::a@x.pl:8' => 2, '/main::a@x.pl:8/main::leaf@x.pl:2' => 2,
        '/main::a@x.pl:8/main::leaf@x.pl:4' => 6, '/main::b@x.pl:8' => 1,
        '/main::b@x.pl:8/main::a@x.pl:7' => 1, '/main::b@x.pl:8/main::a@x.pl:7/main::leaf@x.pl:2' => 1,
        '/main::b@x.pl:8/main::a@x.pl:7/main::leaf@x.pl:4' => 3,
    }, 'format=tree: a node for each path and each place of a call' or diag explain \%calls;
    # Long calls, whose buckets lie apart from their node, beside the next one.
    my $long = profiled("sub long { my \$s = 0; \$s += \$_ for 1 .. 3000; \$s } sub one { long() } sub two { long() }\none(); two(); one() for 1 .. 3; two();\n",
        options => 'format=tree,hz=1000000000')->{profile};
    push @nodes, values %{ $long->{nodes} };
    my @odd;
    for my $node (grep { $_->{id} } @nodes) {
        push @odd, "$node->{name}: min $node->{min} max $node->{max}" if $node->{min} ne '-' && $node->{min} > $node->{max};
        next if $node->{hist} eq '-';
        my $sum = 0;
        $sum += (split /:/)[1] for split /,/, $node->{hist};
        push @odd, "$node->{name}: $sum in the histogram, $node->{calls} calls" if $sum != $node->{calls};
    }
    is_deeply \@odd, [], 'format=tree: least, most and histogram fit the calls';
    # Evals whose code lies where that of the one before lay.
    my $evals = profiled(qq{sub f { 1 } for my \$i (1 .. 40) { eval qq{#line 7 "file\$i.pl"\\nf()} }\n}, options => 'format=tree')->{profile};
    is_deeply [sort map { "$_->{site} $_->{calls}" } grep { $_->{name} eq 'main::f' } values %{ $evals->{nodes} }],
        [sort map { "file$_.pl:7 1" } 1 .. 40], 'format=tree: a call in an eval stands at its own place';
    my ($root) = grep { !$_->{id} } @nodes;
    ok $root, 'format=tree: the root has the time outside any sub';
}

# Processes share the limit.
{
    my $run = profiled("sub f { \$_[0] } for my \$n (1 .. 4) { my \$p = fork; if (!\$p) { f(\$_) for 1 .. 12_000; exit } waitpid \$p, 0 } f(1);\n", options => 'limit=150k');
    my $all = 0;
    $all += -s for @{ $run->{files} };
    cmp_ok $all, '<', 153_600 + 6 * $step, 'a family shares one limit';
    my $calls = 0;
    for (@{ $run->{files} }) { my $p = DProf::Marks->read_file($_); marks_ok($p, 'of the family'); $calls += $p->calls('main::f') }
    is $calls, 48_001, 'and loses no call';
}

# A million levels, and many paths.
{
    my $run = same("no warnings; sub r { \$_[0] ? r(\$_[0] - 1) : 1 } r(30_000); sub s1 { 1 } s1();\n", 'deep, as a tree', options => 'format=tree');
    is $run->{profile}->calls('main::r'), 30_001, 'thirty thousand levels in a tree';
}
done_testing;

sub position {
    my ($bytes, $what) = @_;
    return $bytes =~ $what ? $-[0] : undef;
}
