# The two commands of the README: a real program is profiled, its output and exit status
# stay as they are, and dprofpp names its subs with the right number of calls.
use strict;
use warnings;
use Cwd 'abs_path';
use File::Temp 'tempdir';
use Test::More;

my $folder  = tempdir(CLEANUP => 1);
my @perl    = ($^X, map { '-I' . abs_path($_) } grep { -d } @INC);
my $dprofpp = abs_path('dprofpp');
my $script  = "$folder/counts.pl";

open my $out, '>', $script or die "$script: $!\n";
print {$out} <<'PROGRAM';
use strict;
my %made;
sub leaf   { $made{leaf}++; return $_[0] * 2 }
sub branch { $made{branch}++; my $sum = 0; $sum += leaf($_) for 1 .. $_[0]; return $sum }
sub deep   { $made{deep}++; return $_[0] ? deep($_[0] - 1) : 0 }
my @sorted = sort { $made{block}++; leaf($a) <=> leaf($b) } 3, 1, 2;
branch($_) for 1 .. 20;
deep(50);
eval { branch(1); die "out of it\n" };
print "$_ $made{$_}\n" for qw(branch deep leaf);
exit 3;
PROGRAM
close $out or die "$script: $!\n";

my ($plain, $plain_status) = run($^X, $script);
my ($said, $status) = in_folder($folder, sub { run(@perl, '-d:DProf', $script) });
is $said, $plain, 'the program says the same, profiled';
is $status, $plain_status, 'and ends with the same status';
is $plain_status >> 8, 3, 'which is its own';
ok -s "$folder/tmon.out", 'tmon.out is written to the current folder';

my ($report, $report_status) = in_folder($folder, sub { run(@perl, $dprofpp) });
is $report_status, 0, 'dprofpp reads it';
for my $line (split /\n/, $plain) {
    my ($sub, $calls) = split ' ', $line;
    like $report, qr/^ .* \s $calls \s .* \s main::$sub $/mx, "main::$sub was called $calls times";
}
done_testing;

# Standard output and error together, and the status.
sub run {
    my (@command) = @_;
    my $said = "$folder/said";
    my $pid  = fork;
    defined $pid or die "fork: $!\n";
    if (!$pid) {
        open STDOUT, '>', $said or die "$said: $!\n";
        open STDERR, '>&', \*STDOUT or die "dup: $!\n";
        exec @command or die "$command[0]: $!\n";
    }
    waitpid $pid, 0;
    my $status = $?;
    open my $fh, '<', $said or die "$said: $!\n";
    local $/;
    return (scalar <$fh>, $status);
}

sub in_folder {
    my ($to, $code) = @_;
    my $back = abs_path('.');
    chdir $to or die "$to: $!\n";
    my @got = $code->();
    chdir $back or die "$back: $!\n";
    return @got;
}
