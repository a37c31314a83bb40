# Each process writes its own: children have FILE.PID beside the parent's, which is not touched, whatever kind of fork made them.
use strict;
use warnings;
use lib 't/lib';
use DProf::Record;
use Test::More;

use Config;

# [NAME, PROGRAM, calls of the parent, calls of each child in turn]. Each process calls its own sub, so that the files can be told apart.
my $common = 'sub shared { 1 } sub parent { 1 } sub child { 1 } sub grandchild { 1 } sub deep { my ($n, $code) = @_; $n ? deep($n - 1, $code) : $code->() } $| = 1;' . "\n";
my @cases = (
    ['fork and exit', 'shared() for 1 .. 3; my $p = fork; if (!$p) { child() for 1 .. 5; exit 2 } waitpid $p, 0; parent() for 1 .. 4; print $? >> 8, "\n"',
        { 'main::shared' => 3, 'main::parent' => 4, 'main::child' => 0 }, { 'main::child' => 5, 'main::shared' => 0, 'main::parent' => 0 }],
    ['many children', 'my @p = map { my $n = $_; my $p = fork; if (!$p) { child() for 1 .. 5; exit } $p } 1 .. 6; waitpid $_, 0 for @p; parent()',
        { 'main::parent' => 1 }, ({ 'main::child' => 5 }) x 6],
    ['a grandchild', 'my $p = fork; if (!$p) { child(); my $q = fork; if (!$q) { grandchild() for 1 .. 7; exit } waitpid $q, 0; child(); exit } waitpid $p, 0; parent()',
        { 'main::parent' => 1, 'main::grandchild' => 0 }, { 'main::child' => 2, 'main::grandchild' => 0 }, { 'main::grandchild' => 7, 'main::child' => 0 }],
    ['a double fork', 'my $p = fork; if (!$p) { my $q = fork; if (!$q) { grandchild() for 1 .. 7; exit } require POSIX; POSIX::_exit(0) } waitpid $p, 0; parent() for 1 .. 2',
        { 'main::parent' => 2 }, { 'POSIX::_exit' => 1, 'main::grandchild' => 0 }, { 'main::grandchild' => 7 }],
    ['a daemon', 'use POSIX (); parent(); my $p = fork; exit 0 if $p; POSIX::setsid(); chdir "/"; open STDIN, "<", "/dev/null"; open STDOUT, ">", "/dev/null"; open STDERR, ">", "/dev/null"; child() for 1 .. 9',
        { 'main::parent' => 1 }, { 'main::child' => 9 }],
    ['open "-|"', 'my $p = open my $fh, "-|"; if (!$p) { child() for 1 .. 3; print "said\n"; exit } print <$fh>; close $fh; parent()',
        { 'main::parent' => 1 }, { 'main::child' => 3 }],
    ['frames that are open', 'deep(10, sub { my $p = fork; if (!$p) { child() for 1 .. 3; exit } waitpid $p, 0; parent() })',
        { 'main::parent' => 1, 'main::deep' => 11 }, { 'main::child' => 3, 'main::deep' => 0 }],
    ['a child that returns through them', 'my $p = 1; deep(10, sub { $p = fork; child() if !$p }); child() if !$p; waitpid $p, 0 if $p; parent() if $p',
        { 'main::parent' => 1, 'main::deep' => 11 }, { 'main::child' => 2, 'main::deep' => 0 }],
    ['a child that dies through them', 'my $p = 1; eval { deep(10, sub { $p = fork; if (!$p) { child(); die "x" } }) }; child() if !$p; waitpid $p, 0 if $p; parent() if $p',
        { 'main::parent' => 1, 'main::deep' => 11 }, { 'main::child' => 2, 'main::deep' => 0 }],
    ['a child that is killed', 'my $p = fork; if (!$p) { child() for 1 .. 999; kill KILL => $$ } waitpid $p, 0; parent(); print $? & 127, "\n"',
        { 'main::parent' => 1 }, { 'main::child' => 999 }],
    ['a child that execs', 'my $p = fork; if (!$p) { child() for 1 .. 3; exec "true" } waitpid $p, 0; parent()',
        { 'main::parent' => 1 }, { 'main::child' => 3 }],
    ['a child that makes no mark', 'my $p = fork; if (!$p) { POSIX::_exit(0) if 0; kill KILL => $$ } waitpid $p, 0; parent()',
        { 'main::parent' => 1 }],
    ['system and backticks', 'parent(); system "true"; my $x = `echo 1`; system "exit 3"; parent(); print $? >> 8, "\n"',
        { 'main::parent' => 2 }],
    ['a parent that ends first', 'pipe my $r, my $w; my $p = fork; if (!$p) { close $w; my $x = <$r>; child() for 1 .. 4; exit } parent()',
        { 'main::parent' => 1 }, { 'main::child' => 4 }],
    ['both write much', 'my $p = fork; if (!$p) { child() for 1 .. 20_000; exit } parent() for 1 .. 20_000; waitpid $p, 0; parent()',
        { 'main::parent' => 20_001, 'main::child' => 0 }, { 'main::child' => 20_000, 'main::parent' => 0 }],
    ['after much was written', 'shared() for 1 .. 20_000; my $p = fork; if (!$p) { child() for 1 .. 5; exit } parent() for 1 .. 20_000; waitpid $p, 0',
        { 'main::parent' => 20_000, 'main::shared' => 20_000 }, { 'main::child' => 5 }],
    ['raw fork', "my \$p = syscall NR, 17, 0, 0, 0, 0; if (!\$p) { child() for 1 .. 6; exit } waitpid \$p, 0; parent()",
        { 'main::parent' => 1 }, { 'main::child' => 6 }],
);
for my $case (@cases) {
    my ($name, $text, $of_parent, @of_children) = @$case;
    if ($name eq 'raw fork') {
        # clone(2) with SIGCHLD is fork, behind the back of the C library.
        my $number = $^O ne 'linux' ? undef : $Config{archname} =~ /^x86_64/ ? 56 : $Config{archname} =~ /^aarch64/ ? 220 : undef;
        next if !$number;
        $text =~ s/NR/$number/;
    }
    for my $way ('', 'format=compact', 'portable=1') {
        # The portable way keeps marks in a buffer, which dies with the process.
        next if $way eq 'portable=1' && $name =~ /kill/;
        my $full = $way ? "$name, $way" : $name;
        my $run  = same("$common$text;\n", $full, options => $way);
        calls_are($run->{profile}, $of_parent, "$full: the parent's calls");
        my @children = map { [$_, DProf::Marks->read_file($_)] } grep { !m{/tmon\.out\z} } @{ $run->{files} };
        is @children, @of_children, "$full: " . @of_children . ' profiles of children' or diag "@{ $run->{files} }";
        my @left = @of_children;
        for my $child (sort { $a->[1]->run->{started} <=> $b->[1]->run->{started} } @children) {
            my ($path, $profile) = @$child;
            my ($pid) = $path =~ /tmon\.out\.(\d+)\z/;
            is $profile->run->{pid}, $pid, "$full: it is named by the child's pid";
            is $profile->run->{id}, $run->{profile}->run->{id}, "$full: it is of the same family";
            ok $profile->run->{parent} && $profile->run->{forked}, "$full: it knows its parent";
            marks_ok($profile, "$full: child", killed => $name =~ /kill|exec|double/ ? 1 : 0);
            my ($at) = grep { my $want = $left[$_]; !grep { $profile->calls($_) != $want->{$_} } keys %$want } 0 .. $#left;
            ok defined $at, "$full: the child's calls" or diag explain $profile->all_calls;
            splice @left, $at, 1 if defined $at;
            next if $name !~ /frames|through/;
            is join(' ', $profile->meta('open')), 12, "$full: the frames that were open are announced";
            is $profile->{marks}[11][4] =~ /__ANON__/ && $profile->{marks}[10][4], 'main::deep', "$full: and entered again";
        }
        my @told = map { (split / /)[0] } $run->{profile}->meta('child');
        is_deeply [sort @told], [sort map { $_->[1]->run->{pid} } @children], "$full: the parent tells of its children" if @told;
    }
}

