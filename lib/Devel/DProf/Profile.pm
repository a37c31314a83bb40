package Devel::DProf::Profile;

use strict;
use warnings;

use Devel::DProf::Source;
use XSLoader;

our $VERSION = '20261129';
XSLoader::load(__PACKAGE__, $VERSION);

# read_file($path, %how): a new profile. how: calls => what hears the calls while they are read (see
# calls_for); progress => code; trouble => code. Dies with "PATH: ...".
sub read_file {
    my ($class, $path, %how) = @_;
    my $shown = $path eq '-' ? 'standard input' : $path;
    my $stops  = $how{progress} && sub { $how{progress}->(0) };
    my $source = eval { Devel::DProf::Source->new($path, $stops) } or die "$shown: $@";
    return $class->read_source($source, $shown, %how);
}

sub read_source {
    my ($class, $source, $shown, %how) = @_;
    my $stopped  = 0;
    my $progress = $how{progress}
        && sub { $stopped = $how{progress}->($_[0], $source->bytes) };
    my $self = eval {
        my %told = %{ $how{told} || {} };
        $told{beside} = $source->tree if defined $source->tree;
        _read($source->fd, $source->first, $how{calls}, $progress || undef, \%told);
    };
    my $error   = $@;
    my $trouble = $source->finish($stopped);
    if (!$self) {
        die "$shown: $trouble\n" if $trouble;
        chomp $error;
        $error .= '; ' . kind_of_stranger($source->path) if $error =~ /\Ano profile/;
        die "$shown: $error\n";
    }
    $how{trouble}->($trouble) if $trouble && $how{trouble};
    return $self;
}

