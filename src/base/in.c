#include "base/in.h"

#include <string.h>

#include "base/mem.h"

#define WINDOW ((size_t)1 << 20)
#define OWN_WINDOW ((size_t)1 << 16)

void dp_in_bytes(struct dp_in *in, const char *bytes, size_t n)
{
    memset(in, 0, sizeof *in);
    in->at = in->end = in->base = in->rest = bytes ? bytes : "";
    in->limit = in->rest + n;
}

void dp_in_source(struct dp_in *in, ptrdiff_t (*fill)(void *ctx, char *to, size_t room), void *ctx)
{
    memset(in, 0, sizeof *in);
    in->at = in->end = in->base = "";
    in->fill = fill;
    in->ctx = ctx;
}

uint64_t dp_in_offset(const struct dp_in *in)
{
    return in->passed + (uint64_t)(in->at - in->base);
}

void dp_in_moved(struct dp_in *in, uint64_t offset)
{
    in->at = in->end = in->base = in->own ? in->own : "";
    in->passed = offset;
}

void dp_in_free(struct dp_in *in)
{
    dp_free(in->own);
    memset(in, 0, sizeof *in);
}

/* Makes room for `more` bytes behind `end` in memory of our own, moving [at, end) to its start if
   need be. What is kept never fills more than half, so that bytes that come one by one are not
   moved each time. */
static void own_window(struct dp_in *in, size_t more)
{
    size_t kept = (size_t)(in->end - in->at);
    size_t need = 2 * kept + more + DP_IN_PAD;
    char *room = in->own;

    if (room && in->base == room && in->room - (size_t)(in->end - room) >= more + DP_IN_PAD)
        return;
    in->passed += (uint64_t)(in->at - in->base);
    if (in->room < need) {
        in->room = need > OWN_WINDOW ? need : OWN_WINDOW;
        room = dp_alloc(in->room);
    }
    if (kept)
        memmove(room, in->at, kept); /* NOLINT(*NonNullParamChecker): what is kept has a room */
    if (room != in->own)
        dp_free(in->own);
    in->own = room;
    in->base = in->at = room;
    in->end = room + kept;
}

/* The next piece of bytes that are all there. The last ones cannot be padded where they are, so
   they are copied, with what the reader still keeps of the window. */
static int more_bytes(struct dp_in *in)
{
    size_t left = (size_t)(in->limit - in->rest);

    if (left == 0)
        return 0;
    if (left > DP_IN_PAD) {
        size_t step = left - DP_IN_PAD < WINDOW ? left - DP_IN_PAD : WINDOW;

        in->rest += step;
        in->end = in->rest;
        return 1;
    }
    own_window(in, left);
    memcpy(in->own + (in->end - in->own), in->rest, left);
    in->end += left;
    in->rest = in->limit;
    return 1;
}

/* Is this the end, because who watches wants no more? */
static int stops(struct dp_in *in)
{
    if (in->progress && in->progress(in->ctx, dp_in_offset(in)))
        in->stopped = 1;
    return in->stopped;
}

static int more_source(struct dp_in *in)
{
    size_t used;
    ptrdiff_t n;

    if (in->failed)
        return 0;
    own_window(in, 4096);
    used = (size_t)(in->end - in->own);
    do
        n = in->fill(in->ctx, in->own + used, in->room - used - DP_IN_PAD);
    while (n == DP_IN_AGAIN && !stops(in));
    if (in->stopped)
        return 0;
    if (n < 0)
        in->failed = 1;
    if (n <= 0)
        return 0;
    in->end += n;
    return 1;
}

int dp_in_more(struct dp_in *in)
{
    if (in->stopped || stops(in))
        return 0;
    return in->fill ? more_source(in) : more_bytes(in);
}
