package Devel::DProf::Source;

use strict;
use warnings;

# What the first bytes of a packed file are, and what unpacks it.
my @PACKED = (
    ["\x1f\x8b",                 'gzip'],
    ["\xfd7zXZ\x00",             'xz'],
    ["\x28\xb5\x2f\xfd",         'zstd'],
);
my $LONGEST = 6;

# Opens a profile; '-' is standard input. Dies with one line, without a path in front. $stops is asked after a
# signal whether it was one to stop.
sub new {
    my ($class, $path, $stops) = @_;
    my $self = bless { path => $path, first => '', pids => [], stops => $stops }, $class;

    if ($path eq '-') {
        open $self->{fh}, '<&', \*STDIN or die "cannot read standard input: $!\n";
    } else {
        no warnings 'newline';    # a name may end in one
        die is_directory($path) if -d $path;
        open $self->{fh}, '<', $path or die "$!" . advice($path) . "\n";
    }
    binmode $self->{fh};
    $self->sniff;
    return $self;
}

sub is_directory {
    my ($path) = @_;
    $path =~ s{/+\z}{};
    return 'this is a directory, not a profile'
        . (-f "$path/tmon.out" ? " (did you mean $path/tmon.out?)" : '') . "\n";
}

sub advice {
    my ($path) = @_;
    return '' if !$!{ENOENT};
    return "; --report $path asks for the report of that name"
        if defined &Devel::DProf::Profile::writers
        && grep { $_->{report} && $_->{name} eq $path } Devel::DProf::Profile::writers();
    return '' if $path ne 'tmon.out';
    return '; perl -d:DProf SCRIPT makes one';
}

# Looks at the first bytes and puts an unpacker between if they ask for one.
sub sniff {
    my ($self) = @_;
    my $fh = $self->{fh};
    my $regular = -f $fh;

    while (length $self->{first} < $LONGEST) {
        my $got = sysread $fh, $self->{first}, $LONGEST - length $self->{first},
            length $self->{first};
        if (!defined $got && $!{EINTR}) {
            die "stopped before anything was read\n" if $self->{stops} && $self->{stops}->();
            next;
        }
        die "$!\n" if !defined $got;
        last if !$got;
    }
    die "this file is empty: nothing was recorded in it\n" if !length $self->{first};
    $self->{bytes} = -s _ if $regular;
    my ($packed) = grep { index($self->{first}, $_->[0]) == 0 } @PACKED;
    if ($regular && sysseek $fh, 0, 0) {
        $self->{first} = '';
    }
    $self->unpack_with($packed->[1]) if $packed;
    return;
}

# The tree that a killed run, or one that is still going, has left beside its profile; undef: none. It is
# read before the profile, so that every name in it stands there already.
sub tree {
    my ($self) = @_;
    my $path = "$self->{path}.tree";

    return if $self->{path} eq '-' || $self->{tool} || !-f $path;
    my $fh;
    if (!open $fh, '<:raw', $path) {
        $self->{missing} = "$path: $!; the calls in it are missing";
        return;
    }
    local $/;
    return scalar <$fh>;
}

sub unpack_with {
    my ($self, $tool) = @_;
    my $program = in_path($tool)
        or die "this is packed with $tool, which is not installed here: install it or unpack first\n";

    # A pipe cannot be rewound: a process of its own gives the unpacker what was read already.
    $self->{fh} = $self->child(sub { copy($self->{first}, $self->{fh}) }) if length $self->{first};
    $self->{fh} = $self->child(sub {
        open STDIN, '<&', $self->{fh} or die "$!\n";
        exec {$program} $tool, '-dc' or die "$program: $!\n";
    });
    @$self{qw(first tool)} = ('', $tool);
    delete $self->{bytes};
    return;
}

# The reading end of a process that runs $code with the pipe as its standard output.
sub child {
    my ($self, $code) = @_;
    pipe my $read, my $write or die "pipe: $!\n";
    my $pid = fork;
    die "fork: $!\n" if !defined $pid;
    if (!$pid) {
        eval {
            close $read;
            open STDOUT, '>&', $write or die "$!\n";
            close $write;
            $code->();
        };
        print STDERR "dprofpp: $@" if $@;
        require POSIX;
        POSIX::_exit($@ ? 1 : 0);
    }
    push @{ $self->{pids} }, $pid;
    binmode $read;
    return $read;
}

