package Devel::DProf::Anonymize;

use strict;
use warnings;

# What tells nothing of a program.
my %PUBLIC = map { $_ => 1 } qw(main __ANON__ BEGIN UNITCHECK CHECK INIT END AUTOLOAD DESTROY CLONE import unimport
    eval (deeper) other), '';

# The new name of each word, package, sub or file, the same ones for all profiles of a run of dprofpp.
my (%sub, %package, %file, %taken);

sub new_name {
    my ($names, $letter, $old, $ending) = @_;
    $names->{$old} = $letter . ++$taken{$letter} . $ending if !exists $names->{$old};
    return $names->{$old};
}

# name($name): what stands for it. Packages stay packages, main stays main, anonymous subs keep their lines.
sub name {
    my ($name) = @_;
    return $name if $name =~ /\ACORE::[a-zA-Z_:]+\z/;
    my $place = $name =~ s/\[(.*?)((?::\d+)*(?:\/eval)?(?::\d+)*)\]\z//s ? '[' . path($1) . $2 . ']' : '';
    return path($name) . $place if $name =~ m{/};
    my @words = split /::/, $name, -1;
    my $last = pop @words;
    return join '::', (map { $PUBLIC{$_} ? $_ : new_name(\%package, 'P', $_, '') } @words),
        ($PUBLIC{$last} ? $last : new_name(\%sub, 's', $last, '')) . $place;
}

# path($path): what stands for it; its ending stays.
sub path {
    my ($path) = @_;
    my ($ending) = $path =~ /(\.(?:pl|pm|t|psgi|cgi|al|PL))\z/;
    return new_name(\%file, 'f', $path, defined $ending ? $ending : '');
}

# concealed($profile): a new profile with such names, without what its run says of the program and the machine.
sub concealed {
    my ($profile) = @_;
    my $new = $profile->_renamed([map { name($_) } $profile->names]);
    $new->_conceal(sub { return path($_[0]) });
    return $new;
}

1;

__END__

=head1 NAME

Devel::DProf::Anonymize - profiles that may be shared

=head1 DESCRIPTION

What C<dprofpp --anonymize> does: names of packages, subs and files become numbers, one thing the same number
everywhere in the report. Numbers of calls, times, lines and the shape of the tree stay.

=over

=item concealed($profile)

A new profile.

=item name($name), path($path)

What stands for a name, a path.

=item new_name

Part of them.

=back

=cut
