# Each export says what the table says: the same calls and times, of every profile there is; and it is what its
# format asks for, also with names that are made to break it.
use strict;
use warnings;

use lib 't/lib';

use DProf::Proto;
use DProf::Test qw(dprofpp slurp);
use Test::More;

plan skip_all => 'no JSON::PP' if !eval { require JSON::PP; 1 };

my $BILLION = 1_000_000_000;

sub export {
    my ($format, $profile, @more) = @_;
    return dprofpp(['-R', '--to', $format, @more, '-'], in => $profile)->{out};
}

sub json { return JSON::PP->new->utf8->decode(export(@_)) }

# What the table says, by name: calls and own nanoseconds of each clock.
sub truth {
    my ($profile, @more) = @_;
    my %truth;
    for my $sub (@{ json('json', $profile, @more)->{subs} }) {
        my $name = shown(defined $sub->{name} ? $sub->{name} : '(outside any sub)');
        $truth{$name}{calls} = $sub->{calls};
        $truth{$name}{ $_ eq 'real' ? 'wall' : $_ } = nanoseconds($sub->{exclusive}{$_})
            for qw(cpu user system real);
    }
    return \%truth;
}

# JSON has a name as it is, text as it may be shown.
sub shown {
    my ($name) = @_;
    $name =~ s/([\x00-\x1f\x7f])/sprintf '\\x%02x', ord $1/ge;
    return $name;
}

sub nanoseconds { return sprintf '%.0f', $_[0] * $BILLION }

# Those that are not zero, so that what a format leaves out does not count.
sub measured {
    my ($what, $amounts) = @_;
    return { map { $amounts->{$_}{$what} ? ($_ => $amounts->{$_}{$what} + 0) : () } keys %$amounts };
}

my %check;

$check{folded} = sub {
    my ($profile, $truth) = @_;
    my %own;
    for my $line (split /\n/, export('folded', $profile)) {
        my ($path, $n) = $line =~ /\A(.+) (\d+)\z/ or return fail("a line of folded: $line");
        $own{ (split /;/, $path)[-1] }{cpu} += $n;
    }
    is_deeply(measured('cpu', \%own), measured('cpu', $truth), '... folded: own times');
    my $again = %own ? truth(export('folded', $profile), '--from', 'folded') : {};
    is_deeply(measured('cpu', $again), measured('cpu', $truth), '... folded: read back');
    return;
};

$check{speedscope} = sub {
    my ($profile, $truth) = @_;
    my $data = json('speedscope', $profile);
    my @frames = map { shown($_->{name}) } @{ $data->{shared}{frames} };
    for my $part (@{ $data->{profiles} }) {
        my ($own, $fault) = own_times($part, \@frames);
        is($fault, '', "... speedscope: $part->{name} nests");
        # How often something opens is no measure; calls of a path stand as its length.
        next if $part->{name} =~ /order/;
        my %own = map { $_ => { $part->{name} => $own->{$_} } } keys %$own;
        is_deeply(measured($part->{name}, \%own), measured($part->{name}, $truth), "... speedscope: $part->{name}");
    }
    return;
};

# What a timeline says of own times, and what is wrong with it.
sub own_times {
    my ($part, $frames) = @_;
    my ($at, @open, %own) = ($part->{startValue});
    for my $event (@{ $part->{events} }) {
        return (\%own, "time runs backwards at $event->{at}") if $event->{at} < $at;
        $own{ $frames->[$open[-1]] } += $event->{at} - $at if @open;
        $at = $event->{at};
        if ($event->{type} eq 'O') {
            push @open, $event->{frame};
        } elsif (!@open || pop(@open) != $event->{frame}) {
            return (\%own, "what closes at $at was not open");
        }
    }
    return (\%own, @open ? 'something stays open' : $at > $part->{endValue} ? 'beyond its end' : '');
}

