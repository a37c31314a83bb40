package Devel::DProf::Lists;

use strict;
use warnings;

use Devel::DProf::Options;
use Devel::DProf::Profile;
use Devel::DProf::Source;

sub listing {
    my ($set, @files) = @_;
    my $list = $set->{list} || '';
    if ($set->{completion}) {
        print Devel::DProf::Options::completion($set->{completion});
    } elsif ($list eq 'help') {
        print Devel::DProf::Options::help();
    } elsif ($list eq 'version') {
        versions(@files);
    } elsif ($list eq 'manual') {
        require Pod::Usage;
        Pod::Usage::pod2usage(-verbose => 2, -exitval => 'NOEXIT', -noperldoc => 1, -input => $0);
    } else {
        writers_of($list);
    }
    return 0;
}

sub writers_of {
    my ($list) = @_;
    my @writers = Devel::DProf::Profile::writers();
    if ($list eq 'reports') {
        printf "%-12s %s\n", $_->{name}, $_->{about} for grep { $_->{report} } @writers;
        return;
    }
    print "Written: --to NAME, or -o with a file of that ending\n";
    printf "  %-12s %-16s %s\n", @$_{qw(name ending about)} for grep { !$_->{report} } @writers;
    print "Read, whatever the file is called: --from NAME where it cannot be told\n";
    printf "  %-12s %-16s %s\n", $_->{name}, '', $_->{about} for Devel::DProf::Profile::readers();
    return;
}

sub versions {
    my (@files) = @_;
    print "dprofpp version: $Devel::DProf::Profile::VERSION\n";
    my $version = Devel::DProf::Source::run_of(@files ? $files[0] : 'tmon.out')->{version};
    print 'XS_VERSION: ', Devel::DProf::Profile::escaped($version), "\n" if defined $version;
    print 'Z80 programs: ', Devel::DProf::Profile::can_run_z80() ? "run by libz80ex\n"
        : "not run, built without libz80ex\n";
    return;
}

1;

__END__

=head1 NAME

Devel::DProf::Lists - what dprofpp prints when no profile is to be reported

=head1 DESCRIPTION

Help, manual, versions, completions, the lists of reports and formats.

=over

=item listing(\%settings, @files)

Prints the one that the settings ask for. Returns the exit status.

=item writers_of($list)

The table of C<reports> or C<formats>.

=item versions(@files)

What C<-V> prints.

=back

=cut
