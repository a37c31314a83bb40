/*
 * Reports of profiles that hold counts and no times (Z80 images and listings).
 */
#ifndef DPROF_WRITE_COUNTS_H
#define DPROF_WRITE_COUNTS_H

#include "write/write.h"

/* The top report: %Calls #Calls Cum% Addr Callers Name, then the functions that never ran. */
void dp_put_counts(const struct dp_job *job);
/* The functions that never ran, a line for each, with who could have called them. */
void dp_put_never_called(const struct dp_job *job);
/* A block of callers or callees. */
void dp_put_count_edges(const struct dp_job *job, uint32_t sub, int callers);

/* How often an edge was gone: "20", "0..6" where only bounds are known, "3.." without an upper one.
 */
void dp_put_range(const struct dp_job *job, const struct dp_edge *edge, int width);
/* What is wrong with a sub's count, behind its name: "  (wrapped)". */
void dp_put_doubt(const struct dp_job *job, uint32_t sub);
/* 1: listed, counted, and never called. */
int dp_never_called(const struct dp_job *job, uint32_t sub);
/* Different subs that may call it. */
uint32_t dp_ncallers(const struct dp_job *job, uint32_t sub);

#endif
