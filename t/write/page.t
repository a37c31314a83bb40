# --to html and --to flame as files: what they hold adds up, allows nothing but its own script, and no name
# of a profile and no file that a profile names gets where it does not belong.
use strict;
use warnings;

use lib 't/lib';

use Devel::DProf::Excerpts;
use Devel::DProf::Profile;
use DProf::Test qw(dprofpp in_folder slurp spew);
use File::Temp ();
use JSON::PP ();
use POSIX ();
use Sys::Hostname ();
use Test::More;

my $HEAD = "#fOrTyTwO\n\$hz=1000;\n\$XS_VERSION='DProf 20261129';\n# All values are given in HZ\n"
    . "\$rrun_utime=0; \$rrun_stime=0; \$rrun_rtime=0\nPART2\n#run id=1 pid=1 started=1.0 cpu=thread\n";

sub profile {
    my ($meta, @marks) = @_;
    my $tick = 0;
    return $HEAD . $meta . join('', map { $tick += 3; "$_->[0] $tick 0 $tick $_->[1]\n" } @marks)
        . "#end $tick 0 $tick " . @marks . "\n";
}

sub calls { return map { (['+', $_], ['-', $_]) } @_ }

sub page {
    my ($profile, @options) = @_;
    my $got = dprofpp([@options, '--to', 'html', '-'], in => $profile);
    is($got->{err}, '', 'nothing is said');
    return $got->{out};
}

# The data of a page as they are, and unpacked.
sub data {
    my ($page) = @_;
    my ($json) = $page =~ m{<script type="application/json" id="data">\n(.*?)</script>}s or die "no data\n";
    return ($json, JSON::PP->new->utf8->decode($json));
}

sub sum {
    my ($sum, @numbers) = (0, @_);
    $sum += $_ for @numbers;
    return $sum;
}

# --- nothing gets out of its place ----------------------------------------------------------------

my @HOSTILE = ('main::</script><script>alert(1)</script>', 'main::<!--', 'main::"onload=alert(1)', "main::'&amp;<b>",
    'main::\x0anew\x00nul', "main::\xc3\xa9t\xc3\xa9", "main::bad\xff\xfe", "main::\xe2\x80\xaertl", 'main::]]>',
    "main::\xef\xbf\xbe", 'main::' . 'x' x 10_000, 'main::\x3c/title\x3e\x3cimg\x20src=x\x20onerror=alert(1)\x3e');
