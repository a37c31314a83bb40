package Devel::DProf::Report;

use strict;
use warnings;

use Devel::DProf::Profile;
use Devel::DProf::Progress;
use Devel::DProf::Say qw(fail gather lossy refuse say_aside say_notes shown);

# What the user told of the files that they do not say themselves.
sub told {
    my ($set) = @_;
    my $image = !$set->{run} && (defined $set->{origin} || defined $set->{bank});
    return { $image ? (from => 'z80') : (),
        map { ($_ => $set->{$_}) } grep { defined $set->{$_} } qw(from origin bank symbols hz) };
}

# One report of these files.
sub report {
    my ($set, $writer, $out, @files) = @_;
    my %notes;
    local $set->{recorded} = [];
    my $calls   = Devel::DProf::Profile->calls_for($writer, $out, $set);
    my ($profile, @parts) = summed($set, $writer, $calls, \%notes, @files);
    return refuse_inside($files[0]) if $profile && $profile->counts && @{ $set->{inside} };
    my $versus = $profile && !$profile->counts && @{ $set->{base} };
    say_no_rows($set, $writer, $profile) if $profile;
    if ($versus) {
        report_versus($set, $writer, $out, \%notes, $files[0], @parts);
    } elsif ($profile) {
        $profile = compared($set, $profile, \%notes, $files[0]);
    }
    if ($profile && $writer->{name} =~ /\Atmon-/) {
        end_trace($set, $profile, $calls, $files[0]);
    } elsif ($profile && !$versus) {
        my $printed = $writer->{order} ? eval { $calls->_end } : 0;
        if (!defined $printed) {
            fail($@);
        } elsif ($printed) {
            say_rest($set, $profile, $printed);
        } else {
            print_report($set, $writer, $out, $profile, $calls, $files[0], @parts);
        }
    }
    # These two say it themselves.
    return if $writer->{name} eq 'verify';
    say_running($profile, $files[0]) if $set->{snapshot} && $profile;
    delete $notes{'cut-line'} if $set->{snapshot};
    say_notes({ %$set, fake => $set->{fake} || $set->{snapshot} || $writer->{tail} }, \%notes);
    return;
}

# -g of a profile of counts, which does not know in which call of a sub another ran.
sub refuse_inside {
    my ($file) = @_;
    return refuse('-g shows what happened inside a sub, and ' . shown($file) . ' has counts only: '
            . '--callees SUB shows what it called');
}

# --snapshot: since when the program runs, or that it does not any more.
sub say_running {
    my ($profile, $file) = @_;
    my $age = $profile->age($file);
    say_aside(shown($file) . ($age ? sprintf ': the program has been running for %.1f seconds', $age
        : ': no program is writing it any more'));
    return;
}

# The sum of those of the files that can be read; nothing if none can. For a writer that keeps processes apart:
# the first of them, and then each with its track in what was heard.
sub summed {
    my ($set, $writer, $calls, $notes, @files) = @_;
    my ($sum, @parts);
    for my $file (@files) {
        my $next = read_with_progress($set, $writer, $calls, $file) or next;
        push @{ $set->{recorded} }, recorded($next, $file) if $writer->{source};
        lossy() if $next->lost;
        gather($notes, $file, $next->notes);
        $next->clean if !$set->{raw} && !$writer->{plain} && !keeps_calibration($set, $writer, @files);
        my $apart = $writer->{apart} || @{ $set->{base} } && !$next->counts;
        push @parts, { profile => $next, track => $writer->{timeline} ? $calls->_tracks - 1 : 0 } if $apart;
        if (!$sum) {
            $sum = $next;
        } elsif (!$apart) {
            $sum->merge($next);
        }
    }
    return ($sum, @parts);
}

# A profile that is written as one keeps what profiling cost, and what it says of that. A sum of several cannot; nor
# where calls are left out, which cost something too, or calls of kinds that cost differently become one sub.
sub keeps_calibration {
    my ($set, $writer, @files) = @_;
    return $writer->{name} eq 'tmon' && @files == 1 && !grep { @{ $set->{$_} } } qw(only skip group);
}

sub read_with_progress {
    my ($set, $writer, $calls, $file) = @_;
    my $progress = Devel::DProf::Progress->new(shown($file),
        -t STDERR && !($writer->{order} && -t STDOUT));
    my $profile = eval {
        Devel::DProf::Profile->read_file($file, calls => $calls, told => told($set),
            progress => sub { $progress->step(@_) },
            trouble  => sub { fail(shown($file) . ": $_[0]") });
    };
    my $error = $@;
    $progress->finish;
    return $profile ? $profile : fail($error);
}

# --base: the profile without what the base has; nothing if that cannot be.
sub compared {
    my ($set, $profile, $notes, $file) = @_;
    return $profile if !$profile->counts;
    say_aside('a Z80 profile has counts and no times: -r, -u, -s, -I and the orders by time change nothing')
        if $set->{clock} ne 'cpu' || $set->{inclusive} || $set->{sort} =~ /average|clusive/;
    my $base = base($set) or return;
    $profile->subtract($_) for @$base;
    gather($notes, $file, grep { $_->{code} =~ /\A(?:wrapped|impossible)\z/ } $profile->notes)
        if @$base;
    return $profile;
}

