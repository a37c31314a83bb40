#include "model/matching.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "model/strings.h"

/* An anonymous sub, or a named one that may be around it. */
struct placed {
    const struct dp_profile *prof;
    uint32_t sub;
    uint32_t file; /* string */
    uint32_t line;
    uint32_t outer; /* the named sub before it in its file, or DP_NONE */
    uint32_t match; /* of the other side, index into its list; DP_NONE: none yet */
};

struct placed_list {
    struct placed *all;
    uint32_t n;
};

static int is_anonymous(const struct dp_profile *prof, uint32_t sub)
{
    return prof->subs[sub].kind == DP_KIND_ANON ||
           strstr(dp_string(prof, prof->subs[sub].name, NULL), "::__ANON__[") != NULL;
}

static int by_place(const void *a, const void *b)
{
    const struct placed *x = a, *y = b;

    if (x->file != y->file)
        return x->file < y->file ? -1 : 1;
    if (x->line != y->line)
        return x->line < y->line ? -1 : 1;
    return x->sub < y->sub ? -1 : x->sub > y->sub;
}

/* All anonymous subs, in order of file and line, each with the named one before it. */
static struct placed_list anonymous(const struct dp_profile *prof)
{
    struct placed_list list = {dp_alloc_array((size_t)prof->nsubs + 1, sizeof *list.all), 0};
    uint32_t kept = 0, outer = DP_NONE, file = DP_NONE;

    for (uint32_t i = 0; i < prof->nsubs; i++)
        if (prof->subs[i].file != DP_NONE && prof->subs[i].line)
            list.all[list.n++] =
                (struct placed){prof, i, prof->subs[i].file, prof->subs[i].line, DP_NONE, DP_NONE};
    qsort(list.all, list.n, sizeof *list.all, by_place);
    for (uint32_t i = 0; i < list.n; i++) {
        struct placed *at = &list.all[i];

        if (at->file != file)
            outer = DP_NONE;
        file = at->file;
        if (!is_anonymous(prof, at->sub)) {
            if (prof->subs[at->sub].kind != DP_KIND_BEGIN)
                outer = at->sub;
            continue;
        }
        list.all[kept] = *at;
        list.all[kept++].outer = outer;
    }
    list.n = kept;
    return list;
}

static int same_string(const struct placed *a, uint32_t x, const struct placed *b, uint32_t y)
{
    size_t n, m;
    const char *one = dp_string(a->prof, x, &n), *other = dp_string(b->prof, y, &m);

    return n == m && memcmp(one, other, n) == 0;
}

/* In the same sub of the same file? */
static int same_home(const struct placed *a, const struct placed *b)
{
    if ((a->outer == DP_NONE) != (b->outer == DP_NONE) || !same_string(a, a->file, b, b->file))
        return 0;
    return a->outer == DP_NONE ||
           same_string(a, a->prof->subs[a->outer].name, b, b->prof->subs[b->outer].name);
}

/* Lines from the start of its outer sub, or of its file. */
static uint32_t offset(const struct placed *at)
{
    return at->outer == DP_NONE ? at->line : at->line - at->prof->subs[at->outer].line;
}

/* A run of neighbours with one home: where it ends. */
static uint32_t end_of_home(const struct placed_list *list, uint32_t from)
{
    uint32_t at = from + 1;

    while (at < list->n && same_home(&list->all[at], &list->all[from]))
        at++;
    return at;
}

static void pair(struct placed_list *a, uint32_t i, struct placed_list *b, uint32_t k)
{
    a->all[i].match = k;
    b->all[k].match = i;
}

