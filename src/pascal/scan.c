/*
 * The scanner: the texts of a program and of what it includes, taken apart into tokens and remarks.
 */
#include "pascal/pascal.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define DEEPEST_INCLUDE 10
#define LONGEST_TEXT UINT32_MAX

/* What a byte may begin or continue. */
enum { OTHER, BLANK, LETTER, DIGIT };

struct scan {
    struct dp_pascal *pascal;
    const struct dp_pascal_loader *loader;
    const char *text;
    const char *at;
    const char *end;
    uint32_t line;
    uint16_t file;
    int modern;
    int card;
    const char *measured; /* the last place whose printed column was asked for, */
    uint32_t column;      /* and that */
    unsigned things;      /* tokens and comments on this line so far */
    unsigned blanks;      /* since the last one; a tab counts two */
    uint32_t room_tokens;
    uint32_t room_remarks;
    unsigned depth;       /* of includes */
    const char *card_end; /* where the 72 columns of this line end */
};

static const unsigned char class_of[256] = {
    ['\t'] = BLANK, [' '] = BLANK,  ['\r'] = BLANK, ['\f'] = BLANK, ['\v'] = BLANK, ['0'] = DIGIT,
    ['1'] = DIGIT,  ['2'] = DIGIT,  ['3'] = DIGIT,  ['4'] = DIGIT,  ['5'] = DIGIT,  ['6'] = DIGIT,
    ['7'] = DIGIT,  ['8'] = DIGIT,  ['9'] = DIGIT,  ['a'] = LETTER, ['b'] = LETTER, ['c'] = LETTER,
    ['d'] = LETTER, ['e'] = LETTER, ['f'] = LETTER, ['g'] = LETTER, ['h'] = LETTER, ['i'] = LETTER,
    ['j'] = LETTER, ['k'] = LETTER, ['l'] = LETTER, ['m'] = LETTER, ['n'] = LETTER, ['o'] = LETTER,
    ['p'] = LETTER, ['q'] = LETTER, ['r'] = LETTER, ['s'] = LETTER, ['t'] = LETTER, ['u'] = LETTER,
    ['v'] = LETTER, ['w'] = LETTER, ['x'] = LETTER, ['y'] = LETTER, ['z'] = LETTER, ['A'] = LETTER,
    ['B'] = LETTER, ['C'] = LETTER, ['D'] = LETTER, ['E'] = LETTER, ['F'] = LETTER, ['G'] = LETTER,
    ['H'] = LETTER, ['I'] = LETTER, ['J'] = LETTER, ['K'] = LETTER, ['L'] = LETTER, ['M'] = LETTER,
    ['N'] = LETTER, ['O'] = LETTER, ['P'] = LETTER, ['Q'] = LETTER, ['R'] = LETTER, ['S'] = LETTER,
    ['T'] = LETTER, ['U'] = LETTER, ['V'] = LETTER, ['W'] = LETTER, ['X'] = LETTER, ['Y'] = LETTER,
    ['Z'] = LETTER, ['_'] = LETTER,
};

static int is(char c, unsigned char what)
{
    return class_of[(unsigned char)c] == what;
}

/* Names also go on with digits and, so that any script can be used, with bytes beyond ASCII. */
static int in_name(char c)
{
    return is(c, LETTER) || is(c, DIGIT) || (unsigned char)c >= 0x80;
}

static void add_token(struct scan *s, enum dp_pascal_token_kind kind, const char *from)
{
    struct dp_pascal *pascal = s->pascal;
    struct dp_pascal_token *token;

    if (pascal->ntokens == s->room_tokens) {
        s->room_tokens = s->room_tokens ? s->room_tokens * 2 : 1024;
        pascal->tokens = dp_grow(pascal->tokens, s->room_tokens * sizeof *pascal->tokens);
    }
    token = &pascal->tokens[pascal->ntokens++];
    token->offset = (uint32_t)(from - s->text);
    token->line = s->line;
    token->bytes = (uint32_t)(s->at - from);
    token->file = s->file;
    token->kind = (uint8_t)kind;
    token->blank = 0;
    s->things++;
    s->blanks = 0;
}

