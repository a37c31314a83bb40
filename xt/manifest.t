# MANIFEST names every file that git knows and MANIFEST.SKIP does not, and no other.
use strict;
use warnings;
use Test::More;
use ExtUtils::Manifest qw(maniread maniskip);

plan skip_all => 'no git work tree here' if !-e '.git';
my @known = split /\0/, qx(git -c safe.directory='*' ls-files -z 2>&1);
plan skip_all => "git does not list the files: @known" if $?;

$ExtUtils::Manifest::Quiet = 1;
my $manifest = maniread('MANIFEST');
my $skip     = maniskip('MANIFEST.SKIP');
my %wanted   = map { $_ => 1 } grep { -e && !$skip->($_) } @known;

is join("\n", grep { !exists $manifest->{$_} } sort keys %wanted), '', 'nothing is missing (dev/manifest)';
is join("\n", grep { !$wanted{$_} } sort keys %$manifest), '', 'nothing is there that git does not know';
done_testing;