# After the parent's profile became a tree: the child begins anew, whether its first event is a call or a return.
for my $way ('limit=64k', 'limit=64k,hz=100', 'limit=64k,portable=1', 'format=tree', 'format=tree,portable=1') {
    for my $case (
        ['a call', 'shared() for 1 .. 20_000; my $p = fork; if (!$p) { child() for 1 .. 5; exit 2 } waitpid $p, 0; parent(); print $?, "\n"'],
        ['a return', 'my $p; sub forks { shared() for 1 .. 20_000; $p = fork; 1 } forks(); if (!$p) { child() for 1 .. 5; exit 2 } waitpid $p, 0; parent(); print $?, "\n"'],
        ['a die', 'my $p; sub forks { shared() for 1 .. 20_000; $p = fork; die "x" } eval { forks() }; if (!$p) { child() for 1 .. 5; exit 2 } waitpid $p, 0; parent(); print $?, "\n"'],
        ['an exit', 'sub forks { shared() for 1 .. 20_000; my $p = fork; exit 2 if !$p; waitpid $p, 0; $? } my $e = forks(); parent(); print "$e\n"'],
        )
    {
        my ($name, $text) = @$case;
        my $run = same("$common$text;\n", "a tree, the child begins with $name, $way", options => $way);
        is $run->{profile}->calls('main::shared'), 20_000, "a tree, $name, $way: the parent's calls";
        is $run->{profile}->calls('main::child'),  0,      "a tree, $name, $way: and not the child's";
        next if $name eq 'an exit';
        my ($path, @more) = grep { !m{/tmon\.out\z} } @{ $run->{files} };
        ok $path && !@more, "a tree, $name, $way: one profile of a child" or diag "@{ $run->{files} }" or next;
        my $child = DProf::Marks->read_file($path);
        marks_ok($child, "a tree, $name, $way: child");
        is $child->calls('main::child'),  5, "a tree, $name, $way: the child's calls";
        is $child->calls('main::shared'), 0, "a tree, $name, $way: and not the parent's";
        ok %{ $child->{nodes} }, "a tree, $name, $way: it is a tree too";
    }
}

# children=0: no profiles of children, no harm.
{
    my $run = same("${common}my \$p = fork; if (!\$p) { child() for 1 .. 5000; exit 2 } waitpid \$p, 0; parent() for 1 .. 4; print \$? >> 8;\n", 'children=0', options => 'children=0');
    is @{ $run->{files} }, 1, 'children=0: one file';
    is $run->{profile}->calls('main::child'), 0, 'children=0: without what children did';
}

# Where the child may not write: a line, and it goes on.
SKIP: {
    skip 'only root can chroot', 2 if $>;
    my $run = profiled("${common}my \$p = fork; if (!\$p) { chroot '/proc/self/fdinfo' or die; child() for 1 .. 5; exit 2 } waitpid \$p, 0; parent(); print \$? >> 8;\n");
    is $run->{out}, 2, 'a child in another root has its own exit status';
    is $run->{profile}->calls('main::parent'), 1, 'and the parent its profile';
}
done_testing;
