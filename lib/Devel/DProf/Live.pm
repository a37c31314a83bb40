package Devel::DProf::Live;

use strict;
use warnings;

use Devel::DProf::Profile;
use Devel::DProf::Say qw(fail shown wrong);
use Devel::DProf::Terminal;
use Sys::Hostname ();
use Time::HiRes ();

our $SPAN = 5;    # "now" is the last so many seconds

my @SORTS = qw(now self incl calls name);
my %SORTED_BY = (now => 'now', self => 'exclusive time', incl => 'inclusive time', calls => 'calls', name => 'name');

# --live: returns the exit status.
sub live {
    my ($set, $path) = @_;
    $path = 'tmon.out' if !defined $path;
    my $fh = eval { opened($path) };
    return fail(shown($path) . ": $@") || 1 if !$fh;
    my $terminal = eval { Devel::DProf::Terminal->new };
    return wrong($@) if !$terminal;
    my $view = new_view($set, $path, $terminal);
    watch($view, $fh);
    if (my $signal = $view->{signal}) {
        local $SIG{$signal} = 'DEFAULT';
        kill $signal, $$;
    }
    return fail($view->{error}) || 1 if defined $view->{error};
    return 0;
}

sub opened {
    my ($path) = @_;
    die "a pipe cannot be looked at twice: the file itself is needed\n" if $path eq '-' || -p $path;
    open my $fh, '<:raw', $path
        or die $!{ENOENT} ? "$!; perl -d:DProf SCRIPT makes one\n" : "$!\n";
    read $fh, my $head, 9;
    my $magic = '#fOrTyTwO';
    die "this is no profile of Perl that is being written: expected a first line of #fOrTyTwO\n"
        if $head ne substr $magic, 0, length $head;
    return $fh;
}

sub new_view {
    my ($set, $path, $terminal) = @_;
    return {
        path  => $path, terminal => $terminal, every => $set->{every} || 1,
        clock => $set->{clock} eq 'real' ? 'real' : 'cpu',
        sort  => $set->{sort} eq 'calls' ? 'calls' : $set->{sort} eq 'name' ? 'name' : $set->{inclusive} ? 'incl' : 'now',
        names => [], samples => [], filter => '', said => '', next => 0, host => Sys::Hostname::hostname(),
    };
}

# Takes the terminal, follows the file until no more is wanted, gives the terminal back however it ends.
sub watch {
    my ($view, $fh) = @_;
    my $terminal = $view->{terminal};
    my %on = map { my $signal = $_; $signal => sub { $view->{signal} = $signal } } qw(INT TERM HUP QUIT PIPE);
    local @SIG{ keys %on } = values %on;
    local $SIG{WINCH} = sub { $view->{resized} = 1 };
    local $SIG{TSTP}  = sub { $view->{stop} = 1 };
    $terminal->enter;
    do {
        forget($view);
        seek $fh, 0, 0;
        eval {
            Devel::DProf::Profile::_live(fileno $fh, "$view->{path}.tree", sub { looked($view, $fh, @_) });
            1;
        } or $view->{error} = "$view->{path}: $@";
    } while ($view->{again} && ($fh = eval { opened($view->{path}) }));
    $terminal->leave;
    return;
}

# Ctrl-Z: the shell gets its terminal back; later it is ours again.
sub stop_here {
    my ($view) = @_;
    delete $view->{stop};
    $view->{terminal}->leave;
    kill STOP => $$;
    $view->{terminal}->enter;
    $view->{resized} = 1;
    return;
}

# Another run writes the file now: all begins anew.
sub forget {
    my ($view) = @_;
    @$view{qw(names samples again numbers)} = ([], [], 0, undef);
    return;
}

# The reader has something to show. Returns true if it is to stop. Must not die: C is above.
sub looked {
    my ($view, $fh, $state) = @_;
    my $stop = eval {
        take($view, $state);
        $view->{again} = 1 if $state->{idle} && is_replaced($view, $fh, $state->{bytes});
        $view->{again} || wait_for_keys($view, $state);
    };
    return $stop ? 1 : 0 if defined $stop;
    $view->{error} = $@ || 'it stopped';
    return 1;
}

