package DProf::Marks;

# What a tmon.out says, read in the plainest way: both dialects, with our metadata. It shares nothing
# with the readers in src/read, so that each can be held against the other.
use strict;
use warnings;

# A profile as a hash:
#   header    the lines up to and with PART2
#   meta      [WORD, REST] of each line that begins with #, in order
#   marks     [SIGN, USER, SYSTEM, REAL, NAME] in absolute ticks, in order
#   calls     {NAME => entries}; what #open announces does not count
#   sub       {NAME => [FILE, LINE, KIND]} of the #sub lines
#   open      names that are still open at the end, outermost first
#   problems  what is wrong, in words
#   tail      what follows the last newline
#   bytes     the whole file
# `nodes` are the lines of the last complete PART3, {ID => {parent, site, calls, name ...}}.
sub read_file {
    my ($class, $path) = @_;

    open my $fh, '<', $path or die "$path: $!\n";
    binmode $fh;
    my $bytes = do { local $/; <$fh> };
    close $fh;
    return $class->read_bytes(defined $bytes ? $bytes : '');
}

sub read_bytes {
    my ($class, $bytes) = @_;

    my $self = bless {
        bytes => $bytes, header => [], meta  => [], marks => [], calls => {}, sub => {},
        open  => [],     tail   => '', nodes => {}, problems => [],
    }, $class;
    $self->{now}  = [0, 0, 0];
    $self->{last} = [0, 0, 0];
    my @lines = split /(?<=\n)/, $bytes;
    $self->{tail} = pop @lines if @lines && $lines[-1] !~ /\n\z/;
    my $part = '';
    for (@lines) {
        chomp;
        if    ($part eq '')    { push @{ $self->{header} }, $_ }
        elsif (/^#/)           { $self->_metadata(substr $_, 1) }
        elsif ($part eq 'PART3') { $self->_node($_) }
        elsif ($_ ne 'PART3')  { $self->_body($_) }
        if (/^PART[23]\z/) {
            $part = $_;
            $self->{pending} = {} if $part eq 'PART3';
        }
    }
    $self->_problem('no PART2') if $part eq '';
    return $self;
}

sub _problem {
    my ($self, $what) = @_;
    push @{ $self->{problems} }, $what if @{ $self->{problems} } < 20;
    return;
}

sub _metadata {
    my ($self, $line) = @_;

    my ($word, $rest) = $line =~ /^(\S+)(?: (.*))?\z/s or return;
    $rest = '' if !defined $rest;
    $self->_problem("#$word after #end") if $self->{ended} && $word ne 'child';
    push @{ $self->{meta} }, [$word, $rest];
    if ($word eq 'sub') {
        my ($name, $file, $line_number, $kind, @more) = split / /, $rest;
        $self->_problem("odd #sub $rest") if !defined $kind || @more || $line_number !~ /^\d+\z/;
        $self->_problem("#sub $name twice") if $self->{sub}{$name};
        $self->{sub}{$name} = [$file, $line_number, $kind];
    }
    elsif ($word =~ /\A(?:begin|start)\z/) { $self->{now} = [split / /, $rest] }
    elsif ($word eq 'open') { $self->{reopen} = $rest }
    elsif ($word eq 'end' && $self->{pending}) {
        $self->_problem("#end $rest, but " . keys(%{ $self->{pending} }) . ' nodes')
            if $rest != keys %{ $self->{pending} };
        $self->{nodes} = delete $self->{pending};
    }
    elsif ($word eq 'end') {
        my $marks = (split / /, $rest)[4];
        $self->{ended} = 1;
        $self->_problem("#end counts $marks marks, there are " . @{ $self->{marks} })
            if $marks != @{ $self->{marks} };
    }
    return;
}

sub _body {
    my ($self, $line) = @_;

    if ($line =~ /^([-+]) (\d+) (\d+) (\d+) (\S+)\z/) {
        $self->{now} = [$2, $3, $4];
        return $self->_mark($1, $5);
    }
    if ($line =~ /^([-+*\/]) ([0-9a-f]+)\z/) {
        my $name = $self->{id}{$2};
        return defined $name ? $self->_mark($1, $name) : $self->_problem("no & for $line");
    }
    if ($line =~ /^& ([0-9a-f]+) (\S+) (\S*)\z/) {
        $self->_problem("id $1 twice") if defined $self->{id}{$1};
        ($self->{id}{$1} = $2 eq '-' ? $3 : "$2\::$3") =~ s/^\\x2d::/-::/;
        return;
    }
    if ($line =~ /^@ (-?\d+) (-?\d+) (-?\d+)\z/) {
        my @by = ($1, $2, $3);
        # Relative to the last @, or to the last mark of the text dialect.
        $self->{now} = [map { $self->{now}[$_] + $by[$_] } 0 .. 2];
        return;
    }
    return $self->_problem('not a line of a profile: ' . substr $line, 0, 200);
}

sub _mark {
    my ($self, $sign, $name) = @_;

    $self->_problem("a mark after #end: $sign $name") if $self->{ended};
    $self->_problem("no #sub before $sign $name") if !$self->{sub}{$name};
    for (0 .. 2) {
        $self->_problem((qw(user system real))[$_] . " runs backwards at mark " . @{ $self->{marks} })
            if $self->{now}[$_] < $self->{last}[$_];
    }
    $self->{last} = $self->{now};
    push @{ $self->{marks} }, [$sign, @{ $self->{now} }, $name];
    if ($sign eq '+') {
        push @{ $self->{open} }, $name;
        if   ($self->{reopen}) { $self->{reopen}-- }
        else                   { $self->{calls}{$name}++ }
        $self->{deepest} = @{ $self->{open} } if @{ $self->{open} } > ($self->{deepest} || 0);
    }
    else {
        my $was = pop @{ $self->{open} };
        $self->_problem("$sign $name closes " . (defined $was ? $was : 'nothing'))
            if !defined $was || $was ne $name;
    }
    return;
}

sub _node {
    my ($self, $line) = @_;

    my @field = split / /, $line;
    return $self->_problem("not a node: $line") if @field != 11;
    my %node;
    @node{qw(id parent site calls user system real min max hist name)} = @field;
    $self->_problem("node $node{id} before its parent")
        if $node{id} && !exists $self->{pending}{ $node{parent} };
    $self->{pending}{ $node{id} } = \%node;
    return;
}

# --- questions ------------------------------------------------------------------

sub problems { return @{ $_[0]{problems} } }

# Entries of a sub, in the trace and in the tree.
sub calls {
    my ($self, $name) = @_;
    return $self->all_calls->{$name} || 0;
}

sub all_calls {
    my ($self) = @_;
    my %calls = %{ $self->{calls} };
    for my $node (values %{ $self->{nodes} }) {
        $calls{ $node->{name} } += $node->{calls} if $node->{id};
    }
    return \%calls;
}

sub names { return sort keys %{ $_[0]->all_calls } }

# What stands behind the metadata WORD, once for each such line.
sub meta {
    my ($self, $word) = @_;
    return map { $_->[1] } grep { $_->[0] eq $word } @{ $self->{meta} };
}

# key=value pairs of the #run line.
sub run {
    my ($self) = @_;
    my ($line) = $self->meta('run');
    return { map { /^(\w+)=(.*)/s ? ($1 => $2) : ($_ => 1) } split / /, defined $line ? $line : '' };
}

sub ended { return $_[0]{ended} ? 1 : 0 }

1;
