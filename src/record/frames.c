#include "record/frames.h"

#include "base/tmon_tags.h"
#include "record/header.h"
#include "record/names.h"

#include <stdio.h>
#include <stdlib.h>

#define FIRST_ROOM 256

int dp_frames_init(struct dp_recorder *recorder)
{
    recorder->base = calloc(FIRST_ROOM, sizeof *recorder->base);
    if (!recorder->base)
        return -1;
    recorder->end = recorder->base + FIRST_ROOM;
    recorder->base->index = -1000; /* belongs to no stack and never ends */
    recorder->top = recorder->base;
    return 0;
}

int dp_frames_grow(struct dp_recorder *recorder)
{
    size_t depth = dp_frames_depth(recorder);
    size_t room = (size_t)(recorder->end - recorder->base) * 2;
    struct dp_frame *base = realloc(recorder->base, room * sizeof *base);

    if (!base) {
        recorder->window.why = "no memory";
        recorder->window.why_errno = 0;
        dp_recorder_fail(recorder);
        return -1;
    }
    memset(base + room / 2, 0, (room - room / 2) * sizeof *base);
    recorder->base = base;
    recorder->top = base + depth;
    recorder->end = base + room;
    return 0;
}

static int alive(pTHX_ const struct dp_frame *frame)
{
    const PERL_SI *stack = PL_curstackinfo;

    if (!stack)
        return 0;
    if (frame->stack == stack)
        return frame->index <= cxstack_ix;
    for (stack = stack->si_prev; stack; stack = stack->si_prev)
        if (stack == frame->stack)
            return frame->index <= stack->si_cxix;
    return 0;
}

void dp_frames_resync(pTHX_ struct dp_recorder *recorder)
{
    dp_busy(recorder);
    while (recorder->top > recorder->base && !alive(aTHX_ recorder->top))
        dp_frames_close(recorder, dp_counter());
    dp_idle(recorder);
}

/* Something begins at the bottom of a stack that perl uses again. After a die, before perl has come back to
   the run loop that goes on, a DESTROY may find frames of the stack's last use here, which look alive. */
static void close_reused(pTHX_ struct dp_recorder *recorder, I32 first_free)
{
    struct dp_frame *first = recorder->top;
    uint32_t epoch = recorder->epoch;
    size_t depth;
    int callback;

    while (first > recorder->base && first[-1].stack == PL_curstackinfo)
        first--;
    if (first->stack != PL_curstackinfo)
        return;
    if ((first->kind == DP_FRAME_XSUB || (first->index < first_free && first->index >= 0 &&
                                          CxTYPE(&cxstack[first->index]) == CXt_SUB)) &&
        (first - 1 == recorder->base || alive(aTHX_ first - 1)))
        return;
    callback = first->kind == DP_FRAME_CALLBACK;
    for (depth = (size_t)(first - recorder->base);
         recorder->epoch == epoch && dp_frames_depth(recorder) >= depth;)
        dp_frames_close(recorder, dp_counter());
    /* What calls a block without a sub call does not survive its death. */
    if (callback && recorder->epoch == epoch && recorder->top->kind == DP_FRAME_XSUB)
        dp_frames_close(recorder, dp_counter());
    dp_frames_resync(aTHX_ recorder);
}

void dp_frames_reused(pTHX_ struct dp_recorder *recorder, I32 first_free)
{
    dp_busy(recorder);
    close_reused(aTHX_ recorder, first_free);
    dp_idle(recorder);
}

void dp_frames_forget(struct dp_recorder *recorder)
{
    recorder->top = recorder->base;
    recorder->epoch++;
}

static I32 top_of(pTHX_ const PERL_SI *stack)
{
    return stack == PL_curstackinfo ? cxstack_ix : stack->si_cxix;
}

/* The statement that made the call, as perl notes it with the call's context, or with the next one where a C function
   has none of its own; where there is no next one, it is the statement that runs. */
static const COP *caller_of(pTHX_ const struct dp_frame *frame)
{
    const PERL_SI *stack = frame->stack;
    I32 at = frame->index + (frame->kind == DP_FRAME_XSUB);

    for (; stack; stack = stack == PL_curstackinfo ? NULL : stack->si_next, at = 0)
        for (; at <= top_of(aTHX_ stack); at++)
            if (at >= 0 && CxTYPE(&stack->si_cxstack[at]) != CXt_SUBST)
                return stack->si_cxstack[at].blk_oldcop;
    return PL_curcop;
}

/* All open frames in a tree: there the time is now, and frames that are taken up are not counted again. */
static void tree_all(struct dp_recorder *recorder, char sign)
{
    struct dp_frame *top = recorder->top, *frame;
    dTHX;

    if (sign == '-') {
        for (frame = top; frame > recorder->base && recorder->recording; frame--) {
            recorder->top = frame;
            dp_tree_leave(recorder, dp_counter());
        }
    } else {
        for (frame = recorder->base + 1; frame <= top && recorder->recording; frame++) {
            recorder->top = frame;
            dp_tree_take_up(aTHX_ recorder, frame->sub, dp_counter(), caller_of(aTHX_ frame));
        }
    }
    if (recorder->recording)
        recorder->top = top;
}

static void take_up(pTHX_ struct dp_recorder *recorder, PERL_SI *stack, I32 top)
{
    I32 i;

    for (i = 0; i <= top; i++) {
        const PERL_CONTEXT *cx = &stack->si_cxstack[i];
        struct dp_sub *sub;
        struct dp_frame *frame;

        if (CxTYPE(cx) != CXt_SUB || (cx->cx_type & CXp_SUB_RE_FAKE))
            continue;
        sub = dp_sub_of(aTHX_ recorder, cx->blk_sub.cv);
        if (!sub || (recorder->top + 1 >= recorder->end && dp_frames_grow(recorder) != 0))
            continue;
        frame = ++recorder->top;
        memset(frame, 0, sizeof *frame);
        frame->stack = stack;
        frame->index = i;
        frame->sub = sub;
        frame->kind = DP_FRAME_PERL;
    }
}

void dp_frames_rebuild(pTHX_ struct dp_recorder *recorder)
{
    PERL_SI *stack = PL_curstackinfo;
    struct dp_stamp now;
    char text[48];
    size_t depth;

    dp_frames_forget(recorder);
    while (stack && stack->si_prev)
        stack = stack->si_prev;
    for (; stack; stack = stack == PL_curstackinfo ? NULL : stack->si_next)
        take_up(aTHX_ recorder, stack, stack == PL_curstackinfo ? cxstack_ix : stack->si_cxix);
    depth = dp_frames_depth(recorder);
    if (!depth || !recorder->recording)
        return;
    if (recorder->dialect == DP_TREE) {
        tree_all(recorder, '+');
        return;
    }
    dp_window_put(&recorder->window, text,
                  (size_t)sprintf(text, "#" DP_TMON_OPEN " %lu\n", (unsigned long)depth));
    now = dp_clock_stamp(&recorder->clock, dp_counter());
    dp_frames_mark_all(recorder, '+', &now);
}

void dp_frames_mark_all(struct dp_recorder *recorder, char sign, const struct dp_stamp *stamp)
{
    struct dp_frame *frame;

    if (recorder->dialect == DP_TREE) {
        tree_all(recorder, sign);
        return;
    }
    if (sign == '-') {
        for (frame = recorder->top; frame > recorder->base && recorder->recording; frame--)
            dp_mark_at(recorder, frame->sub, sign, stamp);
    } else {
        for (frame = recorder->base + 1; frame <= recorder->top && recorder->recording; frame++)
            dp_mark_at(recorder, frame->sub, sign, stamp);
    }
}
