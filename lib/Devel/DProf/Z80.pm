package Devel::DProf::Z80;

use strict;
use warnings;

use Devel::DProf::Output;
use Devel::DProf::Profile;
use Devel::DProf::Say qw(fail say_aside shown wrong);

our $CLOCK = 4_000_000;

# is_program($word, \%set): is that a Z80 program that --run is to run itself?
sub is_program {
    my ($word, $set) = @_;
    return 1 if defined $set->{from} && $set->{from} eq 'z80';
    return 1 if grep { defined $set->{$_} } qw(origin until hz);
    return $word =~ /\.(?:com|ihx|hex)\z/i && -f $word ? 1 : 0;
}

# The folder with the runtime of instrumented programs.
sub share {
    my ($here) = grep { -f "$_/ccprof.s" } map { "$_/auto/share/dist/Devel-DProf/z80" } grep { !ref } @INC;
    return $here;
}

# Are these assembler texts of a compiler?
sub is_assembler {
    my (@files) = @_;
    return @files && !grep({ !/\.(?:asm|s|opt)\z/i } @files) ? 1 : 0;
}

# instrument($path, $handle): writes the text with headers put in. Returns what is to be said, or dies.
sub instrument {
    my ($path, $handle) = @_;
    my $done = Devel::DProf::Profile::_instrument_z80(contents($path), $handle);
    my @left = map { $_->[0] ? "$_->[0] $_->[1]" . ($_->[0] == 1 ? '' : 's') : () }
        [$done->{skipped}, 'interrupt routine'], [$done->{naked}, 'naked function'];
    return @left ? join(' and ', @left) . ' left as they are' : '';
}

# The assembler text of a compiler, with profile headers put in.
sub instrument_file {
    my ($set, @files) = @_;
    return wrong('--instrument takes one assembler text at a time') if @files != 1;
    my $out = eval { Devel::DProf::Output::output($set, @files) } or return wrong($@);
    my $said = eval { instrument($files[0], $out) };
    fail(shown($files[0]) . ": $@") if !defined $said;
    say_aside(shown($files[0]) . ": $said") if defined $said && $said ne '';
    Devel::DProf::Output::done($set, $out);
    return Devel::DProf::Say::status();
}

# run(\@words, \%set, \&say): runs a program and writes tmon.out. Returns a hash: files, or error.
sub run {
    my ($words, $set, $say) = @_;
    my ($program, @arguments) = @$words;
    my $bytes = eval { contents($program) };
    return { error => $@ } if !defined $bytes;
    my $path = 'tmon.out';
    my $head = head($set->{hz} || $CLOCK, @$words);
    open my $fh, '+>', "$path.new" or return { error => "$path.new: $!" };
    binmode $fh;
    my %told = map { ($_ => $set->{$_}) } grep { defined $set->{$_} }
        qw(origin symbols until seconds allow_write raw);
    local $| = 1;
    print '';    # what Perl still holds goes before what the program prints
    my $end = eval {
        Devel::DProf::Profile::_run_z80(fileno $fh, $bytes,
            { %told, head => $head->{text}, tail => join ' ', @arguments });
    };
    if (!$end || defined $end->{unwritten}) {
        my $error = $end ? "$path.new: $end->{unwritten}" : $@;
        unlink "$path.new";
        return { error => $error };
    }
    finish($fh, $head, $end) or return { error => "$path.new: $!" };
    rename "$path.new", $path or return { error => "$path: $!" };
    $say->($_) for ending($end, $set);
    dump_memory($set->{dump}, $end) or return { error => "$set->{dump}: $!" };
    return { files => [$path], end => $end };
}

sub contents {
    my ($path) = @_;
    open my $fh, '<', $path or die "$path: $!\n";
    binmode $fh;
    local $/;
    my $bytes = <$fh>;
    die "$path: $!\n" if !defined $bytes;
    return $bytes;
}