# What a file that is no profile looks like, so that the user knows which tool it is for.
my @STRANGERS = (
    [qr/\ANYTProf /,       'it looks like a profile of Devel::NYTProf: nytprofhtml reads it'],
    [qr/\A(?:version|creator|cmd|positions|events): /m, 'it looks like a callgrind profile'],
    [qr/\A\x7fELF/,        'it is a program, not a profile'],
    [qr/\A#!|\A(?:use|package) /, 'it looks like a script: dprofpp -p SCRIPT profiles it'],
    [qr/\A[\[\{]/,         'it looks like JSON'],
    [qr/\A\x1f\x8b|\A\xfd7z|\APK\x03\x04|\A\x89PNG|\A%PDF/, 'it is packed, or a document'],
    [qr/\x00|\A:[0-9A-F]{10}|\AS[0-9][0-9A-F]{6}/, 'if it is a Z80 program or its memory, nothing in it was compiled with a profile: '
            . '--from z80 says more, --run with --map counts without'],
    [qr/\A[^\n]* [0-9.]+\r?\n/, 'if its lines are call paths with a number each: --from folded'],
);

sub kind_of_stranger {
    my ($path) = @_;
    my $head = Devel::DProf::Source::head($path);
    for my $stranger (@STRANGERS) {
        return $stranger->[1] if $head =~ $stranger->[0];
    }
    return 'perl -d:DProf SCRIPT makes profiles';
}

# age($path): how many seconds ago the run began, if it still runs here; else 0.
sub age {
    my ($self, $path) = @_;
    my $run = $self->run;
    my ($pid) = defined $run->{pid} ? $run->{pid} =~ /\A(\d+)\z/ : ();
    my ($began) = defined $run->{started} ? $run->{started} =~ /\A(\d+(?:\.\d+)?)\z/ : ();
    return 0 if !$pid || !$began || $path eq '-';
    require Sys::Hostname;
    return 0 if defined $run->{host} && $run->{host} ne Sys::Hostname::hostname();
    return 0 if !kill(0, $pid) && !$!{EPERM};
    return 0 if !holds($pid, $path);
    require Time::HiRes;
    my $age = Time::HiRes::time() - $began;
    return $age > 0 ? $age : 0;
}

# Does a process hold a file? Its number may be another one's by now. Yes, if nobody can say.
sub holds {
    my ($pid, $path) = @_;
    my $inode = (stat $path)[1];
    open my $maps, '<', "/proc/$pid/maps" or return 1;
    while (my $line = <$maps>) {
        return 1 if $line =~ /\A\S+ \S+ \S+ \S+ (\d+)/ && $1 == $inode;
    }
    opendir my $dir, "/proc/$pid/fd" or return 1;
    return scalar grep { my @stat = stat "/proc/$pid/fd/$_"; @stat && $stat[1] == $inode } readdir $dir;
}

# matcher($text): code that says whether a name is meant by a full name, a glob or a /regex/.
# Dies with one line if it is no good regex.
sub matcher {
    my ($text) = @_;
    $text = decoded($text);
    if ($text =~ m{\A/(.*)/([imsx]*)\z}s) {
        my ($regex, $flags) = ($1, $2);
        my $compiled = eval { $flags eq '' ? qr/$regex/ : qr/(?$flags)$regex/ };
        if (!$compiled) {
            (my $why = $@) =~ s/ at \S+ line \d+\.?\s*\z//;
            die "$text is not a regular expression: $why\n";
        }
        return sub { $_[0] =~ $compiled };
    }
    return sub { $_[0] eq $text } if $text !~ /[*?\[]/;
    my $glob = join '', map {
        $_ eq '*' ? '.*' : $_ eq '?' ? '.' : /\A\[[^\]]+\]\z/ ? class_of($_) : quotemeta
    } $text =~ /(\[[^\]]+\]|.)/gs;
    # A name in full is meant too: main::__ANON__[x.pl:3] has brackets of its own.
    return sub { $_[0] eq $text || $_[0] =~ /\A$glob\z/s };
}

sub class_of {
    my ($class) = @_;
    my $inside = substr $class, 1, -1;
    my $not = $inside =~ s/\A[!^]// ? '^' : '';
    $inside =~ s/([\\\[\]^])/\\$1/g;
    my $ok = eval { qr/[$not$inside]/ };
    return $ok ? "[$not$inside]" : quotemeta $class;
}

# A word of the command line as text: UTF-8 if it can be, else its bytes.
sub decoded {
    my ($bytes) = @_;
    my $text = $bytes;
    utf8::decode($text);
    return $text;
}

# matching(\@texts, \&names_of, @things): which things any of the texts means, as a string with a byte
# for each, and the texts that mean none of them.
sub matching {
    my ($texts, $names_of, @things) = @_;
    my @matchers = map { { text => $_, code => matcher($_), found => 0 } } @$texts;
    my $mask = '';
    for my $thing (@things) {
        my @names = $names_of->($thing);
        my $hit = 0;
        for my $matcher (@matchers) {
            next if !grep { $matcher->{code}->($_) } @names;
            $hit = $matcher->{found} = 1;
        }
        $mask .= $hit ? "\1" : "\0";
    }
    return ($mask, map { $_->{text} } grep { !$_->{found} } @matchers);
}

# Which subs any of the texts means.
sub matching_subs {
    my ($self, @texts) = @_;
    return matching(\@texts, sub { $_[0] }, $self->names);
}

# Which subs any of the texts means by name, package or file.
sub matching_code {
    my ($self, @texts) = @_;
    return matching(\@texts, \&names_of_code, $self->subs);
}

sub names_of_code {
    my ($sub) = @_;
    my @names = ($sub->{name});
    push @names, $1 if $sub->{name} =~ /\A(.*)::/s;
    if (defined $sub->{file}) {
        push @names, $sub->{file};
        push @names, $1 if $sub->{file} =~ m{([^/]+)\z};
    }
    return @names;
}

# A regular expression of the command line, as -f and -G have always taken it.
sub regex {
    my ($text) = @_;
    $text = decoded($text);
    return qr/$text/;
}

# shaped(\%set, \&say): the profile that the settings ask for: names, --only and --skip, -g, -G. What
# matches nothing is said. Returns the new profile, or nothing if nothing is left; with {empty} one of nothing then.
sub shaped {
    my ($self, $set, $say) = @_;
    my $shaped = $self->_shown($set->{separate} ? 1 : 0, $set->{autoload} ? 1 : 0);
    $shaped = $shaped->without_others($set, $say) if @{ $set->{only} } || @{ $set->{skip} };
    if ($shaped && @{ $set->{inside} }) {
        my ($mask, @none) = $shaped->matching_subs(@{ $set->{inside} });
        $say->("no sub matches $_") for @none;
        return if $mask !~ /\x01/ && !$set->{empty};
        $shaped = $shaped->_within($mask);
    }
    $shaped = $shaped->grouped($set, $say) if $shaped && @{ $set->{group} };
    return $shaped if !$shaped || !$set->{anonymize};
    require Devel::DProf::Anonymize;
    return Devel::DProf::Anonymize::concealed($shaped);
}

# --only and --skip: what is left out gives its time to its caller.
sub without_others {
    my ($self, $set, $say) = @_;
    my @names = $self->names;
    my $keep  = "\1" x @names;
    if (@{ $set->{only} }) {
        my @none;
        ($keep, @none) = $self->matching_code(@{ $set->{only} });
        $say->("no sub, package or file matches $_") for @none;
        return if $keep !~ /\x01/ && !$set->{empty};
    }
    if (@{ $set->{skip} }) {
        my ($skip, @none) = $self->matching_code(@{ $set->{skip} });
        $say->("no sub, package or file matches $_") for @none;
        $keep &= ~$skip & ("\1" x @names);
    }
    return $self->_renamed([map { substr($keep, $_, 1) eq "\1" ? $names[$_] : undef } 0 .. $#names]);
}

# -G and -P: the subs that match are one, the first regex that matches decides.
sub grouped {
    my ($self, $set, $say) = @_;
    my @groups = map { { name => decoded($_), regex => regex($_), found => 0 } } @{ $set->{group} };
    my @as;
    for my $name ($self->names) {
        my ($group) = grep { $name =~ $_->{regex} } @groups;
        $group->{found} = 1 if $group;
        push @as, $group ? $group->{name} : $set->{other} ? 'other' : $name;
    }
    $say->("no sub matches -G $_->{name}") for grep { !$_->{found} } @groups;
    return $self->_renamed(\@as);
}

# The byte for each sub that is a group of -G; undef without -G.
sub groups {
    my ($self, $set) = @_;
    return if !@{ $set->{group} };
    my %group = map { (decoded($_) => 1) } @{ $set->{group} };
    return join '', map { $group{$_} ? "\1" : "\0" } $self->names;
}

# Only the loads of files: all else is their own time.
sub loads {
    my ($self) = @_;
    return $self->_renamed([map { $_->{kind} eq 'file' ? $_->{name} : undef } $self->subs]);
}

# The byte for each sub that -f hides; undef if nothing is to be hidden.
sub hidden {
    my ($self, $set, $say) = @_;
    return if !@{ $set->{hide} };
    my @rules = map { { text => $_, regex => regex($_), found => 0 } } @{ $set->{hide} };
    my $mask = '';
    for my $name ($self->names) {
        my @hits = grep { $name =~ $_->{regex} } @rules;
        $_->{found} = 1 for @hits;
        $mask .= @hits ? "\1" : "\0";
    }
    $say->("no sub matches -f $_->{text}") for grep { !$_->{found} } @rules;
    return $mask;
}

# write_report($name, $handle, \%set, %more): prints it. Returns undef, or what it found to be wrong.
sub write_report {
    my ($self, $name, $handle, $set, %more) = @_;
    my $calls = delete $more{calls};
    my ($writer) = grep { $_->{name} eq $name } writers();
    $more{report} = $writer && $writer->{report};
    my %view = map { ($_ => $set->{$_}) }
        grep { defined $set->{$_} } qw(clock sort inclusive reverse header page width colour);
    # A file for other tools has all rows unless it was asked for less.
    $view{rows} = $set->{rows} || 15 if defined $set->{rows} || $more{report};
    $view{within} = @{ $set->{inside} } ? 1 : 0;
    return $self->_write($name, $handle, { %view, %more }, $calls);
}

# calls_for($writer, $to, \%set): what must hear the calls while they are read, if the writer needs that;
# for read_file.
sub calls_for {
    my ($class, $writer, $to, $set) = @_;
    my $trace = $writer->{name} =~ /\Atmon-(\w+)\z/ ? $1 : '';
    $set = { %$set, separate => 1 } if $trace; # names as they are
    my $plain = !grep { ref $_ ? @$_ : $_ }
        map { $set->{$_} } qw(only skip inside group other autoload anonymize), $trace ? () : 'separate';
    my $decide = $plain ? undef : decider($set);
    my $within = @{ $set->{inside} } ? 1 : 0;
    return Devel::DProf::Calls::_trace($to, $trace eq 'compact' ? 1 : 0, $within, $decide) if $trace;
    return Devel::DProf::Calls::_tree($to, $writer->{name} eq 'collapsed' ? 1 : 0, $within, $decide)
        if $writer->{order};
    return Devel::DProf::Calls::_durations($within, $decide) if $writer->{durations};
    return Devel::DProf::Calls::_timeline($within, $decide) if $writer->{timeline};
    return Devel::DProf::Calls::_tail() if $writer->{tail};
    return Devel::DProf::Calls::_lane($within, $decide, $set->{anonymize} ? 1 : 0) if $writer->{lane};
    return;
}

# What becomes of a sub while its calls are heard: the name it has there (undef: it is left out), and whether -g
# asked for it.
sub decider {
    my ($set) = @_;
    require Devel::DProf::Anonymize if $set->{anonymize};
    my %code = map { my $key = $_; ($key => [map { matcher($_) } @{ $set->{$key} }]) }
        qw(only skip inside);
    my @groups = map { [decoded($_), regex($_)] } @{ $set->{group} };
    return sub {
        my ($plain, $full, $autoload, $file) = @_;
        my $name = $set->{autoload} && $autoload ne $full ? $autoload
            : $set->{separate} ? $full : $plain;
        my @names = names_of_code({ name => $name, file => $file });
        my $means = sub { my ($matcher) = @_; return scalar grep { $matcher->($_) } @names };
        return (undef, 0) if @{ $code{only} } && !grep { $means->($_) } @{ $code{only} };
        return (undef, 0) if grep { $means->($_) } @{ $code{skip} };
        my $inside = scalar grep { $_->($name) } @{ $code{inside} };
        my ($group) = grep { $name =~ $_->[1] } @groups;
        my $as = $group ? $group->[0] : @groups && $set->{other} ? 'other' : $name;
        return ($set->{anonymize} ? Devel::DProf::Anonymize::name($as) : $as, $inside);
    };
}

1;

__END__

=encoding utf8

=head1 NAME

Devel::DProf::Profile - a profile as an object

=head1 SYNOPSIS

    use Devel::DProf::Profile;

    my $profile = Devel::DProf::Profile->read_file('tmon.out');
    $profile->clean;
    my $set = Devel::DProf::Options::defaults();
    $profile->shaped($set, sub { warn "@_\n" })->write_report('top', \*STDOUT, $set);

=head1 DESCRIPTION

What L<dprofpp> is made of. The object stands for a profile that the C library holds; it is freed
with the object.

=head2 Reading

=over

=item read_file($path, %how)

Reads a profile; C<-> is standard input. C<< progress => $code >> is called now and then with the
bytes read and the bytes there are (undef if unknown) and stops the reading by returning true, C<<
calls => $calls >> hears single calls meanwhile, C<< trouble => $code >> hears what went wrong in
unpacking. Dies with C<PATH: what is wrong>.

=item read_source($source, $shown, %how)

The same from a L<Devel::DProf::Source>.

=item calls_for($writer, $handle, \%set)

For C<calls> above: what a writer needs to hear of single calls, or nothing. C<-T> and C<-t> print
to the handle while the profile is read.

=item merge($other)

Adds another profile, sub by sub and path by path.

=back

=over

=item subtract($base)

Of two profiles of counts: takes the calls of the other one off.

=back

=head2 Looking

=over

=item notes()

What was odd in the file: a list of hashes with code, count, line, text and loss (true if something
was lost or guessed).

=item subs(), names()

Hashes with name, file, line, kind; only the names. In order of first appearance.

=item weights(), files()

For each sub, how much it matters: 0 to 1. Hashes with path, bytes and mtime of the source files as they
were when they were recorded.

=item run(), calls(), elapsed(), calibrated(), lost(), fault()

A hash of what the file says of its run; how many calls; the ticks that went by; whether it says what
profiling cost; whether anything was lost or guessed; what is wrong with the object itself (undef: nothing).

=item age($path)

How many seconds ago the run began if its process still runs on this machine and holds the file;
else 0.

=item escaped($bytes)

A name as reports show it: bytes that a terminal must not get are C<\xHH>. (A function.)

=item writers(), readers()

What reports and formats there are (functions, not methods).

=back

=over

=item counts(), statements(), uncounted()

Has it counts and no times? Of statements? Were the calls of it, or of a part of it, not counted?

=item can_run_z80()

Was it built with libz80ex? (A function.) L<Devel::DProf::Z80> uses it.

=back

=head2 Changing

=over

=item clean()

Takes the cost of profiling off.

=item shaped(\%set, \&say)

A new profile with what the settings ask for: names, C<--only>, C<--skip>, C<-g>, C<-G>. C<say> is
called with a line for each pattern that matches nothing. Returns nothing if nothing is left; where the settings
have a true C<empty>, a profile of nothing then.

=item matcher($text), regex($text), decoded($bytes)

Code that says whether a name is meant by a full name, a glob or a C</regex/>; a compiled regular
expression; a word of the command line as text. Functions, not methods.

=item matching_subs(@texts), matching_code(@texts)

A string with a byte for each sub, 1 where any of the texts means it (C<matching_code>: or its
package or file), then the texts that mean none.

=item without_others, grouped, groups, hidden, loads, matching, decider, names_of_code, class_of, holds, kind_of_stranger

Parts of these; their comments say what they do.

=back

=head2 Writing

=over

=item write_report($name, $handle, \%set)

Prints a report or a format. Returns undef, or what the report found to be wrong.

=back

=cut
