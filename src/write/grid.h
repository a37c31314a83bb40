/*
 * The classic columns: %Time ExclSec CumulS #Calls sec/call Csec/c and a name. They keep their
 * widths of old until a number needs more; then the whole table widens.
 */
#ifndef DPROF_WRITE_GRID_H
#define DPROF_WRITE_GRID_H

#include "write/cells.h"
#include "write/write.h"

enum dp_column {
    DP_COLUMN_PERCENT,
    DP_COLUMN_EXCLUSIVE,
    DP_COLUMN_CUMULATIVE,
    DP_COLUMN_CALLS,
    DP_COLUMN_EACH,
    DP_COLUMN_CUMULATIVE_EACH,
    DP_NCOLUMNS
};

struct dp_grid {
    const struct dp_job *job;
    int width[DP_NCOLUMNS];
    int digits[DP_NCOLUMNS];  /* of averages: enough for the smallest */
    double most[DP_NCOLUMNS]; /* the largest average */
};

/* What a row says. */
struct dp_figures {
    double part, whole; /* %Time */
    uint64_t calls;     /* 0: blank, and what is of one call too */
    const struct dp_time *self;
    const struct dp_time *incl;
    const struct dp_time *self_unsure; /* NULL: only what is no tick is unsure */
    const struct dp_time *incl_unsure;
};

void dp_grid_init(struct dp_grid *grid, const struct dp_job *job);
/* Widens the columns for a row; all rows first, then they are printed. */
void dp_grid_fit(struct dp_grid *grid, const struct dp_figures *figures);
/* The line of heads; `name` stands over the names. */
void dp_grid_heads(const struct dp_grid *grid, const char *name);
void dp_grid_row(const struct dp_grid *grid, const struct dp_figures *figures, const char *name,
                 size_t n);

#endif