sub is_replaced {
    my ($view, $fh, $bytes) = @_;
    my @here = stat $fh;
    my @there = stat $view->{path};
    return @there && ("@here[0, 1]" ne "@there[0, 1]" || $there[7] < $bytes);
}

# --- numbers ---

my @LISTS = qw(calls self_cpu self_real incl_cpu incl_real);

# What is new. While the screen is paused it is kept for later. Samples stay packed: a program may have many subs.
sub take {
    my ($view, $state) = @_;
    push @{ $view->{names} }, @{ $state->{names} || [] };
    $view->{bytes} = $state->{bytes};
    return if !defined $state->{calls};
    my %sample = (at => Time::HiRes::time(), map { ($_ => $state->{$_}) } qw(idle passed), @LISTS);
    my $samples = $view->{samples};
    push @$samples, \%sample;
    shift @$samples while @$samples > 2 && $samples->[1]{at} <= $sample{at} - $SPAN;
    return if $view->{paused};
    $view->{numbers} = unpacked(\%sample);
    $view->{before}  = unpacked($samples->[0]);
    $view->{state}   = $state;
    return;
}

sub unpacked {
    my ($sample) = @_;
    return { %$sample, map { ($_ => [unpack 'd*', $sample->{$_}]) } @LISTS };
}

# A sub's row: what it did in the last seconds, and in all.
sub row {
    my ($view, $i, $seconds) = @_;
    my ($now, $before, $clock) = (@$view{qw(numbers before)}, $view->{clock});
    my $old = sub { my $list = $before->{ $_[0] }; $i < $#$list ? $list->[$i] : 0 };    # the last one is the code outside
    my $self = $now->{"self_$clock"}[$i];
    return {
        name  => $view->{names}[$i],
        calls => $now->{calls}[$i],
        self  => $self,
        incl  => $now->{"incl_$clock"}[$i],
        now   => $seconds ? ($self - $old->("self_$clock")) / $seconds : 0,
        rate  => $seconds ? ($now->{calls}[$i] - $old->('calls')) / $seconds : 0,
    };
}

# How much time lies between the two samples: the program's own clock while an old part of the file is read.
sub seconds_between {
    my ($now, $before) = @_;
    my $key = $now->{idle} && $before->{idle} ? 'at' : 'passed';
    my $seconds = $now->{$key} - $before->{$key};
    return $seconds > 0 ? $seconds : 0;
}

sub by_sort {
    my ($sort, $p, $q) = @_;
    return $p->{name} cmp $q->{name} if $sort eq 'name';
    return $q->{now} <=> $p->{now} || $q->{rate} <=> $p->{rate} || $q->{self} <=> $p->{self} if $sort eq 'now';
    return $q->{calls} <=> $p->{calls} if $sort eq 'calls';
    return $q->{$sort} <=> $p->{$sort};
}

sub rows {
    my ($view) = @_;
    my $seconds = seconds_between(@$view{qw(numbers before)});
    my $filter = $view->{filter} eq '' ? undef : eval { qr/$view->{filter}/ };
    my @rows = map { row($view, $_, $seconds) }
        grep { !$filter || $view->{names}[$_] =~ $filter } 0 .. $#{ $view->{numbers}{calls} } - 1;
    @rows = sort { by_sort($view->{sort}, $a, $b) } @rows;
    @rows = reverse @rows if $view->{reverse};
    return @rows;
}

sub sum {
    my ($list, $last) = @_;
    my $sum = 0;
    $sum += $_ for @$list[0 .. $last];
    return $sum;
}

# --- text ---

# A name as a terminal may get it.
sub plain {
    my ($text) = @_;
    $text =~ s/([\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}])/sprintf '\\x%02x', ord $1/ge;
    return $text;
}

# So many columns of a text: its beginning, or its end.
sub fit {
    my ($text, $columns, $keep_end) = @_;
    return $text if length $text <= $columns;
    return substr $text, 0, $columns if $columns < 4;
    return $keep_end ? '...' . substr $text, 3 - $columns : substr($text, 0, $columns - 3) . '...';
}

sub grouped {
    my ($number) = @_;
    my $text = sprintf '%.0f', $number;
    1 while $text =~ s/\A(-?\d+)(\d{3})/$1,$2/;
    return $text;
}

