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
        my $reports = $list eq 'reports' ? 1 : 0;
        printf "%-12s %s\n", $_->{name}, $_->{about}
            for grep { $_->{report} == $reports } Devel::DProf::Profile::writers();
    }
    return 0;
}

sub versions {
    my (@files) = @_;
    print "dprofpp version: $Devel::DProf::Profile::VERSION\n";
    my $version = Devel::DProf::Source::run_of(@files ? $files[0] : 'tmon.out')->{version};
    print "XS_VERSION: $version\n" if defined $version;
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

=item versions(@files)

What C<-V> prints.

=back

=cut
