/*
 * Numbers that grow slowly from line to line, as times do: how the last one was written is
 * remembered, so that the next one, which nearly always has as many digits and the same leading
 * ones, is read without looking for its end. dp_digits() reads any other.
 */
#ifndef DPROF_BASE_FIELDS_H
#define DPROF_BASE_FIELDS_H

#include "base/digits.h"

/* The last number. Starts as zeros: nothing is foreseen. */
struct dp_field {
    uint64_t text;      /* its first eight bytes */
    uint64_t lead_mask; /* which of them are not among its last eight digits */
    uint64_t mask;      /* which of them belong to it or are the blank behind it */
    int64_t lead;       /* what its digits before the last eight are worth */
    int64_t value;
    uint32_t n;     /* digits; 0: none yet */
    uint32_t last;  /* where the last eight digits begin */
    uint32_t shift; /* bits to push out what is behind a number of less than eight digits */
};

/* Reads any number of 1 to 16 digits with a blank behind it, and remembers how it is written;
   returns what follows the blank, or NULL. */
const char *dp_field_learn(struct dp_field *field, const char *at, int64_t *value);

#if DP_WORDS
/* The same for the number that follows the one remembered. */
static inline const char *dp_field_read(struct dp_field *field, const char *at, int64_t *value)
{
    uint64_t x = (dp_load8(at + field->last) ^ 0x3030303030303030u) << field->shift;

    if (((dp_load8(at) ^ field->text) & field->lead_mask) | dp_no_digits(x) |
        (unsigned char)(at[field->n] ^ ' '))
        return dp_field_learn(field, at, value);
    *value = field->lead + (int64_t)dp_eight_digits(x);
    return at + field->n + 1;
}

/* The same for one that seldom changes. */
static inline const char *dp_field_read_same(struct dp_field *field, const char *at, int64_t *value)
{
    if (((dp_load8(at) ^ field->text) & field->mask) || field->n - 1 > 6)
        return dp_field_learn(field, at, value);
    *value = field->value;
    return at + field->n + 1;
}
#else
static inline const char *dp_field_read(struct dp_field *field, const char *at, int64_t *value)
{
    return dp_field_learn(field, at, value);
}

static inline const char *dp_field_read_same(struct dp_field *field, const char *at, int64_t *value)
{
    return dp_field_learn(field, at, value);
}
#endif

#endif