sub copy {
    my ($bytes, $fh) = @_;
    do {
        while (length $bytes) {
            my $put = syswrite STDOUT, $bytes;
            return if !defined $put;
            substr $bytes, 0, $put, '';
        }
    } while (sysread $fh, $bytes, 65536);
    return;
}

sub in_path {
    my ($tool) = @_;
    return -f $tool && -x _ ? $tool : undef if $tool =~ m{/};
    for my $folder (split /:/, $ENV{PATH} || '') {
        my $program = ($folder eq '' ? '.' : $folder) . "/$tool";
        return $program if -f $program && -x _;
    }
    return;
}

sub path  { return $_[0]{path} }
sub fd    { return fileno $_[0]{fh} }
sub first { return $_[0]{first} }
sub bytes { return $_[0]{bytes} }

# Done with it. Returns what went wrong in unpacking, or ''.
sub finish {
    my ($self, $stopped) = @_;
    my $failed = 0;
    close $self->{fh};
    local $?;
    for my $pid (splice @{ $self->{pids} }) {
        waitpid $pid, 0;
        $failed = $? if $? && ($? & 127) != 13;
    }
    return $self->{missing} if defined $self->{missing};
    return $failed && !$stopped ? "$self->{tool} could not unpack all of it" : '';
}

# The first few kilobytes of a profile, unpacked if need be; '' if it cannot be read, or only once: a pipe would
# not have them any more, or somebody to open it for.
sub head {
    my ($path) = @_;
    no warnings 'newline';    # a name may end in one
    return '' if $path eq '-' || !-f $path;
    my $self = eval { __PACKAGE__->new($path) } or return '';
    my $head = $self->{first};
    while (length $head < 8192) {
        my $got = sysread $self->{fh}, $head, 8192 - length $head, length $head;
        last if !$got;
    }
    $self->finish(1);
    return $head;
}

# What a profile says of its run: a hash of the words of its #run line, with version beside them.
sub run_of {
    my ($path) = @_;
    my $head = head($path);
    my %run;
    if ($head =~ /^#run ([^\r\n]*)/m) {
        %run = map { /\A(\w+)=(.*)\z/s ? ($1 => $2) : ($_ => 1) } split ' ', $1;
    }
    ($run{version}) = $head =~ /^\$XS_VERSION\s*=\s*'([^'\r\n]*)'/m;
    return \%run;
}

# The files of the run that $path is the profile of: itself, then its children and threads.
sub family {
    my ($path) = @_;
    my $id = run_of($path)->{id};
    return $path if !defined $id;
    (my $folder = $path) =~ s{[^/]*\z}{};
    my $name = substr $path, length $folder;
    opendir my $dir, $folder eq '' ? '.' : $folder or return $path;
    my @others = grep { /\A\Q$name\E(?:\.\d+)+\z/ } readdir $dir;
    my %seen = (process_of($path) => 1);
    my @kin = grep { my $other = run_of($_)->{id}; defined $other && $other eq $id }
        map { $folder . $_ } @others;
    # A copy is no child.
    @kin = grep { !$seen{ process_of($_) }++ } sort @kin;
    return ($path, sort { by_numbers($a, $b) } @kin);
}

# The process and the thread that a profile says it is of, or the profile itself.
sub process_of {
    my ($path) = @_;
    my $run = run_of($path);
    return "file $path" if grep { !defined $run->{$_} } qw(id pid started);
    return join ' ', @$run{qw(id pid started)}, defined $run->{tid} ? $run->{tid} : '';
}

sub by_numbers {
    my @one = $_[0] =~ /\.(\d+)/g;
    my @two = $_[1] =~ /\.(\d+)/g;
    while (@one && @two) {
        my $order = shift(@one) <=> shift @two;
        return $order if $order;
    }
    return @one <=> @two;
}

