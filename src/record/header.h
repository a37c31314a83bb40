/*
 * The header and the metadata lines of a profile.
 */
#ifndef DPROF_RECORD_HEADER_H
#define DPROF_RECORD_HEADER_H

#include "record/recorder.h"

/* What does not change while the process lives: made once, from the interpreter. */
void dp_header_learn(pTHX);

/* Everything up to the first mark. parent: 0, or the process that forked this one. */
void dp_header_write(struct dp_recorder *recorder, long parent);

/* Rewrites the totals in line 5. */
void dp_header_totals(struct dp_recorder *recorder, const struct dp_stamp *now);

/* "#sub ..." and, before the first sub of a file, "#file ...". */
void dp_header_sub(struct dp_recorder *recorder, const struct dp_sub *sub);

/* "#sub ... uncalled" */
void dp_header_uncalled(pTHX_ struct dp_recorder *recorder, CV *cv);

/* "#note ..." */
void dp_header_note(struct dp_recorder *recorder, const char *text);

/* "#over U S R N KIND" */
void dp_header_over(struct dp_recorder *recorder, const struct dp_stamp *cost, uint64_t calls,
                    const char *kind);

/* "#end ..." */
void dp_header_end(struct dp_recorder *recorder, int status, const struct dp_stamp *now);

/* "#WORD U S R" and an optional text. */
void dp_header_moment(struct dp_recorder *recorder, const char *word, const struct dp_stamp *now,
                      const char *text);

#endif
