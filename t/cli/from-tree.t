# dprofpp runs from a tree that is built and not installed, from any folder, without PERL5LIB.
use strict;
use warnings;

use Cwd qw(getcwd);
use File::Copy qw(copy);
use File::Temp qw(tempdir);
use Test::More;

my $tree    = getcwd();
my $profile = "$tree/t/data/report/1997.in";
plan skip_all => 'the tree is not built' if !-d "$tree/blib/arch/auto/Devel/DProf";

delete $ENV{PERL5LIB};

sub says {
    my ($dprofpp) = @_;
    my $said = qx{"$^X" "$dprofpp" -q -O 1 "$profile" 2>&1};

    is $?, 0, "$dprofpp: exit status";
    like $said, qr/\A(?: *[\d.]+ +[\d.]+ [^\n]*\n){2}\z/, "$dprofpp: a report and nothing else";
    return;
}

says('dprofpp');
says('blib/script/dprofpp');
chdir tempdir(CLEANUP => 1) or die $!;
says("$tree/dprofpp");
says("$tree/blib/script/dprofpp");

mkdir 'bin';
symlink "$tree/blib", 'blib' or die $!;
copy("$tree/dprofpp", 'bin/dprofpp');
says('bin/dprofpp');
chdir '/' or die $!;

done_testing;
