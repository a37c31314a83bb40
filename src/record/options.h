/*
 * What the user asked of the recorder: -d:DProf=name=value,... before PERL_DPROF before the classic
 * environment variables of the original.
 */
#ifndef DPROF_RECORD_OPTIONS_H
#define DPROF_RECORD_OPTIONS_H

#include <stdint.h>

#define DP_PATH_MAX 4096

enum dp_format {
    DP_FORMAT_AUTO, /* text, then compact, then a tree, by size */
    DP_FORMAT_TEXT,
    DP_FORMAT_COMPACT,
    DP_FORMAT_TREE
};

enum dp_when { DP_START_BEGIN, DP_START_INIT, DP_START_END, DP_START_NO };

struct dp_options {
    char file[DP_PATH_MAX]; /* with %p %t %n %h %s */
    enum dp_format format;
    uint64_t hz;
    uint64_t text;  /* bytes of text before the compact dialect */
    uint64_t limit; /* bytes before the tree; 0: none */
    enum dp_when start;
    int toggle; /* signal number, 0: none */
    int files, builtins, uncalled;
    int hook_sub; /* 1: the classic DB::sub way */
    int children; /* 0: children and threads are not profiled */
    int portable; /* 1: no mapping, no counter, no rseq */
};

/* Sets the defaults. */
void dp_options_init(struct dp_options *options);

/* Takes "name=value,name=value". What is not understood is said on standard error, with what would have
   been, and left out. `where` names the place for the message. files_allowed: 0 under taint mode, where
   an option that names a file is passed over in silence, as perl does with PERL5LIB. */
void dp_options_parse(struct dp_options *options, const char *text, const char *where,
                      int files_allowed);

/* A path that the program gives itself, commas and all. */
void dp_options_file(struct dp_options *options, const char *path);

/* Takes the environment: the classic variables, then PERL_DPROF. */
void dp_options_environment(struct dp_options *options, int files_allowed);

#endif
