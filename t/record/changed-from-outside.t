# A profile that somebody else truncates, deletes or replaces while it is written: the program goes on, one line is said where marks are lost, and what is not ours is not touched.
use strict;
use warnings;
use lib 't/lib';
use DProf::Record;
use Test::More;

my $calls = 12_000;
my $body  = 'sub f { $_[0] + 1 } my $n = 0; $n = f($n) for 1 .. ' . $calls . '; DO; $n = f($n) for 1 .. ' . $calls . '; print "$n\n"; exit 3;';

for my $way ('', 'hz=100', 'format=compact', 'portable=1') {
    my $run = with($way, 'truncate "tmon.out", 0');
    harmless($run, "truncated$way");
    like $run->{err}, qr{\A(?:[^\n]*tmon\.out[^\n]*\n)?\z}, "truncated, $way: at most one line";
    my $profile = $run->{profile};
    ok $run->{err} || $profile->calls('main::f') >= $calls, "truncated, $way: what is lost is said";

    $run = with($way, 'truncate "tmon.out", 5000');
    harmless($run, "truncated in the middle$way");

    $run = with($way, 'unlink "tmon.out"');
    harmless($run, "deleted$way");
    like $run->{err}, qr{\A(?:[^\n]*tmon\.out[^\n]*\n)?\z}, "deleted, $way: at most one line";

    # Another file at its place, made by rename and by a new file.
    $run = with($way, 'open my $o, ">", "other" or die; print $o "theirs\n"; close $o; rename "other", "tmon.out" or die');
    harmless($run, "replaced$way");
    is slurp("$run->{folder}/tmon.out"), "theirs\n", "replaced, $way: the other file is not touched";

    $run = with($way, 'mkdir "to" or die; rename "tmon.out", "to/moved" or die');
    harmless($run, "moved$way");
    my $moved = DProf::Marks->read_file("$run->{folder}/to/moved");
    is $moved->calls('main::f'), 2 * $calls, "moved, $way: all marks are in it";
    is $run->{err}, '', "moved, $way: nothing is said";
    ok !-e "$run->{folder}/tmon.out", "moved, $way: no second one is made";

    # Appended to by somebody.
    $run = with($way, 'open my $o, ">>", "tmon.out" or die; print $o "theirs\n"; close $o');
    harmless($run, "appended to$way");

    # The folder it is in.
    $run = with($way, 'mkdir "../elsewhere$$" or die; for my $f (glob "tmon.out*") { unlink $f } chdir "/"');
    rmdir $_ for glob "$run->{folder}/../elsewhere*";
    harmless($run, "deleted, and another working folder$way");
}

# The program's descriptors closed, and the file gone: there is no way back.
for my $way ('', 'portable=1') {
    my $run = with($way, 'unlink "tmon.out"; require POSIX; POSIX::close($_) for 3 .. 1023; $n-- , f(1) for 1 .. 1');
    is $run->{status}, 768, "descriptors closed and deleted, $way: same exit status";
    like $run->{err}, qr{\A[^\n]*tmon\.out[^\n]*\n\z}, "descriptors closed and deleted, $way: one line says so";
    ok !-e "$run->{folder}/tmon.out", "descriptors closed and deleted, $way: no new file";
}

# The program's descriptors closed, and the file where it was: it goes on there.
for my $way ('', 'hz=100', 'format=compact', 'portable=1', 'portable=1,format=compact') {
    my $run = with("$way,limit=0", 'require POSIX; POSIX::close($_) for 3 .. 1023');
    harmless($run, "descriptors closed, $way");
    is $run->{err}, '', "descriptors closed, $way: nothing is said";
    is $run->{profile}->calls('main::f'), 2 * $calls, "descriptors closed, $way: all marks are there";
}

# The tree beside the profile.
my %harm = (
    'truncated'               => ['truncate "tmon.out.tree", 0', 1],
    'truncated in the middle' => ['f2(); truncate "tmon.out.tree", 5000', 1],
    'deleted'                 => ['unlink "tmon.out.tree"'],
    'replaced'                => ['open my $o, ">", "other" or die; print $o "theirs\n"; close $o; rename "other", "tmon.out.tree" or die'],
    'all descriptors closed'  => ['require POSIX; POSIX::close($_) for 3 .. 1023'],
    'its number taken'        => ['require POSIX; my ($fd) = grep { (readlink("/proc/self/fd/$_") || "") =~ /tree\z/ } 3 .. 1023;
        open my $o, "+>", "other" or die; syswrite $o, "theirs\n" x 100_000; POSIX::close($fd), POSIX::dup2(fileno $o, $fd) if $fd'],
    'closed and deleted'      => ['unlink "tmon.out.tree"; require POSIX; POSIX::close($_) for 3 .. 1023'],
);
for my $how (sort keys %harm) {
    my ($do, $says) = @{ $harm{$how} };
    (my $text = "sub f2 { 1 } $body\n") =~ s/DO/$do; eval "f(1);\\n" x 12_000/;
    my $run = profiled($text, options => 'format=tree');
    my $name = "the tree $how";
    harmless($run, $name);
    like $run->{err}, $says ? qr{\A[^\n]*tmon\.out: its \.tree[^\n]*\n\z} : qr{\A\z}, "$name: what is lost is said";
    is slurp("$run->{folder}/tmon.out.tree"), "theirs\n", "$name: the other file is not touched" if $how eq 'replaced';
    is slurp("$run->{folder}/other"), "theirs\n" x 100_000, "$name: nothing is written there" if $how eq 'its number taken';
    next if $says || $how eq 'closed and deleted'; # there is no way back to the file: the tree stops growing
    is $run->{profile}->calls('main::f'), 3 * $calls, "$name: all calls are in the profile";
    cmp_ok scalar(keys %{ $run->{profile}{nodes} }), '>', 12_000, "$name: and all paths";
}
{
    my $run = profiled("sub f { 1 } f(); print glob('*.tree'), grep({ (readlink(\"/proc/self/fd/\$_\") || '') =~ /tree\\z/ } 3 .. 1023), qq{.\\n};\n", options => 'format=tree,portable=1');
    is $run->{out}, ".\n", 'portable=1: the tree has no file';
}
done_testing;

sub with {
    my ($way, $do) = @_;
    (my $text = $body) =~ s/DO/$do/;
    return profiled("$text\n", options => $way);
}

sub harmless {
    my ($run, $name) = @_;
    is $run->{out},    2 * $calls . "\n", "$name: same standard output";
    is $run->{status}, 768,               "$name: same exit status";
    return;
}
