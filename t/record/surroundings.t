# The umask, the environment, $0, the working folder, the locale and the resource limits are as they are without us.
use strict;
use warnings;
use lib 't/lib';
use Config;
use DProf::Record;
use File::Copy 'copy';
use File::Path 'mkpath';
use Test::More;

my $program = <<'END';
use strict; use Cwd; use POSIX (); sub f { 1 } f() for 1 .. 100; printf "%o\n", umask; umask 077; f(); printf "%o\n", umask; print "$0\n"; $0 = 'renamed'; f(); print "$0\n"; print map { "$_=$ENV{$_}\n" } grep { !/^(?:_|PWD|OLDPWD|SHLVL)$/ } sort keys %ENV; $ENV{ADDED} = 1; f(); print `echo \$ADDED`; delete $ENV{ADDED}; print `echo \$ADDED`; print cwd() =~ m{([^/]+)\z} ? "in a folder\n" : ''; mkdir 'sub' or die; chdir 'sub' or die; f() for 1 .. 40_000; print cwd() =~ m{/sub\z} ? "sub\n" : "elsewhere\n"; open my $fh, '>', 'here' or die; close $fh; print -e 'here' ? "made\n" : ''; print POSIX::setlocale(POSIX::LC_ALL(), undef) || '', "\n"; printf "%.2f\n", 1.5; print "@ARGV\n"; print join(' ', sort map { s{.*/}{}; $_ } grep { !/Devel|XSLoader|DynaLoader|Config|vars\.pm/ } keys %INC), "\n"; print "$^X\n"; print "$$\n" if 0; print getppid() != 1 ? "parent\n" : ''; print "$;$,$/" eq "\034\n" ? "vars\n" : "changed\n"; print defined $\ ? 'set' : 'unset', "$| $^A $^L" eq "0  \f" ? "format\n" : "other\n"; print "$^H ", join(",", map { "$_=$^H{$_}" } sort keys %^H), "\n"; print "@{[scalar @INC]}\n"; print "$^T\n" if $^T < 1; print $^S, "\n"; rand() for 1; srand 5; print int rand 1e6, "\n"; my @h = sort grep { !/^(?:Devel|DynaLoader|XSLoader)/ } grep { /::$/ } keys %main::; print scalar(grep { /DProf/ } @h), "\n"; open my $l, '<', '/proc/self/limits' or exit; print <$l>;
END
# From a relative path XSLoader is asked, and it asks DynaLoader, which loads more.
for my $how ([], [env => { LC_ALL => 'C' }], [env => { LC_ALL => 'C.UTF-8', DPROF_TEST => "two\nlines" }], [switches => ['-CSDA'], args => ["caf\xc3\xa9"]]) {
    same($program, join(' ', 'surroundings', map { ref eq 'HASH' ? %$_ : ref ? @$_ : $_ } @$how), @$how);
}
{
    my $lib = fresh();
    mkpath(["$lib/auto/Devel/DProf", "$lib/Devel"]);
    my $object = "auto/Devel/DProf/DProf.$Config{dlext}";
    copy($_->[0], "$lib/$_->[1]") or die "$_->[0]: $!\n" for map { my $file = $_; [(grep { -e } map { "$_/$file" } @INC)[0], $file] } 'Devel/DProf.pm', $object;
    my $run = plain('', command => [$^X, "-I$lib", '-d:DProf', '-e', 'print join " ", sort keys %INC']);
    is $run->{out}, $Config{dlext} eq 'so' ? 'Devel/DProf.pm' : 'Devel/DProf.pm XSLoader.pm strict.pm', 'installed, it loads no other module' or diag $run->{err};
    ok -s "$run->{folder}/tmon.out", 'and records';
}

for my $umask (0, 022, 027, 077) {
    my $run  = profiled("sub f { 1 } f();\n", before => sub { umask $umask });
    my $mode = (stat "$run->{folder}/tmon.out")[2] & 07777;
    is sprintf('%o', $mode), sprintf('%o', 0666 & ~$umask), sprintf 'umask %03o: the profile is made as any file is', $umask;
}

# rand without srand draws no less from the seed.
my ($plain, $run) = map { $_->("srand 42; sub f { rand } print f(), qq{\\n} for 1 .. 5;\n")->{out} } \&plain, \&profiled;
is $run, $plain, 'random numbers';
{
    local $ENV{PERL_RAND_SEED} = 7;
    my $program = "sub f { rand } print f(), qq{\\n}; print join(',', map { int rand 100 } 1 .. 10), qq{\\n};\n";
    is profiled($program)->{out}, plain($program)->{out}, 'random numbers of PERL_RAND_SEED' if $] >= 5.038;
}
{
    my $program = "sub f { 1 } f(); my %h = map { (\$_ => 1) } 'a' .. 'zz'; print join(' ', keys %h), qq{\\n};\n";
    my %env = (env => { PERL_HASH_SEED => 0, PERL_PERTURB_KEYS => 0 });
    is profiled($program, %env)->{out}, plain($program, %env)->{out}, 'the order of hashes under a fixed seed';
}
done_testing;
