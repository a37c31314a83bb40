package DProf::Proto;

use strict;
use warnings;

use Exporter 'import';

our @EXPORT_OK = qw(fields packed profile);

sub varint {
    my ($bytes) = @_;
    my ($value, $factor) = (0, 1);
    while ($$bytes =~ s/\A(.)//s) {
        my $c = ord $1;
        $value += ($c & 127) * $factor;
        $factor *= 128;
        return $value if $c < 128;
    }
    die "a varint is cut off\n";
}

# The fields of a message: [number, value], bytes or a number.
sub fields {
    my ($bytes) = @_;
    my @fields;
    while (length $bytes) {
        my $tag = varint(\$bytes);
        my $value = varint(\$bytes);
        if (($tag & 7) == 2) {
            die "a field is cut off\n" if length $bytes < $value;
            $value = substr $bytes, 0, $value, '';
        } elsif ($tag & 7) {
            die 'wire type ', $tag & 7, "\n";
        }
        push @fields, [$tag >> 3, $value];
    }
    return @fields;
}

sub packed {
    my ($bytes) = @_;
    my @values;
    push @values, varint(\$bytes) while length $bytes;
    return @values;
}

# The stored blocks of a gzip file.
sub stored {
    my ($gzip) = @_;
    die "no gzip\n" if $gzip !~ s/\A\x1f\x8b\x08.{7}//s;
    my $bytes = '';
    while (1) {
        my ($last, $n, $not) = unpack 'Cvv', substr $gzip, 0, 5, '';
        die "a block is torn\n" if $last > 1 || $n != ($not ^ 0xFFFF) || length $gzip < $n;
        $bytes .= substr $gzip, 0, $n, '';
        last if $last;
    }
    my (undef, $size) = unpack 'VV', $gzip;
    die "sizes differ\n" if $size != length($bytes) % 2**32;
    return $bytes;
}

# A pprof file: { types, samples => [{ stack => [names, outermost first], values, labels }], strings }.
sub profile {
    my ($gzip) = @_;
    my %of;
    push @{ $of{ $_->[0] } }, $_->[1] for fields(stored($gzip));
    my @strings = @{ $of{6} };
    my (%function, %location);
    for my $message (@{ $of{5} }) {
        my %field = map { @$_ } fields($message);
        $function{ $field{1} } = { name => $strings[$field{2}],
            file => $strings[$field{4} || 0], line => $field{5} || 0 };
    }
    for my $message (@{ $of{4} }) {
        my %field = map { @$_ } fields($message);
        my %line = map { @$_ } fields($field{4});
        $location{ $field{1} } = $function{ $line{1} }{name};
    }
    my @samples;
    for my $message (@{ $of{2} }) {
        my %sample = (labels => {});
        for my $field (fields($message)) {
            $sample{stack} = [map { $location{$_} } reverse packed($field->[1])] if $field->[0] == 1;
            $sample{values} = [packed($field->[1])] if $field->[0] == 2;
            next if $field->[0] != 3;
            my %label = map { @$_ } fields($field->[1]);
            $sample{labels}{ $strings[$label{1}] } = $label{3} || 0;
        }
        push @samples, \%sample;
    }
    my @types = map { my %type = map { @$_ } fields($_); $strings[$type{1}] } @{ $of{1} };
    return { types => \@types, samples => \@samples, functions => [values %function], default => $strings[$of{14}[0]] };
}

1;
