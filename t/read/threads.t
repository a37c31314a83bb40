# A large profile is read in parts by several threads, and says the same as when it is read by one.
use strict;
use warnings;

use Config;
use File::Temp 'tempdir';
use Devel::DProf::Profile;
use Test::More;

plan skip_all => 'perl without threads' if !$Config{usethreads};

my $folder = tempdir(CLEANUP => 1);
my $state  = 7;

sub random {
    my ($below) = @_;
    $state = ($state * 1103515245 + 12345) % 2147483648;
    return int $state / 65536 % $below;
}

# A trace of so many marks, in one dialect, with what the recorder says between marks.
sub trace {
    my ($marks, $compact) = @_;
    my ($ticks, $last, @stack, %seen) = (0, 0);
    my $text = "#fOrTyTwO\n\$hz=1000000;\n\$XS_VERSION='DProf 20261129';\nPART2\n#run id=1 pid=2\n";
    $text .= "@ 0 0 0\n" if $compact;
    for my $left (reverse 1 .. $marks) {
        my $enter = @stack < $left - 1 && @stack < 30 && (!@stack || random(2));
        push @stack, random(2) ? random(9) : random(200) if $enter;
        my $sub = $enter ? $stack[-1] : pop @stack;
        $ticks += random(4);
        $text .= "#sub P::s$sub x.pl $sub perl\n" if !$seen{$sub}++ || !random(500);
        if ($compact) {
            $text .= sprintf "@ %d 0 %d\n", ($ticks - $last) x 2 if $ticks != $last;
            $text .= sprintf "& %x P s%d\n", $sub + 2, $sub if $seen{$sub} == 1;
            $text .= sprintf "%s %x\n", $enter ? '+' : '-', $sub + 2;
            $last = $ticks;
        } else {
            $text .= sprintf "%s %d 0 %d P::s%d\n", $enter ? '+' : '-', $ticks, 1e9 + $ticks, $sub;
        }
    }
    return $text . "#end 0 $ticks 0 " . ($compact ? $ticks : 1e9 + $ticks) . " $marks\n";
}

# The whole tree with all times, and the notes.
sub said {
    my ($path, %told) = @_;
    my $profile = Devel::DProf::Profile->read_file($path, told => \%told);
    my $set = { inside => [] };

    open my $fh, '+>', "$folder/said" or die "$folder/said: $!\n";
    $profile->write_report($_, $fh, $set) for 'merged', 'json';
    seek $fh, 0, 0;
    local $/;
    return scalar <$fh>;
}

sub same {
    my ($text, $name) = @_;
    open my $fh, '>', "$folder/tmon.out" or die "$folder/tmon.out: $!\n";
    binmode $fh;
    print $fh $text;
    close $fh or die "$folder/tmon.out: $!\n";
    my $alone = said("$folder/tmon.out", threads => 1);
    cmp_ok(length $alone, '>', 1000, "$name: there is something to compare");
    for my $threads (2, 3, 8) {
        my $all = said("$folder/tmon.out", threads => $threads, part_bytes => 20_000);
        ok($all eq $alone, "$name: $threads threads say the same");
    }
    return;
}

for my $compact (0, 1) {
    my $dialect = $compact ? 'compact' : 'text';
    my $text = trace(30_000, $compact);
    same($text, $dialect);
    same(substr($text, 0, int 0.8 * length $text), "$dialect, cut");
    substr $text, index($text, "\n", $_ * length $text), 0, "\nnonsense" for 0.3, 0.7;
    same($text, "$dialect, damaged");
}

# Time that ran back so far that no more is believed: not in the later parts either.
my $ran = 0;
same(join('', "#fOrTyTwO\n\$hz=1000000000;\nPART2\n#run id=1 pid=2\n", ("+ 0 0 0 P::a\n- 0 0 1" . 0 x 18 . " P::a\n") x 4,
    map({ sprintf "%s 0 0 %d P::b\n", $_ % 2 ? '-' : '+', $ran += 1000 } 0 .. 9999), "#end 0 0 0 $ran 10008\n"), 'far back');

# Ctrl-C: what was read until then is there.
my $path  = "$folder/tmon.out";
my $asked = 0;
my $part  = Devel::DProf::Profile->read_file($path, told => { threads => 4, part_bytes => 20_000 }, progress => sub { ++$asked > 2 });
ok($part, 'a reading that is stopped gives a profile');

# Who dies while others read takes nothing along.
my $read = eval {
    Devel::DProf::Profile->read_file($path, told => { threads => 4, part_bytes => 20_000 }, progress => sub { die "enough\n" });
};
like($@, qr/enough/, 'a progress that dies ends the reading');
ok(length said($path, threads => 4, part_bytes => 20_000), 'and the next one works');

done_testing;
