/*
 * The table of writers. dprofpp --reports and --formats list it in this order.
 */
#include "write/writers.h"

#include <string.h>

const struct dp_writer *const dp_writers[] = {
    &dp_write_top,        &dp_write_tree,
    &dp_write_collapsed,  &dp_write_merged,
    &dp_write_callers,    &dp_write_callees,
    &dp_write_stats,      &dp_write_walkback,
    &dp_write_startup,    &dp_write_unexecuted,
    &dp_write_verify,     &dp_write_compare,
    &dp_write_listing,    &dp_write_routines,
    &dp_write_pretty,     &dp_write_callgraph,
    &dp_write_image,      &dp_write_html,
    &dp_write_flame,      &dp_write_folded,
    &dp_write_speedscope, &dp_write_pprof,
    &dp_write_firefox,    &dp_write_chrome,
    &dp_write_callgrind,  &dp_write_dot,
    &dp_write_csv,        &dp_write_markdown,
    &dp_write_lcov,       &dp_write_tmon,
    &dp_write_trace_text, &dp_write_trace_compact,
    &dp_write_json,       NULL,
};

const struct dp_writer *dp_writer_named(const char *name)
{
    for (int i = 0; dp_writers[i]; i++)
        if (!strcmp(dp_writers[i]->name, name))
            return dp_writers[i];
    return NULL;
}
