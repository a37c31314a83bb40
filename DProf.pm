package Devel::DProf;

# This file lives in somebody else's program: it loads nothing but XSLoader.

our $VERSION = '20261129';

# Code of package DB is what perl leaves alone under -d: no calls by way of DB::sub, no breakpoints.
package DB;

# `use Devel::DProf` and -d:DProf record from here on; `require` does not.
sub Devel::DProf::import {
    my $class = shift;
    local ($!, $@);
    require XSLoader;
    XSLoader::load('Devel::DProf', $Devel::DProf::VERSION) if !defined &Devel::DProf::_begin;
    Devel::DProf::_begin(join ',', @_);
}

# What the recorder calls to learn what it costs itself.
sub Devel::DProf::_nothing { }
sub Devel::DProf::_call_perl { for (1 .. $_[0]) { &Devel::DProf::_nothing } }
sub Devel::DProf::_call_xsub { for (1 .. $_[0]) { &utf8::is_utf8($_) } }

package Devel::DProf;

1;
