package Devel::DProf::Check;

use strict;
use warnings;

use Devel::DProf::Profile;
use Devel::DProf::Say qw(fail);

# MEASURE[.CLOCK](NAME) OPERATOR LIMIT[UNIT]
my $GRAMMAR = qr{\A \s* (calls|exclusive|inclusive|statements) (?: \. (cpu|user|system|real) )?
    \s* \( (.+) \) \s* (<=|>=|==|!=|<|>|=) \s* (\d[\d_]*(?:\.\d+)?) \s* (%|ns|us|ms|s)? \s* \z}xs;

my %A_SECOND = (s => 1, ms => 1e3, us => 1e6, ns => 1e9);

my %HOLDS = (
    '<'  => sub { $_[0] < $_[1] },
    '<=' => sub { $_[0] <= $_[1] },
    '>'  => sub { $_[0] > $_[1] },
    '>=' => sub { $_[0] >= $_[1] },
    '==' => sub { $_[0] == $_[1] },
    '!=' => sub { $_[0] != $_[1] },
);
$HOLDS{'='} = $HOLDS{'=='};

# parse($text): a check. Dies with what is wrong with it.
sub parse {
    my ($text) = @_;
    my ($measure, $clock, $name, $operator, $limit, $unit) = $text =~ $GRAMMAR
        or die "'$text' is no check: expected something like calls(DBI::*) <= 1000 "
        . "or inclusive.real(main::parse) < 30%\n";
    $unit = '' if !defined $unit;
    my $timed = $measure =~ /clusive/;
    die "'$text': $measure has no clock\n" if defined $clock && !$timed;
    die "'$text': a time needs a unit: s, ms, us, ns or %\n" if $timed && $unit eq '';
    die "'$text': $measure is a number: without a unit, or in %\n" if !$timed && $unit !~ /\A%?\z/;
    Devel::DProf::Profile::matcher($name);
    $limit =~ s/_//g;
    (my $shown = $text) =~ s/\A\s+|\s+\z//g;
    return { text => $shown, measure => $measure, clock => $clock, name => $name,
        operator => $operator, limit => $limit, unit => $unit };
}

