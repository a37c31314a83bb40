/*
 * Building a profile from a trace or from a tree. Only here nesting is checked and mended: exits
 * without entries, exits of an outer frame, frames open at the end, time that runs backwards. A reader
 * says what the file says; each kind of repair is noted once and counted.
 * A mark costs two dozen instructions when the call went the way it went the last time: the reader may
 * ask which child is expected and skip looking its name up.
 */
#ifndef DPROF_MODEL_BUILD_H
#define DPROF_MODEL_BUILD_H

#include <stdint.h>

#include "model/notes.h"
#include "model/paths.h"
#include "model/profile.h"
#include "model/strings.h"

/* Hears every call in order; either function may be NULL. depth is 0 for a sub called from outside any
   sub. Frames that were mended are heard like the others. Re-entered frames (#open) are heard too. */
struct dp_listener {
    void (*enter)(void *ctx, uint32_t sub, uint32_t depth, const struct dp_time *at);
    void (*leave)(void *ctx, uint32_t sub, uint32_t depth, const struct dp_time *at);
    void *ctx;
};

/* An open frame. */
struct dp_frame {
    uint32_t node;
    uint32_t expect; /* the sub whose exit closes it: another one after the old `*` mark */
    uint32_t child;  /* the last node entered from here, or DP_NONE */
    uint32_t counted; /* 0: re-entered, its call was counted before */
    struct dp_time since;
};

struct dp_build {
    struct dp_profile *prof;
    struct dp_paths paths;
    struct dp_frame *frames; /* frames[0] is the root */
    uint32_t depth;          /* index of the innermost frame */
    uint32_t room;
    uint32_t reenter; /* so many of the next entries are not calls */
    struct dp_time now;
    int began;  /* a time was seen */
    int paused; /* between stop and start: time belongs to nobody */
    int stats;  /* keep histograms */
    const struct dp_listener *listener;
    uint64_t line;          /* of the input, for notes: the reader keeps it */
    struct dp_time gone;    /* in gaps */
    struct dp_time stated;  /* the run's totals as the file gives them, all 0 if it does not */
    uint32_t *guess_first;  /* per node: the child that was entered first the last time */
    uint32_t *guess_next;   /* per node: the sibling that was entered after it the last time */
    uint32_t guess_room;
};

struct dp_build *dp_build_new(struct dp_profile *prof);
/* Frees the builder, never the profile. */
void dp_build_free(struct dp_build *build);
/* Inclusive real times of every node's calls: for --stats. Before the first mark. */
void dp_build_stats(struct dp_build *build);
void dp_build_listen(struct dp_build *build, const struct dp_listener *listener);

/* The sub of that full name (bytes as the program had them), made if it is new. */
uint32_t dp_build_sub(struct dp_build *build, const char *name, size_t n);
/* Where it is defined; what was said first stays. file: string or DP_NONE. */
void dp_build_where(struct dp_build *build, uint32_t sub, uint32_t file, uint32_t line,
                    enum dp_kind kind);

/* Marks. Times are absolute ticks of one clock; a reader of relative ones adds them up. */
void dp_build_enter(struct dp_build *build, uint32_t sub, const struct dp_time *at);
void dp_build_leave(struct dp_build *build, uint32_t sub, const struct dp_time *at);
/* Leaves the innermost frame, whichever it is. */
void dp_build_leave_top(struct dp_build *build, const struct dp_time *at);
/* The old `*`: the innermost frame becomes `sub`; its exit will carry the name of the first. */
void dp_build_jump(struct dp_build *build, uint32_t sub, const struct dp_time *at);
/* The next n entries were counted before: their time counts, their calls do not. */
void dp_build_reenter(struct dp_build *build, uint64_t n);
/* A gap: from stop to start time belongs to nobody. */
void dp_build_stop(struct dp_build *build, const struct dp_time *at);
void dp_build_start(struct dp_build *build, const struct dp_time *at);
/* Time passes without a mark: a trailing @. */
void dp_build_tick(struct dp_build *build, const struct dp_time *at);

/* A node of a tree that was folded already: adds to the child `sub` of `parent` (0: the root) and
   returns its index. hist may be NULL. */
uint32_t dp_build_node(struct dp_build *build, uint32_t parent, uint32_t sub, uint64_t calls,
                       const struct dp_time *self, const struct dp_hist *hist);

/* The end of the input: notes what is open, closes it at the last time (the list is prof->open), sets
   the totals. `clean`: the file said that this was the end. */
void dp_build_end(struct dp_build *build, int clean);

/* The node that would be entered if the program does what it did the last time, or DP_NONE. */
static inline uint32_t dp_build_guess(const struct dp_build *build)
{
    const struct dp_frame *top = &build->frames[build->depth];

    return top->child == DP_NONE ? build->guess_first[top->node] : build->guess_next[top->child];
}

#endif
