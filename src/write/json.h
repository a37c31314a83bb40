/*
 * What the parts of --json share.
 */
#ifndef DPROF_WRITE_JSON_H
#define DPROF_WRITE_JSON_H

#include "write/write.h"

/* A string. What is not UTF-8 becomes \xHH in text, since JSON cannot say bytes. */
void dp_put_json_text(struct dp_out *out, const char *bytes, size_t n);
/* The rest of the object for a profile of counts: subs with addresses, doubts and callers, and the
   frames of a Z80 image. */
void dp_put_json_counts(const struct dp_job *job);
/* ... and of one of statements. */
void dp_put_json_statements(const struct dp_job *job);

#endif
