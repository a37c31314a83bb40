/*
 * The rows of a table: which subs, in which order.
 */
#ifndef DPROF_WRITE_ROWS_H
#define DPROF_WRITE_ROWS_H

#include "write/write.h"

struct dp_rows {
    uint32_t *subs; /* indices into sums->subs; nsubs is the code outside any sub */
    uint32_t n;
};

/* The rows that the view asks for; `outside`: with the row of the code outside any sub, which does
   not count as one of view->rows. Free with dp_rows_free(). */
struct dp_rows dp_rows_new(const struct dp_job *job, int outside);
void dp_rows_free(struct dp_rows *rows);

#endif
