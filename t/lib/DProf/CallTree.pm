package DProf::CallTree;

# The tree of calls of a Pascal program of which only the counters are known.

use strict;
use warnings;

use DProf::Test qw(spew dprofpp);
use Exporter qw(import);
use File::Temp ();
use Test::More;

our @EXPORT_OK = qw(tree_is);

my $folder = File::Temp::tempdir(CLEANUP => 1);

# Of the text with these counters it is "-name 3x", a line for each call, a dash for each level.
sub tree_is {
    my ($what, $text, $counters, $want) = @_;
    my $headings = () = $text =~ /^(?:program|procedure|function)\b/mg;
    spew("$folder/x.p", $text);
    spew("$folder/x.pmon", pack 'V*', 0x116, 2_000_000_000, 3 + @$counters, $headings, @$counters);
    my $got = dprofpp(["$folder/x.p", "$folder/x.pmon", '-T', '-q']);
    my @calls;
    while ($got->{out} =~ /^( *)(\w+)  (~?\d+x)/mg) {
        push @calls, '-' x (length($1) / 3) . "$2 $3";
    }
    local $Test::Builder::Level = $Test::Builder::Level + 1;
    is(join("\n", @calls), $want, $what) or diag $got->{err}, $got->{out};
    return $got;
}

1;
