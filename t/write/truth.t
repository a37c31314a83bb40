# Random programs whose times are known, in both dialects: every report says what happened.
use strict;
use warnings;

use lib 't/lib';

use DProf::Test qw(dprofpp);
use Test::More;

plan skip_all => 'no JSON::PP' if !eval { require JSON::PP; 1 };

my @SUBS = ('main::a', 'main::b', 'Long::Package::name', 'main::__ANON__[x.pl:3]', 'X::e');

# A generator of its own, so that a seed gives the same program everywhere.
my $state;
sub random {
    my ($below) = @_;
    $state = ($state * 1103515245 + 12345) % 2147483648;
    return int $state / 65536 % $below;
}

# A call: [sub, ticks before its first call, [call, ticks after it], ...]
sub call {
    my ($depth) = @_;
    my @call = ($SUBS[random(scalar @SUBS)], random(20));
    if ($depth < 6) {
        push @call, [call($depth + 1), random(9)] for 1 .. random(4);
    }
    # Programs do the same again and again.
    push @call, $call[-1] if @call > 2 && random(2);
    return \@call;
}

# What happened, as a list of [sign, sub, tick].
sub marks {
    my ($call, $now, $marks) = @_;
    my ($sub, $own, @inner) = @$call;
    push @$marks, ['+', $sub, $$now];
    $$now += $own;
    for my $inner (@inner) {
        marks($inner->[0], $now, $marks);
        $$now += $inner->[1];
    }
    push @$marks, ['-', $sub, $$now];
    return;
}

sub header {
    my ($ticks) = @_;
    return "#fOrTyTwO\n\$hz=1000;\n\$XS_VERSION='DProf 20261129';\n# All values are given in HZ\n"
        . "\$rrun_utime=$ticks; \$rrun_stime=0; \$rrun_rtime=$ticks\nPART2\n";
}

sub as_text {
    my ($end, @marks) = @_;
    my $n = @marks;
    return header($end) . "#run id=1 pid=1 started=1.0 cpu=thread\n"
        . join('', map { "$_->[0] $_->[2] 0 $_->[2] $_->[1]\n" } @marks) . "#end 0 $end 0 $end $n\n";
}

sub as_compact {
    my ($end, @marks) = @_;
    my ($now, %id, $text) = (0);
    for my $mark (@marks) {
        my ($sign, $sub, $tick) = @$mark;
        my $step = $tick - $now;
        $text .= "@ $step 0 $step\n" if $step;
        $now = $tick;
        if (!$id{$sub}) {
            $id{$sub} = sprintf '%x', 2 + keys %id;
            my ($package, $name) = $sub =~ /\A(.*)::(.*)\z/;
            $text .= "& $id{$sub} $package $name\n";
        }
        $text .= "$sign $id{$sub}\n";
    }
    my $rest = $end - $now;
    return header($end) . $text . ($rest ? "@ $rest 0 $rest\n" : '');
}

# The truth, found in the plainest way: walk every call.
sub truth {
    my (@calls) = @_;
    my %truth = (sub => {}, tree => '', edge => {});
    walk(\%truth, $_, []) for @calls;
    $truth{collapsed} = join '', folded(0, map { shape($_) } @calls);
    return \%truth;
}

sub walk {
    my ($truth, $call, $above) = @_;
    my ($sub, $own, @inner) = @$call;
    my $exclusive = $own;
    my $inclusive = $own;
    $truth->{tree} .= '   ' x @$above . "$sub\n";
    for my $inner (@inner) {
        $exclusive += $inner->[1];
        $inclusive += $inner->[1] + walk($truth, $inner->[0], [@$above, $sub]);
    }
    my $of = $truth->{sub}{$sub} ||= { calls => 0, exclusive => 0, inclusive => 0 };
    $of->{calls}++;
    $of->{exclusive} += $exclusive;
    $of->{inclusive} += $inclusive if !grep { $_ eq $sub } @$above;
    my $caller = @$above ? $above->[-1] : '(outside any sub)';
    $truth->{edge}{$sub}{$caller}++;
    return $inclusive;
}

# A call without its times, and the lines of calls with equal ones in a row folded.
sub shape {
    my ($call) = @_;
    my ($sub, $own, @inner) = @$call;
    return [$sub, map { shape($_->[0]) } @inner];
}

