# The tools that the exports are for open them without a complaint: each skips by name where it is missing.
use strict;
use warnings;

use lib 't/lib';

use DProf::Test qw(dprofpp run spew top);
use File::Temp;
use Test::More;

my $folder = File::Temp::tempdir(CLEANUP => 1);

# A run with names that are made to break things.
my @NAMES = ('main::plain', 'main::a\x20blank', 'main::semi;colon', 'main::"quoted"', 'main::<b>&amp;', 'main::new\x0aline',
    "main::\xc3\xa9", "main::bad\xff", 'main::back\x5cslash', 'main::(2)', '(3)', 'main::com,ma', 'main::' . 'x' x 10_000);
my $profile = "#fOrTyTwO\n\$hz=1000;\n\$XS_VERSION='DProf 20261129';\n\$rrun_utime=300; \$rrun_stime=0; \$rrun_rtime=300\nPART2\n"
    . "#run id=abc pid=4711 started=1764400000.5 cpu=thread\n#cmd x.pl --all\n#perl 5.36.0\n";
my $tick = 1000;
$profile .= "#sub $_ $folder/x.pl 3 perl\n" for @NAMES;
for my $name (@NAMES) {
    $profile .= "+ $tick 0 $tick $name\n+ $tick 0 $tick main::plain\n";
    $tick += 10;
    $profile .= "- $tick 0 $tick main::plain\n- $tick 0 $tick $name\n";
}
$profile .= '#end 0 300 0 1300 ' . 4 * @NAMES . "\n";
spew("$folder/tmon.out", $profile);
spew("$folder/x.pl", "1;\n2;\nsub plain {\n}\n");

sub have {
    my ($tool) = @_;
    return scalar grep { -x "$_/$tool" } split /:/, $ENV{PATH};
}

sub export {
    my ($format, @more) = @_;
    my $got = dprofpp(['--to', $format, @more, '-o', "$folder/out.$format", "$folder/tmon.out"]);
    is($got->{err}, '', "$format: nothing is said") if $got->{err};
    return "$folder/out.$format";
}

SKIP: {
    skip 'no callgrind_annotate (valgrind)', 3 if !have('callgrind_annotate');
    my $got = run(['callgrind_annotate', export('callgrind')]);
    is($got->{status}, 0, 'callgrind_annotate reads it');
    is($got->{err}, '', '... without a complaint');
    like($got->{out}, qr/main::plain/, '... and shows it');
}

SKIP: {
    skip 'no dot (graphviz)', 3 if !have('dot');
    my $got = run(['dot', '-Tsvg', export('dot')]);
    is($got->{status}, 0, 'dot draws it');
    like($got->{out}, qr/<svg.*main::&lt;b&gt;&amp;amp;/s, '... with its names');
    skip 'no xmllint (libxml2-utils)', 1 if !have('xmllint');
    is(run(['xmllint', '--noout', '--huge', '-'], in => $got->{out})->{err}, '', '... as XML');
}

SKIP: {
    skip 'no protoc (protobuf-compiler)', 3 if !have('protoc');
    # The fields of profile.proto that count, by their public numbers.
    spew("$folder/profile.proto", <<'P');
syntax = "proto3";
message ValueType { int64 type = 1; int64 unit = 2; }
message Label { int64 key = 1; int64 str = 2; int64 num = 3; int64 num_unit = 4; }
message Sample { repeated uint64 location_id = 1; repeated int64 value = 2; repeated Label label = 3; }
message Mapping { uint64 id = 1; uint64 memory_start = 2; uint64 memory_limit = 3; uint64 file_offset = 4; int64 filename = 5;
  int64 build_id = 6; bool has_functions = 7; bool has_filenames = 8; bool has_line_numbers = 9; }
message Line { uint64 function_id = 1; int64 line = 2; }
message Location { uint64 id = 1; uint64 mapping_id = 2; uint64 address = 3; repeated Line line = 4; }
message Function { uint64 id = 1; int64 name = 2; int64 system_name = 3; int64 filename = 4; int64 start_line = 5; }
message Profile { repeated ValueType sample_type = 1; repeated Sample sample = 2; repeated Mapping mapping = 3;
  repeated Location location = 4; repeated Function function = 5; repeated string string_table = 6; int64 time_nanos = 9;
  int64 duration_nanos = 10; ValueType period_type = 11; int64 period = 12; repeated int64 comment = 13; int64 default_sample_type = 14; }
P
    my $got = run(['sh', '-c', 'gzip -dc "$1" | protoc --decode=Profile -I "$2" "$2/profile.proto"', 'sh', export('pprof'), $folder]);
    is($got->{status}, 0, 'gzip and protoc read it') or diag $got->{err};
    unlike($got->{out}, qr/^\s*\d+: /m, '... and know every field');
    like($got->{out}, qr/string_table: "main::\\303\\251"/, '... names are UTF-8');
}

SKIP: {
    skip 'no genhtml (lcov)', 2 if !have('genhtml');
    my $got = run(['genhtml', '-o', "$folder/html", export('lcov')]);
    is($got->{status}, 0, 'genhtml reads it') or diag $got->{err};
    like($got->{out}, qr/functions\.+: 100\.0%/, '... all functions were called');
}

SKIP: {
    my ($flamegraph) = grep { -e } '/usr/share/perl5/Devel/NYTProf/flamegraph.pl', glob '/usr/share/perl5/Devel/NYTProf/*flamegraph*';
    skip 'no flamegraph.pl (libdevel-nytprof-perl)', 2 if !$flamegraph;
    my $got = run([$^X, $flamegraph, export('folded')]);
    is($got->{status}, 0, 'flamegraph.pl reads it');
    unlike($got->{err}, qr/ignored|fewer/i, '... all of it');
}

done_testing;
