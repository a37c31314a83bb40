# Every public sub of every module is in its manual.
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
    if (!defined $rating && $coverage->why_unrated =~ /no public symbols/) {
        pass "$module has no public subs";
        next;
    }
    ok(defined $rating && $rating == 1, "$module is documented")
        or diag defined $rating ? 'without a word: ' . join ', ', $coverage->naked : $coverage->why_unrated;
}
done_testing;

sub modules {
    my ($folder) = @_;
    return map { -d $_ ? modules($_) : /\.pm\z/ ? $_ : () } sort glob "$folder/*";
}
