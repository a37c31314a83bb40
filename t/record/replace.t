# An older profile is replaced by a new file: who still reads the old one is not hit; the old run's family goes, nothing else does.
use strict;
use warnings;
use lib 't/lib';
use DProf::Record;
use Test::More;

my $program = "sub f { 1 } f() for 1 .. 5;\n";
{
    my $folder = fresh();
    profiled($program, folder => $folder);
    open my $old, '<', "$folder/tmon.out" or die $!;
    my $inode = (stat $old)[1];
    my $bytes = slurp("$folder/tmon.out");
    link "$folder/tmon.out", "$folder/kept" or die $!;
    my $run = profiled("sub g { 1 } g() for 1 .. 5000;\n", folder => $folder);
    isnt + (stat "$folder/tmon.out")[1], $inode, 'the new profile is a new file';
    my $still = do { local $/; <$old> };
    is $still, $bytes, 'a reader of the old one reads it to its end';
    is slurp("$folder/kept"), $bytes, 'and another name of it keeps it';
    is_deeply [$run->{profile}->names], ['main::g'], 'nothing of the old is in the new';
}

# The family: FILE.PID of the run before goes with it; files that only look so stay.
{
    my $folder = fresh();
    my $first  = profiled("sub f { 1 } if (!fork) { f(); exit } wait; f();\n", folder => $folder);
    my @family = grep { m{/tmon\.out\.\d+\z} } @{ $first->{files} };
    is @family, 1, 'a child has a profile beside its parent\'s';
    spew("$folder/tmon.out.1",      "a text of mine\n");
    spew("$folder/tmon.out.bak",    slurp("$folder/tmon.out"));
    spew("$folder/tmon.out.99999",  do { (my $other = slurp($family[0])) =~ s/^#run id=\w{10}/#run id=0123456789/m; $other });
    spew("$folder/tmon.outer",      slurp($family[0]));
    mkdir "$folder/tmon.out.d" or die $!;
    profiled($program, folder => $folder);
    ok !-e $family[0], 'the child\'s goes with the run';
    is slurp("$folder/tmon.out.1"), "a text of mine\n", 'a file that is no profile stays';
    ok -e "$folder/tmon.out.99999", 'one of another family stays';
    ok -e "$folder/tmon.outer", 'one of another name stays';
    ok -d "$folder/tmon.out.d", 'a folder stays';
}

# Whatever stands there.
for my $old ('', "\n", '#fOrTyTwO', "x" x 5000, "#run id=zzzzzzzzzz pid=1\n", "#fOrTyTwO\n\$hz=100;\nPART2\n", "\n#run id=0123456789 pid=99999999999999999999 started=1.5\n") {
    my $folder = fresh();
    spew("$folder/tmon.out", $old);
    my $run = same($program, 'an odd file before (' . length($old) . ' bytes)', folder => $folder);
    is $run->{profile}->calls('main::f'), 5, 'is replaced';
    is @{ $run->{files} }, 1, 'by one file';
}

# A live process keeps its profile: two programs in one folder.
{
    my $folder = fresh();
    my $run = profiled(<<'END', folder => $folder);
sub f { 1 } f() for 1 .. 5; my $pid = fork; if (!$pid) { exec $^X, @ARGV } waitpid $pid, 0; f() for 1 .. 5;
END
    my $nested = profiled('sub f { 1 } f() for 1 .. 5; system @ARGV; f() for 1 .. 5;' . "\n",
        folder => $folder, args => [perl_with('-d:DProf', '-e', 'sub g { 1 } g() for 1 .. 7')]);
    is $nested->{profile}->calls('main::f'), 10, 'a second program in the folder does not touch the profile of the first';
    my @others = grep { !m{/tmon\.out\z} } @{ $nested->{files} };
    is @others, 1, 'and has its own';
    is(DProf::Marks->read_file($others[0])->calls('main::g'), 7, 'with its calls') if @others;
    is $nested->{err}, '', 'nothing is said';
    my @notes = @others ? DProf::Marks->read_file($others[0])->meta('note') : ();
    like "@notes", qr/name of its own/, 'but noted';
}
done_testing;
