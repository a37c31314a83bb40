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

package Devel::DProf;

1;