# The profiles, those of one run put together: its processes and threads. What does not say its run is one by itself.
sub by_run {
    my (@profiles) = @_;
    my (@runs, %run);
    for my $profile (@profiles) {
        my $id = $profile->run->{id};
        if (defined $id && $run{$id}) {
            $run{$id}->merge($profile);
        } else {
            push @runs, $profile;
            $run{$id} = $profile if defined $id;
        }
    }
    return @runs;
}

# --base of profiles with times: both sides beside each other, run by run.
sub report_versus {
    my ($set, $writer, $out, $notes, $shown, @parts) = @_;
    my ($compare) = grep { $_->{name} eq 'compare' } Devel::DProf::Profile::writers();
    my $asked = $writer->{name} eq 'top' ? $compare : $writer;
    return fail("$asked->{name} cannot show what changed since a base; dprofpp --base without it does, and "
            . join ', ', map { "--to $_->{name}" } grep { $_->{base} && !$_->{report} } Devel::DProf::Profile::writers())
        if !$asked->{base};
    my @base;
    for my $file (@{ $set->{base} }) {
        my $next = read_with_progress($set, $compare, undef, $file) or return;
        return fail(shown($file) . ' has counts and no times: it cannot be compared with times') if $next->counts;
        push @{ $set->{recorded} }, recorded($next, $file) if $asked->{source};
        lossy() if $next->lost;
        gather($notes, $file, $next->notes);
        $next->clean if !$set->{raw};
        push @base, $next;
    }
    my @now = by_run(map { $_->{profile} } @parts);
    @base = by_run(@base);
    my @shaped = shaped_alike($set, @now, @base) or return;
    print_report($set, { %$asked, shaped => 1 }, $out,
        Devel::DProf::Profile::_compare([splice @shaped, 0, @now], \@shaped), undef, $shown);
    return;
}

# Profiles to be compared, as the settings ask: where one has nothing of it, that is what it has. Nothing if all are so.
sub shaped_alike {
    my ($set, @profiles) = @_;
    my %unmatched;
    my @shaped = map { $_->shaped({ %$set, empty => 1 }, sub { $unmatched{ $_[0] }++ }) } @profiles;
    # What matches in one of them is no mistake.
    say_aside($_) for sort grep { $unmatched{$_} == @profiles } keys %unmatched;
    return @shaped if !@{ $set->{only} } && !@{ $set->{inside} };
    return @shaped if grep { my @names = $_->names; @names } @shaped;
    return fail('nothing is left to report');
}

# The profiles of --base, one sum of them in a list; nothing if one cannot be read.
sub base {
    my ($set) = @_;
    my $sum;
    for my $file (@{ $set->{base} }) {
        my $next = eval { Devel::DProf::Profile->read_file($file, told => told($set)) };
        return fail($@) if !$next;
        return fail(shown($file) . ': --base subtracts counts; this has times') if !$next->counts;
        if ($sum) {
            $sum->merge($next);
        } else {
            $sum = $next;
        }
    }
    return [grep { $_ } $sum];
}

# For a writer that keeps processes apart: the first profile that has something left, then {parts} and {tracks}.
sub apart {
    my ($set, @parts) = @_;
    my (%unmatched, @shaped, @tracks);
    for my $part (@parts) {
        my $shaped = $part->{profile}->shaped($set, sub { $unmatched{ $_[0] }++ }) or next;
        push @shaped, $shaped;
        push @tracks, $part->{track};
    }
    # What matches in one of them is no mistake.
    say_aside($_) for sort grep { $unmatched{$_} == @parts } keys %unmatched;
    return ($shaped[0], parts => \@shaped, tracks => \@tracks);
}

# What has no order because it was folded while it was recorded.
sub say_rest {
    my ($set, $profile, $printed) = @_;
    my $rest = $profile->calls - $printed;
    return if $rest <= 0 || grep { @{ $set->{$_} } } qw(inside only skip);
    say_aside(sprintf '%.0f calls were folded while they were recorded and have no order: '
            . 'dprofpp -S shows them', $rest);
    return;
}

# -f with what has call paths instead of rows.
sub say_no_rows {
    my ($set, $writer, $profile) = @_;
    say_aside("-f leaves out rows: $writer->{name} has none, and shows all")
        if @{ $set->{hide} } && !$writer->{hides} && !$profile->counts;
    return;
}

