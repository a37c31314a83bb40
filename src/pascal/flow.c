/*
 * How often each statement ran: a walk over the statements of every routine, with a stack of its
 * own, that carries the count of the place where it is. Unlike the listing's, whose counts are
 * those of pxp's lines, these are exact wherever the counters are.
 */
#include "pascal/flow.h"

struct level {
    uint32_t node;
    uint32_t child;
    uint32_t stage;
    int64_t entered; /* the count at the statement */
    int64_t lost;    /* in this routine, before it */
    int64_t left;    /* of a case: what its arms have not used up */
    int64_t rounds;  /* of a loop: that ended with continue */
};

struct walk {
    struct dp_pascal_flow *flow;
    const struct dp_pascal *pascal;
    uint32_t routine;
    int64_t now;  /* the count of the place */
    int64_t lost; /* in this routine so far */
    struct level *levels;
    uint32_t n;
    uint32_t room;
};

static const struct dp_pascal_node *node(const struct walk *w, uint32_t n)
{
    return &w->pascal->nodes[n];
}

static const struct dp_pascal_counters *counters(const struct walk *w, uint32_t n)
{
    return &w->pascal->counters[node(w, n)->count];
}

/* The value of a counter, which can be `most` at most (negative: anything). */
static int64_t value(struct walk *w, uint32_t counter, uint32_t at, int64_t most)
{
    struct dp_pascal_clash *clash = &w->flow->clash;
    int64_t found = w->flow->values[counter - 1];

    if (most >= 0 && found > most && !clash->counter) {
        clash->counter = counter;
        clash->token = node(w, at)->tok;
        clash->value = found;
        clash->most = most;
    }
    return found;
}

/* Where the routine was never entered nothing in it ran. */
static int64_t any(const struct walk *w)
{
    return w->flow->values[w->pascal->routines[w->routine].counter - 1] == 0 ? 0 : -1;
}

static void push(struct walk *w, uint32_t n)
{
    struct level *level;

    if (w->n == w->room) {
        w->room = w->room ? 2 * w->room : 64;
        w->levels = dp_grow(w->levels, w->room * sizeof *w->levels);
    }
    if (counters(w, n)->before)
        w->now = value(w, counters(w, n)->before, n, any(w));
    level = &w->levels[w->n++];
    level->node = n;
    level->child = node(w, n)->child;
    level->stage = 0;
    level->entered = level->left = w->now;
    level->lost = w->lost;
    level->rounds = 0;
    w->flow->ran[n] = w->now;
    w->flow->owner[n] = w->routine;
}

static uint32_t enter(struct walk *w, const struct level *level, uint32_t body, int64_t most)
{
    w->now = value(w, counters(w, level->node)->body, level->node, most);
    return body;
}

static uint32_t leave(struct walk *w, const struct level *level)
{
    uint32_t after = counters(w, level->node)->after;

    w->now =
        after ? value(w, after, level->node, any(w)) : level->entered - (w->lost - level->lost);
    return 0;
}

/* What the statement itself, its condition or its arguments have lost, of so many evaluations.
   `own`: how often they came to their end, as the counters inside tell, beside what was counted. */
static void lose(struct walk *w, uint32_t n, int64_t evaluated, int64_t own)
{
    int64_t lost = w->flow->lost[n];

    if (w->flow->completed && w->flow->completed[n] >= 0)
        lost = w->flow->lost[n] = evaluated - own - w->flow->completed[n];

    w->now -= lost;
    w->lost += lost;
}

static uint32_t last_child(const struct walk *w, uint32_t n)
{
    uint32_t child = node(w, n)->child;

    while (child && node(w, child)->next)
        child = node(w, child)->next;
    return child;
}

static int64_t if_any(const struct level *level)
{
    return level->entered == 0 ? 0 : -1;
}

static int64_t counter_value(const struct walk *w, uint32_t n)
{
    return w->flow->values[counters(w, n)->body - 1];
}

/* How often all arms of a case together were entered. */
static int64_t arms(const struct walk *w, uint32_t arm)
{
    int64_t sum = 0;

    for (; arm; arm = node(w, arm)->next)
        sum += counter_value(w, arm);
    return sum;
}

static uint32_t if_step(struct walk *w, struct level *level)
{
    uint32_t then = node(w, level->child)->next, other = node(w, then)->next;

    switch (level->stage++) {
    case 0:
        lose(w, level->node, level->entered, counter_value(w, level->node));
        return enter(w, level, then, level->entered);
    case 1:
        w->now = level->entered - w->flow->lost[level->node] - counter_value(w, level->node);
        if (other)
            return other;
        break;
    default:
        break;
    }
    return leave(w, level);
}

static uint32_t case_step(struct walk *w, struct level *level)
{
    uint32_t arm;

    if (level->stage++ == 0) {
        level->child = node(w, level->child)->next;
        lose(w, level->node, level->entered, arms(w, level->child));
    }
    arm = level->child;
    if (!arm)
        return leave(w, level);
    level->child = node(w, arm)->next;
    w->now = value(w, counters(w, arm)->body, arm, level->left < 0 ? -1 : level->left);
    level->left -= w->now;
    w->flow->ran[arm] = w->now;
    w->flow->owner[arm] = w->routine;
    return last_child(w, arm);
}

