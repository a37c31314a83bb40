/* Equations between numbers of calls, against trying every number. */
#include <stdlib.h>

#include "base/mem.h"
#include "pascal/equations.h"
#include "tap.h"

#define UNKNOWNS 4
#define ROWS 3
#define MOST 3

static uint64_t state = 7;

static int64_t chance(int64_t n)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (int64_t)((state >> 11) % (uint64_t)n);
}

/* A system, and all its solutions. */
struct tried {
    int64_t times[ROWS][UNKNOWNS];
    int64_t right[ROWS];
    int64_t found[(MOST + 1) * (MOST + 1) * (MOST + 1) * (MOST + 1)][UNKNOWNS];
    int n;
};

static int solves(const struct tried *t, const int64_t *x)
{
    for (int row = 0; row < ROWS; row++) {
        int64_t sum = -t->right[row];

        for (int i = 0; i < UNKNOWNS; i++)
            sum += t->times[row][i] * x[i];
        if (sum)
            return 0;
    }
    return 1;
}

static void try_all(struct tried *t)
{
    int64_t x[UNKNOWNS];

    t->n = 0;
    for (int code = 0; code < 256; code++) {
        for (int i = 0; i < UNKNOWNS; i++)
            x[i] = code >> 2 * i & 3;
        if (solves(t, x))
            memcpy(t->found[t->n++], x, sizeof x);
    }
}

/* Right sides of a true solution, mostly. */
static void make(struct tried *t)
{
    int64_t x[UNKNOWNS];

    for (int i = 0; i < UNKNOWNS; i++)
        x[i] = chance(MOST + 1);
    for (int row = 0; row < ROWS; row++) {
        t->right[row] = chance(20) == 0;
        for (int i = 0; i < UNKNOWNS; i++) {
            t->times[row][i] = chance(3) ? chance(4) - 1 : 0;
            t->right[row] += t->times[row][i] * x[i];
        }
    }
    try_all(t);
}

static struct dp_equations *equations(const struct tried *t)
{
    struct dp_equations *e = dp_equations_new(ROWS, UNKNOWNS);

    for (uint32_t row = 0; row < ROWS; row++) {
        e->right[row] = t->right[row];
        for (uint32_t i = 0; i < UNKNOWNS; i++)
            if (t->times[row][i]) /* in two terms of one unknown */
                for (int twice = 0; twice < 2; twice++)
                    dp_equations_add(e, row, i, twice ? 1 : t->times[row][i] - 1);
    }
    for (uint32_t i = 0; i < UNKNOWNS; i++)
        e->most[i] = MOST;
    return e;
}

/* Is the unknown the same in all solutions? */
static int is_the_same(const struct tried *t, int unknown)
{
    for (int k = 1; k < t->n; k++)
        if (t->found[k][unknown] != t->found[0][unknown])
            return 0;
    return 1;
}

/* What no direction moves must be the same in all solutions. */
static int directions_are_right(const struct tried *t, const struct dp_equations *e)
{
    int moved[UNKNOWNS] = {0};
    int64_t along[UNKNOWNS];

    for (uint32_t k = 0; k < e->nopen; k++) {
        dp_equations_direction(e, k, along);
        for (int i = 0; i < UNKNOWNS; i++)
            moved[i] |= !dp_equations_is_zero(along[i]);
    }
    for (int i = 0; i < UNKNOWNS; i++)
        if (!moved[i] && !is_the_same(t, i))
            return 0;
    return 1;
}

static int counts[4];

/* 1: what it says is true. */
static int one(struct tried *t)
{
    struct dp_equations *e;
    enum dp_solved how;
    int good, chosen;

    make(t);
    e = equations(t);
    how = dp_equations_solve(e);
    counts[how]++;
    if (how == DP_SOLVED_NEVER) {
        good = t->n == 0;
    } else if (how == DP_SOLVED_ONCE) {
        good = t->n == 1 && solves(t, e->least);
    } else {
        good = directions_are_right(t, e);
        chosen = dp_equations_choose(e);
        good &= chosen == (t->n > 0) && (!chosen || solves(t, e->least));
    }
    dp_equations_free(e);
    return good;
}

int main(void)
{
    struct tried *t = dp_alloc(sizeof *t);
    int good = 0, tests = 20000;

    for (int i = 0; i < tests; i++)
        good += one(t);
    ok(good == tests, "%d of %d systems: what is said of them is so", good, tests);
    ok(counts[DP_SOLVED_NEVER] > 100 && counts[DP_SOLVED_ONCE] > 100 &&
           counts[DP_SOLVED_OFTEN] > 100,
       "%d have no solution, %d one, %d several", counts[DP_SOLVED_NEVER], counts[DP_SOLVED_ONCE],
       counts[DP_SOLVED_OFTEN]);
    dp_free(t);
    return done();
}
