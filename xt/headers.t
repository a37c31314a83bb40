# Every header of the library compiles alone, in C99 and without a warning.
use strict;
use warnings;
use Test::More;
use Config;

my @strict = qw(-std=c99 -pedantic -Wall -Wextra -Wshadow -Wconversion -Wstrict-prototypes
    -Wmissing-prototypes -Wcast-qual -Werror -Isrc -fsyntax-only);
my @headers = sort glob 'src/*/*.h';
plan skip_all => 'no headers here: run it in the top folder' if !@headers;

my %tried;
for my $cc (grep { !$tried{$_}++ } $Config{cc}, 'gcc', 'clang') {
SKIP: {
        my ($command) = split ' ', $cc;
        skip "$command is not installed", 1 if system("command -v $command >/dev/null 2>&1");
        for my $header (@headers) {
            my @flags =
                $header =~ m{^src/(?:record|perl)/}
                ? (split(' ', $Config{ccflags}), '-isystem', "$Config{archlibexp}/CORE",
                qw(-Wall -Wextra -Werror -Isrc -fsyntax-only))
                : @strict;
            is compile($cc, $header, @flags), '', "$command: $header";
        }
    }
}
done_testing;

# What the compiler says of a file that holds only this include.
sub compile {
    my ($cc, $header, @flags) = @_;

    (my $include = $header) =~ s{^src/}{};
    my $perl = $header =~ m{^src/(?:record|perl)/} ? '#include "EXTERN.h"\n#include "perl.h"\n#include "XSUB.h"\n' : '';
    my $said = `printf '$perl#include "$include"\\nextern int not_empty;\\n' | $cc -x c @flags - 2>&1`;
    return $? && $said eq '' ? "status $?" : $said;
}