static void add_remark(struct scan *s, enum dp_remark_kind kind, const char *from, const char *to,
                       uint32_t line, uint32_t column)
{
    struct dp_pascal *pascal = s->pascal;
    struct dp_pascal_remark *remark;

    if (pascal->nremarks == s->room_remarks) {
        s->room_remarks = s->room_remarks ? s->room_remarks * 2 : 256;
        pascal->remarks = dp_grow(pascal->remarks, s->room_remarks * sizeof *pascal->remarks);
    }
    remark = &pascal->remarks[pascal->nremarks++];
    remark->before = pascal->ntokens;
    remark->offset = (uint32_t)(from - s->text);
    remark->line = line;
    remark->bytes = (uint32_t)(to - from);
    remark->file = s->file;
    remark->included = 0;
    remark->column = column > UINT16_MAX ? UINT16_MAX : (uint16_t)column;
    remark->kind = (uint8_t)kind;
}

void dp_pascal_mistake(struct dp_pascal *pascal, int mended, uint16_t file, uint32_t line,
                       uint32_t column, const char *format, ...)
{
    struct dp_pascal_mistake *mistake;
    va_list args;

    pascal->nhard += !mended;
    if (pascal->nmistakes == DP_PASCAL_MISTAKES)
        return;
    pascal->mistakes = dp_more(pascal->mistakes, pascal->nmistakes, sizeof *pascal->mistakes);
    mistake = &pascal->mistakes[pascal->nmistakes++];
    mistake->file = file;
    mistake->line = line;
    mistake->column = column;
    mistake->mended = (uint8_t)mended;
    va_start(args, format);
    vsnprintf(mistake->text, sizeof mistake->text, format, args);
    va_end(args);
}

static void wrong(struct scan *s, int mended, const char *from, uint32_t line, const char *text)
{
    if (s->pascal->nmistakes == DP_PASCAL_MISTAKES) {
        s->pascal->nhard += !mended; /* without a column, which takes as long as its line */
        return;
    }
    dp_pascal_mistake(s->pascal, mended, s->file, line,
                      dp_pascal_column(s->pascal, s->file, (uint32_t)(from - s->text)), "%s", text);
}

/* The column of a place with tabs at every eighth, from 1. Places are asked for in their order. */
static uint32_t printed_column(struct scan *s, const char *at)
{
    for (; s->measured < at; s->measured++)
        s->column = *s->measured == '\n'   ? 1
                    : *s->measured == '\t' ? ((s->column + 7) & ~7u) + 1
                                           : s->column + 1;
    return s->column;
}

static void include(struct scan *s);

/* What a whole line means, at its first byte. */
static void line_start(struct scan *s)
{
    const char *stop = s->end - s->at > 2 ? s->at + 2 : s->end;
    const char *at = s->at;

    s->things = 0;
    s->blanks = 0;
    if (at == s->end)
        return;
    if (*at == '\n' || (*at == '\r' && at + 1 < s->end && at[1] == '\n'))
        add_remark(s, DP_REMARK_EMPTY, at, at, s->line, 1);
    else if ((*at == ' ' || *at == '\f') && at + 1 < stop && at[1] == '\n')
        add_remark(s, *at == ' ' ? DP_REMARK_BLANK : DP_REMARK_FEED, at, at + 1, s->line, 1);
    else if (*at == '#')
        include(s);
}

static void newline(struct scan *s)
{
    s->at++;
    s->line++;
    s->measured = s->at;
    s->column = 1;
    line_start(s);
}

/* 1 behind words that are printed with a blank, so that the comment which follows has two. */
static unsigned after_blank(const struct scan *s, const char *from)
{
    unsigned kind = s->pascal->ntokens ? s->pascal->tokens[s->pascal->ntokens - 1].kind : DP_T_NAME;

    if (from - s->text < 2 || from[-1] != ' ' || from[-2] != ' ')
        return 0;
    return kind == DP_T_THEN || kind == DP_T_ELSE || kind == DP_T_DO || kind == DP_T_RECORD;
}

