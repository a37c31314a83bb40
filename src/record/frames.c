#include "record/frames.h"

#include <stdlib.h>

#define FIRST_ROOM 256

int dp_frames_init(struct dp_recorder *recorder)
{
    recorder->base = malloc(FIRST_ROOM * sizeof *recorder->base);
    if (!recorder->base)
        return -1;
    recorder->end = recorder->base + FIRST_ROOM;
    memset(recorder->base, 0, sizeof *recorder->base);
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
    while (recorder->top > recorder->base && !alive(aTHX_ recorder->top))
        dp_frames_leave(recorder);
}

void dp_frames_forget(struct dp_recorder *recorder)
{
    recorder->top = recorder->base;
    recorder->epoch++;
}

void dp_frames_mark_all(struct dp_recorder *recorder, char sign, const struct dp_stamp *stamp)
{
    struct dp_frame *frame;

    if (sign == '-') {
        for (frame = recorder->top; frame > recorder->base && recorder->recording; frame--)
            dp_mark_at(recorder, frame->sub, sign, stamp);
    } else {
        for (frame = recorder->base + 1; frame <= recorder->top && recorder->recording; frame++)
            dp_mark_at(recorder, frame->sub, sign, stamp);
    }
}