/* A continue: the loop around it goes on with its condition. */
static void end_round(const struct walk *w)
{
    for (uint32_t i = w->n; i-- > 0;) {
        unsigned kind = node(w, w->levels[i].node)->kind;

        if (kind != DP_P_WHILE && kind != DP_P_FOR && kind != DP_P_REPEAT)
            continue;
        w->levels[i].rounds += w->now;
        return;
    }
}

static uint32_t step(struct walk *w, struct level *level)
{
    uint32_t n = level->node, child = level->child;

    switch (node(w, n)->kind) {
    case DP_P_COMPOUND:
    case DP_P_LIST:
        if (child)
            level->child = node(w, child)->next;
        return child;
    case DP_P_WITH:
        if (level->stage++)
            return 0;
        lose(w, n, level->entered, 0);
        return node(w, child)->next;
    case DP_P_LABELLED:
        return level->stage++ ? 0 : child;
    case DP_P_IF:
        return if_step(w, level);
    case DP_P_WHILE:
    case DP_P_FOR:
        if (level->stage++ == 0)
            return enter(w, level, last_child(w, n), if_any(level));
        w->flow->back[n] = w->now + level->rounds;
        lose(w, n, level->entered + w->flow->back[n], counter_value(w, n));
        return leave(w, level);
    case DP_P_REPEAT:
        if (level->stage++ == 0)
            return enter(w, level, child, if_any(level));
        w->flow->back[n] = w->now + level->rounds;
        lose(w, n, w->flow->back[n], counter_value(w, n) - level->entered);
        return leave(w, level);
    case DP_P_CASE:
        return case_step(w, level);
    case DP_P_CALL:
        lose(w, n, level->entered, 0);
        if (node(w, n)->op == DP_LEAVES_ROUND)
            end_round(w);
        return 0;
    default:
        lose(w, n, level->entered, 0);
        return 0;
    }
}

static void body(struct walk *w, uint32_t r)
{
    w->routine = r;
    w->lost = 0;
    w->now = w->flow->values[w->pascal->routines[r].counter - 1];
    push(w, w->pascal->routines[r].body);
    while (w->n) {
        uint32_t next = step(w, &w->levels[w->n - 1]);

        if (next)
            push(w, next);
        else
            w->n--;
    }
}

int64_t dp_pascal_costs(unsigned kind, int64_t ran, int64_t back)
{
    switch (kind) {
    case DP_P_ASSIGN:
    case DP_P_CALL:
    case DP_P_GOTO:
    case DP_P_IF:
    case DP_P_CASE:
    case DP_P_WITH:
    case DP_P_ASSERT:
        return ran;
    case DP_P_WHILE:
    case DP_P_FOR:
        return ran + back;
    default:
        return 0;
    }
}

int64_t dp_pascal_cost(const struct dp_pascal_flow *flow, uint32_t n)
{
    return dp_pascal_costs(flow->pascal->nodes[n].kind, flow->ran[n], flow->back[n]);
}

void dp_pascal_flow_routine(struct dp_pascal_flow *flow, uint32_t routine)
{
    struct walk w = {0};

    w.flow = flow;
    w.pascal = flow->pascal;
    if (flow->pascal->routines[routine].body)
        body(&w, routine);
    dp_free(w.levels);
}

void dp_pascal_flow_all(struct dp_pascal_flow *flow)
{
    struct walk w = {0};

    w.flow = flow;
    w.pascal = flow->pascal;
    for (uint32_t r = 0; r < flow->pascal->nroutines; r++)
        if (flow->pascal->routines[r].body)
            body(&w, r);
    dp_free(w.levels);
}

struct dp_pascal_flow *dp_pascal_flow_new(const struct dp_pascal *pascal, const int64_t *values)
{
    struct dp_pascal_flow *flow = dp_alloc(sizeof *flow);

    flow->pascal = pascal;
    flow->values = values;
    flow->ran = dp_alloc_array(pascal->nnodes, sizeof *flow->ran);
    flow->back = dp_alloc_array(pascal->nnodes, sizeof *flow->back);
    flow->lost = dp_alloc_array(pascal->nnodes, sizeof *flow->lost);
    flow->doubt = dp_alloc_array(pascal->nnodes, 1);
    flow->own_doubt = dp_alloc_array(pascal->nroutines + 1, 1);
    flow->owner = dp_alloc_array(pascal->nnodes, sizeof *flow->owner);
    dp_pascal_flow_all(flow);
    return flow;
}

void dp_pascal_flow_free(struct dp_pascal_flow *flow)
{
    if (!flow)
        return;
    dp_free(flow->ran);
    dp_free(flow->back);
    dp_free(flow->lost);
    dp_free(flow->doubt);
    dp_free(flow->own_doubt);
    dp_free(flow->owner);
    dp_free(flow);
}
