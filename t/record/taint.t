# Tainted and setuid programs run the same, and what the environment says of files is passed over, as perl does with PERL5LIB.
use strict;
use warnings;
use lib 't/lib';
use DProf::Record;
use Test::More;

my $program = <<'END';
use strict; use Scalar::Util 'tainted'; sub show { return tainted($_[0]) ? 'tainted' : 'clean' } print "${^TAINT}\n"; print join(' ', map { show($_) } $ENV{PATH}, $0, $^X, 'x', $ARGV[0]), "\n"; sub danger { eval { system "echo $ARGV[0]" }; return $@ } print danger(); eval { open my $f, '>', $ARGV[0] or 1 }; print $@; print join("\n", grep { /^\./ } @INC), "\n"; sub clean { my ($x) = $_[0] =~ /(.*)/; return show($x) } print clean($ARGV[0]), "\n"; { local $ENV{PATH} = '/bin:/usr/bin'; delete local @ENV{qw(IFS CDPATH ENV BASH_ENV)}; print `echo safe` } eval { require $ARGV[0] }; print $@ =~ /Insecure/ ? "insecure\n" : $@; sub calls { 1 } calls() for 1 .. 10;
END
for my $switch (qw(-T -t)) {
    my $run = same($program, "perl $switch", switches => [$switch], args => ['argument']);
    is $run->{profile}->calls('main::calls'), 10, "perl $switch: recorded";
}

# Nobody else may choose which file a privileged program writes.
for my $env ({ PERL_DPROF_OUT_FILE_NAME => 'chosen' }, { PERL_DPROF => 'file=chosen,hz=100' }) {
    my ($name) = keys %$env;
    my $run = profiled("sub f { 1 } f();\n", switches => ['-T'], env => $env);
    ok !-e "$run->{folder}/chosen", "-T: $name names no file";
    ok $run->{profile}, '-T: it is tmon.out';
    is $run->{profile}{header}[1], $name eq 'PERL_DPROF' ? '$hz=100;' : '$hz=1000000;', '-T: other options count';
    my $free = profiled("sub f { 1 } f();\n", env => $env);
    ok -e "$free->{folder}/chosen", "without -T it does";
}
my $given = profiled("sub f { 1 } f();\n", switches => ['-T'], options => 'file=given');
ok -e "$given->{folder}/given", '-T: the command line is the user\'s own';
done_testing;
