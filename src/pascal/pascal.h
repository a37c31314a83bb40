/*
 * The Pascal language: Berkeley's of 4.3BSD, and ISO 7185 beside it. A program is parsed whole into
 * tokens, remarks, a tree and a list of headings; printing, counting and instrumenting start there.
 * Ownership: what dp_pascal_parse() returns is yours, free it with dp_pascal_free(); every pointer
 * into it dies with it.
 */
#ifndef DPROF_PASCAL_PASCAL_H
#define DPROF_PASCAL_PASCAL_H

#include "base/mem.h"
#include "pascal/source.h"
#include "pascal/token.h"
#include "pascal/tree.h"

#define DP_PASCAL_NOWHERE UINT32_MAX

/* Which spelling of the language. */
enum dp_pascal_dialect {
    DP_PASCAL_EITHER,   /* Berkeley's if the text is that, else the modern one */
    DP_PASCAL_BERKELEY, /* case counts, keywords are in lower case */
    DP_PASCAL_MODERN,   /* case does not count; `otherwise`, (. .), @, uses, #13, $ff */
    DP_PASCAL_TODAY,    /* modern if the text is that, else as DP_PASCAL_EITHER */
};

struct dp_pascal_options {
    enum dp_pascal_dialect dialect;
    int card; /* only the first 72 columns of a line are read */
};

/* A mistake in the text. A mended one changes nothing that counts: a missing `;` is put in. */
struct dp_pascal_mistake {
    uint32_t line;
    uint32_t column; /* in bytes, from 1 */
    uint16_t file;
    uint8_t mended;
    char text[160]; /* what was expected, what was found; not escaped */
};
#define DP_PASCAL_MISTAKES 100 /* no more are kept */

struct dp_pascal {
    struct dp_arena arena;
    enum dp_pascal_dialect dialect; /* the one that it was read as */
    struct dp_pascal_file *files;   /* files[0] is the program */
    uint32_t nfiles;
    struct dp_pascal_token *tokens; /* the last one is DP_T_END_OF_FILE */
    uint32_t ntokens;
    struct dp_pascal_remark *remarks;
    uint32_t nremarks;
    struct dp_pascal_node *nodes; /* nodes[0] is nobody */
    uint32_t nnodes;
    struct dp_pascal_routine *routines; /* headings in the order of the text */
    uint32_t nroutines;
    struct dp_pascal_counters *counters; /* counters[0] is nobody's */
    uint32_t ncounters;
    uint32_t ntaken; /* counters of the program, headings included */
    int has_program; /* 0: only routines, a segment */
    uint32_t decls;  /* of a segment: first section */
    struct dp_pascal_mistake *mistakes;
    uint32_t nmistakes;
    uint32_t nhard; /* of them, those that were not mended */
};

/* Always returns a program; if nhard is not 0, only the mistakes are of use. */
struct dp_pascal *dp_pascal_parse(const char *name, const char *bytes, size_t n, int64_t mtime,
                                  const struct dp_pascal_loader *loader,
                                  const struct dp_pascal_options *options);
void dp_pascal_free(struct dp_pascal *pascal);

/* The text of a token. */
const char *dp_pascal_text(const struct dp_pascal *pascal, uint32_t token, size_t *n);
/* Is it this name? In the modern dialect case does not count. */
int dp_pascal_same(const struct dp_pascal *pascal, uint32_t token, const char *name, size_t n);
/* The column of a place, in bytes, from 1. */
uint32_t dp_pascal_column(const struct dp_pascal *pascal, uint16_t file, uint32_t offset);

/* Inside the front end. */

/* scan.c: fills tokens and remarks. */
void dp_pascal_scan(struct dp_pascal *pascal, const struct dp_pascal_loader *loader,
                    const struct dp_pascal_options *options);
/* Notes a mistake; beyond DP_PASCAL_MISTAKES only counts. */
void dp_pascal_mistake(struct dp_pascal *pascal, int mended, uint16_t file, uint32_t line,
                       uint32_t column, const char *format, ...);
/* place.c: numbers the counters, as pi of 4.0BSD and later does. */
void dp_pascal_place(struct dp_pascal *pascal);

#endif
