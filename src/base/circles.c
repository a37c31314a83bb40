/* Tarjan's way, with a stack of its own. */
#include "base/circles.h"

#include "base/mem.h"

#define NO_CIRCLE UINT32_MAX

struct visit {
    uint32_t of;
    uint32_t arrow; /* the next one */
};

struct search {
    const uint32_t *first;
    const uint32_t *to;
    uint32_t *circle;
    uint32_t ncircles;
    uint32_t *index; /* 1 for what was met first; 0: not met */
    uint32_t *low;   /* the smallest index that is known to be reached */
    uint32_t next;   /* index */
    uint32_t *open;  /* met, and in no circle yet */
    uint32_t nopen;
    struct visit *visits;
    uint32_t nvisits;
};

static void meet(struct search *s, uint32_t i)
{
    s->visits[s->nvisits++] = (struct visit){i, s->first[i]};
    s->index[i] = s->low[i] = s->next++;
    s->open[s->nopen++] = i;
}

static void follow(struct search *s, uint32_t from, uint32_t to)
{
    if (!s->index[to])
        meet(s, to);
    else if (s->circle[to] == NO_CIRCLE && s->index[to] < s->low[from])
        s->low[from] = s->index[to];
}

/* All arrows from there were followed. */
static void finish(struct search *s, uint32_t i)
{
    uint32_t member;

    s->nvisits--;
    if (s->nvisits && s->low[i] < s->low[s->visits[s->nvisits - 1].of])
        s->low[s->visits[s->nvisits - 1].of] = s->low[i];
    if (s->low[i] != s->index[i])
        return;
    do
        s->circle[member = s->open[--s->nopen]] = s->ncircles;
    while (member != i);
    s->ncircles++;
}

static void search_from(struct search *s, uint32_t start)
{
    meet(s, start);
    while (s->nvisits) {
        struct visit *top = &s->visits[s->nvisits - 1];

        if (top->arrow < s->first[top->of + 1])
            follow(s, top->of, s->to[top->arrow++]);
        else
            finish(s, top->of);
    }
}

uint32_t dp_circles(uint32_t n, const uint32_t *first, const uint32_t *to, uint32_t *circle)
{
    struct search s = {.first = first, .to = to, .circle = circle, .next = 1};

    s.index = dp_alloc_array(n, sizeof *s.index);
    s.low = dp_alloc_array(n, sizeof *s.low);
    s.open = dp_alloc_array(n, sizeof *s.open);
    s.visits = dp_alloc_array(n, sizeof *s.visits);
    for (uint32_t i = 0; i < n; i++)
        circle[i] = NO_CIRCLE;
    for (uint32_t i = 0; i < n; i++)
        if (!s.index[i])
            search_from(&s, i);
    dp_free(s.index);
    dp_free(s.low);
    dp_free(s.open);
    dp_free(s.visits);
    return s.ncircles;
}
