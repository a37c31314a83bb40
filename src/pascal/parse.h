/*
 * What the parts of the parser share.
 */
#ifndef DPROF_PASCAL_PARSE_H
#define DPROF_PASCAL_PARSE_H

#include "pascal/pascal.h"

/* Types, parameter lists and records may be nested so deep; statements, expressions and routines
   as deep as memory goes. */
#define DP_PASCAL_DEEPEST_TYPE 2000 /* a record with its fields counts two */

/* An expression that is being built: brackets and operators that wait for their operands. */
struct dp_pascal_pending {
    uint8_t what; /* enum in parse_expr.c */
    uint8_t op;
    uint16_t level; /* precedence */
    uint32_t node;
    uint32_t tail; /* last child of node */
};

/* A statement that is being built. */
struct dp_pascal_unfinished {
    uint32_t node;
    uint32_t tail; /* last child of the node or of its list */
    uint32_t list;
    uint8_t what; /* enum in parse_stat.c */
};

struct dp_pascal_parser {
    struct dp_pascal *pascal;
    const struct dp_pascal_token *token; /* the current one */
    uint32_t at;                         /* its index */
    uint32_t room_nodes;
    uint32_t room_routines;
    uint32_t depth;      /* of types */
    uint32_t complained; /* index of the token of the last hard mistake + 1 */
    struct dp_pascal_pending *pending;
    uint32_t npending;
    uint32_t room_pending;
    struct dp_pascal_unfinished *unfinished;
    uint32_t nunfinished;
    uint32_t room_unfinished;
    int modern;
};

/* parse.c */
uint32_t dp_parse_node(struct dp_pascal_parser *p, enum dp_pascal_kind kind);
/* Puts the child behind `tail` (0: as the first) of `parent`; returns it as the new tail. */
uint32_t dp_parse_adopt(struct dp_pascal_parser *p, uint32_t parent, uint32_t tail, uint32_t child);
/* The node ends with the token before the current one. */
void dp_parse_close(struct dp_pascal_parser *p, uint32_t node);
void dp_parse_advance(struct dp_pascal_parser *p);
int dp_parse_accept(struct dp_pascal_parser *p, enum dp_pascal_token_kind kind);
/* Takes that token; if it is not there it is put in, which is a mended mistake where `mends`. */
int dp_parse_expect(struct dp_pascal_parser *p, enum dp_pascal_token_kind kind);
/* "expected WHAT, found ...": a mistake that is not mended. */
void dp_parse_wrong(struct dp_pascal_parser *p, const char *what);
void dp_parse_mended(struct dp_pascal_parser *p, const char *what);
/* Passes over tokens up to one that can begin or end a statement or a declaration. */
void dp_parse_skip(struct dp_pascal_parser *p);
/* Is the current token this word, in the modern dialect? */
int dp_parse_word(const struct dp_pascal_parser *p, uint32_t token, const char *word);
int dp_parse_begins_section(const struct dp_pascal_parser *p);
/* A list of names, all DP_P_NAME, in a node of that kind. */
uint32_t dp_parse_names(struct dp_pascal_parser *p, enum dp_pascal_kind kind);

static inline int dp_parse_is(const struct dp_pascal_parser *p, enum dp_pascal_token_kind kind)
{
    return p->token->kind == kind;
}

/* parse_expr.c */
uint32_t dp_parse_expression(struct dp_pascal_parser *p);
/* A constant, or a subrange of two where `range`. */
uint32_t dp_parse_constant(struct dp_pascal_parser *p, int range);
uint32_t dp_parse_variable(struct dp_pascal_parser *p);
/* Goes on from a name: the arguments of a call. Fills the node's children. */
void dp_parse_arguments(struct dp_pascal_parser *p, uint32_t call);

/* parse_type.c */
uint32_t dp_parse_type(struct dp_pascal_parser *p);
/* Names `:` type. */
uint32_t dp_parse_typed_names(struct dp_pascal_parser *p, enum dp_pascal_kind kind);
uint32_t dp_parse_params(struct dp_pascal_parser *p);

/* parse_stat.c */
uint32_t dp_parse_body(struct dp_pascal_parser *p);

/* parse_decl.c */
void dp_parse_program(struct dp_pascal_parser *p);

#endif