/* A comment whose opening is at `from`, at stands behind it. */
static void comment(struct scan *s, const char *from, int star)
{
    uint32_t line = s->line, column = printed_column(s, from);
    enum dp_remark_kind kind;
    unsigned things = s->things, blanks = s->blanks;

    for (;; s->at++) {
        if (s->at == s->end) {
            wrong(s, 0, from, line, "expected the end of this comment, found the end of the file");
            return;
        }
        if (*s->at == '\n')
            s->line++;
        if (s->modern &&
            (*s->at == '}' || (*s->at == '*' && s->at + 1 < s->end && s->at[1] == ')')))
            break; /* ISO 7185: { and (* are the same */
        if (star ? *s->at == '*' && s->at + 1 < s->end && s->at[1] == ')' : *s->at == '}')
            break;
    }
    s->at += *s->at == '*' ? 2 : 1;
    kind = from == s->text || from[-1] == '\n' ? DP_REMARK_MARGIN
           : things == 0 || s->line != line    ? DP_REMARK_ALIGNED
           : blanks < 2 + after_blank(s, from) ? DP_REMARK_TRAILING
                                               : DP_REMARK_RIGHT;
    add_remark(s, kind, from, s->at, line, column);
    s->things = s->line == line ? things + 1 : 1;
    s->blanks = 0;
}

/* Keywords lie between DP_T_AND and DP_T_WITH in the order of the alphabet. */
static enum dp_pascal_token_kind keyword(const char *word, size_t n)
{
    unsigned low = DP_T_AND, high = DP_T_KINDS;

