/* Every writer: one file, one row in writers.c. */
#ifndef DPROF_WRITE_WRITERS_H
#define DPROF_WRITE_WRITERS_H

#include "write/write.h"

extern const struct dp_writer dp_write_top;
extern const struct dp_writer dp_write_tree;
extern const struct dp_writer dp_write_collapsed;
extern const struct dp_writer dp_write_merged;
extern const struct dp_writer dp_write_callers;
extern const struct dp_writer dp_write_callees;
extern const struct dp_writer dp_write_stats;
extern const struct dp_writer dp_write_walkback;
extern const struct dp_writer dp_write_startup;
extern const struct dp_writer dp_write_unexecuted;
extern const struct dp_writer dp_write_verify;
extern const struct dp_writer dp_write_json;
extern const struct dp_writer dp_write_compare;
extern const struct dp_writer dp_write_tmon;
extern const struct dp_writer dp_write_trace_text;
extern const struct dp_writer dp_write_trace_compact;
extern const struct dp_writer dp_write_speedscope;
extern const struct dp_writer dp_write_pprof;
extern const struct dp_writer dp_write_firefox;
extern const struct dp_writer dp_write_chrome;
extern const struct dp_writer dp_write_folded;
extern const struct dp_writer dp_write_csv;
extern const struct dp_writer dp_write_markdown;
extern const struct dp_writer dp_write_callgrind;
extern const struct dp_writer dp_write_dot;
extern const struct dp_writer dp_write_lcov;
extern const struct dp_writer dp_write_listing;
extern const struct dp_writer dp_write_callgraph;
extern const struct dp_writer dp_write_routines;
extern const struct dp_writer dp_write_pretty;
extern const struct dp_writer dp_write_image;
extern const struct dp_writer dp_write_html;
extern const struct dp_writer dp_write_flame;

#endif
