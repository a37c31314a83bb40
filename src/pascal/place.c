/*
 * Where the counters are: the numbering of pi and pc of 4.0BSD and later (doc/formats/pmon.md). A
 * walk over the statements with a stack of its own.
 */
#include "pascal/names.h"

#include <string.h>

/* A statement that the walk is inside of. */
struct level {
    uint32_t node;
    uint32_t child; /* the next one to be walked */
    uint32_t gotos; /* before it */
    uint32_t steps;
};

struct place {
    struct dp_pascal *pascal;
    struct level *levels;
    uint32_t n;
    uint32_t room;
    uint32_t room_counters;
    uint32_t gotos;
    struct dp_pascal_names names; /* made when the first one is asked for */
    uint32_t routine;
    int due; /* a counter at the start of the next statement */
};

static struct dp_pascal_node *node(const struct place *p, uint32_t n)
{
    return &p->pascal->nodes[n];
}

static uint32_t take(struct place *p)
{
    return ++p->pascal->ntaken;
}

/* The record of a statement's counters, made when the first one is due. */
static struct dp_pascal_counters *counters(struct place *p, uint32_t n)
{
    struct dp_pascal *pascal = p->pascal;

    if (!node(p, n)->count) {
        if (pascal->ncounters == p->room_counters) {
            p->room_counters *= 2;
            pascal->counters =
                dp_grow(pascal->counters, p->room_counters * sizeof *pascal->counters);
        }
        pascal->counters[pascal->ncounters] = (struct dp_pascal_counters){0, 0, 0};
        node(p, n)->count = pascal->ncounters++;
    }
    return &pascal->counters[node(p, n)->count];
}

static void push(struct place *p, uint32_t n)
{
    struct level *level;

    if (p->due) {
        p->due = 0;
        counters(p, n)->before = take(p);
    }
    if (p->n == p->room) {
        p->room = p->room ? 2 * p->room : 64;
        p->levels = dp_grow(p->levels, p->room * sizeof *p->levels);
    }
    level = &p->levels[p->n++];
    level->node = n;
    level->child = node(p, n)->child;
    level->gotos = p->gotos;
    level->steps = 0;
}

static void after(struct place *p, const struct level *level)
{
    if (p->gotos != level->gotos)
        counters(p, level->node)->after = take(p);
}

/* The last child of a statement, or the statement in its list. */
static uint32_t last_child(const struct place *p, uint32_t n)
{
    uint32_t child = node(p, n)->child;

    while (child && node(p, child)->next)
        child = node(p, child)->next;
    return child;
}

/* An absent or an empty else is no statement for pi. */
static uint32_t else_part(const struct place *p, uint32_t then)
{
    uint32_t n = node(p, then)->next;

    return n && node(p, n)->kind != DP_P_EMPTY ? n : 0;
}

/* exit, break and continue are gotos without a label. */
static enum dp_pascal_leaves leaves(struct place *p, uint32_t n)
{
    static const char *const words[] = {"exit", "break", "continue"};
    uint32_t name = node(p, n)->tok;

    for (unsigned i = 0; i < 3; i++) {
        if (!dp_pascal_same(p->pascal, name, words[i], strlen(words[i])))
            continue;
        if (!p->names.pascal)
            dp_pascal_names_init(&p->names, p->pascal);
        return dp_pascal_name(&p->names, name, p->routine) ? DP_LEAVES_NOTHING
                                                           : (enum dp_pascal_leaves)(i + 1);
    }
    return DP_LEAVES_NOTHING;
}

/* The statement to walk next inside this one; 0: it is done. */
static uint32_t step(struct place *p, struct level *level)
{
    uint32_t n = level->node, child = level->child;

    switch (node(p, n)->kind) {
    case DP_P_COMPOUND:
    case DP_P_LIST:
        if (child)
            level->child = node(p, child)->next;
        return child;
    case DP_P_WITH:
        return level->steps++ ? 0 : node(p, child)->next;
    case DP_P_LABELLED:
        if (level->steps++)
            return 0;
        p->due = 1;
        return child;
    case DP_P_GOTO:
        p->gotos++;
        p->due = 1;
        return 0;
    case DP_P_IF:
        if (level->steps++ == 0) {
            counters(p, n)->body = take(p);
            return level->child = node(p, child)->next;
        }
        if (level->steps == 2 && else_part(p, child))
            return else_part(p, child);
        after(p, level);
        return 0;
    case DP_P_WHILE:
    case DP_P_FOR:
        if (level->steps++ == 0) {
            counters(p, n)->body = take(p);
            return last_child(p, n);
        }
        after(p, level);
        return 0;
    case DP_P_REPEAT:
        if (level->steps++ == 0) {
            counters(p, n)->body = take(p);
            return child;
        }
        after(p, level);
        return 0;
    case DP_P_CASE:
        if (level->steps++ == 0)
            child = node(p, child)->next;
        if (!child) {
            after(p, level);
            return 0;
        }
        level->child = node(p, child)->next;
        counters(p, child)->body = take(p);
        return last_child(p, child);
    case DP_P_CALL:
        node(p, n)->op = (uint8_t)leaves(p, n);
        if (node(p, n)->op) {
            p->gotos++;
            p->due = 1;
        }
        return 0;
    default:
        return 0;
    }
}

static void walk(struct place *p, uint32_t body)
{
    p->due = 0;
    push(p, body);
    while (p->n) {
        uint32_t at = p->n - 1, next = step(p, &p->levels[at]);

        if (!next)
            p->n--;
        else if (node(p, next)->kind == DP_P_LIST) {
            /* The list itself is no statement: nothing is due at it. */
            int due = p->due;

            p->due = 0;
            push(p, next);
            p->due = due;
        } else {
            push(p, next);
        }
    }
}

/* Headings are counted where they end, bodies where they stand: a routine's nested ones come
   between its heading and its own body. */
void dp_pascal_place(struct dp_pascal *pascal)
{
    struct place p = {0};
    uint32_t *open = dp_alloc_array(pascal->nroutines + 1, sizeof *open), nopen = 0;

    p.pascal = pascal;
    p.room_counters = 64;
    pascal->counters = dp_alloc(p.room_counters * sizeof *pascal->counters);
    pascal->ncounters = 1;
    for (uint32_t r = 0; r <= pascal->nroutines; r++) {
        uint32_t parent = r < pascal->nroutines ? pascal->routines[r].parent : DP_PASCAL_NOWHERE;

        while (nopen && open[nopen - 1] != parent) {
            const struct dp_pascal_routine *done = &pascal->routines[open[--nopen]];

            p.routine = open[nopen];
            if (done->body)
                walk(&p, done->body);
        }
        if (r < pascal->nroutines) {
            pascal->routines[r].counter = take(&p);
            open[nopen++] = r;
        }
    }
    if (p.names.pascal)
        dp_pascal_names_free(&p.names);
    dp_free(open);
    dp_free(p.levels);
}
