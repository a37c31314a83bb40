/*
 * pmon.out: the counters of Berkeley Pascal (doc/formats/pmon.md), in any of its three layouts, in
 * a core image, or as text in a terminal log. It holds numbers only; what they count is in the
 * source.
 */
#ifndef DPROF_READ_PMON_H
#define DPROF_READ_PMON_H

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "model/build.h"
#include "pascal/program.h"

enum dp_pmon_layout {
    DP_PMON_PDP11, /* A: longs with the high word first */
    DP_PMON_3BSD,  /* B */
    DP_PMON_C      /* C: 4.0BSD and later */
};

struct dp_pmon {
    enum dp_pmon_layout layout;
    int big_endian;
    int64_t when;      /* seconds since 1970: the start of the run in A and B, its end in C */
    uint32_t headings; /* program, procedure and function headings */
    uint32_t n;
    int64_t *values; /* n of them */
};

/* Is it one? Whole files only: the size decides. */
int dp_pmon_is(const char *bytes, size_t n);
/* Fills it, or -1 with the error; free the values with dp_pmon_free(). */
int dp_pmon_decode(const char *bytes, size_t n, struct dp_pmon *pmon, struct dp_err *err);
void dp_pmon_free(struct dp_pmon *pmon);

/* pmon_text.c: the bytes in uuencoded or od-dumped text, yours to free, or NULL. */
char *dp_pmon_from_text(const char *text, size_t n, size_t *bytes);

/* Puts the counters in their places. -1: they do not belong to the source, the error says where the
   two part. Takes the program over in any case. */
struct dp_pascal_program *dp_pmon_match(struct dp_pascal *pascal, const struct dp_pmon *pmon,
                                      struct dp_err *err);
/* Adds another run. */
int dp_pmon_add(struct dp_pascal_program *program, const struct dp_pmon *pmon, struct dp_err *err);

/* pmon_model.c: fills an empty profile, which owns the program from then on. */
void dp_pmon_fill(struct dp_build *build, struct dp_pascal_program *program);

#endif
