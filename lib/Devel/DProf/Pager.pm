package Devel::DProf::Pager;

use strict;
use warnings;

# Lines and columns of the terminal that standard output is.
sub size {
    my %size;
    @size{qw(lines columns)} = map { /\A([1-9]\d{0,4})\z/ ? $1 : 0 } map { defined $ENV{$_} ? $ENV{$_} : '' } qw(LINES COLUMNS);
    if (!$size{lines} || !$size{columns}) {
        my ($lines, $columns) = `stty size 2>/dev/null </dev/tty` =~ /\A(\d+) (\d+)$/m;
        $size{lines}   ||= $lines   || 24;
        $size{columns} ||= $columns || 80;
    }
    return \%size;
}

# Does the report go to the terminal, and not to a file?
sub shows {
    my ($set) = @_;
    return -t STDOUT && (!defined $set->{output} || $set->{output} eq '-');
}

# Columns that names must fit into; 0: any number.
sub width {
    my ($set) = @_;
    return shows($set) ? size()->{columns} : 0;
}

# Colours, 1 or 0: as --color says; else on a terminal, unless NO_COLOR or TERM is against it.
sub colour {
    my ($set) = @_;
    my $when = $set->{color} || 'auto';
    return $when eq 'always' ? 1 : 0 if $when ne 'auto';
    return 0 if defined $ENV{NO_COLOR} && $ENV{NO_COLOR} ne '';
    return shows($set) && defined $ENV{TERM} && $ENV{TERM} !~ /\A(?:dumb)?\z/ ? 1 : 0;
}

# The command of the pager, or '' if there is none.
sub pager {
    for my $name (qw(DPROFPP_PAGER PAGER)) {
        next if !defined $ENV{$name};
        return $ENV{$name} =~ /\A\s*(?:cat)?\s*\z/ ? '' : $ENV{$name};
    }
    for my $program (qw(less more)) {
        return $program if grep { -x "$_/$program" } split /:/, $ENV{PATH} || '';
    }
    return '';
}

sub fits {
    my ($text) = @_;
    my $size = size();
    my $lines = 0;
    for my $line (split /\n/, $text, -1) {
        (my $shown = $line) =~ s/\e\[\d*m//g;
        $lines += 1 + int((length($shown) || 1) - 1) / $size->{columns};
        return 0 if $lines > $size->{lines};
    }
    return 1;
}

# Prints a text to standard output: through the pager if it does not fit.
sub show {
    my ($text) = @_;
    my $pager = fits($text) ? '' : pager();
    return 1 if $pager ne '' && paged($pager, $text);
    return print {*STDOUT} $text;
}

# False if there was no such pager, and nothing was shown.
sub paged {
    my ($pager, $text) = @_;
    local $ENV{LESS} = 'FRX' if !defined $ENV{LESS};
    local $ENV{LV}   = '-c'  if !defined $ENV{LV};
    STDOUT->flush;
    no warnings 'exec';
    open my $to, '|-', $pager or return 0;
    # Whoever leaves the pager early has seen enough; Ctrl-C is the pager's. It must not inherit that: so only now.
    local @SIG{qw(PIPE INT)} = ('IGNORE', 'IGNORE');
    print {$to} $text;
    return 1 if close $to;
    return $? >> 8 != 127 && $? >> 8 != 126;
}

1;

__END__

=head1 NAME

Devel::DProf::Pager - size, colours and pager of the terminal that dprofpp prints to

=head1 DESCRIPTION

=over

=item size()

A hash: C<lines> and C<columns>. The variables LINES and COLUMNS come first.

=item shows(\%settings)

True if the report goes to a terminal.

=item width(\%settings)

The columns that names must fit into; 0 if the report does not go to a terminal.

=item colour(\%settings)

1 if the report is to have colours: C<--color>, NO_COLOR and TERM decide.

=item pager()

The command in DPROFPP_PAGER or PAGER, else less or more; '' for none, and for C<cat>.

=item fits($text)

True if that many lines stand on one screen.

=item show($text)

Prints it, through the pager if it does not fit.

=item paged($pager, $text)

Gives it to that pager; false if there is none of that name.

=back

=cut
