package Devel::DProf;

# This file lives in somebody else's program: it loads nothing but XSLoader.

our $VERSION = '20261129';

# Code of package DB is what perl leaves alone under -d: no calls by way of DB::sub, no breakpoints.
package DB;

sub Devel::DProf::_load {
    return if defined &Devel::DProf::_begin;
    require XSLoader;
    XSLoader::load('Devel::DProf', $Devel::DProf::VERSION);
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
        Devel::DProf::_begin("file=$_[0]");
    }
    elsif (defined &Devel::DProf::_begin) { Devel::DProf::_start(@_) }
}
sub Devel::DProf::stop   { Devel::DProf::_stop()      if defined &Devel::DProf::_begin }
sub Devel::DProf::flush  { Devel::DProf::_flush()     if defined &Devel::DProf::_begin }
sub Devel::DProf::finish { Devel::DProf::_finish()    if defined &Devel::DProf::_begin }
sub Devel::DProf::mark   { Devel::DProf::_mark($_[0]) if @_ && defined &Devel::DProf::_begin }

# The names that programs written for another profiler call.
sub DB::enable_profile  { &Devel::DProf::start }
sub DB::disable_profile { Devel::DProf::stop() }
sub DB::finish_profile  { Devel::DProf::finish() }

# What the recorder calls to learn what it costs itself.
sub Devel::DProf::_nothing { }
sub Devel::DProf::_call_perl { for (1 .. $_[0]) { &Devel::DProf::_nothing } }
sub Devel::DProf::_call_xsub { for (1 .. $_[0]) { &utf8::is_utf8($_) } }

package Devel::DProf;

1;
