#include "pascal/with.h"

#define MOST_NAMES 1000 /* types that are another's name: they may run in a circle */
#define MOST_OPEN 1000  /* with variables that are looked through for one name */

/* A type as it stands in a scope; node 0: it is not known. */
struct type {
    uint32_t node;
    uint32_t scope;
};
static const struct type unknown = {0, 0};

static const struct dp_pascal_node *node(const struct dp_pascal_withs *withs, uint32_t n)
{
    return &withs->names->pascal->nodes[n];
}

static struct type type_of(const struct dp_pascal_symbol *symbol)
{
    struct type type = unknown;

    if (symbol && symbol->means == DP_MEANS_DATA) {
        type.node = symbol->type;
        type.scope = symbol->within;
    }
    return type;
}

/* What the name of a type stands for. */
static struct type meant(const struct dp_pascal_withs *withs, struct type type)
{
    for (int i = 0; i < MOST_NAMES && node(withs, type.node)->kind == DP_P_NAMED; i++)
        type =
            type_of(dp_pascal_name(withs->names, node(withs, type.node)->tok, type.scope));
    return node(withs, type.node)->kind == DP_P_NAMED ? unknown : type;
}

/* --- fields --- */

static enum dp_pascal_is_field look(const struct dp_pascal_withs *withs, uint32_t token,
                                    const struct dp_pascal_symbol **field)
{
    int doubt = 0;

    *field = NULL;
    for (uint32_t i = withs->n; i-- > 0;) {
        if (withs->n - i > MOST_OPEN)
            return DP_FIELD_MAYBE;
        if (!withs->open[i].record)
            doubt = 1;
        else if ((*field = dp_pascal_field(withs->names, token, withs->open[i].record)) != NULL)
            break;
    }
    if (doubt && *field)
        *field = NULL; /* a field in any case, but of which record? */
    else if (!*field)
        return doubt ? DP_FIELD_MAYBE : DP_FIELD_NO;
    return DP_FIELD_YES;
}

enum dp_pascal_is_field dp_pascal_with_has(const struct dp_pascal_withs *withs, uint32_t token)
{
    const struct dp_pascal_symbol *field;

    return look(withs, token, &field);
}

/* --- the types of variables --- */

static struct type named(const struct dp_pascal_withs *withs, uint32_t token, uint32_t scope)
{
    const struct dp_pascal_symbol *symbol;

    switch (look(withs, token, &symbol)) {
    case DP_FIELD_YES:
        return type_of(symbol);
    case DP_FIELD_MAYBE:
        return unknown;
    default:
        return type_of(dp_pascal_name(withs->names, token, scope));
    }
}

/* Of an array with that many subscripts; it may have several dimensions, or its elements may be
   arrays. */
static struct type element(const struct dp_pascal_withs *withs, struct type type,
                           uint32_t subscripts)
{
    while (subscripts) {
        uint32_t child, n = 0;

        type = meant(withs, type);
        child = node(withs, type.node)->child;
        if (node(withs, type.node)->kind == DP_P_ARRAY) {
            for (uint32_t i = node(withs, child)->child; i; i = node(withs, i)->next)
                n++;
            child = node(withs, child)->next;
        } else if (node(withs, type.node)->kind == DP_P_CONFORMANT) {
            for (; node(withs, child)->kind == DP_P_BOUNDS; child = node(withs, child)->next)
                n++;
        }
        if (n == 0 || n > subscripts)
            return unknown;
        subscripts -= n;
        type.node = child;
    }
    return type;
}

/* One step into a variable of that type. */
static struct type step(const struct dp_pascal_withs *withs, struct type type, uint32_t n)
{
    uint32_t subscripts = 0;
    unsigned kind;

    if (node(withs, n)->kind == DP_P_INDEX) {
        for (uint32_t i = node(withs, node(withs, n)->child)->next; i; i = node(withs, i)->next)
            subscripts++;
        return element(withs, type, subscripts);
    }
    type = meant(withs, type);
    kind = node(withs, type.node)->kind;
    if (node(withs, n)->kind == DP_P_SELECT)
        return kind == DP_P_RECORD
                   ? type_of(dp_pascal_field(withs->names, node(withs, n)->at, type.node))
                   : unknown;
    type.node = kind == DP_P_POINTER || kind == DP_P_FILEOF ? node(withs, type.node)->child : 0;
    return type;
}

static int is_step(unsigned kind)
{
    return kind == DP_P_INDEX || kind == DP_P_SELECT || kind == DP_P_FOLLOW;
}

/* A variable may be as long as memory goes: its steps are a list, the last one first. */
static struct type type_of_variable(const struct dp_pascal_withs *withs, uint32_t variable,
                                    uint32_t scope)
{
    uint32_t *steps = NULL, n = 0;
    struct type type = unknown;

    for (; is_step(node(withs, variable)->kind); variable = node(withs, variable)->child) {
        steps = dp_more(steps, n, sizeof *steps);
        steps[n++] = variable;
    }
    if (node(withs, variable)->kind == DP_P_NAME)
        type = named(withs, node(withs, variable)->tok, scope);
    while (n)
        type = step(withs, type, steps[--n]);
    dp_free(steps);
    return meant(withs, type);
}

/* --- opening and closing --- */

void dp_pascal_with_open(struct dp_pascal_withs *withs, uint32_t variable, uint32_t scope,
                         uint32_t last)
{
    struct type type = type_of_variable(withs, variable, scope);

    if (withs->n == withs->room) {
        withs->room = withs->room ? 2 * withs->room : 16;
        withs->open = dp_grow(withs->open, withs->room * sizeof *withs->open);
    }
    withs->open[withs->n].last = last;
    withs->open[withs->n++].record = node(withs, type.node)->kind == DP_P_RECORD ? type.node : 0;
}

void dp_pascal_with_close(struct dp_pascal_withs *withs, uint32_t token)
{
    while (withs->n && withs->open[withs->n - 1].last < token)
        withs->n--;
}

void dp_pascal_with_free(struct dp_pascal_withs *withs)
{
    dp_free(withs->open);
}
