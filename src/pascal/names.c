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

/* Fields are in the table too: each record is a scope, with a number beyond those of routines. */
static uint32_t scope_of_record(const struct dp_pascal_names *names, uint32_t record)
{
    return names->pascal->nroutines + record;
}

const struct dp_pascal_symbol *dp_pascal_field(const struct dp_pascal_names *names, uint32_t token,
                                               uint32_t record)
{
    uint32_t found = find(names, token, scope_of_record(names, record));

    return found == DP_HASH_FREE ? NULL : &names->symbols[found];
}

/* Adds a name that means what `as` says. What is declared first stays: a forward routine's first
   heading. */
static void add(struct dp_pascal_names *names, uint32_t token, uint32_t scope,
                const struct dp_pascal_symbol *as)
{
    struct dp_pascal_symbol *symbol;
    size_t n;
    const char *text = dp_pascal_text(names->pascal, token, &n);

    if (find(names, token, scope) != DP_HASH_FREE)
        return;
    names->symbols = dp_more(names->symbols, names->n, sizeof *names->symbols);
    symbol = &names->symbols[names->n];
    *symbol = *as;
    symbol->token = token;
    symbol->scope = scope;
    dp_hash_add(&names->by_name, hash_of(names->pascal, text, n, scope), names->n++);
}

/* --- what declares --- */

static struct dp_pascal_symbol data(uint32_t type, uint32_t within)
{
    struct dp_pascal_symbol symbol = {0};

    symbol.means = DP_MEANS_DATA;
    symbol.routine = DP_PASCAL_NOWHERE;
    symbol.type = type;
    symbol.within = within;
    return symbol;
}

static void add_list(struct dp_pascal_names *names, uint32_t list, uint32_t scope,
                     const struct dp_pascal_symbol *as)
{
    for (uint32_t n = node(names, list)->child; n; n = node(names, n)->next)
        add(names, node(names, n)->tok, scope, as);
}

/* NAMES, type: names of variables or fields. */
static void add_typed(struct dp_pascal_names *names, uint32_t typed, uint32_t scope,
                      uint32_t within)
{
    uint32_t list = node(names, typed)->child;
    struct dp_pascal_symbol as = data(node(names, list)->next, within);

    add_list(names, list, scope, &as);
}

/* case tag: type of */
static void add_tag(struct dp_pascal_names *names, uint32_t variants, uint32_t record,
                    uint32_t scope)
{
    uint32_t tag = node(names, variants)->child;
    struct dp_pascal_symbol as = data(node(names, tag)->next, scope);

    if (node(names, variants)->op == DP_T_COLON)
        add(names, node(names, tag)->tok, scope_of_record(names, record), &as);
}

/* What a type declares where it stands: constants, which belong to the scope around it, and the
   fields of its records. The parser limits how deep types are nested. */
static void add_type(struct dp_pascal_names *names, uint32_t type, uint32_t scope, uint32_t record)
{
    struct dp_pascal_symbol constant = data(0, scope);

    switch (node(names, type)->kind) {
    case DP_P_ENUM:
        add_list(names, type, scope, &constant);
        return;
    case DP_P_RECORD:
        record = type;
        break;
    case DP_P_FIELD:
        add_typed(names, type, scope_of_record(names, record), scope);
        break;
    case DP_P_VARIANTS:
        add_tag(names, type, record, scope);
        break;
    case DP_P_LIST:
    case DP_P_CHOICE:
    case DP_P_ARRAY:
    case DP_P_POINTER:
    case DP_P_SETOF:
    case DP_P_FILEOF:
        break;
    default:
        return;
    }
    for (uint32_t n = node(names, type)->child; n; n = node(names, n)->next)
        add_type(names, n, scope, record);
}

/* The types of parameters are named as seen from around the routine. */
static void add_params(struct dp_pascal_names *names, uint32_t params, uint32_t scope,
                       uint32_t around)
{
    for (uint32_t n = node(names, params)->child; n; n = node(names, n)->next) {
        unsigned op = node(names, n)->op;
        uint32_t list = node(names, n)->child;
        struct dp_pascal_symbol routine = {0};

        if (op != DP_T_PROCEDURE && op != DP_T_FUNCTION) {
            add_typed(names, n, scope, around);
            add_type(names, node(names, list)->next, scope, 0);
            continue;
        }
        routine.means = DP_MEANS_PARAMETER;
        routine.routine = DP_PASCAL_NOWHERE;
        routine.param = n;
        add_list(names, list, scope, &routine);
    }
}

static void add_equation(struct dp_pascal_names *names, uint32_t equation, uint32_t scope)
{
    int typed = node(names, equation)->kind == DP_P_TYPE || node(names, equation)->op;
    uint32_t type = typed ? node(names, equation)->child : 0;
    struct dp_pascal_symbol as = data(type, scope);

    add(names, node(names, equation)->tok, scope, &as);
    add_type(names, type, scope, 0);
}

static void add_section(struct dp_pascal_names *names, uint32_t section, uint32_t scope)
{
    for (uint32_t n = node(names, section)->child; n; n = node(names, n)->next) {
        if (node(names, n)->kind != DP_P_VAR) {
            add_equation(names, n, scope);
            continue;
        }
        add_typed(names, n, scope, scope);
        add_type(names, node(names, node(names, n)->child)->next, scope, 0);
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
        struct dp_pascal_symbol as = {0};

        as.means = DP_MEANS_ROUTINE;
        as.routine = r;
        if (routine->kind != DP_T_PROGRAM) {
            add(names, routine->name, routine->parent, &as);
            if (routine->params)
                add_params(names, routine->params, body, routine->parent);
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
