# Objects are destroyed at the same moments, in the same order, also in global destruction.
use strict;
use warnings;
use Config;
use lib 't/lib';
use DProf::Record;
use Test::More;

# Objects that live to the end are destroyed in the order of their addresses, which perl does not promise.
sub sort_last {
    my @lines = split /^/, shift;
    return join '', (grep { !/DESTRUCT/ } @lines), sort grep { /DESTRUCT/ } @lines;
}

my $program = <<'END';
use strict; { package D; our $n = 0; sub new { my ($c, $name, @more) = @_; return bless { name => $name, more => \@more }, $c } sub DESTROY { my $s = shift; print "- $s->{name} ${^GLOBAL_PHASE}\n" } }
sub d { return D->new(@_) } sub scope { my $x = d('scope x'); my $y = d('scope y'); print "in\n"; return } scope(); sub returns { my $x = d('returned'); my $y = d('stays'); return $x } my $kept = returns(); print "got\n"; undef $kept; d('temporary'); print "statement\n"; d('method')->{name}; print d('printed')->{name}, "\n"; d('argument a')->isa('D'); sub args { print "args\n" } args(d('arg 1'), d('arg 2')); args(d('nested', d('inner')));
for my $i (1 .. 3) { my $l = d("loop $i"); next if $i == 2; last if $i == 3 } eval { my $e = d('in eval'); die "x\n" }; print $@; sub dies { my $z = d('in dying'); die d('exception') } eval { my $outer = d('outer'); dies() }; print ref $@, "\n"; $@ = ''; print "cleared\n"; { local our $g = d('localized'); print "block\n" } my $c = do { my $u = d('captured'); sub { $u->{name} } }; print $c->(), "\n"; undef $c; print "closure gone\n"; my @l = map { d("list $_") } 1 .. 3; @l = (); my %h = map { $_ => d("hash $_") } 1; %h = (); delete local $ENV{NOTHING}; my $cycle = d('cycle'); $cycle->{self} = $cycle; undef $cycle; sub goes { my $w = d('before goto'); @_ = ('x'); goto &args } goes(); my @s = sort { my $k = d('in sort'); $a <=> $b } 2, 1; return_early(); sub return_early { my $v = d('early'); for (1) { return 5 } } { my $sc = d('scalar'); my $w = \$sc; undef $sc; print "undef\n" } sub implicit { my $im = d('implicit'); $im->{name} } print implicit(), "\n"; my $tmp = implicit() . 'x'; sub array { my @r = (d('r1'), d('r2')); @r } my $first = (array())[0]; print "first\n"; undef $first; state_like() for 1 .. 2; { my $st; sub state_like { $st ||= d('static') } } our $global = d('global'); our @globals = (d('g1'), d('g2')); my $lexical = d('file lexical'); sub last_out { no warnings; my $lo = d('last out'); last } for (1) { last_out() } print "end\n"; END { my $e = d('in END'); print "END\n" } local $SIG{__DIE__} = sub { my $h = d('handler') }; eval { die 1 }; my $str = eval 'my $q = d("string eval"); 5'; my $weak = d('goes with undef'); $weak = undef; { package R; sub DESTROY { my $s = shift; $main::saved = $s; print "saved\n" } } { my $res = bless {}, 'R' } undef $main::saved; exit_in(); sub exit_in { my $ex = d('at exit'); exit 3 }
END
# An assertion of a DEBUGGING perl does not like an object that saves itself from undef, plainly too.
$program =~ s/\{ my \$res = bless .*? undef \$main::saved;// if $Config{ccflags} =~ /-DDEBUGGING/;
my $run  = same($program, 'destruction', mask => \&sort_last);
my $want = () = $run->{out} =~ /^- /mg;
is $run->{profile}->calls('D::DESTROY'), $want, "each of them is recorded ($want)";
my ($global) = grep { $_->[0] eq '+' && $_->[4] eq 'D::DESTROY' } reverse @{ $run->{profile}{marks} };
ok $global, 'also the last ones';
done_testing;
