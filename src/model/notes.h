/*
 * Oddities that did not stop a reader, kept in the profile: one note of a kind, with the place and
 * the words of the first and a count. Codes from DP_NOTE_LOSS on mean that something was lost,
 * mismatched or guessed: they set prof->lost (exit status 1).
 */
#ifndef DPROF_MODEL_NOTES_H
#define DPROF_MODEL_NOTES_H

#include <stdint.h>

#include "base/err.h"
#include "model/profile.h"

enum dp_note_code {
    DP_NOTE_RECORDER,                /* what the recorder itself had to say (#note) */
    DP_NOTE_UNFINISHED,              /* no clean end: the run was killed or still runs */
    DP_NOTE_OPEN_FRAMES,             /* frames open at the end */
    DP_NOTE_CUT_LINE,                /* the last line is not whole and was dropped */
    DP_NOTE_HEADER,                  /* a header value is silly; it is left out */
    DP_NOTE_STOPPED,                 /* the reading was stopped (Ctrl-C) */
    DP_NOTE_COARSE,                  /* calibration that cannot be used */
    DP_NOTE_INSIDE,                  /* the program ended inside a sub */
    DP_NOTE_GUESSED,                 /* where an image lies was found out */
    DP_NOTE_FULL,                    /* a counter is at the most it can hold */
    DP_NOTE_SOURCE,                  /* the source is newer than its profile */
    DP_NOTE_JUMPS,                   /* counts of lines that a jump out of a routine made too large */
    DP_NOTE_DOUBT,                   /* such counts of which not all were found */
    DP_NOTE_PLACE,                   /* a line of a trace that fits several statements */
    DP_NOTE_BANK,                    /* a bank that the processor did not see */
    DP_NOTE_LOSS,                    /* --- from here on: something is lost or guessed --- */
    DP_NOTE_NO_ENTRY = DP_NOTE_LOSS, /* an exit without an entry */
    DP_NOTE_MISMATCH,                /* an exit of a frame that is not the innermost one */
    DP_NOTE_BACKWARDS,               /* time that ran backwards, counted as none */
    DP_NOTE_IMPOSSIBLE, /* a number that cannot be: too large to be a time or a count */
    DP_NOTE_UNKNOWN_ID, /* a mark of an id that was not introduced */
    DP_NOTE_BAD_LINE,   /* a line that is no mark */
    DP_NOTE_BAD_TREE,   /* a node of a PART3 that makes no sense */
    DP_NOTE_CUT_TREE,   /* a PART3 without its end */
    DP_NOTE_READ_ERROR, /* the input broke off with an error */
    DP_NOTE_NO_HZ,      /* no usable ticks a second: all times are a guess */
    DP_NOTE_MISSING,    /* fewer marks than the file says it has */
    DP_NOTE_HZ,         /* profiles of different clocks were put together; times were rescaled */
    DP_NOTE_CHAIN,   /* a chain of headers is torn or runs in a circle */
    DP_NOTE_COUNTER, /* a counter holds no number */
    DP_NOTE_WRAPPED, /* a counter went round */
    DP_NOTE_FRAMES,  /* frames of the stack are lost */
    DP_NOTE_PARTIAL, /* the image does not hold all of the program */
    DP_NOTE_BAD_SUM, /* records of the image were left out for their sum */
    DP_NNOTES
};
extern const char *const dp_note_names[DP_NNOTES]; /* "no-entry": for JSON */

/* Notes it, or counts it if its kind was noted before. */
void dp_note(struct dp_profile *prof, enum dp_note_code code, uint64_t line, const char *format,
             ...) DP_PRINTF(4, 5);
/* The note of that kind, or NULL. */
const struct dp_note *dp_find_note(const struct dp_profile *prof, enum dp_note_code code);

#endif
