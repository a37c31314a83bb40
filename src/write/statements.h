/*
 * Reports of profiles that count statements (Pascal). What needs the text of the program finds it
 * in dp_foreign(prof, "pascal").
 */
#ifndef DPROF_WRITE_STATEMENTS_H
#define DPROF_WRITE_STATEMENTS_H

#include "write/write.h"

/* The top report: %Stmts OwnStmts CumStmts #Calls Own/call Cum/call Name Line. */
int dp_put_statements(const struct dp_job *job);
/* A block of callers or callees. */
void dp_put_statement_edges(const struct dp_job *job, uint32_t sub, int callers);
/* tree: the call graph from the program on, each routine's calls once. */
int dp_put_statement_tree(const struct dp_job *job);
/* What never ran: routines, and statements in those that did. */
int dp_put_unexecuted_statements(const struct dp_job *job);
/* listing: the program with its counts. */
int dp_put_pascal_listing(const struct dp_job *job);

#endif
