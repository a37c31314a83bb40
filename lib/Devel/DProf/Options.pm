package Devel::DProf::Options;

use strict;
use warnings;

# The options of dprofpp: one table. The parser, --help, the completions and the test of the manual
# are made from it; a new option is a new row.
#
#   letter   its classic letter, if it has one
#   name     its long name
#   arg      the word for its value in the help; an option without one is a switch
#   key      the setting that it sets
#   value    what a switch sets it to (1 if not said)
#   off      what --no-NAME (or NAME for a --no-NAME) sets it to; a switch without cannot be undone so
#   many     values add up in a list, which --no-NAME empties
#   read     its value is a file that is read: -o must not be it
#   check    what a value must look like: a key of %CHECK
#   group    the purpose under which the help lists it
#   help     one or two short lines
our @OPTIONS = (
    {   group => 'Which report', letter => 'T', name => 'tree', key => 'report', value => 'tree',
        help => 'the tree of calls in their order, a line for each call' },
    {   letter => 't', name => 'collapsed', key => 'report', value => 'collapsed',
        help => 'the same, equal calls in a row folded into one: name (Nx)' },
    {   letter => 'S', name => 'merged', key => 'report', value => 'merged',
        help => 'the tree of call paths with counts and times, dearest first' },
    {   name => 'callers', arg => 'SUB', key => 'of', many => 1, report => 'callers',
        help => 'who called SUB, how often, and the time of those calls' },
    {   name => 'callees', arg => 'SUB', key => 'of', many => 1, report => 'callees',
        help => 'what SUB called, how often, and the time of those calls' },
    {   name => 'stats', key => 'report', value => 'stats',
        help => 'how long single calls took: least, mean, percentiles, most' },
    {   name => 'verify', key => 'report', value => 'verify',
        help => 'check the profile itself; exit status 1 if anything is wrong' },
    {   name => 'report', arg => 'NAME', key => 'report',
        help => 'any report by its name (top is the usual one)' },
    {   name => 'live', key => 'live', off => 0,
        help => 'like top, of a program that is running: what it does now and did so far' },
    {   name => 'every', arg => 'SECONDS', key => 'every', check => 'seconds',
        help => 'with --live: a new screen after so many seconds (1)' },
    {   name => 'snapshot', key => 'snapshot', off => 0,
        help => 'any report of a program that still runs, of this moment' },
    {   name => 'reports', key => 'list', value => 'reports', help => 'list the reports' },

    {   group => 'Which time', letter => 'r', name => 'real', key => 'clock', value => 'real',
        help => 'elapsed time instead of user and system time' },
    {   letter => 'u', name => 'user', key => 'clock', value => 'user', help => 'user time only' },
    {   letter => 's', name => 'system', key => 'clock', value => 'system',
        help => 'system time only' },
    {   name => 'cpu', key => 'clock', value => 'cpu',
        help => 'user and system time: the default; of -r -u -s --cpu the last counts' },
    {   letter => 'I', name => 'inclusive', key => 'inclusive', off => 0,
        help => 'sort and weigh by the time of a sub with all that it called' },
    {   letter => 'E', name => 'exclusive', key => 'inclusive', value => 0,
        help => 'by the time in the sub itself: the default' },
    {   name => 'raw', key => 'raw', off => 0,
        help => 'leave the cost of profiling in; else it is taken out' },

    {   group => 'Which order, how much', letter => 'O', name => 'rows', arg => 'N', key => 'rows',
        check => 'integer', help => 'N rows: 15 if 0 or not given, all if negative' },
    {   letter => 'z', name => 'by-time', key => 'sort', value => 'time',
        help => 'sort by time: the default; of the orders the last counts' },
    {   letter => 'l', name => 'by-calls', key => 'sort', value => 'calls',
        help => 'sort by number of calls' },
    {   letter => 'v', name => 'by-average', key => 'sort', value => 'average',
        help => 'sort by average time of a call' },
    {   letter => 'a', name => 'by-name', key => 'sort', value => 'name', help => 'sort by name' },
    {   letter => 'U', name => 'unsorted', key => 'sort', value => 'first',
        help => 'in order of first appearance' },
    {   name => 'sort', arg => 'COLUMN', key => 'sort', check => 'sort',
        help => 'time exclusive inclusive calls average average-inclusive name first' },
    {   letter => 'd', name => 'reverse', key => 'reverse', off => 0, help => 'turn the order round' },
    {   letter => 'q', name => 'no-header', key => 'header', value => 0, off => 1,
        help => 'no head, rows only' },
    {   name => 'page', arg => 'LINES', key => 'page', check => 'natural',
        help => 'a form feed and a new head after each LINES lines, for a printer' },
    {   name => 'width', arg => 'COLUMNS', key => 'width', check => 'natural',
        help => 'make names fit so many columns; 0: never cut (default: the terminal)' },
    {   name => 'color', arg => 'WHEN', key => 'color', check => 'when', off => 'never',
        help => 'auto, always or never; auto: on a terminal, unless NO_COLOR is set' },
    {   name => 'no-pager', key => 'no_pager', off => 0,
        help => 'what does not fit the terminal does not go through $PAGER' },

    {   group => 'Which subs', letter => 'g', name => 'inside', arg => 'SUB', key => 'inside',
        many => 1, help => 'only what happened inside SUB; may be given again' },
    {   letter => 'f', name => 'hide', arg => 'REGEX', key => 'hide', many => 1, check => 'regex',
        help => 'leave matching subs out of the report; sums stay' },
    {   letter => 'G', name => 'group', arg => 'REGEX', key => 'group', many => 1,
        check => 'regex', help => 'matching subs together are one row' },
    {   letter => 'P', name => 'other', key => 'other', off => 0,
        help => 'with -G: all the rest is one row, "other"' },
    {   name => 'only', arg => 'WHAT', key => 'only', many => 1,
        help => 'count only these subs, packages, files; callers get the other time' },
    {   name => 'skip', arg => 'WHAT', key => 'skip', many => 1,
        help => 'do not count these subs, packages, files; callers get their time' },
    {   letter => 'A', name => 'autoload', key => 'autoload', off => 0,
        help => 'subs that came through AUTOLOAD count as PACKAGE::AUTOLOAD' },
    {   letter => 'R', name => 'separate', key => 'separate', off => 0,
        help => 'BEGIN, END and their like apart, each by its place' },

    {   group => 'What to read', name => 'each', key => 'each', off => 0,
        help => 'a report for each file instead of one of all' },
    {   name => 'all', key => 'all', off => 0,
        help => 'sum files that do not belong together: of different runs, of one process twice' },
    {   name => 'from', arg => 'READER', key => 'from', check => 'reader',
        help => 'read the files as that kind, whatever they look like: tmon, z80, folded' },
    {   name => 'base', arg => 'FILE', key => 'base', many => 1, read => 1,
        help => 'what changed since FILE; several are runs of one version (Z80: takes its counts off)' },
    {   name => 'origin', arg => 'ADDR', key => 'origin', check => 'address',
        help => 'Z80: where a raw file lies in memory (hexadecimal)' },
    {   name => 'bank', arg => 'N', key => 'bank', check => 'bank',
        help => 'Z80: of a snapshot of a machine with banks, look at this one (0 to 7) at C000' },
    {   name => 'map', arg => 'FILE', key => 'symbols', check => 'file', read => 1,
        help => 'Z80: names of addresses, from a .map, .noi or .sym file' },
    {   letter => 'F', name => 'fake-exits', key => 'fake', off => 0,
        help => 'do not mention calls that were open at the end' },

    {   group => 'Run and report', letter => 'p', name => 'profile', arg => 'SCRIPT', key => 'script',
        help => 'profile a script first; may have arguments, quoted as in a shell' },
    {   name => 'run', key => 'run', help => 'profile the command that follows "--" first' },
    {   name => 'until', arg => 'ADDR', key => 'until', check => 'address',
        help => 'Z80: --run ends at that address (hexadecimal)' },
    {   name => 'clock', arg => 'HZ', key => 'hz', check => 'positive',
        help => 'Z80: T-states a second (4000000); folded: of the numbers, how many make a second' },
    {   name => 'seconds', arg => 'N', key => 'seconds', check => 'positive',
        help => 'Z80: --run stops after N seconds of real time' },
    {   name => 'allow-write', key => 'allow_write', off => 0,
        help => 'Z80: let the program write files of the current folder' },
    {   name => 'dump', arg => 'FILE', key => 'dump',
        help => 'Z80: write memory and registers at the end of --run to FILE' },
    {   letter => 'Q', name => 'no-report', key => 'quit', help => 'with -p or --run: no report' },

    {   group => 'Pascal', name => 'instrument', key => 'instrument',
        help => 'write the program with counters in it, for Free Pascal' },
    {   name => 'died', arg => 'FILE', key => 'died', read => 1,
        help => "px's closing message and trace: marks where the program ended, corrects counts" },
    {   name => 'indent', arg => 'N', key => 'unit', check => 'positive',
        help => 'columns of one level in listing and pretty (4)' },
    {   name => 'fold', arg => 'COLUMNS', key => 'fold', check => 'natural',
        help => 'pretty: fold longer lines; --width does the same there' },
    {   name => 'flat', key => 'flat', off => 0, help => 'do not indent routines by their nesting' },
    {   name => 'full-parens', key => 'full_parens', off => 0,
        help => 'parentheses around every operand that is not a name or a number' },
    {   name => 'keep-parens', key => 'keep_parens', off => 0,
        help => 'keep the parentheses of the source' },
    {   name => 'all-bodies', key => 'all_bodies', off => 0,
        help => 'listing: also the bodies of routines that never ran' },
    {   name => 'no-declarations', key => 'no_declarations', off => 0,
        help => 'without labels, constants, types and variables' },
    {   name => 'strip-comments', key => 'strip_comments', off => 0, help => 'without comments' },
    {   name => 'underline', key => 'underline', off => 0, help => 'underline keywords, for a printer' },
    {   name => 'expand-includes', key => 'expand_includes', off => 0,
        help => 'pretty: what is included in place of the #include line' },
    {   name => 'pages', key => 'pages', off => 0,
        help => 'listing: a form feed and a heading where the file changes' },
    {   name => 'marks', key => 'marks', off => 0,
        help => 'listing: <--- where a count is not what ran; without, pxp\'s listing to the byte' },
    {   name => 'others', key => 'others', off => 0,
        help => 'pretty: a last case arm "others" becomes the else of an if' },
    {   name => 'dialect', arg => 'NAME', key => 'dialect', check => 'dialect',
        help => 'berkeley or modern Pascal (default: whichever the text is)' },
    {   name => 'card', key => 'card', off => 0, help => 'read the first 72 columns of each line only' },

    {   name => 'anonymize', key => 'anonymize', off => 0,
        help => 'names of packages, subs and files become numbers: to share a profile' },

    {   group => 'Checks', name => 'check', arg => 'CHECK', key => 'check', many => 1,
        help => "exit status 1 unless it holds: 'calls(DBI::*) <= 1000'" },
    {   name => 'check-file', arg => 'FILE', key => 'check_file', many => 1, read => 1,
        help => 'the checks of a file, one a line' },

    {   group => 'Where to', name => 'to', arg => 'FORMAT', key => 'to',
        help => 'a file for another tool, in this format' },
    {   name => 'json', key => 'to', value => 'json', help => 'short for --to json' },
    {   name => 'formats', key => 'list', value => 'formats', help => 'list the formats' },
    {   name => 'open', key => 'open', off => 0,
        help => 'show it in a browser; a page (--to html), if no other format is asked for' },
    {   name => 'source', key => 'source', value => 1,
        help => 'html: with the text of the program, also of a profile of another machine' },
    {   name => 'no-source', key => 'source', value => 0,
        help => 'html: leave the text of the program out' },
    {   letter => 'o', name => 'output', arg => 'FILE', key => 'output',
        help => 'write to FILE; its ending chooses the format' },

    {   group => 'Help', letter => 'h', name => 'help', key => 'list', value => 'help',
        help => 'this list' },
    {   letter => 'H', name => 'manual', key => 'list', value => 'manual', help => 'the manual' },
    {   letter => 'V', name => 'version', key => 'list', value => 'version',
        help => 'the versions of dprofpp and of what wrote the profile' },
    {   name => 'completion', arg => 'SHELL', key => 'completion', check => 'shell',
        help => 'print completions for bash, zsh or fish' },
);