$check{chrome} = sub {
    my ($profile, $truth) = @_;
    my $data = json('chrome', $profile);
    my @open;
    my $fault = '';
    for my $event (grep { $_->{ph} eq 'X' } @{ $data->{traceEvents} }) {
        pop @open while @open && $open[-1] <= $event->{ts} + 0.0005;
        my $end = $event->{ts} + $event->{dur};
        $fault = "at $event->{ts}" if @open && $end > $open[-1] + 0.0015;
        push @open, $end;
    }
    is($fault, '', '... chrome: calls nest');
    return;
};

$check{firefox} = sub {
    my ($profile, $truth) = @_;
    my ($thread) = @{ json('firefox', $profile)->{threads} };
    my ($stacks, $samples) = @$thread{qw(stackTable samples)};
    for my $table (qw(samples stackTable frameTable funcTable)) {
        my @wrong = grep { ref $thread->{$table}{$_} && @{ $thread->{$table}{$_} } != $thread->{$table}{length} }
            keys %{ $thread->{$table} };
        is("@wrong", '', "... firefox: the columns of $table are of one length");
    }
    my @later = grep { defined $stacks->{prefix}[$_] && $stacks->{prefix}[$_] >= $_ } 0 .. $#{ $stacks->{frame} };
    is("@later", '', '... firefox: who called stands before');
    my @back = grep { $samples->{time}[$_] < $samples->{time}[$_ - 1] } 1 .. $#{ $samples->{time} };
    is("@back", '', '... firefox: time goes on');
    return;
};

$check{pprof} = sub {
    my ($profile, $truth) = @_;
    my $data = DProf::Proto::profile(export('pprof', $profile));
    my %own;
    for my $sample (@{ $data->{samples} }) {
        my $name = $sample->{stack}[-1];
        utf8::decode($name);
        $own{$name}{ $data->{types}[$_] } += $sample->{values}[$_] for 0 .. $#{ $data->{types} };
    }
    is_deeply(measured($_, \%own), measured($_, $truth), "... pprof: $_") for qw(calls cpu wall user system);
    return;
};

$check{callgrind} = sub {
    my ($profile, $truth) = @_;
    my (%name, %own, $sub, @events, $totals, $inclusive);
    for my $line (split /\n/, export('callgrind', $profile)) {
        @events = split / /, $1 if $line =~ /\Aevents: (.*)/;
        $totals = $1 if $line =~ /\Atotals: (.*)/;
        if ($line =~ /\Ac?fn=\((\d+)\)(?: (.*))?/) {
            my ($id, $name) = ($1, $2);
            utf8::decode($name) if defined $name;
            $name{$id} = $name if defined $name;
            $sub = $name{$id} if $line =~ /\Af/;
        } elsif ($line =~ /\Acalls=/) {
            $inclusive = 1;
        } elsif ($line =~ /\A\d+ (\d.*)/) {
            my @costs = split / /, $1;
            $own{$sub}{ $events[$_] } += $costs[$_] for grep { !$inclusive } 0 .. $#events;
            $inclusive = 0;
        }
    }
    is_deeply(measured($_, \%own), measured($_, $truth), "... callgrind: $_") for @events;
    my @sums;
    for my $event (@events) {
        my $sum = 0;
        $sum += $own{$_}{$event} for keys %own;
        push @sums, $sum;
    }
    is("@sums", $totals, '... callgrind: the totals');
    return;
};

$check{csv} = sub {
    my ($profile, $truth) = @_;
    my ($head, @lines) = split /\n/, export('csv', $profile);
    my @keys = split /,/, $head;
    my %own;
    for my $line (@lines) {
        my @cells;
        push @cells, defined $1 ? $1 : $2 while $line =~ /\G(?:"((?:[^"]|"")*)"|([^",]*))(?:,|\z)/g && @cells < @keys;
        is(scalar @cells, scalar @keys, '... csv: a cell for each column') if @cells != @keys;
        my %row;
        @row{@keys} = @cells;
        $row{name} =~ s/""/"/g;
        utf8::decode($row{name});
        $own{ $row{name} } = { calls => $row{calls}, cpu => nanoseconds($row{exclusive_cpu}),
            wall => nanoseconds($row{exclusive_real}) };
    }
    is_deeply(measured($_, \%own), measured($_, $truth), "... csv: $_") for qw(cpu wall);
    return;
};

