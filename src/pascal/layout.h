/*
 * What the parts of the printer share: where on the page it stands.
 */
#ifndef DPROF_PASCAL_LAYOUT_H
#define DPROF_PASCAL_LAYOUT_H

#include "pascal/print.h"

/* The count that belongs to the place where the printer is. */
struct dp_pascal_shown {
    int64_t value;
    int printed; /* it stands on the page already */
};

/* A statement that is being printed. */
struct dp_pascal_level {
    uint32_t node;
    uint32_t child;
    uint32_t stage;
    int64_t value; /* the count before it */
    uint8_t flags; /* the printer's */
};

struct dp_pascal_page {
    const struct dp_pascal *pascal;
    const struct dp_pascal_style *style;
    const struct dp_pascal_counts *counts; /* NULL: pretty printing */
    struct dp_out *out;
    struct dp_pascal_shown shown;
    uint32_t line;    /* what a line of the listing shows */
    uint32_t routine; /* three sums of indentation, in columns */
    uint32_t statement;
    uint32_t declared;
    const char *note;   /* goes to the end of the line */
    char ran[40];       /* it, where it says how often a statement ran */
    int hidden;       /* what is printed now does not appear */
    int fresh;        /* nothing is on the page since the heading */
    int closed;       /* the line ends with a comment that would swallow what follows */
    uint32_t owed;    /* empty lines that come with the next new line */
    uint32_t column;  /* of what pxp counts: blanks and bars, not text (doc/pascal.md) */
    uint32_t remark;  /* the next one to be printed */
    uint32_t echoed;  /* lines of the source */
    size_t echoed_to; /* and where the next one begins */
    uint16_t named;   /* the file whose name was printed last */
    /* A line that may have to be folded. */
    char *held;
    uint32_t nheld;
    uint32_t *folds; /* where it can be */
    uint32_t nfolds;
    uint32_t indent;
    int holding;
    /* Expressions and statements that are being printed. */
    struct dp_pascal_item *items;
    uint32_t nitems;
    uint32_t room_items;
    struct dp_pascal_level *levels;
    uint32_t nlevels;
    uint32_t room_levels;
};

/* layout.c */
void dp_page_text(struct dp_pascal_page *page, const char *text, size_t n);
void dp_page_puts(struct dp_pascal_page *page, const char *text);
void dp_page_space(struct dp_pascal_page *page);
void dp_page_token(struct dp_pascal_page *page, uint32_t token);
void dp_page_keyword(struct dp_pascal_page *page, enum dp_pascal_token_kind kind);
/* A new line, with the empty ones that are owed; nothing on a fresh page. */
void dp_page_newline(struct dp_pascal_page *page);
enum dp_bar { DP_BAR_NONE, DP_BAR };
/* The beginning of a line: its number, count and bar in a listing, and its indent. */
void dp_page_indent(struct dp_pascal_page *page, enum dp_bar bar);
/* A new line and its beginning. */
void dp_page_item(struct dp_pascal_page *page, enum dp_bar bar);
/* The beginning of the line of a label. */
void dp_page_label(struct dp_pascal_page *page);
void dp_page_line_of(struct dp_pascal_page *page, uint32_t token);
void dp_page_heading(struct dp_pascal_page *page, uint16_t file);
/* With style->echo: the lines of the source up to the token's, as pxp -l prints what it reads. */
void dp_page_echo(struct dp_pascal_page *page, uint32_t token);
void dp_page_end(struct dp_pascal_page *page);
void dp_page_start(struct dp_pascal_page *page, const struct dp_pascal *pascal,
                   const struct dp_pascal_counts *counts, const struct dp_pascal_style *style,
                   struct dp_out *out);
void dp_page_free(struct dp_pascal_page *page);
int64_t dp_page_count(const struct dp_pascal_page *page, uint32_t counter);
void dp_page_take(struct dp_pascal_page *page, uint32_t counter);

/* remarks.c */
/* Those before the token; returns whether an empty line or a form feed was among them. */
int dp_page_before(struct dp_pascal_page *page, uint32_t token);
/* Those behind the token on its line, if that is the last token on it; returns how many. */
uint32_t dp_page_through(struct dp_pascal_page *page, uint32_t token);
/* Those on lines before the token's. */
void dp_page_above(struct dp_pascal_page *page, uint32_t token);

/* Is the token in a file whose #include line is printed instead? */
int dp_page_folded_in(const struct dp_pascal_page *page, uint32_t token);

/* print_expr.c */
void dp_page_expression(struct dp_pascal_page *page, uint32_t node);
void dp_page_list(struct dp_pascal_page *page, uint32_t node);

/* print_type.c */
void dp_page_section(struct dp_pascal_page *page, uint32_t section);
void dp_page_params(struct dp_pascal_page *page, uint32_t params);

/* print_stat.c */
void dp_page_statements(struct dp_pascal_page *page, uint32_t compound);

#endif
