# Each thread has a profile of its own, FILE.PID.TID; starting, joining, detaching and ending with threads alive does no harm.
use strict;
use warnings;
use lib 't/lib';
use DProf::Record;
use Test::More;

use Config;

plan skip_all => 'this perl has no threads' if !$Config{useithreads};

my $head = "use threads; sub f { 1 } sub g { 1 } sub in_thread { f() for 1 .. \$_[0]; return \$_[0] * 2 } sub deep { my (\$n, \$code) = \@_; \$n ? deep(\$n - 1, \$code) : \$code->() } \$| = 1;\n";
my @cases = (
    ['joined', 'my @t = map { threads->create(\&in_thread, $_ * 10) } 1 .. 4; print join(",", map { $_->join } @t), "\n"; g()', { 'main::g' => 1, 'main::f' => 0 }, map { { 'main::f' => $_ * 10, 'main::in_thread' => 1 } } 1 .. 4],
    ['one after the other', 'for my $n (1 .. 3) { threads->create(\&in_thread, $n)->join } g() for 1 .. 2', { 'main::g' => 2, 'main::f' => 0 }, map { { 'main::f' => $_ } } 1 .. 3],
    ['detached', 'use threads::shared; my $done :shared = 0; threads->create(sub { in_thread(7); lock $done; $done = 1; cond_signal($done) })->detach; { lock $done; cond_wait($done) until $done } select undef, undef, undef, .05; g()', { 'main::g' => 1 }, { 'main::f' => 7 }],
    ['a thread in a thread', 'print threads->create(sub { in_thread(3); threads->create(\&in_thread, 5)->join })->join, "\n"; g()', { 'main::g' => 1, 'main::f' => 0 }, { 'main::f' => 3 }, { 'main::f' => 5 }],
    ['frames that are open', 'deep(5, sub { threads->create(sub { in_thread(4); 1 })->join }); g()', { 'main::deep' => 6, 'main::g' => 1 }, { 'main::f' => 4, 'main::deep' => 0 }],
    ['a thread that dies', 'my $t = threads->create(sub { in_thread(2); die "in thread\n" }); $t->join; print defined $t->error ? $t->error : "none"; g()', { 'main::g' => 1 }, { 'main::f' => 2 }],
    ['a thread that exits', 'my $t = threads->create(sub { in_thread(2); threads->exit }); $t->join; g()', { 'main::g' => 1 }, { 'main::f' => 2 }],
    ['a thread that makes no call', 'threads->create(sub { my $x = 1 })->join; g()', { 'main::g' => 1 }, undef],
    ['shared data', 'use threads::shared; my %h :shared; my @t = map { my $n = $_; threads->create(sub { for (1 .. 100) { lock %h; $h{$n}++; f() } }) } 1 .. 3; $_->join for @t; print join(",", map { $h{$_} } 1 .. 3), "\n"', {}, ({ 'main::f' => 100 }) x 3],
    ['CLONE and objects', '{ package O; sub new { bless [] } sub CLONE { main::f() } sub DESTROY { main::g() } } my $o = O->new; threads->create(sub { my $x = $o; 1 })->join; undef $o', {}, undef],
    ['much', 'my @t = map { threads->create(\&in_thread, 8000) } 1 .. 2; f() for 1 .. 8000; $_->join for @t', { 'main::f' => 8000 }, ({ 'main::f' => 8000 }) x 2],
    ['fork in a thread', 'threads->create(sub { my $p = fork; if (!$p) { f() for 1 .. 3; require POSIX; POSIX::_exit(0) } waitpid $p, 0; f() })->join; g()', { 'main::g' => 1 }, undef],
    ['closures', 'my @c = map { my $n = $_; sub { $n } } 1 .. 3; my $d = sub { 5 };' . "\n" . 'sub make { my $n = shift;' . "\n" . ' return sub { $n } } threads->create(sub {' . "\n" . '$_->() for @c, @c; $d->(); $_->() for map { make($_) } 1 .. 3; (eval "sub { 7 }")->() for 1 .. 3 })->join', {},
        { 'main::__ANON__[x.pl:2]' => 6, 'main::__ANON__[x.pl:2:2]' => 1, 'main::__ANON__[x.pl:4]' => 3, 'main::__ANON__[x.pl:5/eval:1]' => 3, 'main::make' => 3 }],
    ['signals and evals', 'my $t = threads->create(sub { local $SIG{KILL} = sub { threads->exit }; eval "sub made { 1 } made()"; f(); 1 }); $t->join; eval "g()"', { 'main::g' => 1 }, { 'main::f' => 1, 'main::made' => 1 }],
);
for my $case (@cases) {
    my ($name, $text, $main, @others) = @$case;
    for my $way ('', 'format=compact', 'format=tree') {
        my $full = $way ? "$name, $way" : $name;
        my $run  = same("$head$text;\nprint qq{end\\n}; exit 3;\n", $full, options => $way);
        calls_are($run->{profile}, $main, "$full: the first thread's calls");
        next if @others && !defined $others[0];
        my @profiles = map { DProf::Marks->read_file($_) } grep { !m{/tmon\.out\z} } @{ $run->{files} };
        is @profiles, @others, "$full: " . @others . ' profiles of threads' or diag "@{ $run->{files} }";
        my @left = @others;
        for my $profile (@profiles) {
            marks_ok($profile, "$full: thread");
            ok $profile->run->{tid}, "$full: it has its tid";
            my ($at) = grep { my $want = $left[$_]; !grep { $profile->calls($_) != $want->{$_} } keys %$want } 0 .. $#left;
            ok defined $at, "$full: the calls of a thread" or diag explain $profile->all_calls;
            splice @left, $at, 1 if defined $at;
        }
    }
}

# Ends while threads live: perl warns, and so it does plainly.
for my $ending ('exit 3', 'die "dying\n"', 'print "off the end\n"', 'kill KILL => $$', 'require POSIX; POSIX::_exit(4)', 'exec "true"') {
    my $text = "$head use threads::shared; my \$ready :shared = 0; threads->create(sub { { lock \$ready; \$ready = 1; cond_signal(\$ready) } while (1) { f() } }) for 1 .. 2; { lock \$ready; cond_wait(\$ready) until \$ready } g(); $ending;\n";
    my $plain = plain($text);
    my $run   = profiled($text);
    is $run->{status}, $plain->{status}, "threads alive, $ending: same exit status";
    (my $said = $run->{err}) =~ s/\d+ (running|finished)/N $1/g;
    (my $want = $plain->{err}) =~ s/\d+ (running|finished)/N $1/g;
    is $said, $want, "threads alive, $ending: same standard error";
    is $run->{profile} && $run->{profile}->calls('main::g'), 1, "threads alive, $ending: the first thread's marks are there";
    for my $file (grep { !m{/tmon\.out\z} } @{ $run->{files} }) {
        is join("\n", DProf::Marks->read_file($file)->problems), '', "threads alive, $ending: what the others wrote can be read";
    }
}
done_testing;
