# The manuals are well-formed POD.
use strict;
use warnings;
use Test::More;

eval { require Test::Pod; Test::Pod->VERSION(1.41); 1 } or plan skip_all => 'Test::Pod is not installed';
Test::Pod::all_pod_files_ok('DProf.pm', 'dprofpp', Test::Pod::all_pod_files('lib'));
