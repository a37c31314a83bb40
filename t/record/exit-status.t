# The program exits with its own status, whichever way it ends.
use strict;
use warnings;
use lib 't/lib';
use DProf::Record;
use Test::More;

my %program = (
    'falls off the end'     => "sub a { 1 } a();\n",
    'exit 7'                => "sub a { exit 7 } sub b { a() } b();\n",
    'exit 256 + 3'          => "sub a { exit 259 } a();\n",
    'die'                   => "sub a { die qq{x\\n} } a();\n",
    'a syntax error'        => "sub a { 1 } a( ;\n",
    'die in BEGIN'          => "sub a { 1 } BEGIN { a(); die qq{early\\n} } a();\n",
    'exit in BEGIN'         => "sub a { 1 } BEGIN { a(); exit 4 } a();\n",
    'exit in INIT'          => "sub a { 1 } INIT { a(); exit 4 } a();\n",
    'exit in END'           => "sub a { exit 6 } END { a() } exit 2;\n",
    'die in END'            => "sub a { die qq{late\\n} } END { a() } END { print qq{first\\n} } exit 2;\n",
    '$? in END'             => "sub a { \$? = 11 } END { a() } exit 2;\n",
    'exit in a handler'     => "sub a { exit 13 } \$SIG{USR1} = sub { a() }; kill USR1 => \$\$; sleep 1 for 1 .. 5;\n",
    'exit in __WARN__'      => "sub a { exit 14 } \$SIG{__WARN__} = sub { a() }; warn 1;\n",
    'exit in eval'          => "sub a { exit 15 } eval { a() }; print qq{not here\\n};\n",
    'exit in a sort'        => "sub a { exit 16 } my \@x = sort { a() } 2, 1;\n",
    'exit in a tied FETCH'  => "{ package T; sub TIESCALAR { bless [] } sub FETCH { exit 17 } } tie my \$t, 'T'; my \$x = \$t;\n",
    'exit in DESTROY'       => "{ package D; sub DESTROY { exit 18 } } sub a { my \$d = bless [], 'D' } a(); print qq{not here\\n};\n",
    'exit in the last DESTROY' => "{ package D; sub DESTROY { exit 19 } } our \$d = bless [], 'D'; sub a { 1 } a();\n",
    'an exec'               => "sub a { exec \$^X, '-e', 'exit 21' } a();\n",
    'a failed require'      => "sub a { require No::Such::Module } a();\n",
    'a script that is not'  => undef,
);
for my $name (sort keys %program) {
    my $text = $program{$name};
    my @how  = defined $text ? () : (command => [perl_with('nowhere.pl')]);
    if (!defined $text) {
        my $plain = plain('', command => [perl_with('nowhere.pl')]);
        my $run   = plain('', command => [perl_with('-d:DProf', 'nowhere.pl')]);
        is $run->{status}, $plain->{status}, "$name: same exit status";
        is $run->{err},    $plain->{err},    "$name: same message";
        next;
    }
    my $run = same($text, $name, unread => $name eq 'an exec', empty => $name eq 'a syntax error');
    next if $name eq 'an exec';
    my ($end) = $run->{profile}->meta('end');
    is + (split / /, $end)[0], $run->{status} >> 8, "$name: #end has the status" if $end;
}

# perl -c, -v and -e.
for my $command (['-c', '-e', 'sub a { 1 } a()'], ['-e', 'sub a { print 1 } a(); exit 3'], ['-ne', 'sub a { print } a()', '/dev/null'], ['-we', 'sub a { my $x; print "$x" } a()']) {
    my $plain = plain('', command => [perl_with(@$command)]);
    my $run   = plain('', command => [perl_with('-d:DProf', @$command)]);
    is $run->{$_}, $plain->{$_}, "perl @$command: same $_" for qw(status out err);
}
done_testing;