our @SORTS = qw(time exclusive inclusive calls average average-inclusive name first);

# Other words for the orders: the heads of the columns.
my %SORT_ALIAS = (
    'exclsec' => 'exclusive', 'cumuls' => 'inclusive', '#calls' => 'calls', '%time' => 'time',
    'sec/call' => 'average', 'csec/c' => 'average-inclusive', 'unsorted' => 'first',
    'avg' => 'average',
);

# What a value must be. Each returns the value to keep, or undef and what was expected.
my %CHECK = (
    integer => sub { $_[0] =~ /\A[-+]?\d{1,18}\z/ ? $_[0] + 0 : (undef, 'a whole number') },
    natural => sub { $_[0] =~ /\A\d{1,9}\z/ ? $_[0] + 0 : (undef, 'a whole number, 0 or more') },
    address => sub {
        return $_[0] =~ /\A(?:0x|\$)?([0-9a-f]{1,4})h?\z/i ? hex $1
            : (undef, 'an address of up to four hexadecimal digits');
    },
    seconds => sub {
        return $_[0] =~ /\A(?:\d{1,5}(?:\.\d{1,3})?|\.\d{1,3})\z/ && $_[0] >= 0.1 ? $_[0] + 0
            : (undef, 'seconds, 0.1 or more');
    },
    bank => sub { $_[0] =~ /\A[0-7]\z/ ? $_[0] + 0 : (undef, 'a bank from 0 to 7') },
    file => sub {
        open my $fh, '<', $_[0] or return (undef, "a file that can be read ($!)");
        binmode $fh;
        local $/;
        my $bytes = <$fh>;
        return defined $bytes && $bytes ne '' ? $bytes : (undef, 'a file with something in it');
    },
    when => sub { $_[0] =~ /\A(?:auto|always|never)\z/ ? $_[0] : (undef, 'auto, always or never') },
    reader => sub { $_[0] =~ /\A[a-z0-9]+\z/ ? $_[0] : (undef, 'the name of a reader') },
    positive => sub { $_[0] =~ /\A[1-9]\d{0,9}\z/ ? $_[0] + 0 : (undef, 'a whole number above 0') },
    dialect => sub {
        $_[0] =~ /\A(?:berkeley|modern)\z/ ? $_[0] : (undef, 'berkeley or modern');
    },
    shell   => sub { $_[0] =~ /\A(?:bash|zsh|fish)\z/ ? $_[0] : (undef, 'bash, zsh or fish') },
    sort    => sub {
        my $word = lc $_[0];
        $word = $SORT_ALIAS{$word} if exists $SORT_ALIAS{$word};
        return (grep { $_ eq $word } @SORTS) ? $word : (undef, 'one of ' . join ', ', @SORTS);
    },
    regex => sub {
        my ($text) = @_;
        return $text if eval { my $ok = qr/$text/; 1 };
        (my $why = $@) =~ s/ at \S+ line \d+\.?\s*\z//;
        return (undef, "a regular expression ($why)");
    },
);

