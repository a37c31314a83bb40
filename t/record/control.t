# start, stop, flush, mark and finish, their names of other profilers, start= and toggle=: one valid profile, whatever is called in what order.
use strict;
use warnings;
use lib 't/lib';
use DProf::Record;
use Test::More;

use Config;

my $subs = "sub f { 1 } sub g { 1 } sub in { \$_[0]->() } no warnings 'once';\n";
my @ways = ('', 'format=compact', 'hz=100', 'portable=1', 'format=tree');

# [NAME, PROGRAM, calls]
my @cases = (
    ['stop and start', 'f() for 1 .. 3; Devel::DProf::stop(); g() for 1 .. 5; Devel::DProf::start(); f() for 1 .. 2', { 'main::f' => 5, 'main::g' => 0 }],
    ['several pairs', 'for (1 .. 7) { f(); Devel::DProf::stop(); g(); Devel::DProf::start(); f() }', { 'main::f' => 14, 'main::g' => 0 }],
    ['nested', 'Devel::DProf::stop(); Devel::DProf::stop(); g(); Devel::DProf::start(); g(); Devel::DProf::start(); f()', { 'main::f' => 1, 'main::g' => 0 }],
    ['stopped at the end', 'f(); Devel::DProf::stop(); g()', { 'main::f' => 1, 'main::g' => 0 }],
    ['nested the other way', 'Devel::DProf::start(); f(); Devel::DProf::stop(); f(); Devel::DProf::stop(); g(); Devel::DProf::start(); f()', { 'main::f' => 3, 'main::g' => 0 }],
    ['switches of another profiler', 'DB::disable_profile() for 1 .. 3; g(); DB::enable_profile() for 1 .. 3; f(); DB::disable_profile(); g(); DB::enable_profile(); f()', { 'main::f' => 2, 'main::g' => 0 }],
    ['inside of calls', 'in(sub { in(sub { f(); Devel::DProf::stop(); g(); Devel::DProf::start(); f() }); f() }); f()', { 'main::f' => 4, 'main::g' => 0, 'main::in' => 2 }],
    ['stopped inside, started outside', 'in(sub { in(sub { f(); Devel::DProf::stop(); g() }); g() }); g(); Devel::DProf::start(); f()', { 'main::f' => 2, 'main::g' => 0, 'main::in' => 2 }],
    ['stopped outside, started inside', 'Devel::DProf::stop(); in(sub { in(sub { g(); Devel::DProf::start(); f() }); f() }); f()', { 'main::f' => 3, 'main::g' => 0, 'main::in' => 0 }],
    ['a die between', 'eval { in(sub { Devel::DProf::stop(); in(sub { g(); die "x\n" }) }) }; print $@; Devel::DProf::start(); f()', { 'main::f' => 1, 'main::in' => 1, 'main::g' => 0 }],
    ['names of another profiler', 'f(); DB::disable_profile(); g(); DB::enable_profile(); f(); DB::finish_profile(); g()', { 'main::f' => 2, 'main::g' => 0 }],
    ['finish', 'f(); in(sub { f(); Devel::DProf::finish(); g() }); g(); Devel::DProf::start(); g(); Devel::DProf::mark("x"); Devel::DProf::flush(); Devel::DProf::finish()', { 'main::f' => 2, 'main::g' => 0 }],
    ['marks', 'Devel::DProf::mark("first"); f(); Devel::DProf::mark("two words\nand \\\\"); Devel::DProf::mark("caf\xc3\xa9"); in(sub { Devel::DProf::mark(17) }); Devel::DProf::mark(); Devel::DProf::stop(); Devel::DProf::mark("stopped"); Devel::DProf::start()', { 'main::f' => 1, 'main::in' => 1 }],
    ['flush', 'f(); Devel::DProf::flush(); f(); open my $fh, "<", "tmon.out" or die; my $n = grep { /^[+] .*main::f$/ } <$fh>; Devel::DProf::flush() for 1 .. 3; f()', { 'main::f' => 3 }],
    ['in handlers and DESTROY', '{ package D; sub DESTROY { Devel::DProf::stop(); main::g(); Devel::DProf::start() } } { my $d = bless [], "D"; f() } local $SIG{USR1} = sub { Devel::DProf::stop(); g(); Devel::DProf::start() }; kill USR1 => $$; f(); my @s = sort { Devel::DProf::stop(); g(); Devel::DProf::start(); f(); 0 } 1, 2', { 'main::f' => 3, 'main::g' => 0, 'D::DESTROY' => 1 }],
    ['many pairs', 'for (1 .. 3000) { Devel::DProf::stop(); g(); Devel::DProf::start(); f() }', { 'main::f' => 3000, 'main::g' => 0 }],
    ['before the program', 'BEGIN { f(); Devel::DProf::stop(); g() } INIT { g(); Devel::DProf::start(); f() } f()', { 'main::f' => 3, 'main::g' => 0 }],
);
for my $case (@cases) {
    my ($name, $text, $calls) = @$case;
    for my $way (@ways) {
        my $full = $way ? "$name, $way" : $name;
        my $run  = profiled("$subs$text; print qq{end\\n}; exit 2;\n", options => $way);
        is $run->{status}, 512, "$full: exit status" or diag $run->{err};
        like $run->{out}, qr/end\n\z/, "$full: runs to its end";
        is $run->{err}, '', "$full: nothing is said";
        marks_ok($run->{profile}, $full);
        calls_are($run->{profile}, $calls, "$full: calls");
        is @{ $run->{files} }, 1, "$full: one file" or diag "@{ $run->{files} }";
    }

    # Without a profile they do nothing, with and without the module.
    my $loaded = $name eq q{flush} ? undef : plain("use Devel::DProf ();\n$subs$text; print qq{end\\n}; exit 2;\n");
    next if !$loaded;
    is "$loaded->{err}$loaded->{status}", 512, "$name: harmless when nothing is recorded";
    is_deeply [glob "$loaded->{folder}/tmon.out*"], [], "$name: and no profile is made";
}