# What the program does at the moment.
sub doing {
    my ($view) = @_;
    my $state = $view->{state};
    return 'ended' if $state->{ended};
    my $pid = $state->{pid};
    return 'of another machine' if defined $state->{host} && $state->{host} ne $view->{host};
    return 'running' if defined $pid && $pid =~ /\A\d+\z/ && (kill(0, $pid) || $!{EPERM});
    return 'gone: it was killed, or ended without a word';
}

# Seconds since the last mark, if the program runs and that is known.
sub quiet_for {
    my ($view) = @_;
    my $state = $view->{state};
    return 0 if $state->{timeless} || doing($view) ne 'running' || ($state->{started} || '') !~ /\A\d+(?:\.\d+)?\z/;
    my $quiet = Time::HiRes::time() - $state->{started} - $state->{passed};
    return $quiet < 1 ? 0 : $quiet;
}

# How long the run has lasted.
sub duration {
    my ($view) = @_;
    my $state = $view->{state};
    return Time::HiRes::time() - $state->{started}
        if doing($view) eq 'running' && ($state->{started} || '') =~ /\A\d+(?:\.\d+)?\z/;
    return $state->{passed};
}

sub head {
    my ($view) = @_;
    my $state = $view->{state};
    my ($now, $before) = @$view{qw(numbers before)};
    my $last = $#{ $now->{calls} } - 1;
    my $calls = sum($now->{calls}, $last);
    my $seconds = seconds_between($now, $before);
    my $rate = $seconds ? ($calls - sum($before->{calls}, $#{ $before->{calls} } - 1)) / $seconds : 0;
    my $pid = defined $state->{pid} ? ', pid ' . plain($state->{pid}) : '';
    my $cmd = defined $state->{cmd} ? plain($state->{cmd}) : '';
    my $read = $now->{idle} ? '' : sprintf ', %.0f%% read', 100 * $view->{bytes} / ((-s $view->{path}) || 1);
    return (sprintf('%s: %s%s, %.1f s, %s calls, %s a second%s', plain($view->{path}), doing($view), $pid,
            duration($view), grouped($calls), grouped($rate), $read), $cmd, path_line($view));
}

# The open calls, the innermost one last.
sub path_line {
    my ($view) = @_;
    my $state = $view->{state};
    my @path = map { plain($_) } @{ $state->{path} || [] };
    return 'now: no sub is open' if !@path;
    my $quiet = quiet_for($view);
    my $more = $state->{depth} > @path ? '... > ' : '';
    return 'now: ' . $more . join(' > ', @path) . ($quiet ? sprintf '  (for %.0f s)', $quiet : '');
}

sub state_line {
    my ($view) = @_;
    return 'filter (a regular expression, Enter, Esc): ' . plain($view->{typing}) . '_' if defined $view->{typing};
    return join ', ', ($view->{paused} ? 'PAUSED' : ()),
        'by ' . ($view->{reverse} ? 'least ' : '') . $SORTED_BY{ $view->{sort} },
        $view->{clock} eq 'cpu' ? 'user+system time' : 'elapsed time',
        ($view->{filter} ne '' ? 'names like ' . plain($view->{filter}) : ()),
        ($view->{said} ne '' ? $view->{said} : ());
}

my $HEAD = '  %Now   Calls/s   %Time   ExclSec    CumulS      #Calls  Name';
my $KEYS = 'q quit  p pause  s sort  r reverse  c clock  / filter  +- interval';

# The lines of the screen, and the number of the heading's line.
sub lines {
    my ($view) = @_;
    my ($lines, $columns) = @{ $view->{terminal} }{qw(lines columns)};
    return (-1, 'nothing was written yet', '', $KEYS) if !$view->{numbers};
    my ($title, $cmd, $path) = head($view);
    my @top = map { fit($_, $columns) } $title, $cmd;
    push @top, fit($path, $columns, 1), fit(state_line($view), $columns);
    my $total = sum($view->{numbers}{"self_$view->{clock}"}, $#{ $view->{numbers}{calls} }) || 1;
    my $room = $lines - @top - 2;
    my @rows = rows($view);
    splice @rows, $room < 0 ? 0 : $room if @rows > $room;
    my @table = map {
        sprintf '%6.1f %9s  %6.2f %9.3f %9.3f %11s  ', 100 * $_->{now}, grouped($_->{rate}), 100 * $_->{self} / $total,
            $_->{self}, $_->{incl}, grouped($_->{calls});
    } @rows;
    @table = map { $table[$_] . fit(plain($rows[$_]{name}), $columns - length $table[$_]) } 0 .. $#table;
    push @table, ('') x ($room - @table) if !$view->{terminal}{plain};
    return (scalar @top, @top, sprintf('%-*.*s', $columns, $columns, $HEAD), @table, fit($KEYS, $columns));
}

sub draw {
    my ($view) = @_;
    if (delete $view->{resized}) {
        $view->{terminal}->measure;
    }
    $view->{terminal}->show(lines($view));
    $view->{next} = Time::HiRes::time() + $view->{every};
    return;
}

# --- keys ---

# Draws, and waits until there is something new to be read. Returns true if no more is wanted.
sub wait_for_keys {
    my ($view, $state) = @_;
    draw($view);
    my $until = $state->{over} ? undef : $state->{idle} ? $view->{next} : 0;
    until ($view->{signal} || $view->{quit}) {
        my $left = defined $until ? $until - Time::HiRes::time() : 3600;
        my $keys = $view->{terminal}->keys_within($left < 0 ? 0 : $left);
        return 1 if !defined $keys;
        key($view, $_) for split //, $keys;
        stop_here($view) if $view->{stop};
        draw($view) if $keys ne '' || $view->{resized};
        return 0 if defined $until && !$view->{quit} && Time::HiRes::time() >= $until;
    }
    return 1;
}

my %KEYS = (
    q => sub { $_[0]{quit} = 1 },
    p => sub { $_[0]{paused} = !$_[0]{paused} },
    s => sub {
        my ($i) = grep { $SORTS[$_] eq $_[0]{sort} } 0 .. $#SORTS;
        $_[0]{sort} = $SORTS[($i + 1) % @SORTS];
    },
    r => sub { $_[0]{reverse} = !$_[0]{reverse} },
    c => sub { $_[0]{clock} = $_[0]{clock} eq 'cpu' ? 'real' : 'cpu' },
    '/' => sub { $_[0]{typing} = '' },
    '+' => sub { interval($_[0], 2) },
    '-' => sub { interval($_[0], 0.5) },
);
$KEYS{' '} = $KEYS{p};
$KEYS{Q}   = $KEYS{q};

sub interval {
    my ($view, $times) = @_;
    my $every = $view->{every} * $times;
    $view->{every} = $every < 0.1 ? 0.1 : $every > 60 ? 60 : $every;
    $view->{said} = "every $view->{every} s";
    return;
}

sub key {
    my ($view, $key) = @_;
    $view->{said} = '';
    return typed($view, $key) if defined $view->{typing};
    $KEYS{$key}->($view) if $KEYS{$key};
    return;
}

# A key while a filter is typed.
sub typed {
    my ($view, $key) = @_;
    if ($key eq "\e") {
        delete $view->{typing};
    } elsif ($key eq "\n" || $key eq "\r") {
        my $text = Devel::DProf::Profile::decoded(delete $view->{typing});
        if (eval { my $good = qr/$text/; 1 }) {
            $view->{filter} = $text;
        } else {
            $view->{said} = 'that is no regular expression';
        }
    } elsif ($key eq "\x7f" || $key eq "\b") {
        chop $view->{typing};
    } elsif ($key !~ /[\x00-\x1f]/) {
        $view->{typing} .= $key;
    }
    return;
}

1;

__END__

=head1 NAME

Devel::DProf::Live - a running program's profile, like top

=head1 DESCRIPTION

C<dprofpp --live>: follows a F<tmon.out> that is being written and shows what the program does now and did so far.
The reader waits in C for more of the file, so each look costs what is new; the mapped tree of C<format=tree> is
read as a whole each time.

=over

=item live(\%settings, $path)

Until the user has seen enough. Returns the exit status.

=item watch, opened, new_view, stop_here, forget, looked, is_replaced

The frame: the terminal is taken and given back, a file that another run writes is begun anew.

=item take, unpacked, row, rows, by_sort, seconds_between, sum

Numbers: what is new, and the difference to some seconds before.

=item head, doing, duration, quiet_for, path_line, state_line, lines, draw, plain, fit, grouped

The screen.

=item wait_for_keys, key, typed, interval

The keyboard.

=back

=cut
