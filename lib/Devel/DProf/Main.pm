package Devel::DProf::Main;

use strict;
use warnings;

use Devel::DProf::Asked;
use Devel::DProf::Lists;
use Devel::DProf::Output;
use Devel::DProf::Pascal;
use Devel::DProf::PascalReport;
use Devel::DProf::Profile;
use Devel::DProf::Report;
use Devel::DProf::Run;
use Devel::DProf::Say qw(fail say_aside shown wrong);
use Devel::DProf::Source;
use Devel::DProf::Pager;
use Devel::DProf::Z80;

# Everything: returns the exit status. Under the name of pxp it takes pxp's arguments.
sub run {
    my (@words) = @_;
    return called_by_name() eq 'pxp' ? pxp(@words) : main(@words);
}

sub main {
    my (@words) = @_;
    my ($set, @files) = eval { Devel::DProf::Asked::asked(@words) };
    return wrong($@) if $@;
    return Devel::DProf::Lists::listing($set, @files) if $set->{list} || $set->{completion};

    my $writer = eval { Devel::DProf::Asked::checked($set, \@files) };
    return wrong($@) if $@;
    if ($set->{live}) {
        require Devel::DProf::Live;
        return Devel::DProf::Live::live($set, @files);
    }
    return Devel::DProf::Z80::instrument_file($set, @files)
        if $set->{instrument} && Devel::DProf::Z80::is_assembler(@files);
    return Devel::DProf::PascalReport::pascal($set, $writer, @files)
        if !$set->{run} && !defined $set->{script} && Devel::DProf::Pascal::concerns($set, \@files);
    my $whole = !@files && !$writer->{order} && !$set->{each};
    if (defined $set->{script} || $set->{run}) {
        @files = profiled($set) or return 1;
        return Devel::DProf::Say::status() if $set->{quit};
        return Devel::DProf::PascalReport::pascal($set, $writer, @files)
            if Devel::DProf::Pascal::concerns($set, \@files);
    } else {
        @files = eval { sources($set, $writer, @files) };
        return wrong($@) if $@;
    }
    $set->{base} = eval { bases($set, $whole) } or return wrong($@);
    $set->{paged} = $writer->{report} && !$writer->{order};
    my $out = eval { Devel::DProf::Output::output($set, @files) } or return wrong($@);
    $set->{width}  = Devel::DProf::Pager::width($set) if !defined $set->{width};
    $set->{colour} = $writer->{report} && Devel::DProf::Pager::colour($set);

    my $single = $set->{each} || !is_summed($writer);
    my @jobs = $single ? map({ [$_] } @files) : [@files];
    for my $job (@jobs) {
        print {$out} $job == $jobs[0] ? '' : "\n", shown($job->[0]), ":\n"
            if @jobs > 1 && $set->{header} && $writer->{report};
        Devel::DProf::Report::report($set, $writer, $out, @$job);
    }
    Devel::DProf::Output::done($set, $out);
    return Devel::DProf::Say::status();
}

sub called_by_name { return $0 =~ m{([^/]+)\z} ? $1 : '' }

sub pxp {
    my (@words) = @_;
    require Devel::DProf::Pxp;
    return Devel::DProf::Pxp::main(@words);
}

# -p and --run: the profiles that the run wrote; nothing if there are none.
sub profiled {
    my ($set) = @_;
    my @words = @{ $set->{command} };
    my $run = !defined $set->{script} && Devel::DProf::Pascal::is_program($words[0])
        ? Devel::DProf::PascalReport::run_pascal($set, @words) : Devel::DProf::Z80::is_program($words[0], $set)
        ? Devel::DProf::Z80::run(\@words, $set, \&say_aside) : defined $set->{script}
        ? Devel::DProf::Run::script(@words) : Devel::DProf::Run::command(@words);
    map { fail($_) } split /\n/, "cannot run it: $run->{error}" if $run->{error};
    return if $run->{error};
    my $ending = $run->{status} ? Devel::DProf::Run::ending($run->{status}) : '';
    say_aside("$words[0] $ending") if $ending;
    return @{ $run->{files} } if @{ $run->{files} };
    return fail("$words[0] wrote no profile as " . Devel::DProf::Run::pattern());
}

# The files to read. Dies if runs or processes would be mixed by mistake.
sub sources {
    my ($set, $writer, @files) = @_;
    return named_files($set, $writer, @files) if @files;
    # The tree of calls has always been that of one process.
    return 'tmon.out' if $writer->{order};
    return whole_run('tmon.out');
}

# A profile with those of its children and threads, which is said.
sub whole_run {
    my ($path) = @_;
    my @files = Devel::DProf::Source::family($path);
    say_aside("reading $path and " . (@files - 1) . ' more of its run: '
            . join ' ', @files > 6 ? (@files[1 .. 5], '...') : @files[1 .. $#files])
        if @files > 1;
    return @files;
}

# The files of --base: whole runs where the report is of one, else those that were named. Dies if one process
# would count twice.
sub bases {
    my ($set, $whole) = @_;
    my @files = $set->{all} ? @{ $set->{base} } : named_once(@{ $set->{base} });
    if ($whole) {
        my ($all) = Devel::DProf::Source::distinct(map { whole_run($_) } @files);
        @files = @$all;
    }
    my $twice = $set->{all} ? '' : Devel::DProf::Source::twice(@files);
    die "$twice; --all sums them all the same\n" if $twice;
    push @{ $set->{inputs} }, @files;
    return \@files;
}

# The files, each once; what was named again is said.
sub named_once {
    my ($files, $again) = Devel::DProf::Source::distinct(@_);
    say_aside(shown($_) . ' was named before; it counts once') for @$again;
    return @$files;
}

sub named_files {
    my ($set, $writer, @files) = @_;
    die "--to $writer->{name} keeps the order of calls, which is of one profile: --to tmon sums several\n"
        if @files > 1 && $writer->{name} =~ /\Atmon-/;
    return @files if @files < 2 || $set->{all} || $set->{each} || !is_summed($writer);
    @files = named_once(@files);
    my $mixed = Devel::DProf::Source::mixed(@files);
    die "$mixed; --all sums them all the same, --each reports on each\n" if $mixed;
    my $runs = Devel::DProf::Source::count_runs(@files);
    say_aside("the sum of $runs runs") if $runs > 1 && !@{ $set->{base} };
    return @files;
}

# The order of calls, open frames and faults are of one process.
sub is_summed {
    my ($writer) = @_;
    return !$writer->{order} && !$writer->{plain};
}

1;

__END__

=head1 NAME

Devel::DProf::Main - the main line of dprofpp

=head1 DESCRIPTION

What L<dprofpp> does, in its order: what was asked (L<Devel::DProf::Asked>), which files, where to
(L<Devel::DProf::Output>), the report (L<Devel::DProf::Report>).

=over

=item run(@ARGV), main(@words), pxp(@words)

All of it; as dprofpp; as pxp. Return the exit status.

=item profiled, sources, named_files, named_once, whole_run, bases, is_summed, called_by_name

Parts of these: the profiles that a run wrote; the files to read; those of C<--base>.

=back

=cut
