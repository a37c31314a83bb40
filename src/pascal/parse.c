/*
 * The parser's beginnings: the whole of it, its nodes, and what it says of mistakes.
 */
#include "pascal/parse.h"

#include <stdio.h>
#include <string.h>

uint32_t dp_parse_node(struct dp_pascal_parser *p, enum dp_pascal_kind kind)
{
    struct dp_pascal *pascal = p->pascal;
    struct dp_pascal_node *node;

    if (pascal->nnodes == p->room_nodes) {
        p->room_nodes *= 2;
        pascal->nodes = dp_grow(pascal->nodes, p->room_nodes * sizeof *pascal->nodes);
    }
    node = &pascal->nodes[pascal->nnodes];
    memset(node, 0, sizeof *node);
    node->kind = (uint8_t)kind;
    node->tok = node->last = node->at = p->at;
    return pascal->nnodes++;
}

uint32_t dp_parse_adopt(struct dp_pascal_parser *p, uint32_t parent, uint32_t tail, uint32_t child)
{
    if (!child)
        return tail;
    if (tail)
        p->pascal->nodes[tail].next = child;
    else
        p->pascal->nodes[parent].child = child;
    return child;
}

void dp_parse_close(struct dp_pascal_parser *p, uint32_t node)
{
    p->pascal->nodes[node].last = p->at - 1;
}

void dp_parse_advance(struct dp_pascal_parser *p)
{
    if (p->token->kind == DP_T_END_OF_FILE)
        return;
    p->at++;
    p->token++;
}

int dp_parse_accept(struct dp_pascal_parser *p, enum dp_pascal_token_kind kind)
{
    if (p->token->kind != kind)
        return 0;
    dp_parse_advance(p);
    return 1;
}

/* The current token as a message shows it. */
static void found(const struct dp_pascal_parser *p, char *to, size_t room)
{
    size_t n;
    const char *text = dp_pascal_text(p->pascal, p->at, &n);

    if (p->token->kind == DP_T_END_OF_FILE)
        snprintf(to, room, "the end of the file");
    else if (p->token->kind == DP_T_STRING)
        snprintf(to, room, "the string %.*s", (int)(n > 30 ? 30 : n), text);
    else
        snprintf(to, room, "'%.*s'", (int)(n > 30 ? 30 : n), text);
}

static void complain(struct dp_pascal_parser *p, int mended, const char *what)
{
    char text[80];

    if (p->pascal->nmistakes == DP_PASCAL_MISTAKES) {
        p->pascal->nhard += !mended;
        return;
    }
    found(p, text, sizeof text);
    dp_pascal_mistake(p->pascal, mended, p->token->file, p->token->line,
                      dp_pascal_column(p->pascal, p->token->file, p->token->offset),
                      "expected %s, found %s", what, text);
}

void dp_parse_wrong(struct dp_pascal_parser *p, const char *what)
{
    if (p->complained == p->at + 1) {
        p->pascal->nhard++; /* one message for one place is enough */
        return;
    }
    p->complained = p->at + 1;
    complain(p, 0, what);
}

void dp_parse_mended(struct dp_pascal_parser *p, const char *what)
{
    if (p->complained != p->at + 1)
        complain(p, 1, what);
}

int dp_parse_expect(struct dp_pascal_parser *p, enum dp_pascal_token_kind kind)
{
    char what[20];

    if (dp_parse_accept(p, kind))
        return 1;
    if (kind <= DP_T_STRING) {
        dp_parse_wrong(p, dp_pascal_token_title(kind));
        return 0;
    }
    snprintf(what, sizeof what, kind >= DP_T_AND ? "%s" : "'%s'", dp_pascal_token_text[kind]);
    if (kind == DP_T_END || kind == DP_T_UNTIL || dp_parse_is(p, DP_T_END_OF_FILE))
        dp_parse_wrong(p, what);
    else
        dp_parse_mended(p, what);
    return 0;
}

void dp_parse_skip(struct dp_pascal_parser *p)
{
    for (;; dp_parse_advance(p)) {
        switch (p->token->kind) {
        case DP_T_END_OF_FILE:
        case DP_T_SEMICOLON:
        case DP_T_BEGIN:
        case DP_T_END:
        case DP_T_ELSE:
        case DP_T_UNTIL:
        case DP_T_IF:
        case DP_T_WHILE:
        case DP_T_FOR:
        case DP_T_REPEAT:
        case DP_T_CASE:
        case DP_T_WITH:
        case DP_T_GOTO:
            return;
        default:
            if (dp_parse_begins_section(p))
                return;
        }
    }
}

int dp_parse_begins_section(const struct dp_pascal_parser *p)
{
    switch (p->token->kind) {
    case DP_T_LABEL:
    case DP_T_CONST:
    case DP_T_TYPE:
    case DP_T_VAR:
    case DP_T_PROCEDURE:
    case DP_T_FUNCTION:
        return 1;
    default:
        return 0;
    }
}

int dp_parse_word(const struct dp_pascal_parser *p, uint32_t token, const char *word)
{
    return p->pascal->tokens[token].kind == DP_T_NAME &&
           dp_pascal_same(p->pascal, token, word, strlen(word));
}

