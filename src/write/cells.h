/*
 * Numbers and names as reports show them: as many digits as the clock deserves, never cut, never
 * negative, "~0" where a time is below its own uncertainty.
 */
#ifndef DPROF_WRITE_CELLS_H
#define DPROF_WRITE_CELLS_H

#include "base/out.h"
#include "model/profile.h"
#include "write/write.h"

/* One of the four clocks of an amount, in ticks. */
int64_t dp_clock_of(const struct dp_time *time, enum dp_clock clock);
/* The same of an uncertainty: user and system are one clock, so the larger one of the two counts.
 */
int64_t dp_unsure_of(const struct dp_time *unsure, enum dp_clock clock);

/* Digits after the point: for times as the clock ticks (2 at hz=100), for columns of times (3 at
   least, as of old), for averages of many calls. */
int dp_clock_digits(uint64_t hz);
int dp_time_digits(uint64_t hz);
int dp_average_digits(uint64_t hz);

/* A time to be shown. */
struct dp_cell {
    double seconds;
    int digits;
    int unsure; /* 1: "~0" */
    int coarse; /* 1: "~" before it: the kernel's sampling makes it a guess */
};

/* How wide it is, and the cell itself at the right of so many columns. */
int dp_cell_width(const struct dp_cell *cell);
void dp_put_cell(struct dp_out *out, const struct dp_cell *cell, int width);

/* The cell of a time in ticks, with what it can be wrong by. */
struct dp_cell dp_time_cell(const struct dp_job *job, const struct dp_time *time,
                            const struct dp_time *unsure);
/* ... and of its average over so many calls, with the least digits of an average. */
struct dp_cell dp_average_cell(const struct dp_job *job, const struct dp_time *time,
                               const struct dp_time *unsure, uint64_t calls);
/* As many digits as an average needs to say something: it has more than the clock when many calls
   are behind it. */
int dp_digits_to_say(const struct dp_cell *average, uint64_t hz);

/* A plain number with `digits` after the point, at the right of so many columns. */
void dp_put_number(struct dp_out *out, double number, int digits, int width);
int dp_number_width(double number, int digits);
void dp_put_count(struct dp_out *out, uint64_t count, int width);
int dp_count_width(uint64_t count);

/* Three digits and a point: 99.4, 8.24, 0.55, 100. */
void dp_put_percent(struct dp_out *out, double part, double whole, int width);

/* A name in at most `columns` columns (0: any), its middle left out if it must be. */
void dp_put_fitted(struct dp_out *out, const char *bytes, size_t n, size_t columns);

/* The indent of a line of a tree. Lines deeper than DP_DEEPEST levels stay there and begin with
   their level: a recursion of a million levels would else be a million times as wide. */
#define DP_DEEPEST 1000
void dp_put_indent(struct dp_out *out, size_t level, size_t blanks);

/* The name of a sub, or "(outside any sub)" for nsubs. */
const char *dp_sub_name(const struct dp_profile *prof, uint32_t sub, size_t *n);
#define DP_OUTSIDE "(outside any sub)"

#endif
