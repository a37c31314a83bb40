# A limit on the size of files (ulimit -f) ends the profile at a whole mark; the program does not get our SIGXFSZ, and gets its own.
use strict;
use warnings;
use lib 't/lib';
use DProf::Record;
use Test::More;

plan skip_all => 'needs a shell with ulimit -f' if system('sh', '-c', 'ulimit -f 100') != 0;

my $program = <<'END';
sub f { $_[0] + 1 } $SIG{XFSZ} = $ARGV[0] if $ARGV[0]; my $n = 0; $n = f($n) for 1 .. 60_000; print "$n\n";
$| = 1; open my $fh, '>', 'data' or die; my $wrote = 0; while ($wrote < 1_000_000) { my $w = syswrite $fh, 'x' x 10_000; last if !defined $w; $wrote += $w } print "$wrote ", $!{EFBIG} ? 'too large' : $! + 0, "\n"; f(1); exit 3;
END
for my $how ('', 'IGNORE') {
    for my $way ('', 'format=compact', 'portable=1') {
        my $name = join ', ', grep { length } 'SIGXFSZ ' . ($how || 'as perl has it'), $way;
        my ($plain, $run) = map { my $d = $_;
            plain('', folder => with_program($program), command => ['sh', '-c', 'ulimit -f 300; exec "$@"', 'sh', perl_with($d ? "-d:DProf=$way,limit=0" : (), 'x.pl', $how)]) } 0, 1;
        is $run->{out},    $plain->{out},    "$name: same standard output";
        is $run->{status}, $plain->{status}, "$name: same exit status";
        my $profile = DProf::Marks->read_file("$run->{folder}/tmon.out");
        if ($profile->ended) {
            is $run->{err}, '', "$name: it had room enough";
            next;
        }
        like $run->{err}, qr{\A[^\n]*tmon\.out[^\n]*\n\z}, "$name: one line says that it ended";
        marks_ok($profile, $name, killed => 1);
        cmp_ok $profile->calls('main::f'), '>', 1000, "$name: what fits is there";
        is $profile->{tail}, '', "$name: it ends at a whole mark";
    }
}
done_testing;

sub with_program { my $folder = fresh(); spew("$folder/x.pl", shift); return $folder }
