# Real modules that reach deep run under the recorder as they do without, and their calls are counted.
use strict;
use warnings;
use lib 't/lib';
use DProf::Record;
use Test::More;

SKIP: {
    skip 'needs Moo', 6 if !has_module('Moo');
    my $xs  = has_module('Class::XSAccessor');
    my $run = same(<<'END', 'Moo', env => { MOO_XS_DISABLE => undef });
package Point; use Moo; has x => (is => 'ro'); has y => (is => 'rw', default => sub { 7 }); has lazy => (is => 'lazy'); sub _build_lazy { 5 } has checked => (is => 'rw', isa => sub { die "no number\n" if $_[0] =~ /\D/ }); before shift_by => sub { $main::before++ }; around scale => sub { my ($orig, @args) = @_; $orig->(@args) * 2 }; sub shift_by { $_[0]->y($_[0]->y + $_[1]) } sub scale { $_[0]->x * $_[1] }
BEGIN { no strict 'refs'; eval 'sub shift_by; sub scale; 1' } package Point3; use Moo; extends 'Point'; has z => (is => 'ro', required => 1); sub BUILD { $main::built++ } package main; my $sum = 0; for my $i (1 .. 1000) { my $p = Point3->new(x => $i, z => 1); $sum += $p->x + $p->y + $p->z; $p->shift_by(2); $sum += $p->y + $p->scale(3) } my $p = Point->new(x => 1); $sum += $p->lazy + $p->lazy; eval { $p->checked('x') }; print "$sum $main::built $main::before $@\n"; eval { Point3->new }; print $@ =~ /required/ ? "required\n" : $@;
END
    my $calls = $run->{profile}->all_calls;
    my $x     = 0;
    $x += $calls->{$_} for grep { /(?:^|::)x\z/ } keys %$calls;
    is $x, 2000, 'each call of an accessor is counted' . ($xs ? ', by Class::XSAccessor' : '');
    is $calls->{'Point3::BUILD'}, 1000, 'and of BUILD';
}
SKIP: {
    skip 'needs Class::XSAccessor', 5 if !has_module('Class::XSAccessor');
    my $run = same(<<'END', 'Class::XSAccessor');
package P; use Class::XSAccessor constructor => 'new', accessors => { rw => 'rw' }, getters => { get => 'rw' }, setters => { set => 'rw' }, predicates => { has => 'rw' }, true => ['yes'], false => ['no'];
package main; my $p = P->new(rw => 1); my $n = 0; for my $i (1 .. 500) { $p->rw($i); $n += $p->get + $p->rw; $p->set($i); $n += $p->has ? 1 : 0; $n += $p->yes + !$p->no } print "$n\n"; my $m = 'rw'; $n += $p->$m for 1 .. 10; sub via { $_[0]->get } $n += via($p) for 1 .. 20; { package Q; our @ISA = 'P'; sub rw { 3 } } my $q = Q->new; $n += $_->rw for ($p, $q) x 5; print "$n\n";
END
    calls_are($run->{profile}, { 'P::rw' => 1015, 'P::get' => 520, 'P::set' => 500, 'P::has' => 500, 'P::yes' => 500, 'P::no' => 500, 'Q::rw' => 5, 'main::via' => 20 }, 'each call at one place is counted, not only the first');
}