my (%BY_LETTER, %BY_NAME);
{
    my $group;
    for my $option (@OPTIONS) {
        $group = $option->{group} ||= $group;
        $BY_LETTER{ $option->{letter} } = $option if $option->{letter};
        $BY_NAME{ $option->{name} } = $option;
    }
}

# What holds when nothing was asked.
sub defaults {
    return {
        report => 'top', clock => 'cpu', sort => 'time', inclusive => 0, rows => undef, header => 1,
        page   => 0,     of    => [],    inside => [],   hide      => [], group => [], only => [],
        skip   => [], base => [],
    };
}

# parse(\%set, $where, @words): sets what the words ask for. $where is said in errors, '' for the
# command line. Returns the words that are no options. Dies with one line for the user.
sub parse {
    my ($set, $where, @words) = @_;
    my $parser = { set => $set, where => $where, words => \@words, rest => [] };

    while (@words) {
        my $word = shift @words;
        if ($word eq '--') {
            push @{ $set->{run} ? $set->{command} ||= [] : $parser->{rest} }, splice @words;
        } elsif ($word =~ /\A--(.+)\z/s) {
            long_option($parser, $1);
        } elsif ($word =~ /\A-(.+)\z/s) {
            bundle($parser, $1);
        } else {
            push @{ $parser->{rest} }, $word;
        }
    }
    return @{ $parser->{rest} };
}

