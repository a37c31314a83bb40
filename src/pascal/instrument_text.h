/* Writing a program's text with pieces put in at its tokens. */
#ifndef DPROF_PASCAL_INSTRUMENT_TEXT_H
#define DPROF_PASCAL_INSTRUMENT_TEXT_H

#include "base/out.h"
#include "pascal/pascal.h"

/* A piece of text at a token; NULL: the token itself is left out. */
struct dp_piece {
    uint32_t at; /* 2 * token, or 2 * token + 1: behind it */
    uint32_t order;
    const char *text;
};

/* A token: octal numbers, Berkeley's operators and string delimiters become Free Pascal's. */
void dp_put_pascal_token(const struct dp_pascal *pascal, struct dp_out *out, uint32_t token);
/* Sorts the pieces and writes it all. */
void dp_put_pieces(const struct dp_pascal *pascal, struct dp_piece *pieces, uint32_t npieces,
                   struct dp_out *out);

#endif
