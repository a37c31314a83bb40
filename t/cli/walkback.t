# walkback of a program that hangs, and of one that was killed: what a debugger would show, from the file.
use strict;
use warnings;

use lib 't/lib';

use DProf::Test qw(dprofpp in_folder spew);
use File::Temp ();
use Test::More;

plan skip_all => 'no signals here' if $^O eq 'MSWin32';

my $folder = File::Temp->newdir;
in_folder("$folder", sub {
    spew('hang.pl', <<'PROGRAM');
$| = 1;
sub hang { print "here\n"; sleep 300 }
sub request { hang(@_) }
sub quick { 1 }
quick() for 1 .. 3;
request();
PROGRAM
    # Not portable, whatever PERL_DPROF says: that way keeps the last marks in a buffer.
    my $pid = open my $says, '-|', @DProf::Test::PERL, '-d:DProf=portable=0', 'hang.pl' or die "$!\n";
    is(scalar <$says>, "here\n", 'it hangs');

    my $got = dprofpp(['--report', 'walkback']);
    is($got->{status}, 0, 'status 0');
    is($got->{err}, '', 'nothing else is said');
    like($got->{out}, qr/\AStill running\. Open now, innermost first, .*:\n/, 'it still runs');
    like($got->{out}, qr/^#0 +~\d+\.\d  main::hang  \(hang\.pl:2\)\n#1 +~\d+\.\d  main::request  \(hang\.pl:3\)\n/m,
        'the open frames, since when, and where they are defined');
    like($got->{out}, qr/ \+ main::quick\n.* - main::quick\n.* \+ main::request\n.* \+ main::hang\n\z/,
        'the last marks');

    kill 'KILL', $pid;
    close $says;
    $got = dprofpp(['--report', 'walkback']);
    like($got->{out}, qr/\AOpen at the last mark, innermost first, .*:\n#0 +0\.\d+  main::hang  /, 'killed');
    is(dprofpp(['--report', 'walkback', '-q'])->{out} =~ tr/\n//, 10, '-q: only frames and marks');
});

done_testing;
