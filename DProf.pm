package Devel::DProf;

# This file lives in somebody else's program: it loads no other module, or XSLoader at most.

our $VERSION = '20261129';

# Code of package DB is what perl leaves alone under -d: no calls by way of DB::sub, no breakpoints.
package DB;

sub Devel::DProf::_load {
    return if defined &Devel::DProf::_begin || Devel::DProf::_load_beside();
    require XSLoader;
    # It looks for the object beside the file of the package that calls it, and else asks DynaLoader.
    package Devel::DProf;
    XSLoader::load('Devel::DProf', $VERSION);
}

# XSLoader would load strict.pm too, which the program could see, and takes half a millisecond. True if loaded.
sub Devel::DProf::_load_beside {
    my $here = __FILE__;
    return if substr($here, 0, 1) ne '/' || substr($here, -15) ne '/Devel/DProf.pm';
    return if !defined &DynaLoader::boot_DynaLoader;
    DynaLoader::boot_DynaLoader('DynaLoader') if !defined &DynaLoader::dl_error;
    my $file    = substr($here, 0, -14) . 'auto/Devel/DProf/DProf.so';
    my $library = DynaLoader::dl_load_file($file, 0) or return;
    my $boot    = DynaLoader::dl_find_symbol($library, 'boot_Devel__DProf') or return;
    push @DynaLoader::dl_librefs, $library;
    push @DynaLoader::dl_modules, 'Devel::DProf';
    push @DynaLoader::dl_shared_objects, $file;
    &{ DynaLoader::dl_install_xsub('Devel::DProf::bootstrap', $boot, $file) }('Devel::DProf', $Devel::DProf::VERSION);
    return 1;
}

# `use Devel::DProf` and -d:DProf record from here on; `require` does not.
sub Devel::DProf::import {
    my $class = shift;
    local ($!, $@);
    Devel::DProf::_load();
    Devel::DProf::_begin(join ',', @_);
}

# For the program. Without a profile they do nothing, but for start(FILE), which begins one.
sub Devel::DProf::start {
    local ($!, $@);
    if (@_ && !defined &Devel::DProf::_begin) {
        Devel::DProf::_load();
        Devel::DProf::_begin('', $_[0]);
    }
    elsif (defined &Devel::DProf::_begin) { Devel::DProf::_start(@_) }
}
sub Devel::DProf::stop   { Devel::DProf::_stop()      if defined &Devel::DProf::_begin }
sub Devel::DProf::flush  { Devel::DProf::_flush()     if defined &Devel::DProf::_begin }
sub Devel::DProf::finish { Devel::DProf::_finish()    if defined &Devel::DProf::_begin }
sub Devel::DProf::mark   { Devel::DProf::_mark($_[0]) if @_ && defined &Devel::DProf::_begin }

# The names that programs written for another profiler call.
sub DB::enable_profile {
    if    (@_)                              { &Devel::DProf::start }
    elsif (defined &Devel::DProf::_begin) { Devel::DProf::_switch(1) }
}
sub DB::disable_profile { Devel::DProf::_switch(0) if defined &Devel::DProf::_begin }
sub DB::finish_profile  { Devel::DProf::finish() }

# What the recorder calls to learn what it costs itself.
sub Devel::DProf::_nothing { }
sub Devel::DProf::_call_perl { for (1 .. $_[0]) { &Devel::DProf::_nothing } }
sub Devel::DProf::_call_xsub { for (1 .. $_[0]) { &utf8::is_utf8($_) } }

package Devel::DProf;

1;
__END__

=encoding utf8

=head1 NAME

Devel::DProf - a Perl profiler that cannot be felt and loses nothing

=head1 SYNOPSIS

    perl -d:DProf script.pl arguments     # leaves tmon.out
    dprofpp                               # where the time went

    perl -d:DProf=hz=100,file=/tmp/prof.%p script.pl
    PERL5OPT=-d:DProf make test           # whatever perls it starts

    use Devel::DProf;                     # in a program: from here on
    Devel::DProf::mark("request $id");

=head1 DESCRIPTION

Devel::DProf records each call of a sub and the moment it ends, with user, system and real time, into a
file. L<dprofpp> reads that file.

