#!/usr/bin/perl
# What a page of a large profile costs: made from 1.5 million calls of 8,000 subs, and from a profile that is
# named. bench/README tells how to read it.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib", "$FindBin::Bin/../t/lib";
use Bench qw(dprofpp workdir measure median compile commas machine);
use DProf::Chromium;

my $folder  = workdir();
my @dprofpp = dprofpp();
my @profiles = @ARGV ? @ARGV : made();

$| = 1;
machine();
for my $profile (@profiles) {
    print "\n$profile\n";
    page($profile, 'html', 3_000_000);
    page($profile, 'flame', undef);
    clicks("$folder/page.html");
}

sub made {
    my $path = "$folder/tmon.out";
    system(join ' ', compile('marks'), 3_000_000, 'text', 8000, '>', $path) == 0 or die "cannot make $path\n";
    return $path;
}

sub page {
    my ($profile, $format, $most) = @_;
    my @runs = map { measure(@dprofpp, '--to', $format, '-o', "$folder/page.$format", $profile) } 1 .. 5;
    my $wall = median(map { $_->{wall} } @runs);
    my $size = -s "$folder/page.$format";
    printf "  %-6s %6.2f s wall, %5.2f s CPU, %7d KiB of memory, %s bytes%s\n", $format, $wall, median(map { $_->{cpu} } @runs),
        median(map { $_->{size} } @runs), commas($size),
        $most ? $size < $most && $wall < 2 ? '   ok (2 s, 3 MB)' : '   MISSED (2 s, 3 MB)' : '';
    return;
}

# From the click to the next picture, which includes up to 17 ms of waiting for it.
sub clicks {
    my ($page) = @_;
    my $lacking = DProf::Chromium::lacking();
    return print "  clicks: skipped, $lacking\n" if $lacking;
    my $browser = DProf::Chromium->new;
    my $time = sub {
        my ($code) = @_;
        return $browser->js("const began = performance.now(); $code; return new Promise((done) => requestAnimationFrame(() =>"
                . ' setTimeout(() => done(performance.now() - began))))');
    };
    $browser->get("file://$page");
    printf "  load   %6.0f ms until the page stands\n", $browser->js('return performance.getEntriesByType("navigation")[0].loadEventEnd');
    my %click = (
        'a box'        => 'const c = document.querySelector(".chart"), b = c.getBoundingClientRect(); c.dispatchEvent(new MouseEvent("click",'
            . ' { bubbles: true, clientX: b.left + 60, clientY: b.top + 48 }))',
        'inverted'     => 'document.querySelectorAll(".switch button")[1].click()',
        'from the top' => 'document.querySelectorAll(".switch button")[0].click()',
        map({ ("view $_" => "location.hash = '#$_'; dispatchEvent(new Event('hashchange'))") } qw(flame time subs packages)),
        'a sub'        => 'location.hash = "#sub=2"; dispatchEvent(new Event("hashchange"))',
    );
    my @order = ('a box', 'inverted', 'from the top', 'view time', 'view subs', 'view packages', 'a sub', 'view flame');
    for my $what (@order) {
        my @ms = map { $time->($click{$what}) } 1 .. 5;
        printf "  %-14s %4.0f ms the first time, %3.0f ms then%s\n", $what, $ms[0], median(@ms[1 .. 4]), median(@ms) < 100 ? '   ok (100 ms)' : '   MISSED (100 ms)';
    }
    return;
}
