# A program that embeds perl makes an interpreter, destroys it and makes another: each has a whole profile.
use strict;
use warnings;
use lib 't/lib';
use DProf::Record;
use DProf::Marks;
use Test::More;

use Config;

my $folder = fresh();
my @options = eval { require ExtUtils::Embed; (ExtUtils::Embed::ccopts(), ExtUtils::Embed::ldopts(1)) };
my $program = "$folder/embed";
my $source = data('embed.c');

plan skip_all => 'no C compiler or no libperl to link with (Debian: libperl-dev)'
    if !@options || system "$Config{cc} -o $program $source @options >$folder/log 2>&1";

my $script = <<'SCRIPT';
package G; sub new { bless [] } sub DESTROY { 1 }
package main; our $g = G->new; sub f { 1 } f() for 1 .. 3; print "ok\n";
SCRIPT
spew("$folder/x.pl", $script);

for my $level (0, 1, 2) {
    unlink glob "$folder/tmon.out*";
    my (undef, @inc) = perl_with();
    open my $out, '-|', 'sh', '-c', 'cd "$0" && exec "$@"', $folder, $program, $level, @inc,
        '-MDevel::DProf', 'x.pl' or die "sh: $!\n";
    my $said = join '', <$out>;
    close $out;
    is $said, "ok\n" x 3, "destruct level $level: three interpreters ran";
    is $?, 0, "destruct level $level: and ended well";
    my @files = glob "$folder/tmon.out*";
    is scalar @files, 3, "destruct level $level: three profiles";
    for my $file (@files) {
        my $profile = DProf::Marks->read_file($file);
        my %calls;
        $calls{ $_->[4] }++ for grep { $_->[0] eq '+' } @{ $profile->{marks} };
        is_deeply \%calls, { 'G::new' => 1, 'main::f' => 3, 'G::DESTROY' => 1 },
            "destruct level $level: all calls, those of the destruction too";
        ok $profile->{ended}, "destruct level $level: a clean end";
    }
}

# The classic way, with string evals, whose hook is the process's.
{
    spew("$folder/y.pl", 'sub f { 1 } f(); eval "f()"; print "ok\n";');
    my (undef, @inc) = perl_with();
    open my $out, '-|', 'sh', '-c', 'cd "$0" && exec "$@"', $folder, $program, 1, @inc, '-MDevel::DProf=hook=sub', 'y.pl' or die "sh: $!\n";
    my $said = join '', <$out>;
    close $out;
    is "$said$?", "ok\n" x 3 . 0, 'hook=sub and string evals: three interpreters ran';
}

# Both ways in one process, one after the other: an op that both take is taken once.
{
    spew("$folder/z.pl", 'BEGIN { require Devel::DProf; Devel::DProf->import(-e "first" ? "hook=op" : "hook=sub"); open my $fh, ">", "first" } sub f { 1 } f(); eval "f()"; { no warnings; exec "./none" } print "ok\n";');
    my (undef, @inc) = perl_with();
    open my $out, '-|', 'sh', '-c', 'cd "$0" && exec "$@"', $folder, $program, 1, @inc, 'z.pl' or die "sh: $!\n";
    my $said = join '', <$out>;
    close $out;
    is "$said$?", "ok\n" x 3 . 0, 'hook=sub and then hook=op: three interpreters ran';
}
done_testing;
