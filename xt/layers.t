# Each folder of src/ is a floor: it includes only what is below it, and perl.h
# is seen on two floors only.
use strict;
use warnings;
use Test::More;

my %stands_on = (
    base   => [],
    model  => [qw(base)],
    pascal => [qw(base)],
    z80    => [qw(base)],
    read   => [qw(base model pascal z80)],
    write  => [qw(base model pascal z80)],
    record => [qw(base)],
    perl   => [qw(base model pascal read write z80)],
);

my @files = sort glob('src/*/*.[ch]'), glob('src/perl/*.{xs,xsh,inc}'), glob('*.xs');
plan skip_all => 'no source here: run it in the top folder' if !@files;

for my $file (grep { $_ ne 'src/perl/Profile.c' && $_ ne 'DProf.c' } @files) {
    my ($floor) = $file =~ m{^src/(\w+)/} ? $1 : 'record';
    my @wrong = $stands_on{$floor} ? crossings($file, $floor) : "$file: xt/layers.t does not know the floor $floor";
    ok(!@wrong, "$file stands on its own floor") or diag join "\n", @wrong;
}
done_testing;

sub crossings {
    my ($file, $floor) = @_;

    my %below = map { $_ => 1 } $floor, @{ $stands_on{$floor} };
    my @wrong;
    open my $fh, '<', $file or die "$file: $!\n";
    while (<$fh>) {
        next if !/^\s*#\s*include\s+["<]([^">]+)/;
        my $header = $1;
        if ($header =~ m{^\.}) {
            push @wrong, "$file:$.: $header (name the folder, not the way to it)";
        }
        elsif ($header =~ m{^(\w+)/} && exists $stands_on{$1} && !$below{$1}) {
            push @wrong, "$file:$.: $header ($floor must not include $1)";
        }
        elsif ($header =~ /^(?:EXTERN|perl|XSUB|ppport)\.h\z/ && $floor !~ /^(?:record|perl)\z/) {
            push @wrong, "$file:$.: $header (only record and perl may see perl)";
        }
    }
    return @wrong;
}
