/*
 * The with statements around a place: a name there may be a field of their records before it is
 * anything else.
 */
#ifndef DPROF_PASCAL_WITH_H
#define DPROF_PASCAL_WITH_H

#include "pascal/names.h"

/* A variable of a with. */
struct dp_pascal_with {
    uint32_t last;   /* token: the with ends there */
    uint32_t record; /* RECORD node, 0: its type is not known */
};

struct dp_pascal_withs {
    const struct dp_pascal_names *names;
    struct dp_pascal_with *open; /* the innermost last */
    uint32_t n;
    uint32_t room;
};

enum dp_pascal_is_field { DP_FIELD_NO, DP_FIELD_YES, DP_FIELD_MAYBE /* a type is not known */ };

/* Opens one for a variable that stands in this scope, inside those that are open. */
void dp_pascal_with_open(struct dp_pascal_withs *withs, uint32_t variable, uint32_t scope,
                         uint32_t last);
/* Closes those that end before the token. */
void dp_pascal_with_close(struct dp_pascal_withs *withs, uint32_t token);
/* Is the name a field of one of them? */
enum dp_pascal_is_field dp_pascal_with_has(const struct dp_pascal_withs *withs, uint32_t token);
void dp_pascal_with_free(struct dp_pascal_withs *withs);

#endif