sub wrong {
    my ($parser, $text) = @_;
    die $parser->{where} ? "$parser->{where}: $text\n" : "$text\n";
}

sub long_option {
    my ($parser, $text) = @_;
    my ($name, $value) = split /=/, $text, 2;
    my $option = $BY_NAME{$name};

    if (!$option) {
        my ($other) = $name =~ /\Ano-(.+)\z/s ? $1 : "no-$name";
        my $undone = $BY_NAME{$other};
        if ($undone && (exists $undone->{off} || $undone->{many})) {
            wrong($parser, "--$name takes no value") if defined $value;
            return undo($parser, $undone);
        }
        wrong($parser, "unknown option --$name" . near_miss($name));
    }
    if ($option->{arg}) {
        $value = shift @{ $parser->{words} } if !defined $value;
        wrong($parser, "--$name needs a value: --$name $option->{arg}") if !defined $value;
    } elsif (defined $value) {
        wrong($parser, "--$name takes no value");
    }
    take($parser, $option, "--$name", $value);
    return;
}

# --no-NAME: a switch, or a list with what stood before in it. A list of subs that asked for a report does not any
# more.
sub undo {
    my ($parser, $option) = @_;
    my $set = $parser->{set};
    my $key = $option->{key};
    $set->{$key} = $option->{many} ? defaults()->{$key} : $option->{off};
    return if !$option->{report} || $set->{report} ne $option->{report};
    $set->{report} = defaults()->{report};
    delete $parser->{asked};
    return;
}