# The first lines of tmon.out. The totals in the fifth are written when the run is over.
sub head {
    my ($hz, @words) = @_;
    my $cmd = join ' ', @words;
    $cmd =~ s/([\x00-\x20\x7f\\])/$1 eq ' ' ? ' ' : sprintf '\\x%02x', ord $1/ge;
    my $before = "#fOrTyTwO\n\$hz=$hz;\n\$XS_VERSION='DProf $Devel::DProf::Profile::VERSION';\n"
        . "# All values are given in HZ\n";
    my $text = $before . ' ' x 80 . "\nPART2\n"
        . sprintf("#run id=%x%04x pid=%d started=%d cpu=process\n", time, $$ & 0xffff, $$, time)
        . "#cmd $cmd\n#host Z80 at $hz Hz\n";
    return { text => $text, totals => length $before };
}

sub finish {
    my ($fh, $head, $end) = @_;
    my $ticks = sprintf '%.0f', $end->{tstates} - $end->{left_out};
    my $totals = "\$rrun_utime=$ticks; \$rrun_stime=0; \$rrun_rtime=$ticks;";
    if ($end->{why} eq 'ended' || $end->{why} eq 'halted') {
        sysseek $fh, $head->{totals}, 0 or return 0;
        defined syswrite $fh, sprintf '%-80s', $totals or return 0;
    }
    return close $fh;
}

# How it ended, and what was refused: lines for the user.
sub ending {
    my ($end, $set) = @_;
    my $at = sprintf '%04X', $end->{at};
    my %how = (
        halted  => "HALT at $at",
        loops   => "stopped: it jumps to itself at $at for ever",
        stopped => "stopped at $at",
        wild    => "stopped: it ran into empty memory at $at",
    );
    my @lines = exists $how{ $end->{why} } ? "the program $how{ $end->{why} }" : ();
    $lines[0] =~ s/program HALT/program ended with HALT/ if @lines;
    push @lines, sprintf 'it ran for %.0f T-states, %.3f seconds at %d Hz', $end->{tstates},
        $end->{tstates} / ($set->{hz} || $CLOCK), $set->{hz} || $CLOCK;
    $lines[-1] .= sprintf '; %.0f of them in the counters, which are left out (--raw leaves them in)',
        $end->{left_out} if $end->{left_out};
    push @lines, 'it wanted to change files and was not allowed to: --allow-write lets it, in this folder'
        if $end->{refused_write};
    push @lines, "it made system call $end->{unknown_call}, which is not there: it got 0"
        if $end->{unknown_call};
    return @lines;
}

# The memory and the registers at the end, as z88dk-ticks writes them.
sub dump_memory {
    my ($path, $end) = @_;
    return 1 if !defined $path;
    open my $fh, '>', $path or return 0;
    binmode $fh;
    print {$fh} $end->{memory}, "\0" x 6, pack('vv', $end->{at}, $end->{sp}), "\0" x 28;
    return close $fh;
}

1;

__END__

=head1 NAME

Devel::DProf::Z80 - run a Z80 program and profile it

=head1 SYNOPSIS

    use Devel::DProf::Z80;

    my $run = Devel::DProf::Z80::run(['prog.com', 'an', 'argument'], {}, sub { warn "@_\n" });
    die $run->{error} if $run->{error};

=head1 DESCRIPTION

Runs a CP/M program, or bytes at any address, in an emulated Z80 and writes F<tmon.out> with T-states as ticks. It
needs a library that was built with libz80ex.

=over

=item is_program($word, \%set)

Is that a Z80 program, by its ending or by what was asked?

=item run(\@words, \%set, \&say)

Runs it. The settings: C<origin>, C<until>, C<hz>, C<seconds>, C<symbols>, C<allow_write>, C<dump>. C<say> hears
how it ended. Returns a hash with C<files> and C<end>, or C<error>.

=item share()

The folder with the runtime that instrumented programs are linked with.

=item is_assembler(@files), instrument($path, $handle)

Are these assembler texts? Writes one with profile headers put in.

=item instrument_file(\%set, @files)

What C<--instrument> does. Returns the exit status.

=item contents, head, finish, ending, dump_memory

Parts of it.

=back

=cut
