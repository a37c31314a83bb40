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
    for my $way ('', 'format=compact', 'format=tree', 'hook=sub') {
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
            ok scalar($profile->meta('begin')), "$full: and the moment it began";
            ok %{ $profile->{nodes} }, "$full: it is a tree" if $way eq 'format=tree';
            my ($at) = grep { my $want = $left[$_]; !grep { $profile->calls($_) != $want->{$_} } keys %$want } 0 .. $#left;
            ok defined $at, "$full: the calls of a thread" or diag explain $profile->all_calls;
            splice @left, $at, 1 if defined $at;
        }
    }
}

# What bounds a profile bounds a thread's.
for my $options ('limit=100k', 'text=100k') {
    my $run = profiled("$head threads->create(sub { f() for 1 .. 100_000 })->join;\n", options => $options);
    my ($path) = grep { !m{/tmon\.out\z} } @{ $run->{files} };
    my $profile = DProf::Marks->read_file($path);
    marks_ok($profile, "$options, in a thread");
    is $profile->calls('main::f'), 100_000, "$options, in a thread: all calls";
    cmp_ok -s $path, '<', $options =~ /limit/ ? 1_000_000 : 5_000_000, "$options, in a thread: it acts";
}

# The thread that joins another ends its profile: the totals are the other's.
for my $options ('format=text', 'format=tree') {
    my $run = profiled("$head sub busy { my \$s = 0; \$s += \$_ for 1 .. 20_000 } threads->create(sub { busy() for 1 .. 40; 1 })->join;\n", options => $options);
    my $profile = DProf::Marks->read_file((grep { !m{/tmon\.out\z} } @{ $run->{files} })[0]);
    my ($begin) = $profile->meta('begin');
    my $end     = ($profile->meta('end'))[-1];
    my ($user, $sys) = map { (split / /, $end)[$_ + 1] - (split / /, $begin)[$_] } 0, 1;
    cmp_ok $user + $sys, '>', 5000, "$options: the totals of a thread have the CPU time it took";
}

# A child forked while another thread holds a lock of ours: it has that lock, and not the thread.
{
    my $run = profiled("use threads; use threads::shared; use POSIX (); my \$end :shared = 0; my \@t = map { threads->create(sub { while (!\$end) { eval '1' for 1 .. 200 } }) } 1 .. 2; my \$hung = 0;"
        . "for (1 .. 120) { my \$p = fork; if (!\$p) { alarm 10; eval '1'; POSIX::_exit(0) } waitpid \$p, 0; last if \$? && ++\$hung } \$end = 1; \$_->join for \@t; print qq{\$hung\\n};\n", unread => 1);
    is $run->{out}, "0\n", 'children forked among threads that eval: none hangs';
}

# Where a thread may not write, that is said once.
SKIP: {
    skip 'root may write everywhere', 2 if !$>;
    my $run = profiled("$head chmod 0555, '.'; threads->create(\\&in_thread, 3)->join for 1 .. 3; chmod 0755, '.'; print qq{end\n};\n");
    is $run->{out}, "end\n", 'a folder that is read-only: threads run on';
    like $run->{err}, qr{\A[^\n]*threads run unprofiled\n\z}, 'with one line';
}
{
    my $run = profiled("$head mkdir 'gone'; Devel::DProf::start('gone/x.out'); unlink 'gone/x.out'; rmdir 'gone'; threads->create(\\&in_thread, 3)->join for 1 .. 3; print qq{end\n};\n");
    is $run->{out}, "end\n", 'a folder that is gone: threads run on';
    like $run->{err}, qr{^[^\n]*threads run unprofiled\n}m, 'with one line';
    is scalar(() = $run->{err} =~ /threads/g), 1, 'and not more';
}

# Subs without a name are the same in a thread and in a thread of that, also those of evals, and stay so.
{
    my $run = profiled(<<'END');
use threads; my @s = (sub { 1 }, sub { 2 });
push @s, eval 'sub { 3 }, sub { 4 }';
push @s, eval 'sub { 5 }';
$_->() for @s;
threads->create(sub { $_->() for @s; threads->create(sub { $_->() for @s })->join; eval 'sub { 6 }'; $_->() for @s })->join;
END
    my @kept = ('x.pl:1', 'x.pl:1:2', 'x.pl:2/eval:1', 'x.pl:2/eval:1:2', 'x.pl:3/eval:1');
    my @files = sort @{ $run->{files} };
    is scalar @files, 3, 'three threads';
    for my $times (1, 2, 1) {
        calls_are(DProf::Marks->read_file(shift @files), { map { ("main::__ANON__[$_]" => $times) } @kept }, 'each sub has its name in each thread');
    }
}
{
    my $many = join '', map { "push \@s, sub { $_ };\n" } 1 .. 300;
    my $run = profiled("use threads; my \@s;\n${many}sub evals { my \@k; push \@k, eval qq{sub { \$_ }} for 1 .. \$_[0]; \$_->() for \@k }\n"
        . 'for (1 .. 3) { threads->create(sub { evals(3000) })->join } threads->create(sub { $_->() for @s; evals(6000); $_->() for @s })->join;' . "\n");
    my ($last) = grep { /\.4\z/ } @{ $run->{files} };
    my $calls = DProf::Marks->read_file($last)->all_calls;
    is_deeply { map { ($_ => $calls->{$_}) } grep { /x\.pl:\d+(?::\d+)?\]/ && !/:303/ } keys %$calls }, { map { ("main::__ANON__[x.pl:$_]" => 2) } 2 .. 301 },
        'subs of the parent stay who they are while others come and go';
}

# Closures of one sub are one sub in a thread too, and code that lies where freed code lay is not that.
{
    my $run = profiled(<<'END');
use threads; my @c = map { my $x = $_; sub { $x } } 1 .. 40; my @p = map { my $y = $_; sub { $y } } 1 .. 500; undef @p;
eval '[sub { 1 }, sub { 2 }]' for 1 .. 100; my @f = map { eval 'sub { 3 }' } 1 .. 100;
threads->create(sub { $_->() for @c, @f })->join;
END
    my ($thread) = grep { /\.1\z/ } @{ $run->{files} };
    my $calls = DProf::Marks->read_file($thread)->all_calls;
    is_deeply { map { ($_ => $calls->{$_}) } grep { /__ANON__/ } keys %$calls }, { 'main::__ANON__[x.pl:1]' => 40, 'main::__ANON__[x.pl:2/eval:1]' => 100, 'main::__ANON__[x.pl:3]' => 1 },
        'closures in a thread' or diag explain $calls;
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
