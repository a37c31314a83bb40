#include "pascal/names.h"

#include <string.h>

static const struct dp_pascal_node *node(const struct dp_pascal_names *names, uint32_t n)
{
    return &names->pascal->nodes[n];
}

uint32_t dp_pascal_with_body(const struct dp_pascal *pascal, uint32_t routine)
{
    const struct dp_pascal_routine *r = &pascal->routines[routine];

    return !r->body && r->other != DP_PASCAL_NOWHERE ? r->other : routine;
}

uint32_t dp_pascal_first_heading(const struct dp_pascal *pascal, uint32_t routine)
{
    const struct dp_pascal_routine *r = &pascal->routines[routine];

    return r->other != DP_PASCAL_NOWHERE && r->other < routine ? r->other : routine;
}

/* --- the table --- */

struct wanted {
    const struct dp_pascal_names *names;
    const char *text;
    size_t n;
    uint32_t scope;
};

/* The modern dialect does not tell case apart. */
static uint64_t hash_of(const struct dp_pascal *pascal, const char *text, size_t n, uint32_t scope)
{
    uint64_t hash = scope * 0x9e3779b97f4a7c15u + n;

    for (size_t i = 0; i < n; i++) {
        unsigned char c = (unsigned char)text[i];

        if (pascal->dialect == DP_PASCAL_MODERN && c >= 'A' && c <= 'Z')
            c = (unsigned char)(c + 'a' - 'A');
        hash = (hash ^ c) * 0x100000001b3u;
    }
    return hash ^ hash >> 32;
}

static int same(const void *ctx, uint32_t index)
{
    const struct wanted *wanted = ctx;
    const struct dp_pascal_symbol *symbol = &wanted->names->symbols[index];

    return symbol->scope == wanted->scope &&
           dp_pascal_same(wanted->names->pascal, symbol->token, wanted->text, wanted->n);
}

static uint32_t find(const struct dp_pascal_names *names, uint32_t token, uint32_t scope)
{
    struct wanted wanted = {names, NULL, 0, scope};

    wanted.text = dp_pascal_text(names->pascal, token, &wanted.n);
    return dp_hash_find(&names->by_name, hash_of(names->pascal, wanted.text, wanted.n, scope), same,
                        &wanted);
}

const struct dp_pascal_symbol *dp_pascal_name(const struct dp_pascal_names *names, uint32_t token,
                                              uint32_t scope)
{
    for (;;) {
        uint32_t found = find(names, token, scope);

        if (found != DP_HASH_FREE)
            return &names->symbols[found];
        if (scope == DP_PASCAL_NOWHERE)
            return NULL;
        scope = names->pascal->routines[scope].parent;
    }
}

/* What is declared first stays: a forward routine's first heading. */
static struct dp_pascal_symbol *add(struct dp_pascal_names *names, uint32_t token, uint32_t scope,
                                    enum dp_pascal_meaning means)
{
    struct dp_pascal_symbol *symbol;
    size_t n;
    const char *text = dp_pascal_text(names->pascal, token, &n);

    if (find(names, token, scope) != DP_HASH_FREE)
        return NULL;
    names->symbols = dp_more(names->symbols, names->n, sizeof *names->symbols);
    symbol = &names->symbols[names->n];
    symbol->token = token;
    symbol->scope = scope;
    symbol->means = (uint8_t)means;
    symbol->routine = DP_PASCAL_NOWHERE;
    symbol->param = 0;
    dp_hash_add(&names->by_name, hash_of(names->pascal, text, n, scope), names->n++);
    return symbol;
}

/* --- what declares --- */

static void add_list(struct dp_pascal_names *names, uint32_t list, uint32_t scope,
                     enum dp_pascal_meaning means, uint32_t param)
{
    for (uint32_t n = node(names, list)->child; n; n = node(names, n)->next) {
        struct dp_pascal_symbol *symbol = add(names, node(names, n)->tok, scope, means);

        if (symbol)
            symbol->param = param;
    }
}

static void add_params(struct dp_pascal_names *names, uint32_t params, uint32_t scope)
{
    for (uint32_t n = node(names, params)->child; n; n = node(names, n)->next) {
        unsigned op = node(names, n)->op;
        int routine = op == DP_T_PROCEDURE || op == DP_T_FUNCTION;

        add_list(names, node(names, n)->child, scope, routine ? DP_MEANS_PARAMETER : DP_MEANS_DATA,
                 n);
    }
}

static void add_section(struct dp_pascal_names *names, uint32_t section, uint32_t scope)
{
    for (uint32_t n = node(names, section)->child; n; n = node(names, n)->next) {
        if (node(names, n)->kind == DP_P_VAR)
            add_list(names, node(names, n)->child, scope, DP_MEANS_DATA, 0);
        else
            add(names, node(names, n)->tok, scope, DP_MEANS_DATA);
    }
}

static void add_sections(struct dp_pascal_names *names, uint32_t first, uint32_t scope)
{
    for (uint32_t n = first; n; n = node(names, n)->next) {
        unsigned kind = node(names, n)->kind;

        if (kind == DP_P_CONSTS || kind == DP_P_TYPES || kind == DP_P_VARS)
            add_section(names, n, scope);
    }
}

void dp_pascal_names_init(struct dp_pascal_names *names, const struct dp_pascal *pascal)
{
    names->pascal = pascal;
    names->symbols = NULL;
    names->n = 0;
    names->by_name = (struct dp_hash){0};
    add_sections(names, pascal->decls, DP_PASCAL_NOWHERE);
    for (uint32_t r = 0; r < pascal->nroutines; r++) {
        const struct dp_pascal_routine *routine = &pascal->routines[r];
        uint32_t body = dp_pascal_with_body(pascal, r);
        struct dp_pascal_symbol *symbol;

        if (routine->kind != DP_T_PROGRAM) {
            symbol = add(names, routine->name, routine->parent, DP_MEANS_ROUTINE);
            if (symbol)
                symbol->routine = r;
            if (routine->params)
                add_params(names, routine->params, body);
        }
        add_sections(names, routine->decls, r);
    }
}

void dp_pascal_names_free(struct dp_pascal_names *names)
{
    dp_free(names->symbols);
    dp_hash_free(&names->by_name);
}

/* --- labels --- */

static int declares(const struct dp_pascal *pascal, uint32_t routine, uint32_t label)
{
    size_t n;
    const char *text = dp_pascal_text(pascal, label, &n);

    for (uint32_t s = pascal->routines[routine].decls; s; s = pascal->nodes[s].next) {
        if (pascal->nodes[s].kind != DP_P_LABELS)
            continue;
        for (uint32_t l = pascal->nodes[s].child; l; l = pascal->nodes[l].next) {
            size_t length;
            const char *other = dp_pascal_text(pascal, pascal->nodes[l].tok, &length);

            if (length == n && memcmp(other, text, n) == 0)
                return 1;
        }
    }
    return 0;
}

uint32_t dp_pascal_label_of(const struct dp_pascal *pascal, uint32_t routine, uint32_t label)
{
    while (routine != DP_PASCAL_NOWHERE && !declares(pascal, routine, label))
        routine = pascal->routines[routine].parent;
    return routine;
}
