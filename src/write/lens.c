#include "write/lens.h"

#include <string.h>

#include "base/mem.h"
#include "model/change.h"

static struct dp_lens_sub plain(void *ctx, struct dp_profile *prof, uint32_t sub)
{
    struct dp_lens_sub shown = {dp_plain_name(prof, sub), 0};

    (void)ctx;
    return shown;
}

void dp_lens_init(struct dp_lens *lens, int only_within, dp_decide *decide, void *ctx)
{
    memset(lens, 0, sizeof *lens);
    lens->only_within = only_within;
    lens->decide = decide ? decide : plain;
    lens->ctx = ctx;
}

void dp_lens_begin(struct dp_lens *lens, struct dp_profile *prof)
{
    lens->prof = prof;
    lens->active = 0;
    dp_free(lens->subs);
    lens->subs = NULL;
    lens->nsubs = 0;
}

static const struct dp_lens_sub *shown(struct dp_lens *lens, uint32_t sub)
{
    while (lens->nsubs <= sub) {
        struct dp_lens_sub next = lens->decide(lens->ctx, lens->prof, lens->nsubs);

        lens->subs = dp_more(lens->subs, lens->nsubs, sizeof *lens->subs);
        lens->subs[lens->nsubs++] = next;
    }
    return &lens->subs[sub];
}

int dp_lens_opens(struct dp_lens *lens, uint32_t sub)
{
    const struct dp_lens_sub *how = shown(lens, sub);

    if (!lens->only_within)
        return how->as != DP_NONE;
    if (how->within)
        lens->active++;
    return how->as != DP_NONE && lens->active;
}

int dp_lens_closes(struct dp_lens *lens, uint32_t sub)
{
    const struct dp_lens_sub *how = shown(lens, sub);
    int inside = !lens->only_within || lens->active;

    if (lens->only_within && how->within && lens->active)
        lens->active--;
    return how->as != DP_NONE && inside;
}

void dp_lens_free(struct dp_lens *lens)
{
    dp_free(lens->subs);
    lens->subs = NULL;
}
