package Devel::DProf::PascalReport;

use strict;
use warnings;

use Devel::DProf::Output;
use Devel::DProf::Pascal;
use Devel::DProf::Report;
use Devel::DProf::Pager;
use Devel::DProf::Say qw(fail gather lossy say_aside say_notes shown wrong);

# A Pascal program with its pmon.out, or the program alone.
sub pascal {
    my ($set, $writer, @files) = @_;
    my $alone = $writer->{name} eq 'pretty' || $set->{instrument};
    my $plan = eval { Devel::DProf::Pascal::plan(!$alone, @files) };
    return wrong($@) if !$plan;
    $set->{paged} = $writer->{report};
    my $out = eval { Devel::DProf::Output::output($set, $plan->{source}, @{ $plan->{profiles} }) } or return wrong($@);
    $set->{fold} = $set->{width} if defined $set->{width} && !defined $set->{fold};
    $set->{width}  = Devel::DProf::Pager::width($set) if !defined $set->{width};
    $set->{colour} = $writer->{report} && Devel::DProf::Pager::colour($set);

    my @profiles = @{ $plan->{profiles} };
    my @jobs = $alone ? [] : $set->{each} ? map({ [$_] } @profiles) : [@profiles];
    for my $job (@jobs) {
        my $program = pascal_source($set, $plan->{source}, $job->[0]) or last;
        print {$out} $job == $jobs[0] ? '' : "\n", shown($job->[0]), ":\n"
            if @jobs > 1 && $set->{header} && $writer->{report};
        if ($set->{instrument}) {
            eval { $program->_instrument($out); 1 } or fail("$plan->{source}: $@");
        } elsif ($alone) {
            eval { $program->_pretty($out, Devel::DProf::Pascal::style($set)); 1 } or fail($@);
        } else {
            pascal_report($set, $writer, $out, $plan->{source}, $program, @$job);
        }
    }
    Devel::DProf::Output::done($set, $out);
    return Devel::DProf::Say::status();
}

sub run_pascal {
    my ($set, @words) = @_;
    require Devel::DProf::FreePascal;
    return Devel::DProf::FreePascal::run(\@words, $set);
}

# The program as the one that left the profile was read, if nothing in it is too wrong.
sub pascal_source {
    my ($set, $path, $profile) = @_;
    my $dialect = $set->{dialect} || ($set->{instrument} ? 'today' : undef);
    my $program = eval {
        $dialect = Devel::DProf::Pascal::dialect_of($profile) if !$dialect && defined $profile;
        Devel::DProf::Pascal::source($path, dialect => $dialect, card => $set->{card});
    };
    if (!$program) {
        fail($@);
        return;
    }
    my @complaints = $program->complaints(1);
    if ($program->hard) {
        fail($_) for @complaints;
        return;
    }
    say_aside($_) for @complaints;
    return $program;
}

sub pascal_report {
    my ($set, $writer, $out, $path, $program, @profiles) = @_;
    return Devel::DProf::Report::refuse_inside($profiles[0]) if @{ $set->{inside} };
    my $told;
    my $profile = eval {
        $told = $program->tell($profiles[0], $set->{died}) if @profiles == 1 || defined $set->{died};
        $program->profile(@profiles);
    };
    return fail($@) if !$profile;
    lossy() if $profile->lost;
    my %notes;
    gather(\%notes, $profiles[0], $profile->notes);
    if (@{ $set->{base} }) {
        pascal_changes($set, $writer, $out, $path, $profile);
        say_notes($set, \%notes);
        return;
    }
    Devel::DProf::Pascal::_style($profile, Devel::DProf::Pascal::style($set, $told));
    # A listing chooses its routines itself.
    my $by_text = $writer->{name} =~ /\A(?:listing|routines)\z/;
    Devel::DProf::Report::print_report($by_text ? { %$set, only => [], skip => [] } : $set, $writer, $out, $profile,
        undef, $path);
    say_notes($set, \%notes);
    return;
}

sub pascal_changes {
    my ($set, $writer, $out, $path, $profile) = @_;
    return fail("$writer->{name} cannot show what changed since a base of a Pascal program: the usual report does")
        if $writer->{name} ne 'top';
    my $old = eval { pascal_source($set, $path, $set->{base}[0])->profile(@{ $set->{base} }) };
    return fail($@) if !$old;
    my @both = Devel::DProf::Report::shaped_alike($set, $profile, $old) or return;
    print {$out} Devel::DProf::Pascal::changes(@both, $set->{rows} || 15);
    return;
}

1;

__END__

=head1 NAME

Devel::DProf::PascalReport - what dprofpp does with Pascal programs

=head1 DESCRIPTION

=over

=item pascal(\%settings, $writer, @files)

Reports on a program with its F<pmon.out>, or on the program alone. Returns the exit status.

=item run_pascal(\%settings, @words)

Runs a program with Free Pascal; see L<Devel::DProf::FreePascal>.

=item pascal_source(\%settings, $path, $profile)

The program, in the dialect that an instrumented one left beside the profile, if nothing in it is too wrong.

=item pascal_report, pascal_changes

Parts of C<pascal>.

=back

=cut