# Calls that begin while nothing is recorded and are there at the start: they end with their subs, in either way. The names of
# the calls that are open, at each that is entered.
my $started = 'sub init { Devel::DProf::start(); deep() } sub work { in() } sub in { 1 } sub deep { 1 } sub pass { $_[0]->() }';
for my $case (
    ['in a sub', 'init(); work(); work()', 'init', 'init deep', ('work', 'work in') x 2],
    ['in a sub that a sub calls', 'sub outer { init(); work() } outer(); work()', 'outer', 'outer init', 'outer init deep', 'outer work', 'outer work in', 'work', 'work in'],
    ['in a sub that dies', 'sub dies { init(); die 1 } eval { dies() }; work()', 'dies', 'dies init', 'dies init deep', 'work', 'work in'],
    ['in a sub that goes on in another', 'sub goes { Devel::DProf::start(); goto &work } goes(); work()', 'goes', ('work', 'work in') x 2],
    ['in a sort sub', 'my @s = sort { init(); work(); 0 } 1, 2; work()', 'init', 'init deep', ('work', 'work in') x 2],
    ['and stopped in a sub', 'init(); sub stops { Devel::DProf::stop(); in() } sub calls { stops() } calls(); in(); init(); work()', 'init', 'init deep', 'calls', 'calls stops', 'init', 'init deep', 'work', 'work in'],
    ['and stopped and started in a sub', 'init(); sub again { Devel::DProf::stop(); in(); Devel::DProf::start(); work() } sub outer { again(); in() } outer(); work()', 'init', 'init deep', 'outer', 'outer again', 'outer', 'outer again', 'outer again work', 'outer again work in', 'outer in', 'work', 'work in'],
    ['below an XSUB', 'init(); { package O; use overload q{""} => sub { Devel::DProf::stop(); Devel::DProf::start(); main::in(); 5 } } my $o = bless [], "O"; UNIVERSAL::can($o, $o); work()', 'init', 'init deep', 'can', 'can __ANON__', '__ANON__', '__ANON__ in', 'work', 'work in'],
) {
    my ($name, $text, @want) = @$case;
    for my $way ('hook=op', 'hook=sub', 'hook=sub,format=compact') {
        my $profile = profiled("no warnings; $started $text;\n", options => "start=no,$way")->{profile};
        marks_ok($profile, "start() $name, $way");
        my (@open, @seen);
        for (@{ $profile->{marks} }) {
            my ($sign, undef, undef, undef, $called) = @$_;
            pop @open, next if $sign eq '-';
            push @open, $called =~ /(\w+)(?:\[.*)?\z/;
            push @seen, "@open";
        }
        is_deeply \@seen, \@want, "start() $name, $way: each call where it was made" or diag explain \@seen;
    }
}

# Time between stop and start belongs to nobody, and the frames that were open are open again.
{
    my $run = profiled("sub f { 1 } sub in { \$_[0]->() } in(sub { in(sub { f(); Devel::DProf::stop(); select undef, undef, undef, .2; Devel::DProf::start(); f() }) });\n");
    my $profile = $run->{profile};
    is_deeply [$profile->meta('open')], [4], 'start: four frames are open again';
    my ($stop)  = $profile->meta('stop');
    my ($start) = $profile->meta('start');
    like "$stop $start", qr/^\d+ \d+ \d+ \d+ \d+ \d+\z/, '#stop and #start have their times';
    cmp_ok + (split / /, $start)[2] - (split / /, $stop)[2], '>=', 200_000, 'and the pause lies between them';
    my @mark = grep { $_->[0] eq 'mark' } @{ profiled("Devel::DProf::mark(qq{two words\\nand \\\\}); sub f { 1 } f();\n")->{profile}{meta} };
    like $mark[0][1], qr/^\d+ \d+ \d+ two(?:\\x20| )words\\x0aand(?:\\x20| )\\x5c\z/, '#mark has its times and its text';
}

# start(FILE): the profile so far is ended, and goes on in another file.
{
    my $run = profiled("sub f { 1 } sub g { 1 } f() for 1 .. 3; Devel::DProf::start('second.out'); g() for 1 .. 2; DB::enable_profile('third.out'); f();\n");
    marks_ok($run->{profile}, 'start(FILE): the first');
    calls_are($run->{profile}, { 'main::f' => 3, 'main::g' => 0 }, 'start(FILE): the first has what came before');
    my ($second, $third) = map { DProf::Marks->read_file("$run->{folder}/$_") } 'second.out', 'third.out';
    marks_ok($second, 'start(FILE): the second');
    marks_ok($third, 'start(FILE): the third');
    calls_are($second, { 'main::f' => 0, 'main::g' => 2 }, 'start(FILE): the second what came after');
    calls_are($third, { 'main::f' => 1, 'main::g' => 0 }, 'start(FILE): the third what came then');
    my $nowhere = profiled("sub f { 1 } f(); Devel::DProf::start('no/such/folder/x'); f(); print qq{end\\n};\n");
    is $nowhere->{out}, "end\n", 'start(FILE) that cannot be written: the program goes on';
    like $nowhere->{err}, qr{\A[^\n]*no/such/folder/x[^\n]*\n\z}, 'with one line';
    my $alone = plain("require Devel::DProf; sub f { 1 } sub g { 1 } f(); Devel::DProf::start('alone.out'); g(); g();\n");
    calls_are(DProf::Marks->read_file("$alone->{folder}/alone.out"), { 'main::g' => 2, 'main::f' => 0 }, 'start(FILE) without -d begins to record');
}

# start(FILE) in a child, before anything else it does: it takes nothing of its parent's with it.
for my $options ('', 'format=compact', 'format=tree', 'limit=64k', 'portable=1', 'children=0') {
    my $name = "start(FILE) first thing in a child, $options";
    my $run = profiled('sub f { 1 } sub g { 1 } sub in { $_[0]->() } $| = 1; f() for 1 .. 20_000; in(sub { my $p = fork; if (!$p) { Devel::DProf::start("child.out"); g() for 1 .. 5; exit 2 } waitpid $p, 0; });'
        . 'print $? >> 8, -e "tmon.out.tree" ? " tree" : "", "\n"; f()' . ";\n", options => $options);
    is $run->{out}, $options =~ /format=tree|limit/ ? "2 tree\n" : "2\n", "$name: the parent's files are there";
    marks_ok($run->{profile}, "$name: the parent");
    calls_are($run->{profile}, { 'main::f' => 20_001, 'main::g' => 0 }, "$name: the parent's calls");
    my $child = DProf::Marks->read_file("$run->{folder}/child.out");
    marks_ok($child, "$name: the child");
    calls_are($child, { 'main::f' => 0, 'main::g' => 5 }, "$name: the child's calls");
}
{
    my $run = profiled("sub f { 1 } sub in { \$_[0]->() } \$| = 1; in(sub { my \$p = fork; if (!\$p) { Devel::DProf::start('no/such/folder/x'); f() for 1 .. 5; exit 2 } waitpid \$p, 0 }); print \$? >> 8;\n");
    is $run->{out}, 2, 'start(FILE) in a child, where it cannot be written: the child goes on';
    like $run->{err}, qr{\A[^\n]*no/such/folder/x[^\n]*\n\z}, 'with one line';
}

# A child that says it wants no profile before it makes a call has none, whatever it does then; its parent's is as it was.
for my $options ('', 'format=compact', 'format=tree', 'portable=1', 'hook=sub', 'children=0') {
    for my $case (
        ['finish()', 'Devel::DProf::finish(); g() for 1 .. 3'],
        ['finish() in a sub', 'in(sub { Devel::DProf::finish(); g() })'],
        ['finish() twice', 'Devel::DProf::finish(); g(); Devel::DProf::start(); Devel::DProf::mark("x"); Devel::DProf::flush(); Devel::DProf::finish(); g()'],
        ['finish() while stopped', 'Devel::DProf::stop(); Devel::DProf::finish(); Devel::DProf::start(); g()'],
        ['stop()', 'Devel::DProf::stop(); g() for 1 .. 3'],
        ['flush() and stop()', 'Devel::DProf::flush(); Devel::DProf::stop(); g()'],
    ) {
        my ($name, $text) = @$case;
        $name .= " first thing in a child, $options";
        my $run = profiled('sub f { 1 } sub g { 1 } sub in { $_[0]->() } $| = 1; f() for 1 .. 5; in(sub { my $p = fork; if (!$p) { ' . $text
            . '; exit 2 } waitpid $p, 0; }); print $? >> 8, "\n"; f();' . "\n", options => $options);
        is "$run->{out}$run->{err}", "2\n", "$name: the child goes on, and nothing is said";
        my @children = grep { !m{/tmon\.out\z} } @{ $run->{files} };
        my $made = $name =~ /in a sub/ && $options ne 'children=0' ? 1 : 0;
        is @children, $made, "$name: $made profiles of the child" or diag "@children";
        calls_are(DProf::Marks->read_file($_), { 'main::in' => 1, 'main::g' => 0 }, "$name: it ends there") for @children;
        marks_ok($run->{profile}, "$name: the parent");
        calls_are($run->{profile}, { 'main::f' => 6, 'main::in' => 1, 'main::g' => 0 }, "$name: the parent's calls");
    }
}

# And what it records later it has, without the time before, wherever it was stopped.
for my $options ('', 'format=compact', 'format=tree', 'portable=1', 'hook=sub') {
    for my $case (
        ['finish(), start(FILE)', 'Devel::DProf::finish(); g(); Devel::DProf::start("tmon.out.1")', ''],
        ['stop() and start()', 'Devel::DProf::stop(); g(); wait_long(); Devel::DProf::start()', ''],
        ['start()', 'g(); wait_long(); Devel::DProf::start()', 'Devel::DProf::stop();'],
    ) {
        my ($name, $text, $parent) = @$case;
        $name .= " in a child, $options";
        my $run = profiled("sub f { 1 } sub g { 1 } sub wait_long { select undef, undef, undef, .2 } $parent my \$p = fork; if (!\$p) { $text; f() for 1 .. 3; exit 2 } waitpid \$p, 0;\n", options => $options);
        my ($path, @more) = grep { !m{/tmon\.out\z} } @{ $run->{files} };
        ok $path && !@more, "$name: one profile of a child" or next;
        my $child = DProf::Marks->read_file($path);
        marks_ok($child, $name);
        calls_are($child, { 'main::f' => 3, 'main::g' => 0 }, "$name: its calls");
        next if $name =~ /FILE/;
        my ($begin, $stop, $start) = map { (split / /, ($child->meta($_))[0] || '0 0 0')[2] } qw(begin stop start);
        ok $stop, "$name: it says since when" or next;
        cmp_ok $stop - $begin, '<', $start - $stop, "$name: it stood still until the start";
        cmp_ok $start - $stop, '>=', 200_000, "$name: and so that time is nobody's";
    }
}

# start(FILE) after the first file could not be written.
for my $options ('hz=1000000', 'format=compact', 'format=tree', 'start=no', 'start=end') {
    my $name = "start(FILE) after a file that could not be written, $options";
    my $run = profiled("sub f { 1 } sub g { f() } f(); Devel::DProf::start('second.out'); g() for 1 .. 10; Devel::DProf::start('third.out'); f(); print qq{end\n};\n",
        options => "$options,file=no/such/folder/x");
    is $run->{out}, "end\n", "$name: the program goes on";
    my ($second, $third) = map { DProf::Marks->read_file("$run->{folder}/$_.out") } qw(second third);
    marks_ok($_, $name) for $second, $third;
    calls_are($second, { 'main::f' => 10, 'main::g' => 10 }, "$name: the second file has the calls");
    calls_are($third,  { 'main::f' => 1, 'main::g' => 0 }, "$name: and the third");
    ok scalar($second->meta('over')), "$name: the overhead was measured";
}

# A path may hold what separates options; what the environment says of the start is not for start(FILE).
{
    my $run = plain("require Devel::DProf; sub f { 1 } Devel::DProf::start('a,b=1.out'); f(); Devel::DProf::start('c,d.out'); f();\n", env => { PERL_DPROF => 'start=no' });
    is join(' ', map { m{([^/]+)\z} } glob "$run->{folder}/*.out"), 'a,b=1.out c,d.out', 'start(FILE): a path with commas';
    is $run->{err}, '', 'start(FILE): a path with commas: nothing is said';
    is(DProf::Marks->read_file("$run->{folder}/$_")->calls('main::f'), 1, "start(FILE): the calls are in $_") for 'a,b=1.out', 'c,d.out';
}

# mark(TEXT) leaves its argument as it is.
SKIP: {
    skip 'no B', 1 if !has_module('B');
    same(<<'END', 'mark() of all kinds of scalars');
use B; my $bytes = "caf\xe9"; my $number = 42;
if (defined &Devel::DProf::mark) { Devel::DProf::mark($_) for $bytes, $number } 
print utf8::is_utf8($bytes) ? 'changed' : 'same', ' ', B::svref_2object(\$number)->FLAGS & B::SVf_POK() ? 'changed' : 'same', "\n"; sub f { 1 } f();
END
}

# It runs no code of the program, which counts that in $called; it does not die, nor warn. [NAME, PROGRAM, the labels]
for my $case (
    ['an object that overloads ""', '{ package O; use overload q{""} => sub { die "boom\n" } } mark(bless [], "O"); { package P; use overload q{""} => sub { main::f() }, "0+" => sub { main::f() }, fallback => 1 } mark(bless {}, "P")', 'O=ARRAY(0x0)', 'P=HASH(0x0)'],
    ['an object whose class inherits that', '{ package Q; our @ISA = "P"; package P; use overload nomethod => sub { main::f() }, "." => sub { main::f() } } mark(bless \my $x, "Q")', 'Q=SCALAR(0x0)'],
    ['other references', 'mark([]); mark(bless {}, "C"); mark(sub { f() }); mark(\\"x"); mark(qr/a b/); mark(*STDOUT)', 'ARRAY(0x0)', 'C=HASH(0x0)', 'CODE(0x0)', 'SCALAR(0x0)', '(?^:a\x20b)', '*main::STDOUT'],
    ['undef', '$^W = 1; mark(undef); my ($x, %h, @a); mark($x); mark($h{x}); mark($a[3]); mark(); print join(",", keys %h), scalar @a, "\n"'],
    ['a tied scalar', '{ package T; my $n = 0; sub TIESCALAR { bless [] } sub FETCH { main::f(); die "boom\n" if $n++; "first" } } tie my $t, "T"; mark($t); my $x = $t; mark($t)', 'first'],
    ['elements of tied arrays and hashes', '{ package T; sub TIEARRAY { bless [] } sub TIEHASH { bless [] } sub FETCH { main::f(); die "boom\n" } } tie my @t, "T"; tie my %t, "T"; mark($t[0]); mark($t{x})'],
    ['a handler of warnings', 'local $SIG{__WARN__} = sub { f() }; $^W = 1; my $s = "ab"; mark(substr $s, 5, 1); mark(undef); { no warnings; mark("\x{d800}") }', "\xed\xa0\x80"],
    ['what perl keeps itself', '"one two" =~ /(\w+) (\w+)/; mark($1); mark($2); mark($&); my $s = "\x{263a}bcd"; mark(substr $s, 0, 2); $! = 2; mark($! + 0); mark($#{[1, 2]}); "aXb" =~ /X/; mark($`)', 'one', 'two', 'one\x20two', "\xe2\x98\xbab", '2', '1', 'a'],
    ['a part of what is not plain', '{ package T; sub TIESCALAR { bless [] } sub FETCH { main::f(); "abc" } } tie my $t, "T"; mark(substr $t, 0, 2)'],
    ['numbers and strings', 'mark(17); mark(1.5); mark(""); mark("caf\xe9"); mark("0 but true")', '17', '1.5', '', "caf\xc3\xa9", '0\x20but\x20true'],
) {
    my ($name, $text, @want) = @$case;
    for my $switch ('-W', '-X') {
        my $run = same("BEGIN { *mark = defined &Devel::DProf::mark ? \\&Devel::DProf::mark : sub { } } my \$called = 0; sub f { \$called++; 'f' } eval { $text; 1 } or print qq{died: \$@}; print qq{\$called\\n};\n",
            "mark() of $name, $switch", switches => [$switch], empty => 1);
        my @labels = map { s/\A\d+ \d+ \d+ ?//; s/0x[0-9a-f]+/0x0/; $_ } $run->{profile}->meta('mark');
        is_deeply \@labels, \@want, "mark() of $name, $switch: the labels" or diag explain \@labels;
    }
}
SKIP: {
    skip 'this perl has no threads', 1 if !$Config{useithreads};
    my $run = profiled("use threads; use threads::shared; my \$x :shared = 'shared'; Devel::DProf::mark(\$x);\n");
    is_deeply [map { /(\w+)\z/ } $run->{profile}->meta('mark')], ['shared'], 'mark() of a variable that threads share';
}

# When to begin.
my $phases = "sub f { 1 } sub g { 1 } sub h { 1 } BEGIN { f() } INIT { g() } h(); END { g() } Devel::DProf::start() if \@ARGV; h();\n";
for my $case (['begin', 1, 2, 2], ['init', 0, 2, 2], ['end', 0, 1, 0], ['no', 0, 0, 0]) {
    my ($when, @calls) = @$case;
    my $run = profiled($phases, options => "start=$when");
    is "$run->{err}$run->{status}", 0, "start=$when: nothing is said";
    marks_ok($run->{profile}, "start=$when", empty => 1);
    calls_are($run->{profile}, { 'main::f' => $calls[0], 'main::g' => $calls[1], 'main::h' => $calls[2] }, "start=$when: from then on");
}
calls_are(profiled($phases, options => 'start=no', args => ['start'])->{profile}, { 'main::f' => 0, 'main::g' => 1, 'main::h' => 1 }, 'start=no, until start() is called');

# The time before belongs to nobody: what the marks leave over, too. A busy loop takes it, on a fine clock.
for my $when (qw(no init end)) {
    for my $more ('', ',format=tree', ',format=compact', ',hz=100') {
        my $name = "start=$when$more";
        my $run = profiled("sub f { 1 } BEGIN { my \$s = 0; \$s += \$_ for 1 .. 300_000 } Devel::DProf::start() if '$when' eq 'no'; f(); END { f() }\n", options => "start=$when$more");
        my $profile = $run->{profile};
        marks_ok($profile, $name);
        my ($begin, $stop, $start) = map { [split / /, $profile->meta($_) ? ($profile->meta($_))[0] : ''] } qw(begin stop start);
        is "@$stop", "@$begin", "$name: it stops where it begins";
        cmp_ok $start->[2] || 0, '>', $begin->[2] - 1 + ($more =~ /100/ ? 0 : 1000), "$name: and starts later";
        my ($root) = grep { !$_->{id} } values %{ $profile->{nodes} };
        cmp_ok $root->{real}, '<', 0.5 * ($start->[2] - $begin->[2]), "$name: the root does not have that time" if $root;
    }
}
is(profiled("sub f { 1 } BEGIN { Devel::DProf::stop() } f();\n", options => 'start=init')->{profile}->calls('main::f'), 0, 'start=init: stop() before counts');
is(profiled("sub f { 1 } BEGIN { Devel::DProf::stop() } f(); Devel::DProf::start(); f();\n", options => 'start=init')->{profile}->calls('main::f'), 1, 'start=init: and start() after it');
{
    my $run = profiled("sub f { 1 } f(); Devel::DProf::start('second.out'); f();\n");
    is scalar(() = DProf::Marks->read_file("$run->{folder}/second.out")->meta('start')), 0, 'start(FILE) begins with #begin alone';
}

# A start sets the clock: compact marks after it count from there, and so end where the recorder says that it ended.
for my $options ('hz=1000000', 'format=compact', 'format=compact,hz=1000000000') {
    my $run = profiled("sub f { 1 } f(); Devel::DProf::stop(); { my \$s = 0; \$s += \$_ for 1 .. 300_000 } Devel::DProf::start(); f();\n", options => $options);
    my $last = $run->{profile}{marks}[-1];
    my @end  = split / /, ($run->{profile}->meta('end'))[-1];
    cmp_ok $last->[3], '<=', $end[3], "$options: the last mark is not later than the end";
}

# A signal from outside.
{
    my $run = profiled("sub f { 1 } sub g { 1 } f() for 1 .. 3; kill USR2 => \$\$; g() for 1 .. 3; kill USR2 => \$\$; f() for 1 .. 3; print qq{end\\n};\n", options => 'toggle=USR2');
    is "$run->{out}$run->{err}$run->{status}", "end\n0", 'toggle=USR2: the program does not feel it';
    marks_ok($run->{profile}, 'toggle=USR2');
    calls_are($run->{profile}, { 'main::f' => 6, 'main::g' => 0 }, 'toggle=USR2: off and on');
}
done_testing;
