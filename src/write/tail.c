#include "write/tail.h"

#include <string.h>

/* When the list of open frames is there, the builder only closes what the file left open. */
static void hear(struct dp_tail *tail, uint32_t sub, uint32_t depth, int enters,
                 const struct dp_time *at)
{
    if (tail->prof->nopen)
        return;
    tail->marks[tail->n++ % DP_TAIL_MARKS] = (struct dp_tail_mark){sub, depth, enters, *at};
}

static void enter(void *ctx, uint32_t sub, uint32_t depth, const struct dp_time *at)
{
    hear(ctx, sub, depth, 1, at);
}

static void leave(void *ctx, uint32_t sub, uint32_t depth, const struct dp_time *at)
{
    hear(ctx, sub, depth, 0, at);
}

void dp_tail_init(struct dp_tail *tail)
{
    memset(tail, 0, sizeof *tail);
    tail->listener.enter = enter;
    tail->listener.reenter = enter;
    tail->listener.leave = leave;
    tail->listener.ctx = tail;
}

void dp_tail_begin(void *ctx, struct dp_profile *prof)
{
    struct dp_tail *tail = ctx;

    tail->prof = prof;
}
