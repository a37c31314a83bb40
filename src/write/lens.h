/*
 * What becomes of a sub while a trace is still being read: its name in the report, whether it is
 * left out, whether the report begins at it (-g). Decided once for each sub, when it is first
 * called.
 */
#ifndef DPROF_WRITE_LENS_H
#define DPROF_WRITE_LENS_H

#include <stdint.h>

#include "model/profile.h"

struct dp_lens_sub {
    uint32_t as; /* string of the profile: its name; DP_NONE: left out, its callees move up */
    int within;  /* 1: with `only_within`, the report begins at this sub */
};
typedef struct dp_lens_sub dp_decide(void *ctx, struct dp_profile *prof, uint32_t sub);

struct dp_lens {
    struct dp_profile *prof;
    dp_decide *decide;
    void *ctx;
    int only_within;
    uint32_t active; /* open calls of subs that the report begins at */
    struct dp_lens_sub *subs;
    uint32_t nsubs;
};

/* decide NULL: names as reports show them without -R. */
void dp_lens_init(struct dp_lens *lens, int only_within, dp_decide *decide, void *ctx);
/* A new profile begins. */
void dp_lens_begin(struct dp_lens *lens, struct dp_profile *prof);
/* A call of `sub` begins, ends: is it one that is shown? */
int dp_lens_opens(struct dp_lens *lens, uint32_t sub);
int dp_lens_closes(struct dp_lens *lens, uint32_t sub);
void dp_lens_free(struct dp_lens *lens);

#endif