# The lines of a file of checks.
sub from_file {
    my ($path) = @_;
    open my $fh, '<', $path or die "cannot read $path: $!\n";
    my @checks;
    while (my $line = <$fh>) {
        $line =~ s/[\r\n]+\z//;
        next if $line =~ /\A\s*(?:#|\z)/;
        push @checks, eval { parse($line) } || die "$path line $.: $@";
    }
    die "$path has no check\n" if !@checks;
    return @checks;
}

# All that the settings ask for; read once, as a file may be a pipe.
sub asked {
    my ($set) = @_;
    $set->{checks} ||= [map({ parse($_) } @{ $set->{check} || [] }), map { from_file($_) } @{ $set->{check_file} || [] }];
    return @{ $set->{checks} };
}

# result($profile, $check, $clock): { ok, found, subs } of one check; `why` where it cannot be made.
sub result {
    my ($profile, $check, $clock) = @_;
    my ($mask) = $profile->matching_subs($check->{name});
    my $subs = $mask =~ tr/\x01//;
    return { ok => 0, subs => 0, why => 'no sub has such a name' } if !$subs;
    my $why = impossible($profile, $check);
    return { ok => 0, subs => $subs, why => $why } if $why;

    # What they have together, what happens in any of them counted once: as one sub.
    my $i = 0;
    my $one = $profile->_renamed([map { substr($mask, $i++, 1) eq "\1" ? '(checked)' : $_ } $profile->names]);
    my ($sum, $total) = $one->_sum_of('(checked)');
    my ($amount, $whole, $unsure) = amounts($check, $sum, $total, $check->{clock} || $clock);
    my $found = in_unit($check->{unit}, $amount, $whole);
    my $ok    = $HOLDS{ $check->{operator} }->($found, $check->{limit}) ? 1 : 0;
    my $doubt = in_unit($check->{unit}, $unsure, $whole);
    return { ok => $ok, found => $found, subs => $subs, doubt => $doubt,
        near => $doubt && abs($found - $check->{limit}) < $doubt };
}

sub impossible {
    my ($profile, $check) = @_;
    return 'the profile has counts and no times' if $profile->counts && $check->{measure} =~ /clusive/;
    return 'calls were not counted in it' if $check->{measure} eq 'calls' && $profile->uncounted;
    return 'the profile has no statements' if $check->{measure} eq 'statements' && !$profile->statements;
    return '';
}

# Amounts are seconds, or counts. As decimal as limits are: 5 us must not be a bit more than 5 us for being 0.000005 s.
sub in_unit {
    my ($unit, $amount, $whole) = @_;
    return $amount if $unit eq '';
    my $exact = $unit ne '%' ? $amount * $A_SECOND{$unit} : $whole ? 100 * $amount / $whole : 0;
    return 0 + sprintf '%.13g', $exact;
}

# So much of it, of all, and what it can be wrong by.
sub amounts {
    my ($check, $sum, $total, $clock) = @_;
    my $measure = $check->{measure};
    return ($sum->{calls}, $total->{calls}, 0) if $measure eq 'calls';
    return ($sum->{statements}, $total->{statements}, 0) if $measure eq 'statements';
    return ($sum->{$measure}{$clock}, $total->{$clock}, $sum->{"${measure}_unsure"}{$clock});
}

# A number as people want it.
sub figure {
    my ($number, $unit) = @_;
    my $text = $unit eq '' ? sprintf '%.0f', $number : sprintf '%.6f', $number;
    $text =~ s/\.?0+\z// if $text =~ /\./;
    return $text . ($unit =~ /\A%?\z/ ? $unit : " $unit");
}

sub in_words {
    my ($check, $result) = @_;
    return $result->{why} if defined $result->{why};
    my $text = figure($result->{found}, $check->{unit});
    $text .= " in $result->{subs} subs" if $result->{subs} > 1;
    $text .= ' (closer to the limit than the clock can tell: it can be off by '
        . figure($result->{doubt}, $check->{unit}) . ')' if $result->{near};
    return $text;
}

# run(\%set, $out, $profile): makes all checks and prints them. What fails is a failure of dprofpp.
sub run {
    my ($set, $out, $profile) = @_;
    my @done = map { [$_, result($profile, $_, $set->{clock})] } asked($set);
    my $failed = grep { !$_->[1]{ok} } @done;
    if (($set->{to} || '') eq 'junit') {
        print {$out} junit(@done);
    } else {
        for my $done (@done) {
            my ($check, $result) = @$done;
            print {$out} $result->{ok} ? 'ok      ' : 'FAILED  ', visible($check->{text}), ': ',
                in_words($check, $result), "\n";
        }
    }
    fail("$failed of " . @done . ' checks failed') if $failed;
    return;
}

# Names of the command line and of files may hold anything too.
sub visible {
    my ($text) = @_;
    utf8::encode($text) if utf8::is_utf8($text);
    return Devel::DProf::Profile::escaped($text);
}

sub xml {
    my ($text) = @_;
    my %name = ('&' => 'amp', '<' => 'lt', '>' => 'gt', '"' => 'quot');
    $text = visible($text);
    $text =~ s/([&<>"])/&$name{$1};/g;
    return $text;
}

sub junit {
    my (@done) = @_;
    my $failed = grep { !$_->[1]{ok} } @done;
    my $n = @done;
    my $text = qq{<?xml version="1.0" encoding="UTF-8"?>\n}
        . qq{<testsuites>\n<testsuite name="dprofpp" tests="$n" failures="$failed" errors="0" skipped="0">\n};
    for my $done (@done) {
        my ($check, $result) = @$done;
        my $name = xml($check->{text});
        my $words = xml(in_words($check, $result));
        $text .= qq{<testcase classname="dprofpp" name="$name">};
        $text .= $result->{ok} ? "<system-out>$words</system-out>" : qq{<failure message="$words"/>};
        $text .= "</testcase>\n";
    }
    return "$text</testsuite>\n</testsuites>\n";
}

1;

__END__

=head1 NAME

Devel::DProf::Check - limits that a profile must keep, for builds

=head1 SYNOPSIS

    dprofpp --check 'calls(DBI::*) <= 1000' --check 'inclusive(main::parse) < 30%'

=head1 DESCRIPTION

What L<dprofpp/CHECKS> says.

=over

=item parse($text), from_file($path), asked(\%settings)

A check; those of a file; all that the settings ask for. They die with what is wrong.

=item result($profile, $check, $clock)

A hash: C<ok>, what was C<found>, in how many C<subs>, what it can be wrong by (C<doubt>), or C<why> there is
nothing.

=item run(\%settings, $handle, $profile)

Makes them all and prints a line for each, or a JUnit report.

=item amounts, figure, impossible, in_unit, in_words, junit, visible, xml

Parts of these; their comments say what they do.

=back

=cut
