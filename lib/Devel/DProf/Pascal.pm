package Devel::DProf::Pascal;

use strict;
use warnings;

use Devel::DProf::Profile;
use File::Basename ();

# Files that hold Pascal, by their endings.
my $SOURCE = qr/\.(?:p|pas|pp|dpr|i)\z/i;
my $LARGEST_LOG = 64 << 20;

sub is_source {
    my ($path) = @_;
    return $path =~ $SOURCE ? 1 : 0;
}

# Is --run to instrument, compile and run it?
sub is_program {
    my ($word) = @_;
    return $word =~ /\.(?:p|pas|pp|dpr)\z/i && -f $word ? 1 : 0;
}

# concerns(\%set, \@files): is this about Pascal?
sub concerns {
    my ($set, $files) = @_;
    return 1 if grep { is_source($_) } @$files;
    return 1 if @$files && (File::Basename::basename($files->[0]) eq 'pmon.out' || has_magic($files->[0]));
    return 0;
}

# The first bytes of a pmon.out, in either byte order.
sub has_magic {
    my ($path) = @_;
    return 0 if $path eq '-' || !-f $path;
    open my $fh, '<', $path or return 0;
    binmode $fh;
    my $got = read $fh, my $first, 4;
    return $got && ($first eq "\x16\x01\0\0" || $first eq "\0\0\x01\x16") ? 1 : 0;
}

sub contents {
    my ($path) = @_;
    my $fh;
    if ($path eq '-') {
        open $fh, '<&', \*STDIN or die "standard input: $!\n";
    } else {
        die "$path: this is a directory\n" if -d $path;
        open $fh, '<', $path or die "$path: $!\n";
    }
    binmode $fh;
    local $/;
    my $bytes = <$fh>;
    die "$path: $!\n" if !defined $bytes && $!;
    return defined $bytes ? $bytes : '';
}

sub mtime { my @stat = stat $_[0]; return @stat ? $stat[9] : 0 }

# plan($needs_counts, @files): the source and its profiles. What is not named is looked for: pmon.out
# beside the source or here, the one source that fits beside the profile. Dies with one line.
sub plan {
    my ($needs_counts, @files) = @_;
    my @sources  = grep { is_source($_) } @files;
    my @profiles = grep { !is_source($_) } @files;
    die "one program at a time: found @sources\n" if @sources > 1;
    if (@sources && !@profiles && $needs_counts) {
        my $folder = File::Basename::dirname($sources[0]);
        my ($found) = grep { -e $_ } $folder eq '.' ? 'pmon.out' : "$folder/pmon.out", 'pmon.out';
        die "pmon.out: No such file or directory; name the profile of $sources[0]\n" if !$found;
        @profiles = ($found);
    }
    @sources = fitting($profiles[0]) if !@sources;
    return { source => $sources[0], profiles => \@profiles };
}

# The one source beside a profile that it fits.
sub fitting {
    my ($profile) = @_;
    my $bytes  = contents($profile);
    my $folder = File::Basename::dirname($profile);
    my @there  = grep { -f } sort { $a cmp $b } glob_in($folder);
    my @fit    = grep {
        my $program = eval { source($_, dialect => dialect_of($profile)) };
        $program && !$program->hard && eval { $program->_profile($profile, $bytes); 1 };
    } @there;
    return $fit[0] if @fit == 1;
    die @fit ? "$profile: it fits several programs (@fit): name the one that wrote it\n"
        : "$profile: it has numbers only: name the program that wrote it, as dprofpp $profile prog.p"
        . (@there ? ' (of ' . join(', ', @there) . " none fits)\n" : "\n");
}

sub glob_in {
    my ($folder) = @_;
    opendir my $dir, $folder or return;
    return map { $folder eq '.' ? $_ : "$folder/$_" } grep { /\.(?:p|pas)\z/i } readdir $dir;
}

# source($path, %how): the program, parsed. how: bytes, dialect, card. Its mistakes are in it.
sub source {
    my ($path, %how) = @_;
    my $bytes  = defined $how{bytes} ? $how{bytes} : contents($path);
    my $folder = File::Basename::dirname($path);
    my $load   = sub {
        my ($name) = @_;
        for my $place ($name, $name =~ m{^/} ? () : "$folder/$name") {
            my $text = -f $place ? eval { contents($place) } : undef;
            return ($text, mtime($place)) if defined $text;
        }
        return;
    };
    my %dialect = (either => 0, berkeley => 1, modern => 2, today => 3);
    my $dialect = $dialect{ $how{dialect} || 'either' } || 0;
    return _parse($path, $bytes, mtime($path), $load, $dialect, $how{card} ? 1 : 0);
}

