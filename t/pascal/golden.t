# Every listing, table and pretty print of the original pxp, to the byte: what was printed for the same
# command line. What differs on purpose is in *.mended.txt beside it (doc/pascal.md says why).
use strict;
use warnings;

use lib 't/lib';
use DProf::Test qw(slurp spew golden top);
use File::Copy ();
use File::Temp ();
use Test::More;

use Devel::DProf::Pxp;

$ENV{TZ} = 'UTC';
my $data   = top() . '/t/data/pascal';
my $folder = File::Temp::tempdir(CLEANUP => 1);
my $dated  = 486814800;    # 1985-06-05 10:20:00 UTC
my $ours   = Devel::DProf::Pascal::heading();
my $theirs = 'Berkeley Pascal PXP -- Version 2.13 (4/2/84)';

# What pxp prints with these arguments.
sub pxp {
    my (@words) = @_;
    open my $kept, '>&', \*STDOUT or die "$!\n";
    open STDOUT, '>', "$folder/out" or die "$folder/out: $!\n";
    my $status = eval { Devel::DProf::Pxp::main(@words) };
    my $error = $@;
    close STDOUT;
    open STDOUT, '>&', $kept or die "$!\n";
    die $error if $error;
    my $text = slurp("$folder/out");
    $text =~ s/\Q$ours\E/$theirs/g;
    return ($text, $status);
}

sub copied {
    my (@paths) = @_;
    for my $path (@paths) {
        my ($name) = $path =~ m{([^/]+)\z};
        File::Copy::copy($path, "$folder/$name") or die "$path: $!\n";
        utime $dated, $dated, "$folder/$name";
    }
    return;
}

sub compare {
    my ($want, @words) = @_;
    (my $mended = $want) =~ s/\.txt\z/.mended.txt/;
    my ($got, $status) = pxp(@words);
    golden($got, -e $mended ? $mended : $want);
    is($status, 0, "pxp @words: exit status") if $status;
    return;
}

chdir $folder or die "$folder: $!\n";
copied(grep { /\.(?:p|i|pmon)\z/ } glob("$data/*"), glob("$data/generated/*"), glob("$data/mismatch/*"));

for my $want (grep { !/mended/ } glob("$data/*.z.txt"), glob("$data/*.t.txt")) {
    my ($name, $letter) = $want =~ m{([^/]+)\.([zt])\.txt\z};
    compare($want, "-$letter", "$name.p", "$name.pmon");
}
for my $want (grep { !/mended/ } glob("$data/*.pp.txt"), glob("$data/generated/*.pp.txt")) {
    my ($name) = $want =~ m{([^/]+)\.pp\.txt\z};
    compare($want, "$name.p");
}
for my $line (grep { !/\A#/ } split /\n/, slurp("$data/VARIANTS")) {
    my ($want, $counts, $words) = split /\|/, $line;
    compare("$data/$want", split(' ', $words), $words =~ /-\w*[zt]/ ? "$counts.pmon" : ());
}
for my $want (glob("$data/generated/*.za.txt"), glob("$data/generated/*.t.txt")) {
    my ($name, $letters) = $want =~ m{([^/]+)\.(za|t)\.txt\z};
    compare($want, $letters eq 'za' ? '-az' : '-t', "$name.p", "$name.pmon");
}
for my $want (glob "$data/mismatch/*.z.fixed.txt") {
    my ($name) = $want =~ m{([^/]+)\.z\.fixed\.txt\z};
    compare($want, '-z', "$name.p", "$name.pmon");
}
compare("$data/incl.zselifix.txt", qw(-z incl1.i incl.p incl.pmon));
compare("$data/incl.zfix.txt",     qw(-z incl.p incl.pmon));

# The other layouts hold the same counts.
for my $path (glob "$data/*.{pdp11,3bsd,be}.pmon") {
    my ($file, $name) = $path =~ m{((\w+)\.\w+\.pmon)\z};
    compare("$data/$name.z.txt", '-z', "$name.p", $file);
}
chdir top();
done_testing;
