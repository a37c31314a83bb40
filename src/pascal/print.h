/*
 * Printing a program: re-formatted ("pretty"), or as a listing with its counts, the way pxp of
 * 4.3BSD does it (doc/pascal.md), and the table of its routines.
 */
#ifndef DPROF_PASCAL_PRINT_H
#define DPROF_PASCAL_PRINT_H

#include "base/out.h"
#include "pascal/pascal.h"

/* How it is to look. All zeros is no style: begin with dp_pascal_style_init(). */
struct dp_pascal_style {
    uint32_t unit;   /* columns of one level, 1 to 64 */
    uint32_t width;  /* fold lines longer than this, 0: never */
    int flat;        /* routines are not indented by their nesting */
    int full_parens; /* around every operand that has an operator of its own */
    int keep_parens; /* those of the source stay */
    int all_bodies;  /* also of routines that never ran */
    int no_declarations;
    int strip_comments;
    int underline;
    int expand_includes; /* the pretty printer prints what is included, not the #include line */
    int pages;           /* a form feed and a heading where the file changes */
    int marks;           /* says where counts are not what ran */
    int others;          /* a last arm `others` becomes an if around the case */
    int echo;            /* the lines of the source as they are read, between the printed ones */
    const char *const *only; /* names of routines or included files */
    uint32_t nonly;
    const char *program; /* first line of a heading */
};

/* The counters of a program: what ran how often. */
struct dp_pascal_counts {
    const int64_t *values; /* ntaken of them; values[0] is counter 1 */
    uint32_t n;
    int64_t when; /* seconds since 1970: "Profiled" */
    /* Per node enum dp_pascal_mark: where the program ended, and the calls that were open; NULL: it ended
       as it should. */
    const unsigned char *marks;
    const char *death; /* why */
    /* Per node, with style->marks: how often a statement ran, and 1 where that is not certain; a line
       whose count is another is marked. NULL: nothing is known. */
    const int64_t *ran;
    const unsigned char *doubt;
};

void dp_pascal_style_init(struct dp_pascal_style *style);

/* "Wed Jun  5 10:20 1985", in local time. */
void dp_pascal_put_date(struct dp_out *out, int64_t seconds);

void dp_pascal_pretty(const struct dp_pascal *pascal, const struct dp_pascal_style *style,
                      struct dp_out *out);
void dp_pascal_listing(const struct dp_pascal *pascal, const struct dp_pascal_counts *counts,
                       const struct dp_pascal_style *style, struct dp_out *out);
/* One row for each heading. after_listing: a page of its own behind one. */
void dp_pascal_routines(const struct dp_pascal *pascal, const struct dp_pascal_counts *counts,
                        const struct dp_pascal_style *style, int after_listing, struct dp_out *out);

#endif
