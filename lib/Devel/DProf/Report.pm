package Devel::DProf::Report;

use strict;
use warnings;

use Devel::DProf::Profile;
use Devel::DProf::Progress;
use Devel::DProf::Say qw(fail say_aside shown);

# What the user told of the files that they do not say themselves.
sub told {
    my ($set) = @_;
    return { map { ($_ => $set->{$_}) } grep { defined $set->{$_} } qw(from origin symbols) };
}

sub report {
    my ($set, $writer, $out, @files) = @_;
    my %notes;
    my $calls = Devel::DProf::Profile->calls_for($writer, $out, $set);
    my $profile;
    for my $file (@files) {
        my $progress = Devel::DProf::Progress->new(shown($file),
            -t STDERR && !($writer->{order} && -t STDOUT));
        my $next = eval {
            Devel::DProf::Profile->read_file($file, calls => $calls, told => told($set),
                progress => sub { $progress->step(@_) },
                trouble  => sub { fail(shown($file) . ": $_[0]") });
        };
        my $error = $@;
        $progress->finish;
        if (!$next) {
            fail($error);
            next;
        }
        Devel::DProf::Say::lossy() if $next->lost;
        Devel::DProf::Say::gather(\%notes, $file, $next->notes);
        $next->clean if !$set->{raw} && !$writer->{plain};
        if ($profile) {
            $profile->merge($next);
        } else {
            $profile = $next;
        }
    }
    if ($profile && $profile->counts) {
        say_aside('a Z80 profile has counts and no times: -r, -u, -s, -I and the orders by time change nothing')
            if $set->{clock} ne 'cpu' || $set->{inclusive} || $set->{sort} =~ /average|clusive/;
        my $base = base($set) or return;
        $profile->subtract($_) for @$base;
        Devel::DProf::Say::gather(\%notes, $files[0], grep { $_->{code} =~ /\A(?:wrapped|impossible)\z/ } $profile->notes) if @$base;
    } elsif ($profile && @{ $set->{base} }) {
        return fail('--base subtracts counts; ' . shown($files[0]) . ' has times');
    }
    if ($profile) {
        my $printed = $writer->{order} ? $calls->_end : 0;
        if ($printed) {
            say_rest($set, $profile, $printed);
        } else {
            print_report($set, $writer, $out, $profile, $calls, $files[0]);
        }
    }
    # These two say it themselves.
    return if $writer->{name} eq 'verify';
    Devel::DProf::Say::say_notes({ %$set, fake => $set->{fake} || $writer->{tail} }, \%notes);
    return;
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

# What has no order because it was folded while it was recorded.
sub say_rest {
    my ($set, $profile, $printed) = @_;
    my $rest = $profile->calls - $printed;
    return if $rest <= 0 || grep { @{ $set->{$_} } } qw(inside only skip);
    say_aside(sprintf '%.0f calls were folded while they were recorded and have no order: '
            . 'dprofpp -S shows them', $rest);
    return;
}

sub print_report {
    my ($set, $writer, $out, $profile, $calls, $file) = @_;
    my $shaped = $writer->{plain} ? $profile
        : ($writer->{files} ? $profile->loads : $profile)->shaped($set, \&say_aside);
    return fail('nothing is left to report') if !$shaped;
    my %more = (calls => $calls, elapsed => $profile->elapsed);
    $more{age} = $profile->age($file) if $writer->{tail};
    if (!$writer->{plain}) {
        $more{hide}   = $shaped->hidden($set, \&say_aside);
        $more{groups} = $shaped->groups($set);
    }
    if (@{ $set->{of} }) {
        ($more{of}, my @none) = $shaped->matching_subs(@{ $set->{of} });
        say_aside("no sub matches $_") for @none;
        return fail('nothing is left to report') if $more{of} !~ /\x01/;
    }
    my $found = eval { $shaped->write_report($writer->{name}, $out, $set, %more) };
    fail($@)     if $@;
    fail($found) if defined $found;
    return;
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

=item print_report(\%settings, $writer, $handle, $profile, $calls, $file)

The second half of it: of a profile that was read already.

=item told, base, say_rest

Parts of these; their comments say what they do.

=back

=cut