# tmon-text and tmon-compact: the end of what was written while it was read.
sub end_trace {
    my ($set, $profile, $calls, $file) = @_;
    return fail(shown($file) . ' has counts and no times, and a tmon.out has') if $profile->counts;
    my $shaped = $profile->shaped({ %$set, separate => 1 }, \&say_aside);
    return fail('nothing is left to report') if !$shaped;
    my $folded = eval { $calls->_end_trace($profile) };
    return fail($@) if !defined $folded;
    say_cost($set, $profile, $shaped, $file);
    return fail(shown($file) . ' has call paths and no single calls: --to tmon keeps them') if $folded < 0;
    return fail(sprintf '%s: %.0f calls were folded while they were recorded and have no order, so they are not in what '
            . 'was written: --to tmon keeps them', shown($file), $folded) if $folded;
    return;
}

# The marks of a trace are where they were. What those that are left out cost is not told from other time there.
sub say_cost {
    my ($set, $profile, $shaped, $file) = @_;
    return if $set->{raw} || !$profile->calibrated || $shaped->calls == $profile->calls && !@{ $set->{group} };
    say_aside(shown($file) . ': calls were left out or put together, and what profiling them cost stays in the times: '
            . '--to tmon takes it off');
    return;
}

sub print_report {
    my ($set, $writer, $out, $profile, $calls, $file, @parts) = @_;
    my ($shaped, %more);
    # Names as they are: in lcov each stands at its own line.
    $set = { %$set, separate => 1 } if $writer->{name} =~ /\A(?:tmon|lcov)\z/;
    $set = { %$set, source => 0 } if $set->{anonymize};
    return fail('--anonymize is for Perl profiles: ' . shown($file) . ' is of another kind')
        if $set->{anonymize} && $profile->counts;
    if (@parts) {
        ($shaped, %more) = apart($set, @parts);
    } else {
        $shaped = $writer->{plain} || $writer->{shaped} ? $profile
            : ($writer->{files} ? $profile->loads : $profile)->shaped($set, \&say_aside);
    }
    return fail('nothing is left to report') if !$shaped;
    if ($writer->{name} eq 'check') {
        require Devel::DProf::Check;
        return Devel::DProf::Check::run($set, $out, $shaped);
    }
    %more = (%more, calls => $calls, elapsed => $profile->elapsed);
    $more{age} = $profile->age($file) if $writer->{tail};
    if (!$writer->{plain}) {
        $more{hide}   = $shaped->hidden($set, \&say_aside);
        $more{groups} = $shaped->groups($set);
    }
    $more{title}    = $set->{anonymize} ? 'profile' : shown(defined $file ? $file : '');
    $more{excerpts} = excerpts($set, $shaped) if $writer->{source};
    if (@{ $set->{of} } && $writer->{name} =~ /\Acalle(?:rs|es)\z/) {
        ($more{of}, my @none) = $shaped->matching_subs(@{ $set->{of} });
        say_aside("no sub matches $_") for @none;
        return fail('nothing is left to report') if $more{of} !~ /\x01/;
    }
    my $found = eval { $shaped->write_report($writer->{name}, $out, $set, %more) };
    fail($@)     if $@;
    fail($found) if defined $found;
    return;
}

# Where a profile was made, and of which files: a sum does not know it.
sub recorded {
    my ($profile, $file) = @_;
    my $host = $profile->run->{host};
    return { file => $file, host => defined $host && $host ne '-' ? $host : undef, files => [$profile->files] };
}

# The source of Perl subs, for a page. The files here are not those that were profiled elsewhere, and a
# profile from elsewhere could name any of them.
sub excerpts {
    my ($set, $profile) = @_;
    return [] if defined $set->{source} && !$set->{source} || $profile->counts;
    require Devel::DProf::Excerpts;
    my @recorded = @{ $set->{recorded} || [] };
    my $rows = Devel::DProf::Excerpts::excerpts($profile, map { @{ $_->{files} } } @recorded);
    my ($other) = $set->{source} ? () : grep { !is_of_here($_->{host}) } @recorded;
    return $rows if !$other || !@$rows;
    say_aside(shown($other->{file})
            . (defined $other->{host} ? " was recorded on $other->{host}" : ' does not say where it was recorded')
            . ': the source text is left out; --source puts it in');
    return [];
}

sub is_of_here {
    my ($host) = @_;
    require Sys::Hostname;
    return defined $host && $host eq Sys::Hostname::hostname();
}

1;

__END__

=head1 NAME

Devel::DProf::Report - from profiles to one report

=head1 DESCRIPTION

Reads profiles, sums them, shapes them as the settings ask, has the writer print them, and says what
was odd.

=over

=item report(\%settings, $writer, $handle, @files)

One report of these files.

=item print_report(\%settings, $writer, $handle, $profile, $calls, $file, @parts)

The second half of it: of a profile that was read already. The parts are the profiles that it would be the sum
of, for writers that keep them apart.

=item say_running($profile, $file)

For C<--snapshot>: says since when the program runs.

=item refuse_inside($file)

Says why there is no C<-g> of a profile of counts.

=item summed, keeps_calibration, read_with_progress, compared, by_run, report_versus, shaped_alike, base, apart, told, say_rest, end_trace, say_cost, say_no_rows, recorded, excerpts, is_of_here

Parts of these; their comments say what they do.

=back

=cut