# What is wrong in it, a line each.
sub complaints {
    my ($self, $mended) = @_;
    return map {
        sprintf '%s:%d:%d: %s%s', $_->{file}, $_->{line}, $_->{column}, $_->{mended} ? 'mended: ' : '',
            $_->{text}
    } grep { $mended || !$_->{mended} } $self->mistakes;
}

# The profile: program and counts together. Dies with "PATH: ...".
sub profile {
    my ($self, @profiles) = @_;
    my $profile = eval { $self->_profile(map { ($_ => contents($_)) } @profiles) };
    die $@ if !$profile;
    return $profile;
}

# told($path): how a run ended, from a transcript of px or from the pmon.out.run of an instrumented program.
# A hash: death, statements (-1: not said), frames (name, line, name, line ..., innermost first; a line of 0
# is not known), and of pmon.out.run fingerprint. Dies if nothing of that is in it.
sub told {
    my ($path) = @_;
    my $text = contents($path);
    $text =~ s/\r\n?/\n/g;
    my $end = $text =~ /\Adprofpp-run 1$/m ? told_by_us($text) : told_by_px($text);
    die "$path: expected px's closing message and trace, as in: Error in \"name\"+12 near line 7.\n"
        if !$end;
    return $end;
}

sub told_by_px {
    my ($text) = @_;
    my (@frames, $death);
    my $before = '';
    for my $line (split /\n/, $text) {
        if ($line =~ /^\s*(Called by|[A-Z]\w*(?: \w+)*? in) "([^"]+)"(?:\+\S*)? near line (\S+?)\.?\s*$/) {
            my ($how, $name, $number) = ($1, $2, $3);
            @frames = () if $how ne 'Called by';    # the last trace counts
            $death = $before if $how ne 'Called by';
            push @frames, $name, $number =~ /\A(\d{1,9})\z/ ? $1 : 0;
        }
        $before = $line if $line =~ /\S/;
    }
    my ($statements) = $text =~ /.*^\s*(\d{1,15}) statements? executed/ms;
    return if !@frames && !defined $statements;
    $death = 'the program ended here' if !defined $death || $death eq '';
    return { death => $death, frames => \@frames, statements => defined $statements ? $statements : -1 };
}

sub told_by_us {
    my ($text) = @_;
    my %end = (frames => [], statements => -1, text => $text);
    ($end{fingerprint}) = $text =~ /^fingerprint (\w+)$/m;
    ($end{counters})    = $text =~ /^counters (\d+)$/m;
    my ($how, $code) = $text =~ /^(error|ended) (-?\d+)$/m;
    return \%end if !defined $code;    # killed
    $end{death} = $how eq 'error' ? "runtime error $code" : 'the program ended here';
    for my $line ($text =~ /^(?:at|open) (.*)$/mg) {
        next if $line !~ /(\w+),\s+line (\d{1,9}) of /;
        my ($name, $number) = ($1, $2);
        push @{ $end{frames} }, $name eq 'main' ? $name : lc $name, $number;
    }
    # Only the program itself is open where it came to its end.
    $end{frames} = [] if $how eq 'ended' && @{ $end{frames} } <= 2;
    return \%end;
}

# What an instrumented program left beside its pmon.out, if that is of the same run.
sub run_file {
    my ($profile) = @_;
    my $path = "$profile.run";
    return $profile eq '-' || !-f $path || mtime($path) + 2 < mtime($profile) ? undef : $path;
}

# The dialect that an instrumented program was read in; undef: it was another system's.
sub dialect_of {
    my ($profile) = @_;
    my $path = run_file($profile);
    my $text = defined $path ? eval { contents($path) } : undef;
    return defined $text && $text =~ /\Adprofpp-run 1\n.*?^dialect (berkeley|modern)$/ms ? $1 : undef;
}

# tell($profile, $died): gives the end of the run to the program: from --died, else from what an instrumented
# program left beside its pmon.out. Says whether there was anything to tell. Dies if that was another program.
sub tell {
    my ($self, $profile, $died) = @_;
    my $path = defined $died ? $died : run_file($profile);
    return if !defined $path;
    my $end = eval { told($path) };
    if (!$end) {
        die $@ if defined $died;
        return;
    }
    die "$profile: it was left by another version of the program: $path has its fingerprint $end->{fingerprint}, "
        . 'the source has ' . $self->_fingerprint . "\n"
        if defined $end->{fingerprint} && $end->{counters} == $self->counters
        && $end->{fingerprint} ne $self->_fingerprint;
    my $told = @{ $end->{frames} } ? 1 : 0;
    $self->_died($end->{frames}, $end->{statements}, $end->{death}) if $told;
    return $told if !defined $end->{fingerprint} || $end->{fingerprint} ne $self->_fingerprint;
    my $returns = "$profile.returns";
    $self->_returned(contents($returns)) if -f $returns && mtime($returns) + 2 >= mtime($profile);
    return 1;
}