# Letters in one word, as getopts of old took them: -lO5 is -l -O 5.
sub bundle {
    my ($parser, $letters) = @_;
    my $word = $letters;

    for my $letter (grep { !$BY_LETTER{$_} } first_letters($letters)) {
        my $hint = length $word > 1 ? near_miss($word) : '';
        wrong($parser, length $word > 1
            ? "unknown option -$letter in -$word$hint" : "unknown option -$letter");
    }
    while ($letters =~ s/\A(.)//s) {
        my $option = $BY_LETTER{$1};
        my $value;
        if ($option->{arg}) {
            $value = length $letters ? $letters : shift @{ $parser->{words} };
            $letters = '';
            wrong($parser, "-$1 needs a value: -$1 $option->{arg}") if !defined $value;
        }
        take($parser, $option, "-$1", $value);
    }
    return;
}

# The letters of a bundle, up to the first that takes the rest of the word as its value.
sub first_letters {
    my ($letters) = @_;
    my @found;
    for my $letter (split //, $letters) {
        push @found, $letter;
        last if !$BY_LETTER{$letter} || $BY_LETTER{$letter}{arg};
    }
    return @found;
}

sub take {
    my ($parser, $option, $said, $value) = @_;
    my $set = $parser->{set};
    my $key = $option->{key};

    push @{ $set->{inputs} }, $value if $option->{read};
    if ($option->{check}) {
        my ($good, $expected) = $CHECK{ $option->{check} }->($value);
        wrong($parser, "$said: expected $expected, found '$value'") if !defined $good;
        $value = $good;
    }
    $value = exists $option->{value} ? $option->{value} : 1 if !$option->{arg};

    ask($parser, 'report', $said, $option->{report} || $value)
        if $option->{report} || $key eq 'report';
    ask($parser, 'to', $said, $value) if $key eq 'to';
    if ($option->{many}) {
        push @{ $set->{$key} ||= [] }, $value;
    } else {
        $set->{$key} = $value;
    }
    return;
}

