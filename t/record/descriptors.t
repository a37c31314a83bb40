# The program's file descriptors are its own: below 200 it finds what it finds without us, and it may close, take and fill any number.
use strict;
use warnings;
use lib 't/lib';
use DProf::Record;
use Test::More;

plan skip_all => 'needs /proc/self/fd' if !-d '/proc/self/fd';

same(<<'END', 'open descriptors');
sub open_ones { opendir my $d, '/proc/self/fd' or die; my @l = sort { $a <=> $b } grep { /^\d+$/ && $_ < 200 && defined readlink "/proc/self/fd/$_" } readdir $d; return "@l" }
print open_ones(), "\n"; open my $fh, '<', '/dev/null' or die; print fileno $fh, "\n"; close $fh; pipe my $r, my $w; print fileno $r, ' ', fileno $w, "\n"; sub calls { 1 } calls() for 1 .. 1000; print open_ones(), "\n"; 
print `ls /proc/self/fd | wc -l`; system 'ls /proc/self/fd | wc -l';
END

my $closes = <<'END';
require POSIX; sub f { $_[0] } my $n = 0; $n += f(1) for 1 .. 100; POSIX::close($_) for 3 .. 1023; 
$n += f(1) for 1 .. 60_000; open my $out, '>', 'data' or die; print $out "mine $_\n" for 1 .. 5; close $out; print "$n\n";
END
{
    my $run = same($closes, 'a program that closes all descriptors');
    is $run->{profile}->calls('main::f'), 60_100, 'not one mark is lost';
    is slurp("$run->{folder}/data"), join('', map { "mine $_\n" } 1 .. 5), 'its own file is as it wrote it';
}

# Its own files under our number, of all kinds.
my $takes = <<'END';
require POSIX; sub f { $_[0] } my $n = 0; $n += f(1) for 1 .. 100;
my @ours = grep { my $l = readlink "/proc/self/fd/$_"; defined $l && $l =~ /tmon\.out/ } 3 .. 1023;
POSIX::close($_) for @ours; open my $src, '+>', 'data' or die; print $src "precious\n" x 1000; $src->flush if $src->can('flush'); $| = 1; select((select($src), $| = 1)[0]); POSIX::dup2(fileno $src, $_) for @ours;
$n += f(1) for 1 .. 60_000; close $src; print "$n\n"; print -s 'data', "\n"; print STDERR "err\n";
END
for my $way ('', 'portable=1') {
    my $name = 'a program that puts its file on our number' . ($way ? ", $way" : '');
    my $run  = same($takes, $name, options => $way);
    is slurp("$run->{folder}/data"), "precious\n" x 1000, "$name: nothing of ours is in it";
    is $run->{profile}->calls('main::f'), 60_100, "$name: not one mark is lost";
}

# None of the standard ones open at start.
for my $closed ([0], [1], [2], [0, 1, 2]) {
    my $program = "sub f { 1 } f() for 1 .. 10; open my \$fh, '>>', 'said' or die; print \$fh join(' ', fileno \$fh, map { readlink qq{/proc/self/fd/\$_} || '-' } 0 .. 2), qq{\\n}; print qq{out\\n}; print STDERR qq{err\\n}; exit 4;\n";
    my %how     = (before => sub { require POSIX; POSIX::close($_) for @$closed });
    my ($plain, $run) = (plain($program, %how), profiled($program, %how));
    my @said = map { my $said = slurp("$_->{folder}/said"); $said =~ s/\Q$_->{folder}\E/FOLDER/g; $said } $run, $plain;
    # With all three gone, perl keeps the files of the first modules open in their place, ours among them.
    is $said[0], $said[1], "without descriptors @$closed: the program finds the same free" if @$closed == 1;
    is $run->{$_}, $plain->{$_}, "without descriptors @$closed: same $_" for qw(out err status);
    is $run->{profile} && $run->{profile}->calls('main::f'), 10, "without descriptors @$closed: recorded";
}

# A limit on their number below ours.
{
    my $said = plain('', command => ['/bin/sh', '-c', 'ulimit -n 20 && exec "$@"', 'sh', perl_with('-d:DProf', '-e', 'sub f { 1 } f() for 1 .. 10; print "ok\n"')]);
    is "$said->{out}$said->{err}", "ok\n", 'twenty descriptors allowed: nothing is said';
    is(DProf::Marks->read_file("$said->{folder}/tmon.out")->calls('main::f'), 10, 'and it is recorded');
}
done_testing;
