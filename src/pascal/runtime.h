/*
 * The Pascal that is put into an instrumented program: it maps the counters into pmon.out, so that
 * they are there whatever ends the program, and says beside it how it ended.
 */
#ifndef DPROF_PASCAL_RUNTIME_H
#define DPROF_PASCAL_RUNTIME_H

#include "pascal/pascal.h"

struct dp_runtime {
    const char *prefix; /* of all names that are put in */
    uint32_t labels;    /* single labels of cases that are counted */
    const char *calls;  /* "zzlabel(1,20,'a');" for each of them, or "" */
    uint32_t returns;   /* statements whose returns are */
    uint64_t fingerprint;
};

/* Is it a word of the declarations? (A program's name that is hides what they mean by it.) */
int dp_runtime_says(const char *name, size_t n);
/* The declarations, on one line; yours to free. */
char *dp_runtime_text(const struct dp_pascal *pascal, const struct dp_runtime *runtime);

#endif
