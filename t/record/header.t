# A file begins with six header lines as documented, the fifth of a fixed width, and says what ran; it ends with #end.
use strict;
use warnings;
use lib 't/lib';
use DProf::Record;
use Test::More;

my $program = "sub a { 1 } a() for 1 .. 3;\nexit 2;\n";
for my $case (['', 1_000_000], ['hz=100', 100], ['hz=1000', 1000], ['hz=1000000', 1_000_000], ['hz=1000000000', 1_000_000_000], ['format=compact', 1_000_000], ['portable=1', 1_000_000]) {
    my ($options, $hz) = @$case;
    my $name    = $options || 'as it comes';
    my $run     = profiled($program, options => $options, args => ['--all', "two words", "new\nline", "b\\s"]);
    my $profile = $run->{profile} or fail("$name: there is a profile"), next;
    my @header  = @{ $profile->{header} };
    is scalar @header, 6, "$name: six lines";
    is $header[0], '#fOrTyTwO', "$name: the first is the magic";
    is $header[1], "\$hz=$hz;", "$name: the second is \$hz";
    is $header[2], "\$XS_VERSION='DProf 20261129';", "$name: the third is our version, not the original's";
    is $header[3], '# All values are given in HZ', "$name: the fourth is the old comment";
    like $header[4], qr/^\$rrun_utime=\d+; \$rrun_stime=\d+; \$rrun_rtime=\d+;? +\z/, "$name: the fifth holds the totals and blanks";
    is $header[5], 'PART2', "$name: the sixth begins the marks";
    my ($real) = $header[4] =~ /rtime=(\d+)/;
    cmp_ok $real, '>', 0, "$name: the totals are there" if $hz > 1000;
    my %meta = map { $_ => [$profile->meta($_)] } qw(run cmd perl file sub over end);
    like $meta{run}[0], qr/^id=[0-9a-f]{10} pid=\d+ started=\d+\.\d{6} cpu=(?:thread|process)\z/, "$name: #run";
    is $profile->run->{cpu}, $hz == 100 ? 'process' : 'thread', "$name: whose time it is";
    is $meta{cmd}[0], 'x.pl --all two\x20words new\x0aline b\x5cs', "$name: #cmd, escaped";
    my $version = sprintf '%vd', $^V;
    like $meta{perl}[0], qr/^\Q$version\E \S+\z/, "$name: #perl";
    is $meta{file}[0], join(' ', 'x.pl', (stat "$run->{folder}/x.pl")[7, 9]), "$name: #file has size and time";
    is $meta{sub}[0], 'main::a x.pl 1 perl', "$name: #sub has file, line and kind";
    like $meta{over}[0], qr/^\d+ \d+ \d+ \d+\z/, "$name: #over has four numbers";
    like $meta{end}[0], qr/^2 \d+ \d+ \d+ 6\z/, "$name: #end has the status, the time, the marks";
    is((split /\n/, $profile->{bytes})[-1], "#end $meta{end}[0]", "$name: it is the last line");
    marks_ok($profile, $name);
    my ($first, $last) = @{ $profile->{marks} }[0, -1];
    my @end = split / /, $meta{end}[0];
    cmp_ok $end[3], '>=', $last->[3], "$name: the end is not before the last mark";
    cmp_ok $end[3] - $first->[3], '<=', $real, "$name: the totals cover all marks";
    unlike $profile->{bytes}, qr/\0/, "$name: no zero bytes";
}

# The header has its width before and after: the totals are written in place.
my %width;
for my $program ("sub a { 1 } a();\n", "sub a { 1 } a() for 1 .. 20000;\n", "sub a { kill 9 => \$\$ } a();\n") {
    my $run = profiled($program);
    $width{ length join "\n", @{ $run->{profile}{header} } }++;
}
is keys %width, 1, 'the header is as wide in every run';
# Command lines of any length: what is recorded of them is bounded, and says where it was cut.
for my $length (1000, 40_000, 50_000, 52_000, 54_000, 56_000, 58_000, 60_000, 64_000, 120_000) {
    for my $options ('', 'hz=100', 'portable=1', 'format=tree') {
        my $name = "an argument of $length bytes, $options";
        my $run = profiled("sub f { 1 } f() for 1 .. 5; exit 3;\n", options => $options, args => ['a' x $length, 'b']);
        is "$run->{out}$run->{err}$run->{status}", 768, "$name: the program is not harmed";
        is $run->{profile}->calls('main::f'), 5, "$name: the calls are there";
        my ($cmd) = $run->{profile}->meta('cmd');
        if   ($length == 1000) { is $cmd, 'x.pl ' . 'a' x 1000 . ' b', "$name: it is whole" }
        else                   { like $cmd, qr/\Ax\.pl a{2000,4000}\.\.\. b\z/, "$name: it is cut" }
    }
}
{
    my $run = profiled("sub f { 1 } f();\n", args => [map { "\n" x 3000 } 1 .. 15]);
    my ($cmd) = $run->{profile}->meta('cmd');
    like $cmd, qr/\Ax\.pl .*\\x0a\.\.\. \.\.\.\z/, 'many arguments: the last ones are left out, and that is said';
    cmp_ok length $cmd, '<', 20_000, 'many arguments: the line is bounded';
}
done_testing;