# The files without those that were named before, by whatever name; and the repeated ones.
sub distinct {
    my (@paths) = @_;
    my (@first, @again, %seen);
    for my $path (@paths) {
        no warnings 'newline';    # a name may end in one
        my @stat = $path eq '-' ? () : stat $path;
        my $key = @stat ? "@stat[0, 1]" : $path;
        if ($seen{$key}++) {
            push @again, $path;
        } else {
            push @first, $path;
        }
    }
    return (\@first, \@again);
}

# What is wrong with adding up these files: those of a glob like tmon.out* are of different runs, or one
# process is there twice (also packed, or as a copy). '' if nothing is.
sub mixed {
    my (@paths) = @_;
    my @seen;
    for my $path (@paths) {
        my $id = run_of($path)->{id};
        $id = '' if !defined $id;
        for my $other (grep { $_->{id} ne $id && are_namesakes($_->{path}, $path) } @seen) {
            return "$other->{path} and $path are of different runs";
        }
        push @seen, { path => $path, id => $id };
    }
    return twice(@paths);
}

# Which two of these files are of one process, as text; '' if none are.
sub twice {
    my (@paths) = @_;
    my %path_of;
    for my $path (@paths) {
        my $process = process_of($path);
        return "$path_of{$process} and $path are of the same process" if defined $path_of{$process};
        $path_of{$process} = $path;
    }
    return '';
}

# Would a glob like tmon.out* take both? The name of one goes on that of the other, or they differ in the
# numbers at their ends only.
sub are_namesakes {
    my ($one, $two) = @_;
    return 1 if index($one, $two) == 0 || index($two, $one) == 0;
    s/(?:\.\d+)+(?=\z|\.(?:gz|xz|zst)\z)// for $one, $two;
    return $one eq $two;
}

# How many runs they are of; a profile that does not say it counts as one.
sub count_runs {
    my (@paths) = @_;
    my %runs;
    for my $path (@paths) {
        my $run = run_of($path);
        $runs{ defined $run->{id} ? "id $run->{id}" : "file $path" } = 1
            if defined $run->{id} || defined $run->{version};
    }
    return scalar keys %runs;
}

1;

__END__

=head1 NAME

Devel::DProf::Source - where the bytes of a profile come from

=head1 SYNOPSIS

    my $source = Devel::DProf::Source->new('tmon.out.gz');
    ... read from $source->fd, after the bytes of $source->first ...
    my $trouble = $source->finish;

    my @files = Devel::DProf::Source::family('tmon.out');

=head1 DESCRIPTION

Opens a file, a pipe or standard input (C<->). What is packed with gzip, xz or zstd, seen by its
first bytes and not by its name, is read through the tool of that name.

=over

=item new($path, $stops)

Dies with one line that says what is wrong and what to do, without the path. C<$stops> is code: where a signal
comes while the first bytes are waited for, it says whether to stop.

=item path(), fd(), first(), bytes()

The path, the file descriptor to read from, the bytes that come before it, and the size of a plain
file (undef if not known).

=item finish($stopped)

Closes it. Returns what went wrong in unpacking, or an empty string; pass a true value if it was not
read to its end.

=item run_of($path)

A hash of what the C<#run> line says, and C<version>.

=item family($path)

The file and those of its children and threads: C<PATH.PID>, C<PATH.PID.TID>, with the same run id.

=item distinct(@paths)

Two lists: the files, each once, and those that were named again.

=item mixed(@paths), are_namesakes($path, $path)

Why they cannot simply be added up, as text: two of them that a glob would take together are of
different runs, or two are of the same process. Else an empty string.

=item twice(@paths)

The second of these reasons alone.

=item count_runs(@paths)

How many runs they are of.

=item head($path)

The first kilobytes of a profile, unpacked; an empty string if it cannot be read, or is no plain file.

=item process_of($path)

Which process and thread a profile is of, as a text to compare.

=item sniff, unpack_with, child, copy, in_path, advice, is_directory, by_numbers

Parts of these.

=back

=cut
