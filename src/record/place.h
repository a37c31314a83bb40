/*
 * Where code stands: files and lines, also of string evals, which perl only numbers. A name must be the
 * same in each run, so code of an eval is named by the place of the eval itself: FILE:LINE/eval.
 */
#ifndef DPROF_RECORD_PLACE_H
#define DPROF_RECORD_PLACE_H

#include "record/recorder.h"

/* A string eval that may have left subs behind. */
struct dp_place {
    U32 number;         /* as in "(eval 17)" */
    uint16_t is_subless; /* left no subs behind: needed only while it runs */
    uint16_t is_alive;   /* while it is found out: it runs, or subs of it are there */
    const char *text; /* escaped, "FILE:LINE/eval"; shared by all evals of one place */
};

/* Notes that the running code is about to eval a string; dp_place_eval_done(), when it is compiled, says that it has no
   subs, so that it may be forgotten when others need the room. Returns its place; the number is the one that perl will
   give it if nothing else is evaluated before. */
struct dp_place dp_place_eval(pTHX_ struct dp_recorder *recorder);
void dp_place_eval_done(struct dp_recorder *recorder, uint32_t number);

/* The eval at `text`, whose number was expected to be that, calls itself so: "(eval 17)". Returns its number; 0: the file is
   no eval. */
U32 dp_place_settle(pTHX_ struct dp_known *known, U32 expected, const char *file, const char *text);

/* The place of the eval that this sub comes from, if it does from one, is still needed. */
void dp_place_lives(const struct dp_known *known, CV *cv);

/* Forgets the evals that neither run nor were found alive. */
void dp_place_forget(pTHX_ struct dp_known *known);

/* The text for a file name as perl has it (escaped, kept for ever), and the number of its eval, or 0. */
const char *dp_place_file(struct dp_recorder *recorder, const char *file, U32 *eval);

/* The file (as perl has it) and the line of the first statement of a perl sub; NULL and 0 if that cannot
   be known. */
const char *dp_place_of(CV *cv, uint32_t *line);

/* In a forked child: whatever another thread was doing. */
void dp_place_forked(void);

#endif