    while (low < high) {
        unsigned middle = (low + high) / 2;
        int order = strncmp(word, dp_pascal_token_text[middle], n);

        if (order == 0 && dp_pascal_token_text[middle][n])
            order = -1;
        if (order == 0)
            return (enum dp_pascal_token_kind)middle;
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return DP_T_NAME;
}

/* Words that the modern dialect does not reserve. */
static int free_word(enum dp_pascal_token_kind kind)
{
    return kind == DP_T_ASSERT || kind == DP_T_EXTERNAL || kind == DP_T_FORWARD ||
           kind == DP_T_HEX || kind == DP_T_OCT;
}

static void word(struct scan *s)
{
    const char *from = s->at;
    enum dp_pascal_token_kind kind = DP_T_NAME;
    char lower[12];
    size_t n;

    while (s->at < s->end && in_name(*s->at))
        s->at++;
    n = (size_t)(s->at - from);
    if (n >= 2 && n <= 9) {
        memcpy(lower, from, n);
        for (size_t i = 0; s->modern && i < n; i++)
            if (lower[i] >= 'A' && lower[i] <= 'Z')
                lower[i] = (char)(lower[i] + 'a' - 'A');
        kind = keyword(lower, n);
    }
    if (kind == DP_T_ASSERT || (s->modern && free_word(kind)))
        kind = DP_T_NAME; /* assert is one only where the parser sees it as one */
    add_token(s, kind, from);
}

static void digits(struct scan *s)
{
    while (s->at < s->end && is(*s->at, DIGIT))
        s->at++;
}

/* An exponent, if there is one. */
static int exponent(struct scan *s)
{
    const char *at = s->at + 1;

    if (s->at == s->end || (*s->at != 'e' && *s->at != 'E'))
        return 0;
    if (at < s->end && (*at == '+' || *at == '-'))
        at++;
    if (at == s->end || !is(*at, DIGIT))
        return 0;
    s->at = at;
    digits(s);
    return 1;
}

static void number(struct scan *s)
{
    const char *from = s->at;
    enum dp_pascal_token_kind kind = DP_T_INTEGER;

    digits(s);
    if (s->at < s->end && (*s->at == 'b' || *s->at == 'B') &&
        (s->at + 1 == s->end || !in_name(s->at[1]))) {
        s->at++;
        add_token(s, DP_T_OCTAL, from);
        return;
    }
    if (s->at + 1 < s->end && *s->at == '.' && is(s->at[1], DIGIT)) {
        s->at++;
        digits(s);
        kind = DP_T_REAL;
    }
    if (exponent(s))
        kind = DP_T_REAL;
    add_token(s, kind, from);
}

/* Strings end on their line. Free Pascal's 'a'#13'b' is one string. */
static void string(struct scan *s)
{
    const char *from = s->at;

    while (s->at < s->end) {
        char mark = *s->at;

        if (s->modern && mark == '#' && s->at + 1 < s->end && is(s->at[1], DIGIT)) {
            s->at++;
            digits(s);
            continue;
        }
        if (mark != *from && mark != '\'')
            break;
        if (mark != '\'' && s->modern)
            break;
        for (s->at++; s->at < s->end && *s->at != mark && *s->at != '\n'; s->at++)
            ;
        if (s->at == s->end || *s->at == '\n') {
            wrong(s, 0, from, s->line, "expected the end of this string on its line");
            break;
        }
        s->at++;
    }
    if (*from != '\'' && !s->modern)
        wrong(s, 1, from, s->line, "expected ' around a string");
    else if (!s->modern && s->at - from == 2)
        wrong(s, 0, from, s->line, "expected a character at least in this string");
    add_token(s, DP_T_STRING, from);
}

/* The byte after the blanks that follow `at` on its line, 0 at the end. */
static char next_mark(const struct scan *s, const char **at)
{
    while (*at < s->end && (**at == ' ' || **at == '\t'))
        ++*at;
    return *at < s->end ? **at : '\0';
}

/* `<`, `>` or `:` and what may follow it, blanks between or not. */
static void two(struct scan *s)
{
    const char *from = s->at, *then = s->at + 1;
    char first = *from, second = next_mark(s, &then);
    enum dp_pascal_token_kind kind = first == '<'   ? DP_T_LESS
                                     : first == '>' ? DP_T_GREATER
                                                    : DP_T_COLON;

    s->at++;
    if (second == '=' || (first == '<' && second == '>')) {
        s->at = then + 1;
        kind = second == '>'  ? DP_T_UNEQUAL
               : first == '<' ? DP_T_AT_MOST
               : first == '>' ? DP_T_AT_LEAST
                              : DP_T_ASSIGN;
    }
    add_token(s, kind, from);
}

static void mark(struct scan *s, enum dp_pascal_token_kind kind, size_t n)
{
    const char *from = s->at;

    s->at += n;
    add_token(s, kind, from);
}

/* $ff, &17 and %101 of today's compilers. */
static int based_number(struct scan *s)
{
    const char *from = s->at, *at = from + 1;

    while (at < s->end && (is(*at, DIGIT) || (*from == '$' && strchr("abcdefABCDEF", *at) && *at)))
        at++;
    if (at == from + 1)
        return 0;
    s->at = at;
    add_token(s, DP_T_INTEGER, from);
    return 1;
}

static void odd_byte(struct scan *s)
{
    const char *from = s->at;
    char text[60];

    if (s->modern && (*from == '$' || *from == '&' || *from == '%') && based_number(s))
        return;
    if ((!s->modern && strchr("\"`#", *from) && *from) ||
        (s->modern && *from == '#' && from + 1 < s->end && is(from[1], DIGIT))) {
        string(s);
        return;
    }
    if ((unsigned char)*from >= 0x80) {
        word(s);
        return;
    }
    snprintf(text, sizeof text,
             *from > ' ' && *from < 0x7f ? "expected Pascal, found the character '%c'"
                                         : "expected Pascal, found a byte of value %d",
             *from);
    wrong(s, 0, from, s->line, text);
    s->at++;
}

static char peek(const struct scan *s)
{
    return s->at + 1 < s->end ? s->at[1] : '\0';
}

/* What one character means, in which dialect. */
enum { BERKELEY = 1, MODERN = 2, BOTH = BERKELEY | MODERN };
static const struct {
    char c;
    unsigned char dialects;
    unsigned char kind;
} single[] = {
    {')', BOTH, DP_T_RPAREN},  {'[', BOTH, DP_T_LBRACKET},  {']', BOTH, DP_T_RBRACKET},
    {',', BOTH, DP_T_COMMA},   {';', BOTH, DP_T_SEMICOLON}, {'=', BOTH, DP_T_EQUAL},
    {'+', BOTH, DP_T_PLUS},    {'-', BOTH, DP_T_MINUS},     {'*', BOTH, DP_T_STAR},
    {'^', BOTH, DP_T_POINTER}, {'@', MODERN, DP_T_POINTER}, {'/', BOTH, DP_T_SLASH},
    {'(', BOTH, DP_T_LPAREN},  {'.', BOTH, DP_T_DOT},       {'|', BERKELEY, DP_T_OR},
    {'&', BERKELEY, DP_T_AND}, {'~', BERKELEY, DP_T_NOT},
};

static void one(struct scan *s)
{
    unsigned dialect = s->modern ? MODERN : BERKELEY;

    for (size_t i = 0; i < sizeof single / sizeof *single; i++)
        if (single[i].c == *s->at && single[i].dialects & dialect) {
            mark(s, single[i].kind, 1);
            return;
        }
    odd_byte(s);
}

static void line_comment(struct scan *s)
{
    const char *from = s->at;

    while (s->at < s->end && *s->at != '\n')
        s->at++;
    add_remark(s, s->things ? DP_REMARK_TRAILING : DP_REMARK_ALIGNED, from, s->at, s->line,
               printed_column(s, from));
}

static void symbol(struct scan *s)
{
    const char *from = s->at;
    char c = *from, next = peek(s);

    if (c == '{') {
        s->at++;
        comment(s, from, 0);
    } else if (c == '(' && next == '*') {
        s->at += 2;
        comment(s, from, 1);
    } else if (c == '/' && next == '/' && s->modern) {
        line_comment(s);
    } else if (c == '(' && next == '.' && s->modern) {
        mark(s, DP_T_LBRACKET, 2);
    } else if (c == '.' && next == ')' && s->modern) {
        mark(s, DP_T_RBRACKET, 2);
    } else if (c == '.' && next == '.') {
        mark(s, DP_T_DOTDOT, 2);
    } else if (c == '<' || c == '>' || c == ':') {
        two(s);
    } else if (c == '\'') {
        string(s);
    } else {
        one(s);
    }
}

/* With card images, the text after column 72 is passed over. */
static int beyond_card(struct scan *s)
{
    const char *start = s->at;

    if (!s->card || *s->at == '\n')
        return 0;
    while (start > s->text && start[-1] != '\n')
        start--;
    if (s->at - start < 72)
        return 0;
    while (s->at < s->end && *s->at != '\n')
        s->at++;
    return 1;
}

static void scan_text(struct scan *s)
{
    line_start(s);
    while (s->at < s->end) {
        char c = *s->at;

        if (beyond_card(s)) {
            continue;
        } else if (c == '\n') {
            newline(s);
        } else if (is(c, BLANK)) {
            s->blanks += c == '\t' ? 2 : 1;
            s->at++;
        } else if (is(c, LETTER)) {
            word(s);
        } else if (is(c, DIGIT)) {
            number(s);
        } else {
            symbol(s);
        }
    }
    if (s->at > s->text && s->at[-1] == '\n')
        s->line--; /* nothing is on the line after the last */
    s->pascal->files[s->file].lines = s->line;
}

/* --- files --- */

static uint16_t add_file(struct dp_pascal *pascal, const char *name, size_t n, const char *text,
                         size_t bytes, int64_t mtime, uint32_t includer)
{
    struct dp_pascal_file *file;
    const char *stop = bytes ? memchr(text, 0x1a, bytes) : NULL; /* CP/M's and DOS's ^Z */

    pascal->files = dp_more(pascal->files, pascal->nfiles, sizeof *pascal->files);
    file = &pascal->files[pascal->nfiles];
    file->name = dp_arena_copy(&pascal->arena, name, n);
    file->text = text;
    file->bytes = (uint32_t)(stop ? (size_t)(stop - text) : bytes);
    file->lines = 0;
    file->includer = includer;
    file->mtime = mtime;
    return (uint16_t)pascal->nfiles++;
}

static void open_file(struct scan *s, uint16_t file)
{
    s->file = file;
    s->text = s->pascal->files[file].text;
    s->at = s->text;
    s->end = s->text + s->pascal->files[file].bytes;
    s->measured = s->text;
    s->column = 1;
    s->line = 1;
}

/* The name in an include line, or NULL if it is none. */
static const char *included_name(const struct scan *s, size_t *n)
{
    static const char directive[] = "include";
    const char *at = s->at + 1;
    const char *name;
    char quote;

    next_mark(s, &at);
    if ((size_t)(s->end - at) < sizeof directive || memcmp(at, directive, sizeof directive - 1))
        return NULL;
    at += sizeof directive - 1;
    quote = next_mark(s, &at);
    if (quote != '"' && quote != '\'')
        return NULL;
    name = ++at;
    while (at < s->end && *at != quote && *at != '\n')
        at++;
    if (at == s->end || *at != quote)
        return NULL;
    *n = (size_t)(at - name);
    return name;
}

/* A line that begins with `#`: reads what it includes, then goes on behind it. */
static void include(struct scan *s)
{
    struct scan outer;
    const char *line = s->at, *name, *text = NULL;
    size_t n = 0, bytes = 0;
    int64_t mtime = 0;
    struct dp_pascal *pascal = s->pascal;
    uint16_t file;
    char *copy;

    if (!(name = included_name(s, &n)))
        return; /* a string, or nothing that Pascal knows */
    while (s->at < s->end && *s->at != '\n')
        s->at++;
    copy = dp_arena_copy(&pascal->arena, name, n);
    if (n < 3 || copy[n - 2] != '.' || (copy[n - 1] != 'i' && copy[n - 1] != 'h')) {
        wrong(s, 0, line, s->line, "expected the name of an included file to end in .i or .h");
        return;
    }
    if (s->depth == DEEPEST_INCLUDE || pascal->nfiles == UINT16_MAX) {
        wrong(s, 0, line, s->line, "expected fewer included files, or at most 10 in one another");
        return;
    }
    if (!s->loader || s->loader->load(s->loader->ctx, copy, &text, &bytes, &mtime) < 0 ||
        bytes > LONGEST_TEXT) {
        dp_pascal_mistake(pascal, 0, s->file, s->line, 1,
                          "expected the included file %.100s, "
                          "which cannot be read",
                          copy);
        return;
    }
    text = dp_arena_copy(&pascal->arena, text, bytes);
    add_remark(s, DP_REMARK_INCLUDE, line, s->at, s->line, 1);
    file = add_file(pascal, name, n, text, bytes, mtime, s->file);
    pascal->remarks[pascal->nremarks - 1].included = file;
    outer = *s;
    s->depth++;
    open_file(s, file);
    s->card = outer.card;
    scan_text(s);
    outer.room_tokens = s->room_tokens;
    outer.room_remarks = s->room_remarks;
    *s = outer;
}

void dp_pascal_scan(struct dp_pascal *pascal, const struct dp_pascal_loader *loader,
                    const struct dp_pascal_options *options)
{
    struct scan s = {0};

    s.pascal = pascal;
    s.loader = loader;
    s.modern = pascal->dialect == DP_PASCAL_MODERN;
    s.card = options && options->card;
    open_file(&s, 0);
    scan_text(&s);
    add_token(&s, DP_T_END_OF_FILE, s.at);
}