uint32_t dp_parse_names(struct dp_pascal_parser *p, enum dp_pascal_kind kind)
{
    uint32_t names = dp_parse_node(p, kind), tail = 0;

    do {
        if (!dp_parse_is(p, DP_T_NAME)) {
            dp_parse_wrong(p, "a name");
            break;
        }
        tail = dp_parse_adopt(p, names, tail, dp_parse_node(p, DP_P_NAME));
        dp_parse_advance(p);
    } while (dp_parse_accept(p, DP_T_COMMA));
    dp_parse_close(p, names);
    return names;
}

/* --- the program as a whole --- */

static struct dp_pascal *one_try(const char *name, const char *bytes, size_t n, int64_t mtime,
                                 const struct dp_pascal_loader *loader,
                                 const struct dp_pascal_options *options,
                                 enum dp_pascal_dialect dialect)
{
    struct dp_pascal *pascal = dp_alloc(sizeof *pascal);
    struct dp_pascal_parser p = {0};
    const char *stop = n ? memchr(bytes, 0x1a, n) : NULL; /* CP/M's and DOS's ^Z */

    pascal->dialect = dialect;
    pascal->files = dp_more(NULL, 0, sizeof *pascal->files);
    memset(pascal->files, 0, sizeof *pascal->files);
    pascal->nfiles = 1;
    pascal->files[0].name = dp_arena_copy(&pascal->arena, name, strlen(name));
    pascal->files[0].text = dp_arena_copy(&pascal->arena, bytes, n);
    pascal->files[0].bytes = (uint32_t)(stop ? (size_t)(stop - bytes) : n);
    pascal->files[0].includer = DP_PASCAL_NOWHERE;
    pascal->files[0].mtime = mtime;
    dp_pascal_scan(pascal, loader, options);

    p.pascal = pascal;
    p.token = pascal->tokens;
    p.modern = dialect == DP_PASCAL_MODERN;
    p.room_nodes = 1024;
    pascal->nodes = dp_alloc(p.room_nodes * sizeof *pascal->nodes);
    pascal->nnodes = 1;
    dp_parse_program(&p);
    dp_free(p.pending);
    dp_free(p.unfinished);
    if (!pascal->nhard)
        dp_pascal_place(pascal);
    return pascal;
}

/* Where the first hard mistake is; the larger the better the text fits. */
static uint64_t first_mistake(const struct dp_pascal *pascal)
{
    for (uint32_t i = 0; i < pascal->nmistakes; i++)
        if (!pascal->mistakes[i].mended)
            return (uint64_t)pascal->mistakes[i].file << 32 | pascal->mistakes[i].line;
    return UINT64_MAX;
}

struct dp_pascal *dp_pascal_parse(const char *name, const char *bytes, size_t n, int64_t mtime,
                                  const struct dp_pascal_loader *loader,
                                  const struct dp_pascal_options *options)
{
    enum dp_pascal_dialect dialect = options ? options->dialect : DP_PASCAL_EITHER;
    struct dp_pascal *old, *new;

    if (n > UINT32_MAX) {
        old = one_try(name, bytes, 0, mtime, loader, options, DP_PASCAL_BERKELEY);
        dp_pascal_mistake(old, 0, 0, 1, 1, "expected a source of less than 4 gigabytes");
        return old;
    }
    if (dialect == DP_PASCAL_TODAY) {
        new = one_try(name, bytes, n, mtime, loader, options, DP_PASCAL_MODERN);
        if (!new->nmistakes)
            return new;
        dp_pascal_free(new);
    } else if (dialect != DP_PASCAL_EITHER) {
        return one_try(name, bytes, n, mtime, loader, options, dialect);
    }
    old = one_try(name, bytes, n, mtime, loader, options, DP_PASCAL_BERKELEY);
    if (!old->nmistakes)
        return old;
    new = one_try(name, bytes, n, mtime, loader, options, DP_PASCAL_MODERN);
    if (old->nhard ? first_mistake(new) > first_mistake(old) || !new->nhard
                   : new->nmistakes < old->nmistakes && !new->nhard) {
        dp_pascal_free(old);
        return new;
    }
    dp_pascal_free(new);
    return old;
}

void dp_pascal_free(struct dp_pascal *pascal)
{
    if (!pascal)
        return;
    dp_arena_free(&pascal->arena);
    dp_free(pascal->files);
    dp_free(pascal->tokens);
    dp_free(pascal->remarks);
    dp_free(pascal->nodes);
    dp_free(pascal->routines);
    dp_free(pascal->counters);
    dp_free(pascal->mistakes);
    dp_free(pascal);
}

const char *dp_pascal_text(const struct dp_pascal *pascal, uint32_t token, size_t *n)
{
    const struct dp_pascal_token *t = &pascal->tokens[token];

    *n = t->bytes;
    return pascal->files[t->file].text + t->offset;
}

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c + 'a' - 'A') : c;
}

int dp_pascal_same(const struct dp_pascal *pascal, uint32_t token, const char *name, size_t n)
{
    size_t m;
    const char *text = dp_pascal_text(pascal, token, &m);

    if (m != n)
        return 0;
    if (pascal->dialect != DP_PASCAL_MODERN)
        return memcmp(text, name, n) == 0;
    for (size_t i = 0; i < n; i++)
        if (lower(text[i]) != lower(name[i]))
            return 0;
    return 1;
}

uint32_t dp_pascal_column(const struct dp_pascal *pascal, uint16_t file, uint32_t offset)
{
    const char *text = pascal->files[file].text;
    uint32_t start = offset;

    while (start > 0 && text[start - 1] != '\n')
        start--;
    return offset - start + 1;
}