sub same { return JSON::PP::encode_json($_[0]) eq JSON::PP::encode_json($_[1]) }

sub folded {
    my ($level, @shapes) = @_;
    my @lines;
    while (@shapes) {
        my $shape = shift @shapes;
        my $times = 1;
        $times++, shift @shapes while @shapes && same($shape, $shapes[0]);
        push @lines, '   ' x $level . $shape->[0] . ($times > 1 ? " (${times}x)" : '') . "\n",
            folded($level + 1, @$shape[1 .. $#$shape]);
    }
    return @lines;
}

sub ticks { return int $_[0] * 1000 + 0.5 }

sub table {
    my ($profile, @options) = @_;
    my $got  = dprofpp(['--json', '-O', '-1', @options, '-'], in => $profile);
    my $data = JSON::PP::decode_json($got->{out});
    return { map { (defined $_->{name} ? $_->{name} : '' => {
            calls     => $_->{calls},
            exclusive => ticks($_->{exclusive}{real}),
            inclusive => ticks($_->{inclusive}{real}),
        }) } @{ $data->{subs} } };
}

for my $seed (1 .. 12) {
    $state = $seed;
    my ($now, @marks) = (0);
    my @calls = map { call(0) } 1 .. 1 + random(4);
    push @calls, $calls[-1];
    marks($_, \$now, \@marks) for @calls;
    my $outside = random(50);
    my $truth   = truth(@calls);
    my $end     = $now + $outside;

    for my $dialect (['text', as_text($end, @marks)], ['compact', as_compact($end, @marks)]) {
        my ($name, $profile) = @$dialect;
        my $table = table($profile);
        my $rest  = delete $table->{''};
        is_deeply($table, $truth->{sub}, "$seed, $name: calls, exclusive and inclusive times");
        is($rest->{exclusive}, $outside, "$seed, $name: time outside any sub");
        is(dprofpp(['-T', '-'], in => $profile)->{out}, $truth->{tree}, "$seed, $name: -T");
        is(dprofpp(['-t', '-'], in => $profile)->{out}, $truth->{collapsed}, "$seed, $name: -t");
    }
    my $profile = as_text($end, @marks);

    # The merged tree adds up to the table.
    my %calls;
    for my $line (split /\n/, dprofpp(['-S', '-'], in => $profile)->{out}) {
        my ($sub, $calls) = $line =~ /\A *(\S+) x (\d+)  \t/ or next;
        $calls{$sub} += $calls;
    }
    is_deeply(\%calls, { map { ($_ => $truth->{sub}{$_}{calls}) } keys %{ $truth->{sub} } },
        "$seed: -S has every call");

    # Callers.
    my (%edges, $callee);
    for my $line (split /\n/, dprofpp(['--report', 'callers', '-O', '-1', '-'], in => $profile)->{out}) {
        $callee = $1 if $line =~ /\ACallers of (.*): \d+ call/;
        $edges{$callee}{$2} = $1 if $line =~ /\A *[\d.]+ +\S+ +\S+ +(\d+) +\S+ +\S+  (.*)\z/;
    }
    is_deeply(\%edges, $truth->{edge}, "$seed: callers and how often");

    # Grouping, skipping and looking inside change the tree, not the time.
    my $total = 0;
    $total += $_->{exclusive} for values %{ $truth->{sub} };
    for my $options (['-G', 'main'], ['-G', 'main', '-P'], ['--skip', 'main::a'], ['--only', 'main']) {
        my $sum = 0;
        $sum += $_->{exclusive} for values %{ table($profile, @$options) };
        is($sum, $end, "$seed: @$options keeps the time");
    }
    my ($first) = grep { $truth->{sub}{$_} } @SUBS;
    my $sum = 0;
    $sum += $_->{exclusive} for values %{ table($profile, '-g', $first) };
    is($sum, $truth->{sub}{$first}{inclusive}, "$seed: -g $first has its inclusive time");

    # A profile that breaks off is the same program as far as it went.
    my $half = substr $profile, 0, int length($profile) * 0.6;
    my $cut  = dprofpp(['-T', '-'], in => $half);
    is($cut->{status}, 0, "$seed: cut off: status 0");
    is($cut->{out}, substr($truth->{tree}, 0, length $cut->{out}), "$seed: cut off: the tree up to there");
}

done_testing;
