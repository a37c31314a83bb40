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

# What is written beside marks: the names and places of subs in a tree, what the program itself puts in.
my %beside = (
    'names in a tree'  => ['format=tree', 'my $n = "x" x 150; for my $i (1 .. 4000) { eval "sub s${i}_$n { 1 } s${i}_$n()" } s1_x() if 0; sub f { 1 } f() for 1 .. 10; print "alive\n"; exit 3'],
    'places in a tree' => ['format=tree', 'my $n = "x" x 150; sub f { 1 } for my $i (1 .. 3000) { eval "#line 1 \"$i$n\"\nf()" } f() for 1 .. 10; print "alive\n"; exit 3'],
    'labels'           => ['', 'sub f { 1 } for my $i (1 .. 3000) { Devel::DProf::mark("x" x 3000) } f() for 1 .. 10; print "alive\n"; exit 3'],
    'nested in a tree' => ['format=tree', 'my $n = "x" x 150; sub r { my $i = shift; eval "sub s${i}_$n { 1 } s${i}_$n()"; r($i - 1) if $i > 1 } no warnings; r(3000); r(1); print "alive\n"; exit 3'],
);
for my $name (sort keys %beside) {
    my ($options, $text) = @{ $beside{$name} };
    my $run = plain('', folder => with_program("$text;\n"), command => ['sh', '-c', 'ulimit -f 300; exec "$@"', 'sh', perl_with("-d:DProf=limit=0,$options", 'x.pl')]);
    is "$run->{out}$run->{status}", "alive\n768", "$name: the program is not harmed";
    like $run->{err}, qr{\A[^\n]*tmon\.out[^\n]*\n\z}, "$name: one line says that it ended";
}
done_testing;

sub with_program { my $folder = fresh(); spew("$folder/x.pl", shift); return $folder }
