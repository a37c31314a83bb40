# A full disk ends the profile at a whole mark, with one line; the program goes on unharmed.
use strict;
use warnings;
use lib 't/lib';
use DProf::Record;
use Test::More;

use File::Temp 'tempdir';

plan skip_all => 'only root can mount a small file system' if $> != 0 || $^O ne 'linux';

my %make = (
    tmpfs => sub { my ($at) = @_; return system "mount -t tmpfs -o size=300k none $at 2>/dev/null" },
    ext4  => sub { my ($at, $folder) = @_; return image($folder, '1M', 'mkfs.ext4 -q -O ^has_journal') || system "mount -o loop $folder/image $at 2>/dev/null" },
    btrfs => sub { my ($at, $folder) = @_; return image($folder, '114M', 'mkfs.btrfs -q') || system "mount -o loop $folder/image $at 2>/dev/null" },
    vfat  => sub { my ($at, $folder) = @_; return image($folder, '1M', 'mkfs.vfat') || system "mount -o loop $folder/image $at 2>/dev/null" },
);
my @mounted;
END { local $?; system "umount $_ 2>/dev/null" for @mounted }

for my $kind (sort keys %make) {
    my $folder = tempdir(CLEANUP => 1);
    my $at     = "$folder/small";
    mkdir $at or die $!;
SKIP: {
        skip "$kind: cannot be made or mounted here", 1 if $make{$kind}->($at, $folder) != 0;
        push @mounted, $at;
        fill($at) if $kind eq 'btrfs';
        for my $way ('', 'format=compact', 'portable=1', 'format=tree') {
            full($kind, $at, $way);
            full($kind, $at, $way, 'limit=0') if $way eq '' || $way eq 'format=compact';
        }
        system "umount $at";
    }
}
done_testing;

sub image {
    my ($folder, $size, $mkfs) = @_;
    return system "{ truncate -s $size $folder/image && $mkfs $folder/image; } >/dev/null 2>&1";
}

# Leaves little room.
sub fill {
    my ($at) = @_;
    open my $fh, '>', "$at/ballast" or return;
    1 while syswrite $fh, 'x' x 65536;
    close $fh;
    truncate "$at/ballast", (-s "$at/ballast") - 2_000_000;
    system 'sync', '-f', $at;
    return;
}

sub full {
    my ($kind, $at, @options) = @_;

    my $options = join ',', "file=$at/tmon.out", grep { length } @options;
    my $name = join ' ', $kind, grep { length } @options;
    my $run = profiled("sub f { \$_[0] + 1 } sub g { f(f(\$_[0])) } my \$n = 0; \$n = g(\$n) for 1 .. 60_000; print qq{\$n\\n}; exit 3;\n", options => $options);
    is "$run->{out}$run->{status}", "120000\n768", "$name: the program is not harmed";
    ok -e "$at/tmon.out", "$name: there is a profile" or return;
    my $profile = DProf::Marks->read_file("$at/tmon.out");
    my $calls   = $profile->calls('main::f');
    unlink glob "$at/tmon.out*";
    if ($profile->ended) {
        is $run->{err}, '', "$name: it had room enough ($calls calls)";
        is $calls, 120_000, "$name: and is complete";
        return;
    }
    like $run->{err}, qr{\A[^\n]*tmon\.out[^\n]*\n\z}, "$name: one line says that it ended";
    cmp_ok $calls, '>', 500, "$name: what fits is there ($calls calls)";
    marks_ok($profile, $name, killed => 1);
    is $profile->{tail} =~ /\A#*\z/ ? '' : $profile->{tail}, '', "$name: it ends at a whole mark";
    return;
}