The program under it behaves as it does alone. Nothing of perl's debugger runs: C<$^P> is 0, C<caller>,
C<@_>, C<wantarray>, C<$!>, C<$@>, C<$?>, lvalue subs, deep recursion, C<last> out of a sub and the order of
destruction are what they are without it. What a program can still see is listed under L</LIMITS>.

The file is complete up to the last call whatever ends the program: C<exit>, C<die>, C<exec>,
C<POSIX::_exit>, SIGTERM, SIGKILL, a segmentation fault. It can be read while the program runs.

=head2 What is recorded

Calls of Perl subs and XSUBs, methods, closures, C<AUTOLOAD>, C<goto &sub> (an exit and an entry at the same
moment), C<BEGIN> and its kin, C<import>, C<tie>, overloading, C<DESTROY> (also in global destruction),
signal, warn and die handlers, formats, code in regular expressions, sort subs, and the blocks that
L<List::Util> and its like call. A sub left by C<die>, C<exit>, C<last>, C<next> or C<goto> is closed at that
moment.

Not seen are: subs that perl inlines, such as constants (and, since 5.40, what L<Scalar::Util> shares with
C<builtin>), since there is no call any more; an empty
C<DESTROY>, which perl skips; an XSUB used as a sort sub; an XSUB reached through a tied or overloaded code
reference; custom ops of modules that call without C<entersub>. A suspended C<async> sub of
L<Future::AsyncAwait> is entered anew when it is resumed, and the frames of a L<Coro> thread are closed when
another thread takes over.

=head2 Names

A sub has the name under which it was defined. An anonymous sub is C<Pkg::__ANON__[FILE:LINE]> with the line
of its first statement; the second one on that line, as they are compiled, has C<:2> at the end. Code of a
string eval has the place of the eval, C<FILE:LINE/eval>, for its file, so that names are the same in each
run, in each thread, and however often a file is loaded. C<BEGIN>, C<END> and their kin are
C<Pkg::BEGIN[FILE:LINE]>. What C<AUTOLOAD> was called for has that name, up to 10,000 names.

=head2 Processes and threads

A forked child or a thread that makes a call has a profile of its own, F<FILE.PID> or F<FILE.PID.N> (N counts
the threads) beside the first one; C<dprofpp> sums the family. A further perl that the program starts under
C<PERL5OPT>, or that replaces it by C<exec>, takes a name of its own too. A new run replaces the files of an
older one, never those of a process that lives.

=head1 OPTIONS

They follow C<-d:DProf=>, separated by commas, or stand in C<PERL_DPROF>; the command line wins. Something
unknown is said in one line, and the program runs.

=over

=item file=PATH

Where to write: F<tmon.out> if nothing is said. C<%p> is the process, C<%t> the thread, C<%n> the next free
number, C<%h> the host, C<%s> the start in seconds. An old profile is replaced by a new file; a symbolic link
is followed; a pipe or device is opened as it is.

=item format=text | compact | tree

Text has a line a mark and is what the original of 1997 wrote. Compact is six times smaller. A tree holds
call paths instead of calls, so its size does not grow with time. If nothing is said, a profile begins as
text, goes on compact after C<text> bytes, and as a tree after C<limit> bytes: counts and sums stay exact,
and what is lost then is the order in time.

=item hz=1000000 | 100 | 1000 | 1000000000

Ticks a second. 100 is the classic clock: user and system time are the values of C<times>. The finer ones
count the CPU time of the thread, and how it splits into user and system is the kernel's sampling, coarse
below 100 ms.

=item text=64M, limit=512M

See C<format>; both act in the steps in which the file grows: it doubles from 64 KiB and then
grows by 512 KiB. C<limit=0> means no limit; a family of processes shares one, and it never is more than a tenth
of the free space.

=item start=begin | init | end | no

When to begin: at once, with the C<INIT> phase, with the C<END> phase, or when the program says so.

=item toggle=SIGNAL

That signal stops the recording and starts it again: C<toggle=USR2>. The program cannot use it then.

=item files=1

Files loaded by C<require> and C<do>, and string evals, are frames too: C<dprofpp --report startup> shows
what loading costs.

=item builtins=1

Builtin functions that can be slow (C<system>, C<sleep>, C<print>, C<readline>, C<sort>, matching ...) are
recorded as subs of the package C<CORE>.

=item uncalled=1

