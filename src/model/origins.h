/*
 * Where calls came from in a profile of counts: what part of a sub's calls happened inside some
 * others, its callers or theirs. Links tell it exactly where there is one way; where there are
 * several, calls are apportioned by their numbers. Subs that call one another in a circle are one
 * there, as nothing says in which order they did.
 */
#ifndef DPROF_MODEL_ORIGINS_H
#define DPROF_MODEL_ORIGINS_H

#include "model/profile.h"

/* Of a sub's calls, those that came from the sources, through any subs between. */
struct dp_origin {
    double part;          /* of all its calls: 0 to 1 */
    unsigned char linked; /* in the code there is a way, gone or not */
    unsigned char some;   /* it may have been gone */
    unsigned char all;    /* there was no other: all calls came so, for sure */
};

/* Per sub, its circle: callees have smaller numbers. Only of those that are passed (NULL: of all);
   each other one is alone in one. Yours to free; *n: how many circles there are. */
uint32_t *dp_circles_of(const struct dp_profile *prof, const unsigned char *passed, uint32_t *n);

struct dp_origins;

/* passed, per sub: nonzero: calls go through it to its callers; else chains of calls begin there.
 */
struct dp_origins *dp_origins_new(const struct dp_profile *prof, const unsigned char *passed);
void dp_origins_free(struct dp_origins *origins);

/* Asks for the calls from these sources: per sub that is not passed, and last for the code outside
   any sub, where what nobody called began too. Linear in the links. */
void dp_origins_from(struct dp_origins *origins, const unsigned char *sources);
/* What was found of a sub that is passed. */
const struct dp_origin *dp_origin(const struct dp_origins *origins, uint32_t sub);

#endif
