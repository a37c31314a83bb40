/*
 * The recorder: one for each interpreter that is profiled.
 *
 * What is read at every call comes first. Only the thread that runs the interpreter touches it.
 */
#ifndef DPROF_RECORD_RECORDER_H
#define DPROF_RECORD_RECORDER_H

#include "record/perl_api.h"

#include "record/clock.h"
#include "record/options.h"
#include "record/output.h"
#include "record/window.h"

struct dp_known; /* record/names.h */
struct dp_tree;  /* record/tree.h */

/* A sub as the recorder knows it: one for each name in the profile. */
struct dp_sub {
    uint32_t length;     /* of text, up to and with the newline */
    uint32_t generation; /* of the recorder when it was introduced; another one: not yet */
    uint32_t id;         /* in the compact dialect and the tree */
    uint8_t kind;        /* enum dp_sub_kind */
    uint8_t mark_length; /* of the compact mark */
    char mark[20];       /* "+ ID\n" */
    char *text;          /* the name, escaped, a newline, and DP_TEXT_PAD bytes of '#' */
    /* read when it is announced */
    uint32_t told; /* the recorder's file that has its #sub line */
    const char *file; /* where it is defined, escaped; NULL: unknown */
    uint32_t line;
    uint32_t hash;
    struct dp_sub *next;  /* of the same hash */
    struct dp_sub *after; /* in order of first sight */
    U32 eval;             /* of the string eval that the last one at this place was made in, or 0 */
    U32 twins;            /* subs at this place that were numbered by their first calls */
};

/* Text is copied in pieces of this size, and may be read so far behind its end. */
#define DP_TEXT_PAD 64

enum dp_sub_kind {
    DP_SUB_PERL,
    DP_SUB_XSUB,
    DP_SUB_ANON,
    DP_SUB_AUTOLOAD,
    DP_SUB_BEGIN,
    DP_SUB_BUILTIN,
    DP_SUB_FILE,
    DP_SUB_EVAL
};

/* How a frame ends. */
enum dp_frame_kind {
    DP_FRAME_PERL,    /* with its context */
    DP_FRAME_XSUB,    /* when the C function returns; it has no context of its own */
    DP_FRAME_CALLBACK /* with its run loop: a sort sub or a MULTICALL block */
};

/* A call that is open. It is over when its context is gone: `index` lies above the top of the context
   stack of `stack`, or `stack` itself is not in use any more. */
struct dp_frame {
    PERL_SI *stack;
    struct dp_sub *sub;
    I32 index;
    uint32_t node : 30; /* in the tree */
    uint32_t kind : 2;  /* enum dp_frame_kind */
    uint64_t since;     /* real ticks at its entry, for the tree */
};

enum dp_dialect { DP_TEXT_FINE, DP_TEXT_COARSE, DP_COMPACT, DP_TREE };

struct dp_recorder {
    struct dp_window window;
    struct dp_clock clock;
    struct dp_frame *top; /* the innermost open call; == base: none */
    struct dp_frame *base;
    struct dp_frame *end;
    uint64_t marks; /* marks written; goes on counting in a tree */
    uint32_t dialect;
    volatile int busy; /* record/signals.h */
    uint32_t generation; /* counts the dialects of all its files: in each, subs are introduced anew */
    uint32_t files;      /* counts its files: a child has another one */
    uint32_t prefix_length;
    uint32_t user_at; /* of the last four digits of user and real time in the prefix */
    uint32_t real_at;
    uint32_t epoch; /* changes when open frames were closed behind the back of a running XSUB */
    char prefix[128]; /* "+ USER SYSTEM REAL " and '#' to the end */

    /* not read at every mark */
    PerlInterpreter *perl;
    int recording; /* 1: marks are written */
    int measured;  /* 1: the calibration is done */
    int ended;     /* 1: the profile is finished, or an error ended it */
    int wanted;    /* start() less stop(): recording while above zero */
    int awaits_end; /* start=end: begins with the first END block */
    int dying;     /* 1: the interpreter is being destroyed */
    pid_t pid;
    unsigned long tid;
    struct dp_stamp written; /* compact: the ticks after the last @ */
    struct dp_stamp begun;   /* at the start of the recording */
    double perl_cost;    /* units of the counter that a recorded call costs */
    double xsub_cost;    /* the same where the sub is an XSUB */
    uint64_t room_cpu;   /* ns that making room took in all: CPU time, nearly all in the kernel */
    uint64_t room_real;  /* and real time */
    uint32_t rooms;      /* how often room was made */
    uint64_t trace_marks; /* marks before the tree */
    struct dp_output output;
    struct dp_options options;
    struct dp_known *known;
    struct dp_tree *tree;
    struct announced *announced; /* files with a #file line */
    struct dp_recorder *next;    /* of the other interpreters */
};

/* The recorder of the interpreter that loaded us first, and that interpreter while it is recording.
   Without multiplicity the second is only zero or not. */
extern struct dp_recorder dp_main;
extern void *volatile dp_active;

/* 1: a call that dp_active does not settle must be looked at: there may be other interpreters, or a
   signal asked for a toggle. */
extern volatile int dp_look_closer;

/* The recorder that is to write marks for this interpreter, or NULL: it is stopped, or unprofiled. */
struct dp_recorder *dp_look(pTHX);

DP_INLINE struct dp_recorder *dp_current(pTHX)
{
#ifdef MULTIPLICITY
    if (DP_LIKELY(my_perl == dp_active))
        return &dp_main;
#else
    if (DP_LIKELY(dp_active != NULL))
        return &dp_main;
#endif
    return DP_UNLIKELY(dp_look_closer) ? dp_look(aTHX) : NULL;
}

/* Begins to profile this interpreter: opens the file, hooks the interpreter, starts the clock.
   options: "name=value,...", what -d:DProf was given. file: what start(FILE) was given, or NULL. Says on
   standard error what went wrong, and then leaves the program unprofiled. A second call for one interpreter
   does nothing. */
void dp_recorder_begin(pTHX_ const char *options, const char *file);

/* Starts or stops writing marks, without any mark. */
void dp_recorder_switch(struct dp_recorder *recorder, int on);

/* Ends the profile: closes what is open, writes the totals and #end with the exit status. */
void dp_recorder_finish(struct dp_recorder *recorder, int status);

/* Ends the recording in a forked child that has made no mark: it has no profile, and its parent's is let alone. */
void dp_recorder_renounce(struct dp_recorder *recorder);

/* Ends the profile where it is, after an error in the window, and says so. */
void dp_recorder_fail(struct dp_recorder *recorder);

/* Brings what is in a buffer into the file. 0, or -1: the profile has ended. */
int dp_recorder_flush(struct dp_recorder *recorder);

/* Room for the next mark is needed, or this is a forked child. 0: there is room; -1: the recorder has
   stopped. */
int dp_recorder_room(struct dp_recorder *recorder);

/* Makes what a recorder needs before it has a file: tables, frames. 0, or -1: no memory. */
int dp_recorder_prepare(struct dp_recorder *recorder);

/* Frees it, when its profile has ended. */
void dp_recorder_release(struct dp_recorder *recorder);

/* Writes the header of a file that was opened, and the frames that are open at `begun`. */
void dp_recorder_open_file(struct dp_recorder *recorder, const struct dp_stamp *begun, long parent);

/* Opens another file for a recorder whose profile has ended, was never begun, or is the parent's. 0, or -1 after
   a line on standard error. */
int dp_recorder_reopen(pTHX_ struct dp_recorder *recorder, const char *path);

#endif
