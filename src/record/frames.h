/*
 * The shadow stack: the calls that are open, innermost last.
 */
#ifndef DPROF_RECORD_FRAMES_H
#define DPROF_RECORD_FRAMES_H

#include "record/mark.h"
#include "record/signals.h"
#include "record/tree.h"

/* 0, or -1: no memory. */
int dp_frames_init(struct dp_recorder *recorder);
int dp_frames_grow(struct dp_recorder *recorder);

/* Closes every frame whose context is gone. */
void dp_frames_resync(pTHX_ struct dp_recorder *recorder);

/* Takes up the frames that are really open now, after a start: "#open N" and their entries. */
void dp_frames_rebuild(pTHX_ struct dp_recorder *recorder);

/* At the beginning of a call, on a stack that holds no more than `first_free` contexts: closes frames of
   this stack that are left of its last use. */
void dp_frames_reused(pTHX_ struct dp_recorder *recorder, I32 first_free);

/* Forgets all frames without a mark. */
void dp_frames_forget(struct dp_recorder *recorder);

/* Writes the marks that close all open frames, or open them again, at one time. The frames stay. */
void dp_frames_mark_all(struct dp_recorder *recorder, char sign, const struct dp_stamp *stamp);

DP_INLINE size_t dp_frames_depth(const struct dp_recorder *recorder)
{
    return (size_t)(recorder->top - recorder->base);
}

DP_INLINE void dp_frames_enter(pTHX_ struct dp_recorder *recorder, struct dp_sub *sub, I32 index,
                               enum dp_frame_kind kind, uint64_t now)
{
    struct dp_frame *frame;

    dp_busy(recorder);
    if (DP_UNLIKELY(recorder->top + 1 >= recorder->end) && dp_frames_grow(recorder) != 0) {
        dp_idle(recorder);
        return;
    }
    frame = ++recorder->top;
    frame->stack = PL_curstackinfo;
    frame->index = index;
    frame->sub = sub;
    frame->node = 0; /* with kind one store */
    frame->kind = kind;
    if (DP_UNLIKELY(recorder->dialect == DP_TREE))
        dp_tree_enter(aTHX_ recorder, sub, now);
    else
        dp_mark(recorder, sub, '+', now);
    dp_idle(recorder);
}

/* Closes the innermost frame; the caller is busy, since before it looked at that frame. */
DP_INLINE void dp_frames_close(struct dp_recorder *recorder, uint64_t now)
{
    struct dp_sub *sub = recorder->top->sub;

    if (DP_UNLIKELY(recorder->dialect == DP_TREE)) {
        dp_tree_leave(recorder, now);
        recorder->top -= recorder->top > recorder->base;
    } else {
        recorder->top--;
        dp_mark(recorder, sub, '-', now);
    }
}

DP_INLINE void dp_frames_leave(struct dp_recorder *recorder, uint64_t now)
{
    dp_busy(recorder);
    dp_frames_close(recorder, now);
    dp_idle(recorder);
}

/* Could the innermost frame be over? The base, which belongs to no stack, never is. */
DP_INLINE int dp_frames_doubtful(pTHX_ const struct dp_recorder *recorder)
{
    return (recorder->top->stack != PL_curstackinfo || recorder->top->index > cxstack_ix) &&
           recorder->top != recorder->base;
}

#endif
