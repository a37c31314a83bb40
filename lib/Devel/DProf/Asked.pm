package Devel::DProf::Asked;

use strict;
use warnings;

use Devel::DProf::Options;
use Devel::DProf::Pascal;
use Devel::DProf::Profile;
use Devel::DProf::Z80;

# The settings and the files of DPROFPP_OPTS and of the command line.
sub asked {
    my (@words) = @_;
    my $set = Devel::DProf::Options::defaults();
    my (@files, @from_environment);
    if (defined $ENV{DPROFPP_OPTS}) {
        my @options = eval { Devel::DProf::Options::split_words($ENV{DPROFPP_OPTS}) };
        die "DPROFPP_OPTS: $@" if $@;
        @from_environment = Devel::DProf::Options::parse($set, 'DPROFPP_OPTS', @options);
    }
    @files = Devel::DProf::Options::parse($set, '', @words);
    return ($set, @files ? @files : @from_environment);
}

# The writer that is meant. Dies with what is wrong.
sub checked {
    my ($set, $files) = @_;
    die "-Q is meaningful only when used with -p or --run\n"
        if $set->{quit} && !defined $set->{script} && !$set->{run};
    die "-p and --run exclude each other\n" if defined $set->{script} && $set->{run};
    die "-P is meaningful only when used with -G\n" if $set->{other} && !@{ $set->{group} };
    if (defined $set->{script}) {
        $set->{command} = [eval { Devel::DProf::Options::split_words($set->{script}) }];
        die "-p: $@" if $@;
        die "-p needs a script\n" if !@{ $set->{command} };
    }
    # `dprofpp --run prog.com arguments` needs no "--".
    $set->{command} = [splice @$files]
        if $set->{run} && !$set->{command} && @$files
        && (Devel::DProf::Z80::is_program($files->[0], $set)
            || Devel::DProf::Pascal::is_program($files->[0]));
    die "--run needs a command: dprofpp --run -- COMMAND\n"
        if $set->{run} && !@{ $set->{command} || [] };
    die "-p and --run read what they write: no profile can be named beside them (found '$files->[0]')\n"
        if @$files && (defined $set->{script} || $set->{run});
    checked_live($set, @$files) if $set->{live};
    die "--every is meaningful only when used with --live\n" if defined $set->{every} && !$set->{live};
    for my $text (map { @{ $set->{$_} } } qw(of inside only skip)) {
        Devel::DProf::Profile::matcher($text);
    }
    my $writer = $set->{check} || $set->{check_file} ? checks($set) : chosen_writer($set);
    die "--each is for reports: a file for another tool is one\n"
        if $set->{each} && (!$writer->{report} || defined $set->{to});
    return $writer if $writer->{name} eq 'check';
    die "--open shows a page or a picture in a browser, not the report $writer->{name}\n"
        if $set->{open} && $writer->{report};
    die "--anonymize would leave names in the report $writer->{name}\n"
        if $set->{anonymize} && ($writer->{plain} || $writer->{tail});
    $set->{ending} = $writer->{ending};
    return $writer;
}

# --live has one screen, of one profile.
sub checked_live {
    my ($set, @files) = @_;
    die "--live looks at a program that runs already: without -p and --run\n"
        if defined $set->{script} || $set->{run};
    die "--live is a report of its own: --snapshot writes any other one\n"
        if $set->{report} ne 'top' || defined $set->{to} || defined $set->{output} || $set->{snapshot};
    die "--live looks at one profile at a time\n" if @files > 1;
    return;
}

# --check is a report of its own, made here and not in the library.
sub checks {
    my ($set) = @_;
    require Devel::DProf::Check;
    Devel::DProf::Check::asked($set);
    die "--check is a report of its own: of formats, --to junit is the one for it\n"
        if $set->{report} ne 'top' || defined $set->{to} && $set->{to} ne 'junit';
    return { name => 'check', report => 1, ending => '' };
}

sub chosen_writer {
    my ($set) = @_;
    my @writers = Devel::DProf::Profile::writers();
    my $name = defined $set->{to} ? $set->{to} : $set->{report};
    my $kind = defined $set->{to} ? 0 : 1;
    if (!defined $set->{to} && defined $set->{output}) {
        my ($by_ending) = grep { !$_->{report} && $_->{ending} ne ''
                && substr($set->{output}, -length $_->{ending}) eq $_->{ending} } @writers;
        die "$set->{said} and -o $set->{output} exclude each other: its ending asks for $by_ending->{name}\n"
            if $by_ending && defined $set->{said};
        return $by_ending if $by_ending;
    }
    die "--to junit is meaningful only when used with --check\n" if $name eq 'junit' && !$kind;
    ($name, $kind) = ('html', 0) if $set->{open} && $kind && $name eq 'top';
    my ($writer) = grep { $_->{name} eq $name && $_->{report} == $kind } @writers;
    return $writer if $writer;
    my ($near) = sort { $a->[0] <=> $b->[0] }
        map { [Devel::DProf::Options::distance($name, $_->{name}), $_->{name}] }
        grep { $_->{report} == $kind } @writers;
    die 'there is no ', $kind ? 'report' : 'format', " named '$name'",
        $near && $near->[0] < 3 ? " (did you mean $near->[1]?)" : '', '; dprofpp --',
        $kind ? 'reports' : 'formats', " lists them\n";
}

1;

__END__

=head1 NAME

Devel::DProf::Asked - what was asked of dprofpp, and does it make sense together?

=head1 DESCRIPTION

=over

=item asked(@words)

The settings and the files of DPROFPP_OPTS and of the command line.

=item checked(\%settings, \@files)

The writer that is meant. Dies with what is wrong.

=item chosen_writer(\%settings), checked_live(\%settings, @files)

Parts of it.

=back

=cut