$check{dot} = sub {
    my ($profile) = @_;
    my $text = export('dot', $profile);
    my @odd = grep { (() = /(?<!\\)(?:\\\\)*"/g) % 2 } split /\n/, $text;
    is("@odd", '', '... dot: quotes are closed');
    my $nodes = () = $text =~ /^  n\d+ \[/mg;
    cmp_ok($nodes, '<=', 61, '... dot: no more than can be looked at');
    return;
};

# Names as they are shown are the same in every format; only then they can be compared.
for my $path (sort glob('t/data/report/*.in'), map { "t/data/tmon/$_.in" } qw(mixed original-recursion original-names wxprof)) {
    my $profile = slurp($path);
    my $truth = truth($profile);
    pass($path);
    $check{$_}->($profile, $truth) for sort keys %check;
}

# --- hostile names ---

my @HOSTILE = ('main::a blank', 'main::semi;colon', 'main::quote"s', "main::apo'strophe", 'main::<b>&amp;',
    'main::new\x0aline', 'main::tab\x09', "main::\xc3\xa9t\xc3\xa9", "main::bad\xff", 'main::back\x5cslash', 'main::bar|tick`s',
    'main::com,ma', 'main::ends\x20', 'main::(1)', '(1)', '=cmd()', '@SUM(1)', 'main::$(id)`id`', 'main::' . 'x' x 10_000,
    'main::{curly}', 'main::#hash', 'main::12');
s/ /\\x20/g for @HOSTILE;
my $hostile = "#fOrTyTwO\n\$hz=1000;\n\$XS_VERSION='DProf 20261129';\n\$rrun_utime=1000; \$rrun_stime=0; \$rrun_rtime=1000\nPART2\n";
my $tick = 0;
for my $name (@HOSTILE) {
    $hostile .= "#sub $name $name 7 perl\n+ $tick 0 $tick $name\n";
    $tick += 10;
    $hostile .= "- $tick 0 $tick $name\n";
}

for my $format (qw(folded speedscope firefox chrome callgrind dot csv markdown lcov)) {
    my $text = export($format, $hostile);
    unlike($text, qr/[\x00-\x09\x0b-\x1f\x7f]/, "$format: no control character");
    like($text, qr/x{10000}/, "$format: a long name is whole");
    like($text, qr/\xc3\xa9t\xc3\xa9/, "$format: UTF-8 goes through");
    like($text, qr/new\\(?:\\?x0a|u000a)line/, "$format: a newline is shown as one");
}
my $frames = sub { my ($line) = @_; $line =~ s/ \d+\z//; return scalar(() = $line =~ /;/g) };
is(scalar(grep { $frames->($_) } split /\n/, export('folded', $hostile)), 0, 'folded: no name makes two frames');
like(export('folded', $hostile), qr/^main::semi\\x3bcolon \d+$/m, '... a semicolon is escaped');
like(export('csv', $hostile), qr/^"'=cmd\(\)",/m, 'csv: no name is a formula');
like(export('markdown', $hostile), qr/\| ``main::bar\\\|tick`s`` \|$/m, 'markdown: neither a bar nor a backtick ends a name');
like(export('lcov', $hostile), qr/^FNDA:1,main::com\\x2cma$/m, 'lcov: a comma does not end a name');
is(scalar(grep { !/\A[A-Z]+:|\Aend_of_record\z/ } split /\n/, export('lcov', $hostile)), 0, '... nor does anything else');
for my $format (qw(speedscope firefox chrome)) {
    my $data = eval { json($format, $hostile) };
    ok($data, "$format: JSON that can be read") or diag $@;
}
my $pprof = DProf::Proto::profile(export('pprof', $hostile));
my @names = map { $_->{stack}[-1] } @{ $pprof->{samples} };
is(scalar(grep { utf8::decode($_) ? 0 : 1 } @names), 0, 'pprof: every name is UTF-8');
ok((grep { $_ eq 'main::new\x0aline' } @names), '... a newline is shown as one');

# --- a path of a million levels ---

my $deep = "#fOrTyTwO\n\$hz=1000;\n\$XS_VERSION='DProf 20261129';\nPART2\n"
    . join('', map { "+ $_ 0 $_ main::down\n" } 1 .. 20_000) . join('', map { "- $_ 0 $_ main::down\n" } 20_001 .. 40_000);
for my $format (qw(folded pprof speedscope callgrind firefox chrome dot)) {
    my $got = dprofpp(['--to', $format, '-'], in => $deep);
    cmp_ok(length $got->{out}, '<', 12_000_000, "$format: a deep recursion stays readable");
    is($got->{status}, 0, '... and is one') or diag $got->{err};
}

require File::Temp;
my $versus = File::Temp->new;
DProf::Test::spew("$versus", $deep);
(my $slower = $deep) =~ s/^(\$hz)=1000;/$1=500;/m;
my $both = dprofpp(['--raw', '--base', "$versus", '--to', 'folded', '-'], in => $slower)->{out};
cmp_ok(length $both, '<', 24_000_000, 'folded with a base: a deep recursion stays readable');
my @sums = (0, 0);
$both =~ s/^.* (\d+) (\d+)$/$sums[0] += $1; $sums[1] += $2; ''/gme;
is_deeply(\@sums, [39_999_000_000, 79_998_000_000], '... and both columns are whole');

# --- processes apart ---

sub member {
    my ($pid, $start) = @_;
    my $end = $start + 10;
    return "#fOrTyTwO\n\$hz=1000;\n\$XS_VERSION='DProf 20261129';\n\$rrun_utime=10; \$rrun_stime=0; \$rrun_rtime=10\nPART2\n"
        . "#run id=abc pid=$pid started=1000.$pid cpu=thread\n+ 0 0 $start main::f\n- 10 0 $end main::f\n#end 0 10 0 $end 2\n";
}
my $folder = File::Temp::tempdir(CLEANUP => 1);
DProf::Test::spew("$folder/tmon.out", member(100, 5000));
DProf::Test::spew("$folder/tmon.out.200", member(200, 5007));
DProf::Test::in_folder($folder, sub {
    my $chrome = JSON::PP->new->decode(dprofpp(['--to', 'chrome'])->{out});
    is_deeply([map { "$_->{pid} $_->{ts}" } grep { $_->{ph} eq 'X' } @{ $chrome->{traceEvents} }],
        ['100 0', '200 7000'], 'chrome: processes apart, on one clock');
    my $firefox = JSON::PP->new->decode(dprofpp(['--to', 'firefox'])->{out});
    is_deeply([map { $_->{pid} } @{ $firefox->{threads} }], [100, 200], 'firefox: processes apart');
    my $speedscope = JSON::PP->new->decode(dprofpp(['--to', 'speedscope'])->{out});
    is(scalar(grep { $_->{name} =~ /\Aprocess 200: / } @{ $speedscope->{profiles} }), 5, 'speedscope: processes apart');
    my $pprof = DProf::Proto::profile(dprofpp(['--to', 'pprof'])->{out});
    is_deeply([sort map { $_->{labels}{pid} } @{ $pprof->{samples} }], [100, 200], 'pprof: processes apart');
    like(dprofpp(['--to', 'folded'])->{out}, qr/\Amain::f 20000000\n\z/, 'folded: the sum');
});

done_testing;