my $hostile = profile("#cmd </title><script>alert(2)</script> \xff\n", calls(@HOSTILE));
my $page = page($hostile);
my ($json, $data) = data($page);
unlike($json, qr/</, 'no tag can begin in the data');
unlike($json, qr/\xe2\x80\xae/, 'no direction override either');
is(() = $page =~ /<script/g, 2, 'two scripts: data and code');
unlike($page, qr/alert\([12]\)[^"]*<\/script>\s*<(?!\/noscript|script type)/, 'no other script');
unlike($page, qr/<[^>]*\s(?:on\w+|style)\s*=/i, 'no handler and no style in a tag');
like($page, qr{<title>&lt;/title&gt;&lt;script&gt;}, 'the title is text');
is(scalar @{ $data->{subs}{name} }, @HOSTILE + 1, 'each name has its row');
is(scalar(grep { length > 4100 } @{ $data->{subs}{name} }), 0, 'the longest is cut');
ok(scalar(grep { $_ eq 'main::</script><script>alert(1)</script>' } @{ $data->{subs}{name} }), 'the others are whole');
unlike($page, qr{(?:src|href)="(?!#)|https?://(?!www\.w3\.org/)}, 'no address of anything outside');

SKIP: {
    eval { require Digest::SHA; 1 } or skip 'Digest::SHA is not here', 3;
    my ($policy) = $page =~ /http-equiv="Content-Security-Policy" content="([^"]*)"/;
    my ($script) = $page =~ m{<script>(.*?)</script>}s;
    my ($style)  = $page =~ m{<style>(.*?)</style>}s;
    my %hash = map { my $b64 = Digest::SHA::sha256_base64($_->[1]); $b64 .= '=' while length($b64) % 4; ($_->[0] => $b64) }
        ['script', $script], ['style', $style];
    like($policy, qr/default-src 'none'/, 'the policy allows nothing');
    like($policy, qr/script-src 'sha256-\Q$hash{script}\E'(?:;|\z)/, '... but its script');
    like($policy, qr/style-src 'sha256-\Q$hash{style}\E'(?:;|\z)/, '... and its style sheet');
}

my $svg = dprofpp(['--to', 'flame', '-'], in => $hostile)->{out};
is(() = $svg =~ /<script/g, 1, 'flame: one script');
unlike($svg, qr/[\x00-\x08\x0b\x0c\x0e-\x1f]|\xef\xbf[\xbe\xbf]/, '... no character that XML forbids');
like($svg, qr/main::&lt;\/script&gt;&lt;script&gt;/, '... names are text');
SKIP: {
    my $file = File::Temp->new(SUFFIX => '.svg');
    skip 'xmllint is not installed', 1 if !grep { -x "$_/xmllint" } split /:/, $ENV{PATH} || '';
    spew("$file", $svg);
    is(DProf::Test::run(['xmllint', '--noout', "$file"])->{err}, '', '... it is XML');
}

# --- sums -----------------------------------------------------------------------------------------

# A tree with more paths than there is room for: of some hundred subs, by a seed.
sub bushy {
    my ($paths) = @_;
    my ($seed, @marks, @open) = (7);
    my $next = sub { $seed = ($seed * 1103515245 + 12345) % 2147483648; return int($seed / 65536) % $_[0] };
    for (1 .. $paths) {
        push @marks, ['-', pop @open] while @open && $next->(5) < 2;
        push @open, 'P' . $next->(40) . '::s' . $next->(500);
        push @marks, ['+', $open[-1]];
    }
    return profile('', @marks, map { ['-', $_] } reverse @open);
}

my $bushy = bushy(60_000);
my $big   = page($bushy);
(undef, $data) = data($big);
my $paths = $data->{paths};
cmp_ok($paths->{all},    '>', 30_000, 'many paths');
cmp_ok($paths->{folded}, '>', 10_000, 'many of them are folded');
cmp_ok(scalar @{ $paths->{sub} }, '<', 30_000, '... there are few boxes');
is(sum(@{ $paths->{cpu} }),   $data->{total}[0] + $data->{total}[1], '... no CPU time is missing');
is(sum(@{ $paths->{real} }),  $data->{total}[2], '... no real time either');
is(sum(@{ $paths->{calls} }), 60_000, '... nor a call');
is(sum(map { -$_ } grep { $_ < 0 } @{ $paths->{sub} }), $paths->{folded}, '... each folded path is counted');
is(scalar(grep { $paths->{parent}[$_] >= $_ } 1 .. $#{ $paths->{parent} }), 0, 'parents come first');
cmp_ok($data->{subs}{leftOut}, '>', 1_000, 'more subs than there is room for');
is(sum($data->{subs}{leftCalls}, @{ $data->{subs}{calls} }), 60_000, '... all calls are counted');
cmp_ok(length $big, '<', 3_000_000, 'the page stays below 3 MB');

my ($track) = @{ $data->{tracks} };
is($track->{made}, 60_000, 'in time order: all calls were heard');
cmp_ok(scalar @{ $track->{sub} }, '<=', 12_000, '... there are few boxes');
cmp_ok(scalar @{ $track->{sub} }, '>',  400, '... but enough');
my ($bad, %end) = (0);
my $level = 0;
my (@starts, @levels);
for my $i (0 .. $#{ $track->{sub} }) {
    my $fresh = !$i || $track->{level}[$i];
    $level += $track->{level}[$i];
    my $start = ($fresh ? 0 : $end{$level}) + $track->{start}[$i];
    $bad++ if $track->{start}[$i] < 0 || $track->{ticks}[$i] < $track->{grain};
    $end{$level} = $start + $track->{ticks}[$i];
}
is($bad, 0, '... none overlap, none is shorter than the grain');
cmp_ok((sort { $b <=> $a } values %end)[0], '<=', $track->{length}, '... all are within the run');

my $deep = page(profile('', map({ ['+', 'main::r'] } 1 .. 20_000), map({ ['-', 'main::r'] } 1 .. 20_000)));
(undef, $data) = data($deep);
is(sum(@{ $data->{paths}{calls} }), 20_000, 'deep: no call is missing');
cmp_ok(length $deep, '<', 1_000_000, '... and the page is small');
like(dprofpp(['--to', 'flame', '-'], in => $bushy)->{out}, qr/paths folded together/, 'flame: folded too');

# --- what was asked -------------------------------------------------------------------------------

my $few = profile('', ['+', 'A::a'], calls(('B::b') x 3), ['-', 'A::a'], calls('C::c'));
(undef, $data) = data(page($few, '-g', 'A::a'));
is_deeply([sort @{ $data->{subs}{name} }], ['(outside any sub)', 'A::a', 'B::b'], '-g: only what was inside');
is_deeply([sort { $a <=> $b } @{ $data->{tracks}[0]{sub} }], [1, 2, 2, 2], '... also in the order of time');
(undef, $data) = data(page($few, '-f', 'B::b'));
my ($hidden) = grep { $data->{subs}{name}[$_] eq 'B::b' } 0 .. $#{ $data->{subs}{name} };
ok($data->{subs}{flags}[$hidden] & 256, '-f: it has no row');
is(sum(@{ $data->{paths}{calls} }), 5, '... but its box');
(undef, $data) = data(page($few, '-G', '^[AB]'));
is_deeply([sort @{ $data->{subs}{name} }], ['(outside any sub)', 'C::c', '^[AB]'], '-G: a group is one sub');
(undef, $data) = data(page($few, '-r'));
is($data->{clock}, 'real', '-r: real time first');

# --- source ---------------------------------------------------------------------------------------

my $folder = File::Temp->newdir;
spew("$folder/prog.pl", "use strict;\n\nsub hot {\n    my \$x = shift;\n    return \$x;\n}\n\nhot(1);\n");
spew("$folder/secret", "line 1\nline 2\nthe secret\nline 4\n");
POSIX::mkfifo("$folder/fifo", 0600);
symlink '/dev/zero', "$folder/zero";
my $HERE  = '#host ' . Sys::Hostname::hostname() . "\n";
my $NAMED = join('', map { "#sub main::$_->[0] $folder/$_->[1] $_->[2] perl\n" } ['hot', 'prog.pl', 4],
    ['leak', 'secret', 3], ['pipe', 'fifo', 1], ['zero', 'zero', 1], ['none', 'gone', 1], ['far', 'prog.pl', 4_000_000_000]);
my @NAMED = calls(map { "main::$_" } qw(hot leak pipe zero none far));
my $named = profile($HERE . $NAMED, @NAMED);
(undef, $data) = data(page($named));
is(scalar @{ $data->{sources} }, 1, 'source: of one file');
is($data->{sources}[0]{file}, "$folder/prog.pl", '... the one that has the definition');
like($data->{sources}[0]{pieces}[0]{text}, qr/^sub hot \{\n    my \$x = shift;\n    return \$x;\n\}/m, '... its text');
unlike(page($named), qr/the secret/, 'a file without the definition is not shown');
(undef, $data) = data(page($named, '--no-source'));
is_deeply($data->{sources}, [], '--no-source');

# A profile can name any file: what it says must be so, and by default it must be of this machine.
sub texts {
    my ($meta, $calls, @options) = @_;
    my $got = dprofpp([@options, '--to', 'html', '-'], in => profile($meta, @$calls));
    my (undef, $data) = data($got->{out});
    return ($got->{err}, join "\n--\n", map { $_->{text} } map { @{ $_->{pieces} } } @{ $data->{sources} });
}

sub recorded {
    my ($path, $bytes, $seconds) = @_;
    my @stat = stat $path;
    return sprintf "#file %s %d %d\n", $path, $stat[7] + ($bytes || 0), $stat[9] + ($seconds || 0);
}

my $prog = recorded("$folder/prog.pl");
my ($said, $text) = texts($HERE . $NAMED, \@NAMED);
is($text, "sub hot {\n    my \$x = shift;\n    return \$x;\n}", 'a file whose size and time the profile does not know: the sub only');
(undef, $text) = texts($HERE . $prog . $NAMED, \@NAMED);
like($text, qr/\Ause strict;.*^hot\(1\);\z/ms, '... the file as it was recorded: all of it');
(undef, $text) = texts($HERE . recorded("$folder/prog.pl", 0, 1) . $NAMED, \@NAMED);
unlike($text, qr/use strict/, '... another time: the sub only');
for my $host ('', "#host somewhere.else\n", "#host -\n") {
    my $from = $host =~ /else/ ? 'another machine' : 'no known machine';
    ($said, $text) = texts($host . $prog . $NAMED, \@NAMED);
    is($text, '', "recorded on $from: no source");
    like($said, qr/source.*--source/, '... which is said');
    ($said, $text) = texts($host . $prog . $NAMED, \@NAMED, '--no-source');
    is("$said$text", '', '... --no-source: nor that');
    ($said, $text) = texts($host . $prog . $NAMED, \@NAMED, '--source');
    like($text, qr/sub hot/, '... --source: there it is');
    is($said, '', '... and nothing is said');
}
is((texts("#host somewhere.else\n#sub main::hot $folder/gone 3 perl\n", [calls('main::hot')]))[0], '',
    'where no text would be shown nothing is said');

spew("$folder/config", "Host *\n  StrictHostKeyChecking no\n  ProxyCommand the secret\n  no sub use\n");
for my $name (map({ "main::${_}[$folder/config:4]" } qw(BEGIN END __ANON__)), 'main::config') {
    my $meta = $HERE . "#sub $name $folder/config 4 begin\n";
    is((texts($meta, [calls($name)], '--source'))[1], '', "no word of another file for $name");
}

spew("$folder/blocks", "use POSIX qw(\n    floor\n);\nBEGIN {\n    # why\n    \$x = 1;\n}\nmy \$f = sub {\n    1;\n};\n");
my %block = ('BEGIN 3' => 'use POSIX', 'BEGIN 6' => 'BEGIN \{', '__ANON__ 9' => 'my \$f = sub');
for my $block (sort keys %block) {
    my ($name, $line) = split / /, $block;
    my $sub = "main::${name}[$folder/blocks:$line]";
    my $meta = $HERE . "#sub $sub $folder/blocks $line begin\n";
    is((texts($meta, [calls($sub)]))[1], '', "$block of a file that is not the recorded one");
    like((texts(recorded("$folder/blocks") . $meta, [calls($sub)]))[1], qr/^$block{$block}/m, '... and of the recorded one');
}

my @lines = ('', 'sub one { return 1 }', 'sub two {', '    if ($x) {', '    }', '    return;', '}', 'my $f = sub {', '    1;', '};',
    '*{"x"} = sub {', '    2;', '};', 'use strict;');
my %extent = ('main::one' => [2, 2, 2], 'main::two' => [4, 3, 7], 'main::__ANON__[f:9]' => [9, 8, 10], 'Foo::x' => [12, 11, 13],
    'main::BEGIN[f:14]' => [14, 14, 14]);
for my $name (sort keys %extent) {
    my ($line, @want) = @{ $extent{$name} };
    is_deeply([Devel::DProf::Excerpts::extent({ name => $name, line => $line }, \@lines, 1)], \@want, "extent of $name");
}
is_deeply([Devel::DProf::Excerpts::extent({ name => 'main::three', line => 6 }, \@lines, 1)], [], 'no extent of what is not there');

# --- a comparison ---------------------------------------------------------------------------------

spew("$folder/base.out", profile('', ['+', 'A::a'], calls(('B::b') x 3, 'Gone::g'), ['-', 'A::a']));
spew("$folder/now.out",  profile('', ['+', 'A::a'], calls(('B::b') x 7, 'New::n'),  ['-', 'A::a']));
my @compare = ('--base', "$folder/base.out", "$folder/now.out");
my $compared = dprofpp(['--to', 'html', @compare]);
is($compared->{err}, '', '--base: nothing is said');
(undef, $data) = data($compared->{out});
my %row = map { ($data->{subs}{name}[$_] => $_) } 0 .. $#{ $data->{subs}{name} };
is_deeply([map { [$data->{subs}{wasCalls}[$row{$_}], $data->{subs}{calls}[$row{$_}]] } qw(A::a B::b Gone::g New::n)],
    [[1, 1], [3, 7], [1, 0], [0, 1]], '... calls before and now');
is(sum(@{ $data->{paths}{wasReal} }), $data->{baseTotal}[2], '... no time of the base is missing');
is_deeply([@$data{qw(runs baseRuns)}], [1, 1], '... and how many runs');
$svg = dprofpp(['--to', 'flame', @compare])->{out};
like($svg, qr{<title>B::b\n[^<]*\+0\.012 s a run</title><rect[^>]* fill="hsl\(8,}, '... flame: what has more is red');

# --- the other languages --------------------------------------------------------------------------

in_folder('t/data/pascal', sub {
    (undef, my $pascal) = data(dprofpp(['--to', 'html', 'gotoin.pmon', 'gotoin.p'])->{out});
    is($pascal->{kind}, 'statements', 'Pascal: statements');
    like($pascal->{listing}, qr/^ *10 +0\.---\|    goto 99;$/m, '... with the listing');
    is($pascal->{title}, 'gotoin.p', '... and a title');
    my $refused = dprofpp(['--to', 'flame', 'gotoin.pmon', 'gotoin.p']);
    is($refused->{status}, 1, '... no flame graph');
    like($refused->{err}, qr/--to html shows who calls whom/, '... which is said');
});
in_folder('t/data/z80', sub {
    (undef, my $z80) = data(dprofpp(['--to', 'html', 'fail.bin'])->{out});
    is($z80->{kind}, 'counts', 'Z80: counts');
    like($z80->{walkback}, qr/^#0 .*fail\(\)/m, '... with the stack');
    my ($fact) = grep { $z80->{subs}{name}[$_] eq 'fact' } 0 .. $#{ $z80->{subs}{name} };
    my $caller = 0;
    my @calls = grep { $caller += $z80->{edges}{caller}[$_]; $z80->{edges}{callee}[$_] == $fact } 0 .. $#{ $z80->{edges}{callee} };
    is_deeply([map { [$z80->{edges}{calls}[$_], $z80->{edges}{most}[$_]] } @calls], [[1, 6], [0, 5]], '... and its bounds');
});

# --- --open ---------------------------------------------------------------------------------------

spew("$folder/show", "#!/bin/sh\necho \"\$1\" >'$folder/shown.new'\nmv '$folder/shown.new' '$folder/shown'\n");
chmod 0755, "$folder/show";
spew("$folder/few.out", $few);
my $opened = dprofpp(['--open', '-o', "$folder/a b.html", "$folder/few.out"], env => { BROWSER => "$folder/show" });
is($opened->{status}, 0, '--open');
for (1 .. 200) {
    last if -e "$folder/shown";
    select undef, undef, undef, 0.05;
}
like(-e "$folder/shown" ? slurp("$folder/shown") : '', qr{\Afile://.*/a%20b\.html\n\z}, '... gives the address to the browser');
like(slurp("$folder/a b.html"), qr/\A<!DOCTYPE html>/, '... of a page');
is(dprofpp(['--open', '-T', "$folder/few.out"], env => { BROWSER => "$folder/show" })->{status}, 2, '... not of a report of text');

done_testing;
