# The page and the flame graph in a real browser: no error, names are text, and clicks, keys, search and links
# do what they say.
use strict;
use warnings;

use lib 't/lib';

use DProf::Chromium;
use DProf::Test qw(dprofpp spew top);
use File::Temp ();
use Test::More;

my $lacking = DProf::Chromium::lacking();
plan skip_all => $lacking if $lacking;

my $folder = File::Temp->newdir;
my $head = "#fOrTyTwO\n\$hz=1000;\n\$XS_VERSION='DProf 20261129';\n# All values are given in HZ\n"
    . "\$rrun_utime=0; \$rrun_stime=0; \$rrun_rtime=0\nPART2\n#run id=1 pid=77 started=1.0 cpu=thread\n"
    . "#cmd </title><script>window.hit = 1</script> x\n";
my @hostile = ('main::</script><script>window.hit=1</script>', 'main::<img\x20src=x\x20onerror=window.hit=1>',
    'main::"><b>', 'main::\x0anew', "main::bad\xff", "main::\xc3\xa9t\xc3\xa9", 'main::' . 'x' x 10_000);
my ($tick, $marks) = (0, '');
my $mark = sub { $tick += 10; $marks .= "$_[0] $tick 0 $tick $_[1]\n" };
$mark->('+', 'Top::outer');
for my $round (1 .. 3) {
    $mark->('+', 'In::middle');
    ($mark->('+', $_), $mark->('-', $_)) for 'In::leaf', 'In::leaf', @hostile;
    $mark->('-', 'In::middle');
}
$mark->('-', 'Top::outer');
($mark->('+', 'Last::one'), $mark->('-', 'Last::one')) for 1 .. 200;
spew("$folder/tmon.out", "$head$marks#end $tick 0 $tick 466\n");
is(dprofpp(['--to', $_, '-o', "$folder/x.$_", "$folder/tmon.out"])->{err}, '', "$_ is made") for 'html', 'flame';
rename "$folder/x.flame", "$folder/x.svg";

my $browser = DProf::Chromium->new;
my $js = sub { return $browser->js(@_) };
# What is painted is painted with the next picture.
my $settled = sub { $js->('return new Promise((done) => setTimeout(() => requestAnimationFrame(() => done(1)), 30))') };
my $go = sub { $js->('location.hash = arguments[0]', $_[0]); $settled->() };
my $text = sub { return $js->('const e = [...document.querySelectorAll(arguments[0])].find((one) => one.offsetParent); return e ? e.textContent : null', $_[0]) };

$browser->get("file://$folder/x.html");
is($js->('return document.documentElement.dataset.ready'), '1', 'the page is ready');
is($js->('return window.hit === undefined ? 0 : 1'), 0, 'no name ran as a script');
is($js->('return document.querySelectorAll("img, iframe, object, embed, b").length'), 0, 'no name became an element');
is($js->('return document.scripts.length'), 2, 'no script was added');
like($js->('return document.title'), qr{\A</title><script>}, 'the title is text');
is($js->('return performance.getEntriesByType("resource").length'), 0, 'nothing was fetched');
like($text->('.words'), qr/\AThe program took /, 'it begins with where the time went, in words');

for my $view (qw(flame time subs packages about)) {
    $go->("#$view");
    is($js->('return [...document.querySelectorAll(".view")].filter((one) => !one.hidden).length'), 1, "$view: one view is shown");
    is($text->('.tabs [aria-current]'), $js->('return document.getElementById("tab-" + arguments[0]).textContent', $view), '... and its tab says so');
}

$go->('#flame');
$browser->click('.chart', 40, 28);
$settled->();
like($text->('.detail'), qr/\ALast::one, |\ATop::outer, /, 'flame: a click chooses a box');
like($text->('.trail'), qr/the whole run|The whole run/, '... with the way to it');
$browser->keys("\x{E00C}");    # Escape
$settled->();
is($text->('.trail'), '', '... Escape goes back');
$browser->keys("\x{E015}");    # arrow down
$browser->keys("\x{E015}");
$settled->();
like($text->('.chartbox [aria-live]'), qr/ CPU time, /, '... arrows walk, and what is there is spoken');
$browser->keys("\x{E007}");    # Enter
$settled->();
isnt($text->('.trail'), '', '... Enter goes in');
$js->('[...document.querySelectorAll(".switch button")][1].click()');
$settled->();
is($js->('return document.querySelectorAll(".switch button")[1].getAttribute("aria-pressed")'), 'true', 'it can be inverted');