At the end the profile lists each Perl sub that was defined and never called.

=item children=0

Forked children and threads are not recorded.

=item hook=sub

Records the way the original did, through C<DB::sub>. It sees less and disturbs more (see L</LIMITS>), but
needs nothing of perl's inside. Both ways count the same calls in what both can run.

=item portable=1

Uses neither mapped files nor the processor's counter. A program that is killed then loses what was still in
a buffer of 64 KiB, and its tree; C<exec> and C<POSIX::_exit> lose nothing but the tree.

=back

The variables of the original are understood: C<PERL_DPROF_OUT_FILE_NAME> is C<file>, C<PERL_DPROF_TICKS> is
C<hz>; C<PERL_DPROF_BUFFER> is accepted and does nothing. Under taint mode (C<-T>, setuid) options from the
environment that name files are passed over, as C<PERL5LIB> is.

=head1 FUNCTIONS

They do nothing without a profile, so they may stay in a program. None is exported.

=over

=item Devel::DProf::stop(), Devel::DProf::start()

Calls between them are not recorded, and their time belongs to nobody. They nest: recording goes on when
C<start> was called as often as C<stop>, and under C<start=no> while it was called more often.

=item Devel::DProf::start(FILE)

Ends the profile so far and goes on in that file. With C<require Devel::DProf> this begins to record in a
program that was started without C<-d>.

=item Devel::DProf::mark(TEXT)

Leaves a moment with a label in the profile. No code of the program runs for it: an object stands there as
C<Class=HASH(0x...)> even if it overloads that, a tied variable as what was last read of it. C<undef> leaves nothing.

=item Devel::DProf::flush()

What was recorded can be read by others. Only pipes and C<portable=1> need it.

=item Devel::DProf::finish()

The profile is complete. A forked child that says so before it makes a call has none.

=back

C<DB::enable_profile([FILE])>, C<DB::disable_profile()> and C<DB::finish_profile()>, which programs call that
were written for another profiler, are C<start>, C<stop> and C<finish>, but do not nest: a second
C<DB::disable_profile()> changes nothing.

=head1 OVERHEAD

What a recorded call costs is measured at the start, in a millisecond, and stands in the profile with each
call's share of the time that writing took; C<dprofpp> takes it off and says how much it was. How it
compares with plain perl and with other profilers, C<make bench> prints.

A text profile can grow by hundreds of megabytes a second where a program does nothing but call; a server
should use C<format=tree> or C<format=compact>, since so many dirty pages slow its own C<fsync>.

=head1 DIAGNOSTICS

The recorder writes to standard error only where something is wrong, one line each, and never stops the
program:

=over

=item cannot write FILE: REASON; the program runs unprofiled

The file could not be opened, or a pipe has no reader.

=item FILE: REASON; the profile ends here, the program goes on

The disk is full, the file was cut or replaced by somebody else. What was recorded before can be read.

=item unknown option, bad value

The line names the right ones.

=back

=head1 LIMITS

What a program can still see: it was started with C<-d> (C<DB::DB>, C<DB::sub> and its kin are defined),
C<%INC> has F<Devel/DProf.pm> (and where the library is not found beside it by an absolute path, what
XSLoader loads), one descriptor above 200 is open, and SIGBUS has a handler (it keeps the program alive when
somebody cuts the profile; a program that sets C<$SIG{BUS}> takes it from us). A seccomp filter that forbids
C<mmap> ends the program at the next one.

With C<hook=sub>: C<&foo;> gets a copy of C<@_>, a sub cannot be left by C<last>, C<next> or C<goto LABEL>,
recursion is limited by the C stack, sort subs and the blocks of L<List::Util> are not seen, C<$^P> is not
0.

=head1 TESTED WITH

perl 5.32, 5.36, 5.40 and 5.42 of Debian bullseye, bookworm, trixie and sid, with threads; perl 5.36 built
without threads, and built with C<-DDEBUGGING>; all of them on Linux and x86-64, each the best way and with
C<portable=1>. Perl 5.24 is the oldest that it is written for. Other processors have a clock of their own in it
(aarch64) or C<clock_gettime>, and have not been tried.

=head1 SEE ALSO

L<dprofpp>

=head1 LICENSE

This program is free software; you can redistribute it and/or modify it under the same terms as Perl itself.

=cut
