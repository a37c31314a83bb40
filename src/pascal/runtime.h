/*
 * The Pascal that is put into an instrumented program: it maps the counters into pmon.out, so that they
 * are there whatever ends the program, and says beside it how it ended.
 */
#ifndef DPROF_PASCAL_RUNTIME_H
#define DPROF_PASCAL_RUNTIME_H

#include "pascal/pascal.h"

/* A single label of a case that is counted. */
struct dp_runtime_label {
    uint32_t token;
};

/* The declarations, on one line; yours to free. */
char *dp_runtime_text(const struct dp_pascal *pascal, const char *prefix,
                      const struct dp_runtime_label *labels, uint32_t nlabels, uint64_t fingerprint);

#endif
