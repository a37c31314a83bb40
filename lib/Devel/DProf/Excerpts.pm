package Devel::DProf::Excerpts;

use strict;
use warnings;

use Fcntl qw(O_NONBLOCK O_RDONLY);

# What is read and what goes into a page, in bytes and lines.
my $MOST_FILE  = 4_000_000;     # larger files are not looked at
my $MOST_READ  = 60_000_000;    # of all files
my $MOST_TEXT  = 900_000;       # of all excerpts
my $WHOLE_FILE = 60_000;        # smaller files whose subs matter are there as a whole
my $LONGEST    = 200;           # lines of a sub
my $WIDEST     = 400;           # bytes of a line

# excerpts($profile, @files): rows [FILE, LINE, TEXT, CHANGED] with the text of the subs that matter most, those
# of a file together in the order of their lines. A profile can name any file: only what has the definition
# of the sub where the profile says so is shown, and what could be the text of something else, or is the whole
# file, only if the profile knows the file's size and time.
sub excerpts {
    my ($profile, @files) = @_;
    my @subs    = $profile->subs;
    my @weights = $profile->weights;
    my $readers = { recorded => {}, files => {}, read => 0 };
    push @{ $readers->{recorded}{ $_->{path} } }, $_ for @files;
    my $room    = $MOST_TEXT;
    my $full    = 0;
    my %pieces;
    for my $i (sort { $weights[$b] <=> $weights[$a] || $a <=> $b } 0 .. $#subs) {
        my $sub = $subs[$i];
        next if !defined $sub->{file} || !$sub->{line};
        my $file = $readers->{files}{ $sub->{file} } ||= opened($readers, $sub->{file});
        next if !$file->{lines};
        next if $file->{whole};
        my ($from, $to) = extent($sub, $file->{lines}, $file->{known}) or next;
        if ($file->{known} && $file->{bytes} <= $WHOLE_FILE && $file->{bytes} < $room && $weights[$i] >= 0.005) {
            ($from, $to, $file->{whole}) = (1, scalar @{ $file->{lines} }, 1);
        }
        my $cost = add($pieces{ $sub->{file} } ||= {}, $file->{lines}, $from, $to, $room);
        $room -= $cost;
        last if !$cost && $full++ > 50;    # nothing fits any more
    }
    return [map { rows($_, $readers->{files}{$_}, $pieces{$_}) } sort keys %pieces];
}

# The lines of a file, whether it is another than was recorded, and whether it is known to be that one. No
# lines: it cannot be read, or is no text.
sub opened {
    my ($readers, $path) = @_;
    my $file = {};
    return $file if $path =~ /\0/ || $readers->{read} > $MOST_READ;
    my ($text, $time) = plain_file($path);
    return $file if !defined $text || $text =~ /\0/;
    $readers->{read} += length $text;
    my @recorded = @{ $readers->{recorded}{$path} || [] };
    my @same     = grep { $_->{bytes} == length $text } @recorded;
    $file->{bytes}   = length $text;
    $file->{changed} = @recorded && !@same ? 1 : 0;
    $file->{known}   = grep { $_->{mtime} == $time } @same;
    $file->{lines}   = [split /\r?\n/, $text];
    return $file;
}

# The bytes and the time of a plain file of a size that a person could have written; never a device or a pipe.
sub plain_file {
    my ($path) = @_;
    no warnings 'newline';
    return if !-f $path || -s _ > $MOST_FILE;
    sysopen my $fh, $path, O_RDONLY | O_NONBLOCK or return;
    return if !-f $fh || -s _ > $MOST_FILE;
    my $time = (stat _)[9];
    binmode $fh;
    local $/;
    return (scalar <$fh>, $time);
}

# First and last line of a sub. The profile knows the line of its first statement; nothing is returned if
# no definition of it stands there. $known: it is known to be the file that was profiled.
sub extent {
    my ($sub, $lines, $known) = @_;
    my $at = $sub->{line} - 1;
    return if $at >= @$lines;
    my $begin = named($sub, $lines, $at);
    $begin = nameless($sub, $lines, $at) if !defined $begin && $known;
    return if !defined $begin;
    return ($begin + 1, 1 + last_line($lines, $begin, $at));
}