# changes($new, $old, $rows): a table of what two profiles differ in, routine by routine, the largest change
# first; what did not change is left out.
sub changes {
    my ($new, $old, $rows) = @_;
    my %was = map { ($_->{name} => $_) } _costs($old);
    my %now = map { ($_->{name} => $_) } _costs($new);
    my (@all, @total);
    my %either = %was;
    @either{ keys %now } = values %now;
    for my $name (sort keys %either) {
        my ($to, $from) = map { $_ || { calls => 0, own => 0, all => 0 } } $now{$name}, $was{$name};
        $total[0] += $to->{own};
        $total[1] += $from->{own};
        next if !grep { $to->{$_} != $from->{$_} } qw(calls own all);
        push @all, [$name, $to->{own} - $from->{own}, map { ($to->{$_}, $from->{$_}) } qw(own all calls)];
    }
    @all = sort { abs $b->[1] <=> abs $a->[1] || $a->[0] cmp $b->[0] } @all;
    splice @all, $rows if $rows >= 0 && @all > $rows;
    my $text = sprintf "Total Statements Executed = %.0f, were %.0f (%+.0f)\n", @total, $total[0] - $total[1];
    return $text . "No routine differs\n" if !@all;
    $text .= join(' ', map { sprintf '%10s', $_ } 'Change', 'OwnStmts', 'were', 'CumStmts', 'were', '#Calls', 'were') . "  Name\n";
    $text .= join(' ', sprintf('%+10.0f', $_->[1]), map { sprintf '%10.0f', $_ } @$_[2 .. 7]) . "  $_->[0]\n" for @all;
    return $text;
}

# The first line of a listing's heading.
sub heading { return "dprofpp (Devel::DProf) -- Version $Devel::DProf::Profile::VERSION" }

# style(\%set, $told): how a program is to be printed, from the settings of dprofpp. Where the original's counts
# are all that there is, the listing is the original's.
sub style {
    my ($set, $told) = @_;
    return {
        (map { ($_ => $set->{$_}) } qw(flat full_parens keep_parens all_bodies no_declarations
            strip_comments underline expand_includes pages others)),
        marks => (defined $set->{marks} ? $set->{marks} : $told), unit => $set->{unit}, fold => $set->{fold}, only => $set->{only}, heading => heading(),
    };
}

1;

__END__

=encoding utf8

=head1 NAME

Devel::DProf::Pascal - Berkeley Pascal's programs and their pmon.out

=head1 SYNOPSIS

    use Devel::DProf::Pascal;

    my $plan    = Devel::DProf::Pascal::plan(1, 'prog.p');
    my $program = Devel::DProf::Pascal::source($plan->{source});
    die join "\n", $program->complaints if $program->hard;
    my $profile = $program->profile(@{ $plan->{profiles} });

=head1 DESCRIPTION

The object is a parsed program. A pmon.out has numbers only; together with the program they are a
L<Devel::DProf::Profile>.

=over

=item source($path, %how)

Parses a file; C<dialect> is either, berkeley, modern or today (modern where the text is that), C<card> reads 72 columns of each line, C<bytes> gives the
text itself.

=item hard(), complaints($mended), mistakes(), counters(), has_program()

How many mistakes could not be mended; a line for each mistake (also for the mended ones); hashes of them; how many
counters the program has; whether it has a program heading.

=item profile(@paths)

A profile of the program with these pmon.out together; the object is empty afterwards. Dies where they do not fit.

=item tell($profile, $died), told($path), told_by_px, told_by_us

How the run ended, from px's transcript or an instrumented program's F<pmon.out.run>: marks its place, corrects counts.

=item run_file($profile), dialect_of($profile)

The F<pmon.out.run> of a profile, and the dialect that it names; undef if there is none.

=item changes($new, $old, $rows)

A table, as text, of what two profiles differ in.

=item plan($needs_counts, @files), fitting($profile)

Which file is the source, which are profiles; what is not named is looked for.

=item concerns, is_source, is_program, has_magic, contents, mtime, glob_in, heading, style

Their comments say what they do.

=back

=cut