my $typed = sub {
    $js->('const box = document.querySelector("input[type=search]"); box.value = arguments[0]; box.dispatchEvent(new Event("input"))', $_[0]);
    $js->('return new Promise((done) => setTimeout(() => done(1), 250))');
    return $text->('output');
};
like($typed->('in::LEAF'), qr/\A1 sub matches: [\d.]+.% of the CPU time in them, /, 'search: what matches and its share');
like($typed->('/^(?:In|Top)::/'), qr/\A3 subs match/, '... by a regular expression');
is($typed->('/(/'), 'This is no regular expression.', '... a bad one is said');
$go->('#subs');
like($typed->('onerror'), qr/\A1 sub matches/, '... a hostile name is found');
is($text->('.subs tbody th a'), 'main::<img src=x onerror=window.hit=1>', '... and is text in the table');
$typed->('');

my $column = sub { $js->('return [...document.querySelectorAll(".subs tbody tr")].map((row) => row.children[1].textContent.replace(/\D/g, ""))') };
$js->('[...document.querySelectorAll(".subs thead button")][1].click()');
my @calls = @{ $column->() };
is($calls[0], 200, 'the table sorts by calls');
$js->('[...document.querySelectorAll(".subs thead button")][1].click()');
isnt($column->()->[0], 200, '... and the other way round');
is($js->('return document.querySelector(".subs th[aria-sort]").getAttribute("aria-sort")'), 'ascending', '... and says so');

$js->('[...document.querySelectorAll(".subs tbody a")].find((link) => link.textContent === "In::middle").click()');
$settled->();
is($text->('h2[tabindex]'), 'In::middle', 'a row leads to its sub');
is($js->('return document.querySelectorAll(".sandwich .chart").length'), 2, '... with callers and callees');
like($js->('return [...document.querySelectorAll(".view:not([hidden]) tbody a")].map((link) => link.textContent).join("|")'),
    qr/\bTop::outer\b.*\bIn::leaf\b/s, '... and their tables');
$js->('history.back()');
$settled->();
is($text->('.tabs [aria-current]'), 'Subs', 'the way back works');

$js->('document.querySelector(".headline button").click()') for 1 .. 2;
my $paper = $js->('return getComputedStyle(document.documentElement).backgroundColor');
is($paper, 'rgb(20, 24, 31)', 'dark, if asked for');
is_deeply([$browser->console], [], 'the console has heard of nothing');

# --- the flame graph alone ------------------------------------------------------------------------

$browser->get("file://$folder/x.svg");
is($js->('return window.hit === undefined ? 0 : 1'), 0, 'flame: no name ran');
my $width = sub { $js->('const one = [...document.querySelectorAll(".b")].find((b) => b.querySelector("title").textContent.startsWith(arguments[0])); return Number(one.querySelector("rect").getAttribute("width"))', $_[0]) };
my $before = $width->('In::middle');
$js->('[...document.querySelectorAll(".b")].find((b) => b.querySelector("title").textContent.startsWith("In::middle")).dispatchEvent(new MouseEvent("click", { bubbles: true }))');
cmp_ok($width->('In::middle'), '>', 1.2 * $before, '... a click zooms');
is($width->('In::middle'), 1180, '... to all of the width');
$browser->keys("\x{E00C}");
is($width->('In::middle'), $before, '... Escape goes back');
$js->('window.prompt = () => "leaf"; document.getElementById("search").dispatchEvent(new MouseEvent("click", { bubbles: true }))');
like($js->('return document.getElementById("detail").textContent'), qr/\A1 boxes match: [\d.]+ % of the whole\z/, '... and it can be searched');
is_deeply([$browser->console], [], '... without an error');

# --- without a mouse, on a phone, other languages -------------------------------------------------

undef $browser;
$browser = DProf::Chromium->new(width => 500, height => 900);
my $data = top() . '/t/data';
for my $case (['pascal', "$data/pascal/gotoin.pmon", "$data/pascal/gotoin.p"], ['z80', "$data/z80/fail.bin"], ['killed', "$data/report/killed.in"],
    ['tree', "$data/report/tree.in"], ['old', "$data/report/1997.in"]) {
    my ($name, @files) = @$case;
    dprofpp(['--to', 'html', '-o', "$folder/$name.html", @files]);
    $browser->get("file://$folder/$name.html");
    for my $id (@{ $js->('return [...document.querySelectorAll(".tabs a")].map((link) => link.hash)') }, '#sub=1') {
        $go->($id);
        cmp_ok($js->('return document.documentElement.scrollWidth'), '<=', $js->('return innerWidth'), "$name$id: nothing is wider than a phone");
    }
    is_deeply([$browser->console], [], "$name: no error");
}

done_testing;