# The line of the brace that closes a sub: one that stands no further in than its beginning.
sub last_line {
    my ($lines, $begin, $at) = @_;
    return $at if $begin == $at && $lines->[$at] =~ /\}[;),\s]*(?:#.*)?\z/;
    my $indent = indent($lines->[$begin]);
    my $last   = $begin + $LONGEST > @$lines ? $#$lines : $begin + $LONGEST - 1;
    for my $line ($at .. $last) {
        return $line if $lines->[$line] =~ /\A\s*\}/ && indent($lines->[$line]) <= $indent;
    }
    return $last;
}

sub indent {
    my ($line) = @_;
    $line =~ /\A(\s*)/;
    return length $1;
}

my $FAR   = 30;    # lines from the definition to the first statement
my $BLOCK = qr/BEGIN|END|INIT|CHECK|UNITCHECK/;
my $SUB   = qr/\bsub\b\s*(?:[({:#]|\z)/;

# The line of the definition that has the name of the sub.
sub named {
    my ($sub, $lines, $at) = @_;
    my $name = last_name($sub);
    return if $name eq '__ANON__' || $name =~ /\A$BLOCK\z/;
    return above($lines, $at, $FAR, qr/\bsub\s+(?:[\w:']*(?:::|'))?\Q$name\E(?!\w)/);
}

# The line of a definition that has no name, or another one: *{"..."} = sub { ... }.
sub nameless {
    my ($sub, $lines, $at) = @_;
    my $name = last_name($sub);
    return above($lines, $at, $name eq '__ANON__' ? $FAR : 2, $SUB) if $name !~ /\A$BLOCK\z/;
    # A `use` over several lines has the number of its last one.
    my $used = above($lines, $at, $FAR, qr/\A\s*(?:use|no)\s+[\w:.]/);
    return $used if defined $used && join("\n", @$lines[$used .. $at]) =~ /\A[^;]*;[^\n]*\z/;
    return above($lines, $at, $FAR, qr/\A\s*(?:sub\s+)?$BLOCK\b\s*(?:\{|\z)/);
}

sub last_name {
    my ($sub) = @_;
    (my $name = $sub->{name}) =~ s/\[.*//s;
    $name =~ s/.*:://s;
    return $name;
}

# The next line that is like this, not more than so many above.
sub above {
    my ($lines, $at, $far, $wanted) = @_;
    my $first = $at > $far ? $at - $far : 0;
    for (my $line = $at; $line >= $first; $line--) {
        return $line if $lines->[$line] =~ $wanted;
    }
    return;
}

# Adds lines to those of a file; what they cost, 0 if that is more than there is room for.
sub add {
    my ($piece, $lines, $from, $to, $room) = @_;
    my @new = grep { !$piece->{$_} } $from .. $to;
    my $cost = 1;
    $cost += 8 + (length $lines->[$_ - 1] > $WIDEST ? $WIDEST : length $lines->[$_ - 1]) for @new;
    return 0 if $cost > $room;
    @$piece{@new} = (1) x @new;
    return $cost;
}

# Lines that follow each other are a row; a few lines between two are not worth a gap.
sub rows {
    my ($path, $file, $piece) = @_;
    my (@rows, $last);
    for my $line (sort { $a <=> $b } keys %$piece) {
        my @between = defined $last && $line - $last <= 4 ? $last + 1 .. $line : $line;
        push @rows, [$path, $line, '', $file->{changed}] if !defined $last || $line - $last > 4;
        for my $next (@between) {
            $rows[-1][2] .= "\n" if $rows[-1][2] ne '' || $next > $rows[-1][1];
            $rows[-1][2] .= shortened($file->{lines}[$next - 1]);
        }
        $last = $line;
    }
    return @rows;
}

sub shortened {
    my ($line) = @_;
    return length $line > $WIDEST ? substr($line, 0, $WIDEST) . ' ...' : $line;
}

1;

__END__

=head1 NAME

Devel::DProf::Excerpts - the source text that goes into a page

=head1 DESCRIPTION

=over

=item excerpts($profile, @files)

The text of those subs that matter most, as far as their files can be read now: a list of rows with the
file, the first line, the text and whether the file was changed after it was profiled. The files are those
that L<Devel::DProf::Profile/files> tells. What a profile names is not trusted: only plain files of a bounded
size are read, and a line is shown only if the definition of the sub that the profile puts there stands there.
A definition without a name (C<BEGIN>, C<use>, C<sub { ... }>) counts only in a file that has the size and
the time that were recorded, and only such a file is shown as a whole.

=item opened, plain_file, extent, last_line, indent, named, nameless, last_name, above, add, rows, shortened

Parts of it.

=back

=cut
