# Every public sub of every module is explained: in its manual, or by a comment above it
# where it serves only other modules of ours.
use strict;
use warnings;
use Test::More;

eval { require Pod::Coverage; 1 } or plan skip_all => 'Pod::Coverage is not installed';
my @modules = modules('lib');
plan skip_all => 'no modules under lib' if !@modules;

for my $file (@modules) {
    (my $module = $file) =~ s{^lib/(.*)\.pm\z}{$1};
    $module =~ s{/}{::}g;
    my $coverage = Pod::Coverage->new(package => $module, pod_from => $file);
    my $rating   = $coverage->coverage;
    my @naked    = defined $rating ? $coverage->naked : ();
    if (!defined $rating) {
        my $why = $coverage->why_unrated;
        @naked = $why =~ /no public symbols/ ? () : $why =~ /no pod/ ? subs_of($file) : die "$module: $why\n";
    }
    my %commented = map { $_ => 1 } commented($file);
    is join(' ', grep { !$commented{$_} } @naked), '', "$module: every public sub is explained";
}
done_testing;

sub subs_of {
    my ($file) = @_;
    return grep { !/^_/ } slurp($file) =~ /^sub (\w+)/mg;
}

sub commented {
    my ($file) = @_;
    return slurp($file) =~ /^#[^\n]*\nsub (\w+)/mg;
}

sub slurp {
    my ($file) = @_;
    open my $fh, '<', $file or die "$file: $!\n";
    local $/;
    return scalar <$fh>;
}

sub modules {
    my ($folder) = @_;
    return map { -d $_ ? modules($_) : /\.pm\z/ ? $_ : () } sort glob "$folder/*";
}
