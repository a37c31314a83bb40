# A real program: Pod::Man makes a manual page of FILE, N times.
use strict;
use warnings;
use Pod::Man;

my ($n, $file) = @ARGV;
for (1 .. $n) {
    my $page   = '';
    my $parser = Pod::Man->new(name => 'BENCH', section => '3pm');
    $parser->output_string(\$page);
    $parser->parse_file($file);
    print $page;
}
