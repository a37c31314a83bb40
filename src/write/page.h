/*
 * The page of --to html. Its data are one JSON object in the file, made here; how they look is up
 * to the scripts in share/page. The two belong together and change together: nobody else reads that
 * JSON.
 */
#ifndef DPROF_WRITE_PAGE_H
#define DPROF_WRITE_PAGE_H

#include "write/cut.h"
#include "write/write.h"

/* What a page has room for. */
enum {
    DP_HTML_PATHS = 11000,
    DP_HTML_LEVELS = 400,
    DP_HTML_BOXES = 12000, /* of all processes in the order of time */
    DP_HTML_SUBS = 12000,
    DP_HTML_EDGES = 24000,
    DP_HTML_NAMES = 1200000 /* bytes; where names are longer all together, the longest are cut */
};

struct dp_html {
    const struct dp_job *job;
    struct dp_out *out; /* what goes through it cannot end the element that it stands in */
    struct dp_cut cut;
    /* The subs of the page: row 0 is the code outside any sub. */
    uint32_t *subs;
    uint32_t nsubs;
    uint32_t *row;         /* per sub, nsubs + 1: its row, or DP_NONE */
    unsigned char *listed; /* per row: 1: it is in the table */
    uint32_t left_out;     /* subs that have no row, */
    uint64_t left_calls;   /* and their calls */
    size_t longest;        /* bytes of a name, at most */
};

/* "key":[ a number for each of n things ], with a comma before it. */
typedef int64_t dp_html_number(const struct dp_html *page, const void *things, uint32_t i);
void dp_html_column(struct dp_html *page, const char *key, dp_html_number *number,
                    const void *things, uint32_t n);
/* "key":"text" and "key":text-or-null of a string of the profile, with a comma before it. */
void dp_html_text(struct dp_html *page, const char *key, const char *bytes, size_t n);
void dp_html_string(struct dp_html *page, const char *key, uint32_t string);

/* The parts of the object, each beginning with a comma. */
void dp_html_put_subs(struct dp_html *page);
void dp_html_put_edges(struct dp_html *page);
void dp_html_put_paths(struct dp_html *page);
void dp_html_put_lane(struct dp_html *page);
void dp_html_put_sources(struct dp_html *page);
void dp_html_put_listings(struct dp_html *page); /* of Pascal and Z80 */

/* Without scripts: the head and the dearest subs as plain HTML. */
void dp_html_put_plain(const struct dp_job *job);
/* A name or text in HTML and XML. */
void dp_put_html(struct dp_out *out, const char *bytes, size_t n);

#endif
