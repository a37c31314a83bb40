/*
 * Tokens of Pascal, and the remarks between them: comments, blank lines, form feeds, include lines,
 * everything that a pretty printer must keep though the language does not see it.
 */
#ifndef DPROF_PASCAL_TOKEN_H
#define DPROF_PASCAL_TOKEN_H

#include <stdint.h>

enum dp_pascal_token_kind {
    DP_T_END_OF_FILE,
    DP_T_NAME,
    DP_T_INTEGER,
    DP_T_OCTAL, /* 17b */
    DP_T_REAL,
    DP_T_STRING, /* with its delimiters */
    DP_T_PLUS,
    DP_T_MINUS,
    DP_T_STAR,
    DP_T_SLASH,
    DP_T_EQUAL,
    DP_T_UNEQUAL,
    DP_T_LESS,
    DP_T_GREATER,
    DP_T_AT_MOST,
    DP_T_AT_LEAST,
    DP_T_LPAREN,
    DP_T_RPAREN,
    DP_T_LBRACKET,
    DP_T_RBRACKET,
    DP_T_COMMA,
    DP_T_SEMICOLON,
    DP_T_COLON,
    DP_T_ASSIGN,
    DP_T_DOT,
    DP_T_DOTDOT,
    DP_T_POINTER,
    DP_T_AND, /* keywords from here on, in the order of the alphabet */
    DP_T_ARRAY,
    DP_T_ASSERT,
    DP_T_BEGIN,
    DP_T_CASE,
    DP_T_CONST,
    DP_T_DIV,
    DP_T_DO,
    DP_T_DOWNTO,
    DP_T_ELSE,
    DP_T_END,
    DP_T_EXTERNAL,
    DP_T_FILE,
    DP_T_FOR,
    DP_T_FORWARD,
    DP_T_FUNCTION,
    DP_T_GOTO,
    DP_T_HEX,
    DP_T_IF,
    DP_T_IN,
    DP_T_LABEL,
    DP_T_MOD,
    DP_T_NIL,
    DP_T_NOT,
    DP_T_OCT,
    DP_T_OF,
    DP_T_OR,
    DP_T_PACKED,
    DP_T_PROCEDURE,
    DP_T_PROGRAM,
    DP_T_RECORD,
    DP_T_REPEAT,
    DP_T_SET,
    DP_T_THEN,
    DP_T_TO,
    DP_T_TYPE,
    DP_T_UNTIL,
    DP_T_VAR,
    DP_T_WHILE,
    DP_T_WITH,
    DP_T_KINDS
};

/* As it is to be printed; what has no text of its own ("" for names and numbers) is not in it. */
extern const char *const dp_pascal_token_text[DP_T_KINDS];
/* As an error names it: "';'", "a name". */
const char *dp_pascal_token_title(enum dp_pascal_token_kind kind);

struct dp_pascal_token {
    uint32_t offset;
    uint32_t line; /* from 1 */
    uint32_t bytes;
    uint16_t file;
    uint8_t kind;
    uint8_t blank; /* unused */
};

enum dp_remark_kind {
    DP_REMARK_MARGIN,   /* a comment that opens in column 1 */
    DP_REMARK_ALIGNED,  /* the first thing on its line, or over several lines */
    DP_REMARK_TRAILING, /* after text with at most one blank before it */
    DP_REMARK_RIGHT,    /* after text with more */
    DP_REMARK_EMPTY,    /* an empty line */
    DP_REMARK_BLANK,    /* a line of one blank */
    DP_REMARK_FEED,     /* a line of one form feed */
    DP_REMARK_INCLUDE,  /* an #include line; file: what it includes */
};

struct dp_pascal_remark {
    uint32_t before; /* index of the token that follows */
    uint32_t offset;
    uint32_t line;
    uint32_t bytes;
    uint16_t file; /* where its text is */
    uint16_t column;
    uint8_t kind;
    uint16_t included; /* index of the file, DP_REMARK_INCLUDE */
};

#endif