static void match_home(struct placed_list *a, uint32_t from, uint32_t to, struct placed_list *b,
                       uint32_t other, uint32_t end)
{
    uint32_t left = 0, there = 0;

    for (uint32_t i = from, k = other; i < to && k < end;) {
        uint32_t x = offset(&a->all[i]), y = offset(&b->all[k]);

        if (x == y)
            pair(a, i++, b, k++);
        else if (x < y)
            i++;
        else
            k++;
    }
    for (uint32_t i = from; i < to; i++)
        left += a->all[i].match == DP_NONE;
    for (uint32_t k = other; k < end; k++)
        there += b->all[k].match == DP_NONE;
    for (uint32_t i = from, k = other; left == there && i < to; i++) {
        if (a->all[i].match != DP_NONE)
            continue;
        while (b->all[k].match != DP_NONE)
            k++;
        pair(a, i, b, k);
    }
}

/* A home by its names, strings of its profile; outer is DP_NONE outside any sub. */
struct home {
    uint32_t file;
    uint32_t outer;
    uint32_t from; /* its first sub, index into the list */
};

static int by_names(const void *a, const void *b)
{
    const struct home *x = a, *y = b;

    if (x->file != y->file)
        return x->file < y->file ? -1 : 1;
    if (x->outer != y->outer)
        return x->outer < y->outer ? -1 : 1;
    return x->from < y->from ? -1 : x->from > y->from;
}

static uint32_t outer_name(const struct placed *at)
{
    return at->outer == DP_NONE ? DP_NONE : at->prof->subs[at->outer].name;
}

static struct home *homes_of(const struct placed_list *list, uint32_t *n)
{
    struct home *homes = dp_alloc_array((size_t)list->n + 1, sizeof *homes);

    *n = 0;
    for (uint32_t i = 0; i < list->n; i = end_of_home(list, i))
        homes[(*n)++] = (struct home){list->all[i].file, outer_name(&list->all[i]), i};
    qsort(homes, *n, sizeof *homes, by_names);
    return homes;
}

/* A string of another profile as one of this, 0: it has none. */
static int translated(const struct dp_profile *prof, uint32_t string, const struct dp_profile *to,
                      uint32_t *found)
{
    size_t n;
    const char *bytes = dp_string(prof, string, &n);

    *found = string == DP_NONE ? DP_NONE : dp_find_string(to->strings, bytes, n);
    return string == DP_NONE || *found != DP_NONE;
}

/* The first home of the list with the names of that of `at`, or NULL. */
static const struct home *home_like(const struct home *homes, uint32_t n, const struct placed *at,
                                    const struct dp_profile *prof)
{
    struct home wanted = {0, 0, 0};
    uint32_t low = 0, high = n;

    if (!translated(at->prof, at->file, prof, &wanted.file) ||
        !translated(at->prof, outer_name(at), prof, &wanted.outer))
        return NULL;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;

        if (by_names(&homes[middle], &wanted) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low < n && homes[low].file == wanted.file && homes[low].outer == wanted.outer
               ? &homes[low]
               : NULL;
}

static void match_all(struct placed_list *a, struct placed_list *b)
{
    uint32_t n;
    struct home *homes = homes_of(b, &n);

    for (uint32_t i = 0; i < a->n;) {
        uint32_t to = end_of_home(a, i);
        const struct home *like = n ? home_like(homes, n, &a->all[i], b->all->prof) : NULL;

        if (like)
            match_home(a, i, to, b, like->from, end_of_home(b, like->from));
        i = to;
    }
    dp_free(homes);
}

uint32_t *dp_match_subs(const struct dp_profile *from, const struct dp_profile *to)
{
    uint32_t *match = dp_alloc_array((size_t)from->nsubs + 1, sizeof *match);
    struct placed_list a = anonymous(from), b = anonymous(to);

    match_all(&a, &b);
    for (uint32_t i = 0; i < from->nsubs; i++)
        match[i] = DP_NONE;
    for (uint32_t i = 0; i < a.n; i++)
        if (a.all[i].match != DP_NONE)
            match[a.all[i].sub] = b.all[a.all[i].match].sub;
    dp_free(a.all);
    dp_free(b.all);
    return match;
}