# Two reports, or a report and a format, cannot both be meant; where DPROFPP_OPTS asked for one, the command
# line simply asks for another. The subs that --callers asked for are not those of --callees.
sub ask {
    my ($parser, $what, $said, $asks) = @_;
    my $before = $parser->{asked};
    wrong($parser, "$before->{said} and $said exclude each other: one report at a time")
        if $before && "$before->{what} $before->{asks}" ne "$what $asks";
    $parser->{asked} = { what => $what, said => $said, asks => $asks };
    my $set = $parser->{set};
    delete @$set{qw(to said)};
    $set->{of} = [] if $what eq 'report' && $asks ne $set->{report};
    $set->{$what} = $asks;
    $set->{said}  = $said if $parser->{where} eq '';
    return;
}

# " (did you mean --tree?)" for a word that is nearly a long name, else "".
sub near_miss {
    my ($word) = @_;
    my $limit = length $word < 4 ? 1 : 2;
    my @near = grep { length $word > 1 && index($_, $word) == 0 } map { $_->{name} } @OPTIONS;
    if (!@near) {
        my %distance = map { $_ => distance($word, $_) } map { $_->{name} } @OPTIONS;
        my ($least) = sort { $a <=> $b } values %distance;
        @near = grep { $distance{$_} == $least } sort keys %distance if $least <= $limit;
    }
    return @near ? ' (did you mean ' . join(' or ', map { "--$_" } @near[0 .. ($#near > 2 ? 2 : $#near)]) . '?)' : '';
}

# How many letters must be changed, put in, taken out or swapped to make one word of the other.
sub distance {
    my ($from, $to) = @_;
    my @from = split //, $from;
    my @to   = split //, $to;
    my @row  = ([0 .. @to]);
    for my $i (1 .. @from) {
        $row[$i][0] = $i;
        for my $j (1 .. @to) {
            my $same = $from[$i - 1] eq $to[$j - 1];
            my $best = $row[$i - 1][$j - 1] + ($same ? 0 : 1);
            for my $other ($row[$i - 1][$j] + 1, $row[$i][$j - 1] + 1) {
                $best = $other if $other < $best;
            }
            if ($i > 1 && $j > 1 && $from[$i - 1] eq $to[$j - 2] && $from[$i - 2] eq $to[$j - 1]) {
                my $swap = $row[$i - 2][$j - 2] + 1;
                $best = $swap if $swap < $best;
            }
            $row[$i][$j] = $best;
        }
    }
    return $row[-1][-1];
}

# split_words($text): as a shell would, without anything but quotes and backslashes being special.
# Dies when a quote is not closed.
sub split_words {
    my ($text) = @_;
    my (@words, $word);
    while (length $text) {
        if ($text =~ s/\A\s+//) {
            push @words, $word if defined $word;
            undef $word;
            next;
        }
        $word = '' if !defined $word;
        if ($text =~ s/\A'([^']*)'//) {
            $word .= $1;
        } elsif ($text =~ s/\A"((?:[^"\\]|\\.)*)"//s) {
            my $inside = $1;
            $inside =~ s/\\(["\\\$`])/$1/g;
            $word .= $inside;
        } elsif ($text =~ s/\A\\(.)//s || $text =~ s/\A([^\s'"\\]+)//) {
            $word .= $1;
        } else {
            die "a quote is not closed: $text\n" if $text =~ /\A['"]/;
            $word .= $text;
            $text = '';
        }
    }
    return (@words, defined $word ? $word : ());
}

# The text of --help: everything by purpose.
sub help {
    my $text = <<'TEXT';
Usage: dprofpp [options] [profile ...]
Reports where a program spent its time, from a profile that perl -d:DProf wrote.
Without a profile: tmon.out and those of the run's children and threads. "-" is standard input.

  perl -d:DProf script.pl        profile a script
  dprofpp                        the 15 subs that took most time
  dprofpp -I                     ... with all that they called
  dprofpp -r                     elapsed time: who waits
  dprofpp -S -g main::report     the paths below one sub
  dprofpp -G '^DBI::' -P         a package against the rest
  dprofpp -p 'script.pl --all'   run and report at once
TEXT
    my $group = '';
    for my $option (@OPTIONS) {
        $text .= "\n$option->{group}:\n" if $option->{group} ne $group;
        $group = $option->{group};
        my $left = sprintf '  %3s --%s%s', $option->{letter} ? "-$option->{letter}," : '',
            $option->{name}, $option->{arg} ? " $option->{arg}" : '';
        $text .= sprintf "%-28s %s\n", $left, $option->{help};
    }
    $text .= <<'TEXT';

A SUB is a full name (main::foo), a glob (Foo::*) or a /regex/. --no-NAME undoes a switch or a list.
DPROFPP_OPTS holds options that come before those of the command line.
Exit status: 0 good; 1 something in the profile was lost or guessed, or there is no report; 2 wrong
usage. dprofpp -H shows the manual.
TEXT
    return $text;
}

# The completions of a shell, as a script to be sourced.
sub completion {
    my ($shell) = @_;
    if ($shell eq 'bash') {
        my @words = map { ("--$_->{name}", $_->{letter} ? "-$_->{letter}" : ()) } @OPTIONS;
        return "complete -o default -W '@words' dprofpp\n";
    }
    if ($shell eq 'fish') {
        return join '', map {
            my $help = $_->{help};
            $help =~ s/(['\\])/\\$1/g;
            'complete -c dprofpp -l ' . $_->{name}
                . ($_->{letter} ? " -s $_->{letter}" : '') . ($_->{arg} ? ' -r' : '')
                . " -d '$help'\n";
        } @OPTIONS;
    }
    my $text = "#compdef dprofpp\n_arguments \\\n";
    for my $option (@OPTIONS) {
        (my $help = $option->{help}) =~ s/'/'\\''/g;
        $help =~ s/([\[\]:])/\\$1/g;
        my $arg = $option->{arg} ? ":$option->{arg}:" : '';
        my @words = ("--$option->{name}", $option->{letter} ? "-$option->{letter}" : ());
        $text .= "  '*$_\[$help]$arg' \\\n" for @words;
    }
    return $text . "  '*:profile:_files'\n";
}

1;

__END__

=head1 NAME

Devel::DProf::Options - the options of dprofpp, as one table

=head1 SYNOPSIS

    use Devel::DProf::Options;

    my $set   = Devel::DProf::Options::defaults();
    my @files = Devel::DProf::Options::parse($set, '', @ARGV);

=head1 DESCRIPTION

C<@OPTIONS> has a row for each option of L<dprofpp>. What the rows mean is said at the top of the
table. These functions work on it:

=over

=item defaults()

A new hash of settings for when nothing is asked.

=item parse(\%settings, $where, @words)

Changes the settings as the words ask and returns the words that are no options. Letters may be
bundled as getopts of old took them; long names are never abbreviated; options may follow files;
C<--> ends the options. Dies with one line for the user; C<$where> ("DPROFPP_OPTS") is said in it.

=item split_words($text)

The words of a text, as a shell would split them: quotes and backslashes work, nothing else is
special.

=item near_miss($word)

C<" (did you mean --tree?)"> if the word is nearly a long name, else an empty string.

=item help(), completion($shell)

The texts of C<--help> and C<--completion>.

=item distance($from, $to)

How many letters must be changed, put in, taken out or swapped to make one word of the other.

=item long_option, undo, bundle, first_letters, take, ask, wrong

Parts of C<parse>.

=back

=cut
