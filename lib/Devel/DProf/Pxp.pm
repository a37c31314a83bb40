package Devel::DProf::Pxp;

use strict;
use warnings;

use Devel::DProf::Pascal;
use File::Basename ();

# The command line of pxp, Berkeley Pascal's profiler and pretty printer: what dprofpp does when it is
# called by that name.

my %LETTER = (
    a => 'all_bodies', d => 'no_declarations', e => 'expand_includes', f => 'full_parens', j => 'flat',
    l => 'echo', n => 'pages', s => 'strip_comments', _ => 'underline', O => 'others',
);
my $USAGE = "Usage: pxp [ -acdefjlnostuw_O ] [ -23456789 ] [ -z [ name ... ] ] name.p [ countsfile ]\n";

# main(@words): the exit status, as pxp has it: 0 good, 1 refused or wrong use, 2 not started.
sub main {
    my (@words) = @_;
    my $set = eval { parse(@words) };
    return complain(1, $@) if !$set;
    return complain(1, $USAGE) if !defined $set->{source};
    my $status = eval { work($set) };
    return defined $status ? $status : complain(1, $@);
}

# complain($status, $text): says it on standard error and returns the status.
sub complain {
    my ($status, $text) = @_;
    print STDERR $text;
    return $status;
}

# Letters may be bundled; what follows one with z, up to the first word that ends in .p, are names.
sub parse {
    my (@words) = @_;
    my $set = { unit => 4, only => [] };
    while (@words && $words[0] =~ /\A-(.+)\z/s) {
        letter($set, $_) for split //, $1;
        my $had_z = $1 =~ /z/;
        shift @words;
        push @{ $set->{only} }, shift @words while $had_z && @words && $words[0] !~ /\.p\z/;
        last if $had_z;
    }
    die $USAGE if @words > 2;
    @$set{qw(source counts)} = @words;
    return $set;
}

# letter(\%set, $letter): sets what one option letter means; dies with the usage for another.
sub letter {
    my ($set, $letter) = @_;
    if ($letter =~ /[2-9]/) {
        $set->{unit} = $letter;
    } elsif ($LETTER{$letter}) {
        $set->{ $LETTER{$letter} } = 1;
    } elsif ($letter =~ /[cotuwz]/) {
        $set->{$letter} = 1;
    } else {
        die $USAGE;
    }
    $set->{z} = 1 if $letter eq 'c' && !$set->{t};
    return;
}

# work(\%set): reads the program, prints what was asked for, and returns the exit status.
sub work {
    my ($set) = @_;
    my $path = $set->{source};
    my $counts = $set->{z} || $set->{t};
    return complain(1, "$path: Name must end in '.p'\n") if $path !~ /\.[pi]\z/;
    return complain(1, $USAGE) if $path =~ /\.i\z/ && $counts;
    my $text = eval { Devel::DProf::Pascal::contents($path) };
    return complain(2, $@) if !defined $text;
    return complain(2, "$path: No lines in file\n") if $text eq '';
    my $bytes;
    if ($counts) {
        my $name = defined $set->{counts} ? $set->{counts} : $set->{c} ? 'core' : 'pmon.out';
        $set->{counts} = $name;
        $bytes = eval { Devel::DProf::Pascal::contents($name) };
        return complain($set->{c} ? 1 : 2, $@) if !defined $bytes;
    }
    my $program = Devel::DProf::Pascal::source($path, bytes => $text, card => $set->{u});
    print STDERR map { "$_\n" } $program->complaints(!$set->{w}) if $program->hard || !$set->{w};
    if ($program->hard) {
        print STDERR "File not rewritten because of errors\n" if $set->{o};
        return 1;
    }
    $set->{heading} = Devel::DProf::Pascal::heading();
    return $counts ? counted($set, $program, $bytes) : pretty($set, $program, $path);
}

# counted(\%set, $program, $bytes): prints the reports that need counts, the bytes of pmon.out.
sub counted {
    my ($set, $program, $bytes) = @_;
    my $profile = eval { $program->_profile($set->{counts}, $bytes) };
    return complain(1, $@) if !$profile;
    $set->{after_listing} = $set->{z} && $set->{t};
    Devel::DProf::Pascal::_style($profile, $set);
    for my $report ($set->{z} ? 'listing' : (), $set->{t} ? 'routines' : ()) {
        $profile->_write($report, \*STDOUT, {}, undef);
    }
    return 0;
}

# With -o in place of the source, by way of a file beside it.
sub pretty {
    my ($set, $program, $path) = @_;
    if (!$set->{o}) {
        $program->_pretty(\*STDOUT, $set);
        return 0;
    }
    my $new = File::Basename::dirname($path) . "/pxp$$";
    open my $fh, '>', $new or die "$new: $!\n";
    binmode $fh;
    my $good = eval { $program->_pretty($fh, $set); close $fh or die "$new: $!\n"; 1 };
    my $mode = (stat $path)[2];
    chmod $mode & 07777, $new if defined $mode;
    if (!$good || !rename $new, $path) {
        my $why = $good ? "$path: $!\n" : $@;
        unlink $new;
        die $why;
    }
    return 0;
}

1;

__END__

=encoding utf8

=head1 NAME

Devel::DProf::Pxp - the command line of Berkeley Pascal's pxp

=head1 DESCRIPTION

A link named C<pxp> to L<dprofpp> takes what pxp of 4.3BSD took, so that an old makefile works. C<main(@words)> does
it all and returns the exit status; C<parse>, C<letter>, C<work>, C<counted>, C<pretty> and C<complain> are its parts.

=cut
