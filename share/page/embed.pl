#!/usr/bin/perl
# Prints src/write/assets.c: the style sheets and scripts of this folder as arrays of C. Scripts of
# the page are several files, put into one function in the order below.
use strict;
use warnings;

use Digest::SHA qw(sha256_base64);
use File::Basename qw(dirname);

my $HERE  = dirname(__FILE__);
my @PAGE  = qw(base data search chart paths time table subs sub code about main);
my %ASSET = (
    dp_flame_css => text('flame.css'),
    dp_flame_js  => script('flame'),
    dp_page_css  => text('page.css'),
    dp_page_js   => script(@PAGE),
);

print "/* Made by share/page/embed.pl: do not change it here. */\n#include \"write/assets.h\"\n";
asset($_, $ASSET{$_}) for sort keys %ASSET;

sub text {
    my ($name) = @_;
    open my $fh, '<:raw', "$HERE/$name" or die "$HERE/$name: $!\n";
    local $/;
    my $text = <$fh>;
    die "$name: an asset must be ASCII and must not end what it stands in\n"
        if $text =~ /[^\x09\x0a\x20-\x7e]|<\/(?:script|style)|<!--|\]\]>/i;
    return $text;
}

sub script {
    my (@names) = @_;
    return join "\n", "(() => {\n'use strict';", map({ text("$_.js") } @names), "})();\n";
}

sub asset {
    my ($name, $bytes) = @_;
    my $hash = sha256_base64($bytes);
    $hash .= '=' while length($hash) % 4;
    my @bytes = unpack 'C*', $bytes;
    my $n = @bytes;
    print "\nstatic const char bytes_of_$name\[$n] = {\n";
    while (my @row = splice @bytes, 0, 24) {
        print '    ', join(', ', @row), ",\n";
    }
    print "};\nconst struct dp_asset $name = {bytes_of_$name, sizeof bytes_of_$name,\n    \"$hash\"};\n";
    return;
}
