/*
 * What names mean: which scope declares them, and as what. Enough to tell calls from variables.
 */
#ifndef DPROF_PASCAL_NAMES_H
#define DPROF_PASCAL_NAMES_H

#include "base/hash.h"
#include "pascal/pascal.h"

enum dp_pascal_meaning {
    DP_MEANS_NOTHING, /* predefined */
    DP_MEANS_DATA,    /* a variable, constant, type, value parameter, field */
    DP_MEANS_ROUTINE,
    DP_MEANS_PARAMETER, /* a procedure or function as a parameter */
};

/* A name in a scope. */
struct dp_pascal_symbol {
    uint32_t token;
    uint32_t scope;   /* the routine that it is declared in, DP_PASCAL_NOWHERE: a segment's; of
                         a field, see dp_pascal_field() */
    uint32_t routine; /* the first heading of the routine that it means */
    uint32_t param;   /* DP_MEANS_PARAMETER: its PARAM node */
    uint32_t type;    /* DP_MEANS_DATA: the node of its type, 0: it has none */
    uint32_t within;  /* the scope where that type's names are looked up */
    uint8_t means;
};

struct dp_pascal_names {
    const struct dp_pascal *pascal;
    struct dp_pascal_symbol *symbols;
    uint32_t n;
    struct dp_hash by_name;
};

void dp_pascal_names_init(struct dp_pascal_names *names, const struct dp_pascal *pascal);
void dp_pascal_names_free(struct dp_pascal_names *names);
/* What the token means in that scope; NULL: nothing that the program declares. */
const struct dp_pascal_symbol *dp_pascal_name(const struct dp_pascal_names *names, uint32_t token,
                                              uint32_t scope);
/* The field of that name of a RECORD node, or NULL. */
const struct dp_pascal_symbol *dp_pascal_field(const struct dp_pascal_names *names, uint32_t token,
                                               uint32_t record);
/* The routine that declares this label, as the goto in `routine` means it; DP_PASCAL_NOWHERE: none. */
uint32_t dp_pascal_label_of(const struct dp_pascal *pascal, uint32_t routine, uint32_t label);
/* The heading that has the body: the second one of a forward routine. */
uint32_t dp_pascal_with_body(const struct dp_pascal *pascal, uint32_t routine);
/* The heading that has the parameters: the first one. */
uint32_t dp_pascal_first_heading(const struct dp_pascal *pascal, uint32_t routine);

#endif