# Of perl itself.
my %program = (
    'Memoize'        => 'use Memoize; sub fib { my $n = shift; $n < 2 ? $n : fib($n - 1) + fib($n - 2) } memoize("fib"); print fib(25), "\n"; print fib(25), "\n";',
    'autouse'        => 'use autouse "Text::Wrap" => qw(wrap); print wrap("", " ", "some words here"), "\n"; print wrap("", "", "x"), "\n";',
    'Safe'           => 'use Safe; my $s = Safe->new; print $s->reval("my \$x = 3; \$x * 2"), "\n"; $s->reval("system q{true}"); print $@ =~ /trapped/ ? "trapped\n" : "not: $@"; print $s->reval("sub f { 5 } f()"), "\n";',
    'Benchmark'      => 'use Benchmark qw(timeit timestr); sub f { 1 } my $t = timeit(100, sub { f() }); print $t->iters, "\n";',
    'Storable'       => 'use Storable qw(freeze thaw dclone); { package S; sub STORABLE_freeze { my $s = shift; return "x$$s[0]" } sub STORABLE_thaw { my ($s, $c, $t) = @_; $s->[0] = $t } } my $x = dclone([bless([1], "S"), { a => [1 .. 3] }]); print $x->[0][0], scalar @{ $x->[1]{a} }, "\n"; print thaw(freeze([1, 2]))->[1], "\n";',
    'Data::Dumper'   => 'use Data::Dumper; $Data::Dumper::Sortkeys = sub { [sort keys %{ $_[0] }] }; $Data::Dumper::Useperl = $_, print Dumper({ a => 1, b => sub { 1 } }) for 0, 1;',
    'B::Deparse'     => 'use B::Deparse; sub f { my $x = shift; return g($x) + 1 } sub g { 2 } print B::Deparse->new->coderef2text(\&f), "\n"; f(); print B::Deparse->new->coderef2text(\&f), "\n";',
    'Tie::File'      => 'use Tie::File; tie my @l, "Tie::File", "lines" or die; push @l, "a", "b"; $l[5] = "f"; print scalar(@l), "\n"; untie @l; print -s "lines", "\n";',
    'Math::BigInt'   => 'use Math::BigInt; my $x = Math::BigInt->new(2) ** 100; print "$x\n"; print $x->bfac if 0; my $s = Math::BigInt->new(0); $s += $_ for 1 .. 50; print "$s ", $s <=> 1275, "\n";',
    'sort pragma, fields, base' => 'package A; use fields qw(x y); sub new { my A $s = shift; $s = fields::new($s) unless ref $s; $s->{x} = 1; $s } package B1; use base -norequire, "A"; package main; print B1->new->{x}, "\n"; eval { A->new->{z} = 1 }; print $@ ? "no z\n" : "z\n";',
    'Text::Balanced' => 'use Text::Balanced qw(extract_bracketed); my ($e, $r) = extract_bracketed("(a (b) c) rest", "()"); print "$e|$r\n";',
    'encoding layers' => 'use Encode; open my $fh, ">:encoding(UTF-16)", "u" or die; print $fh "h\x{e9}\n"; close $fh; open $fh, "<:encoding(UTF-16)", "u" or die; print length(<$fh>), "\n"; print length encode("UTF-8", "\x{20ac}"), "\n";',
    'PerlIO::via'    => '{ package Up; sub PUSHED { bless {}, shift } sub FILL { my ($s, $fh) = @_; my $l = <$fh>; defined $l ? uc $l : undef } sub WRITE { my ($s, $b, $fh) = @_; print $fh lc $b; length $b } } open my $o, ">:via(Up)", "v" or die; print $o "MiXed\n"; close $o; open my $i, "<:via(Up)", "v" or die; print <$i>;',
    'a source filter' => 'BEGIN { package F; $INC{"F.pm"} = 1; require Filter::Util::Call; sub import { Filter::Util::Call::filter_add(sub { my $s = Filter::Util::Call::filter_read(); s/hello/print "filtered\n"/; $s }) } } use F; hello; sub f { 1 } f();',
    'Hash::Util and Symbol' => 'use Hash::Util qw(lock_keys unlock_keys); use Symbol; my %h = (a => 1); lock_keys(%h); eval { $h{b} = 1 }; print $@ ? "locked\n" : "open\n"; unlock_keys(%h); my $s = gensym; print ref $s, "\n"; Symbol::delete_package("Some::Where");',
    'SelfLoader'     => 'package main; require SelfLoader; SelfLoader->import; print later(2), "\n"; our $AUTOLOAD; sub AUTOLOAD { goto &SelfLoader::AUTOLOAD } ' . "\n__DATA__\nsub later { \$_[0] * 21 }\n",
    'Attribute::Handlers' => 'package X; use Attribute::Handlers; sub Loud :ATTR(CODE) { my ($p, $s, $r) = @_; print "attr ", *{$s}{NAME}, "\n" } sub f :Loud { 7 } print f(), "\n";',
    'Term::ANSIColor, POSIX, Time::Local' => 'use Term::ANSIColor; print length colored("x", "red"), "\n"; use POSIX qw(floor strftime); print floor(2.5), strftime("%Y", gmtime 0), "\n"; use Time::Local; print timegm(0, 0, 0, 1, 0, 100), "\n";',
    'IPC::Open3'     => 'use IPC::Open3; my $pid = open3(my $in, my $out, undef, $^X, "-ne", "print uc"); print $in "text\n"; close $in; print <$out>; waitpid $pid, 0; print $? >> 8, "\n";',
    'File::Find and Temp' => 'use File::Find; use File::Temp; mkdir "d"; open my $f, ">", "d/$_" for 1 .. 3; my @found; find(sub { push @found, $_ if /^\d/ }, "d"); print join(",", sort @found), "\n"; my $t = File::Temp->new; print -e "$t" ? "temp\n" : "none\n";',
);
for my $name (sort keys %program) {
    same("$program{$name}\n", $name);
}
done_testing;
