/*
 * The tree of a program. Nodes are named by index, 0 is none; the children of a node are a list.
 * Declarations, statements and expressions are all nodes; a routine has a record of its own beside.
 *
 * kind          children                                 at
 * LABELS        LABEL...                                 the keyword
 * CONSTS        CONST...                                 the keyword
 * TYPES         TYPE...                                  the keyword
 * VARS          VAR...                                   the keyword
 * USES          NAME...                                  the keyword
 * ROUTINE                                                index of the routine
 * CONST         value                                    the `=`; tok is the name
 * TYPE          type                                     the `=`; tok is the name
 * VAR, FIELD    NAMES, type                              the `:`
 * NAMES         NAME...
 * ENUM          NAME...
 * NAMED                                                  a type's name; tok
 * SUBRANGE      low, high
 * POINTER       type
 * ARRAY         LIST of index types, type                op PACKED
 * SETOF, FILEOF type                                     op PACKED; FILEOF may have none
 * STRINGTYPE    length                                   string[80]
 * RECORD        FIELD..., VARIANTS                       op PACKED
 * VARIANTS      tag type; tok is the tag or 0 in at      then ARM2...
 * CHOICE        LIST of constants, FIELD..., VARIANTS    an arm of a record
 * CONFORMANT    BOUNDS..., type                          op PACKED
 * BOUNDS        NAME low, NAME high, type
 * PARAMS        PARAM...
 * PARAM         NAMES, type | NAMES, PARAMS, result      op: the keyword's token kind, 0: value
 *
 * Statements: at is the token whose line the listing shows.
 * EMPTY
 * ASSIGN        variable, value
 * CALL          arguments...                             tok is the name; op: enum dp_pascal_leaves
 * GOTO                                                   the label is tok + 1
 * COMPOUND      statements...
 * IF            condition, then, else                    else may be missing
 * WHILE         condition, body
 * FOR           variable, from, to, body                 op: DP_T_TO or DP_T_DOWNTO
 * REPEAT        LIST of statements, condition
 * CASE          selector, ARM...                         the last may be an OTHERWISE
 * ARM           LIST of constants, statement             the `:`
 * OTHERWISE     LIST of statements
 * WITH          LIST of variables, body
 * LABELLED      statement                                the `:`; tok is the label
 * ASSERT        condition, message
 *
 * Expressions:
 * NAME NUMBER STRING NIL
 * INDEX         variable, subscripts...
 * SELECT        record                                   the field's name is at
 * FOLLOW        pointer
 * APPLY         arguments...                             tok is the function's name
 * BINARY        left, right                              op, at
 * UNARY         operand                                  op, at
 * SET           elements...
 * RANGE         low, high
 * WIDTH         value, width, digits
 * FORMAT        value                                    op: DP_T_OCT or DP_T_HEX
 */
#ifndef DPROF_PASCAL_TREE_H
#define DPROF_PASCAL_TREE_H

#include <stdint.h>

enum dp_pascal_kind {
    DP_P_NONE,
    DP_P_LIST,
    DP_P_LABELS,
    DP_P_CONSTS,
    DP_P_TYPES,
    DP_P_VARS,
    DP_P_USES,
    DP_P_ROUTINE,
    DP_P_CONST,
    DP_P_TYPE,
    DP_P_VAR,
    DP_P_FIELD,
    DP_P_NAMES,
    DP_P_ENUM,
    DP_P_NAMED,
    DP_P_SUBRANGE,
    DP_P_POINTER,
    DP_P_ARRAY,
    DP_P_SETOF,
    DP_P_FILEOF,
    DP_P_STRINGTYPE,
    DP_P_RECORD,
    DP_P_VARIANTS,
    DP_P_CHOICE,
    DP_P_CONFORMANT,
    DP_P_BOUNDS,
    DP_P_PARAMS,
    DP_P_PARAM,
    DP_P_EMPTY, /* the first kind of statement */
    DP_P_ASSIGN,
    DP_P_CALL,
    DP_P_GOTO,
    DP_P_COMPOUND,
    DP_P_IF,
    DP_P_WHILE,
    DP_P_FOR,
    DP_P_REPEAT,
    DP_P_CASE,
    DP_P_WITH,
    DP_P_LABELLED,
    DP_P_ASSERT, /* the last */
    DP_P_ARM,
    DP_P_OTHERWISE,
    DP_P_NAME, /* the first kind of expression */
    DP_P_NUMBER,
    DP_P_STRING,
    DP_P_NIL,
    DP_P_INDEX,
    DP_P_SELECT,
    DP_P_FOLLOW,
    DP_P_APPLY,
    DP_P_BINARY,
    DP_P_UNARY,
    DP_P_SET,
    DP_P_RANGE,
    DP_P_WIDTH,
    DP_P_FORMAT,
    DP_P_KINDS
};

struct dp_pascal_node {
    uint8_t kind;    /* enum dp_pascal_kind */
    uint8_t op;      /* a token kind, or DP_P_PACKED */
    uint8_t parens;  /* 1: the source has parentheses around this expression */
    uint8_t missing; /* 1: a call without an argument list */
    uint32_t tok;    /* index of its first token */
    uint32_t last;   /* index of its last token; tok - 1 if it has none */
    uint32_t at;
    uint32_t child;
    uint32_t next;  /* sibling */
    uint32_t count; /* statements and arms: index into counters, 0: none */
};
#define DP_P_PACKED 1

/* Calls after which what follows in the text is not what comes next: procedures that compilers of today
   have. */
enum dp_pascal_leaves { DP_LEAVES_NOTHING, DP_LEAVES_ROUTINE, DP_LEAVES_LOOP, DP_LEAVES_ROUND };

/* The numbers of a statement's counters, from 1; 0: it has none there. */
struct dp_pascal_counters {
    uint32_t before; /* due when it was reached: behind a label or a goto */
    uint32_t body;   /* then part, body of a loop, case arm */
    uint32_t after;  /* because of a goto inside */
};

/* A heading: a routine that was declared forward has two of these. */
struct dp_pascal_routine {
    uint8_t kind;      /* DP_T_PROGRAM, DP_T_PROCEDURE, DP_T_FUNCTION */
    uint8_t directive; /* DP_T_FORWARD, DP_T_EXTERNAL, 0: it has a body */
    uint16_t level;    /* 0: the program */
    uint32_t parent;   /* index, UINT32_MAX: none */
    uint32_t tok;      /* first token of the heading */
    uint32_t name;     /* token */
    uint32_t semi;     /* last token of the heading */
    uint32_t params;   /* node: PARAMS, or NAMES for a program; 0: none */
    uint32_t result;   /* token of the result's type, 0: none */
    uint32_t decls;    /* node: first of its sections */
    uint32_t body;     /* node: COMPOUND, 0: none */
    uint32_t last;     /* last token of all: the `;` or `.` after the end, or the directive's */
    uint32_t other;    /* the other heading of a forward routine, UINT32_MAX: none */
    uint32_t counter;  /* number of its counter, from 1 */
    uint32_t inside;   /* how many headings are nested in it, all levels: they follow it */
};

#endif
