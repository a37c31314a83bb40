#include "pascal/equations.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

#define PRIME 2147483647
#define MOST_ROUNDS 200
#define MOST_CELLS 10000000 /* of the matrix */
#define MOST_WORK 300000000 /* cells that are changed while unknowns are eliminated */
#define MOST_TRIES 400
#define VALUES_TRIED 20

struct dp_equations *dp_equations_new(uint32_t nrows, uint32_t ncolumns)
{
    struct dp_equations *e = dp_alloc(sizeof *e);

    e->nrows = nrows;
    e->ncolumns = ncolumns;
    e->right = dp_alloc_array(nrows + 1, sizeof *e->right);
    e->first = dp_alloc_array(nrows + 2, sizeof *e->first);
    e->least = dp_alloc_array(ncolumns + 1, sizeof *e->least);
    e->most = dp_alloc_array(ncolumns + 1, sizeof *e->most);
    e->loose = dp_alloc_array(ncolumns + 1, sizeof *e->loose);
    return e;
}

void dp_equations_free(struct dp_equations *e)
{
    dp_free(e->right);
    dp_free(e->first);
    dp_free(e->least);
    dp_free(e->most);
    dp_free(e->loose);
    dp_free(e->terms);
    dp_free(e->matrix);
    dp_free(e->pivots);
    dp_free(e->open);
    dp_free(e);
}

void dp_equations_add(struct dp_equations *e, uint32_t row, uint32_t column, int64_t times)
{
    e->terms = dp_more(e->terms, e->nterms, sizeof *e->terms);
    e->terms[e->nterms++] = (struct dp_term){row, column, times};
}

static int by_row(const void *a, const void *b)
{
    const struct dp_term *x = a, *y = b;

    if (x->row != y->row)
        return x->row < y->row ? -1 : 1;
    return x->column < y->column ? -1 : x->column > y->column;
}

/* Terms by row; those of one unknown in a row become one. */
static void sort(struct dp_equations *e)
{
    uint32_t n = 0;

    if (e->nterms)
        qsort(e->terms, e->nterms, sizeof *e->terms, by_row);
    for (uint32_t i = 0; i < e->nterms; i++) {
        if (n && by_row(&e->terms[n - 1], &e->terms[i]) == 0)
            e->terms[n - 1].times += e->terms[i].times;
        else
            e->terms[n++] = e->terms[i];
    }
    e->nterms = n;
    for (uint32_t i = 0; i < n; i++)
        e->first[e->terms[i].row + 1]++;
    for (uint32_t row = 0; row < e->nrows; row++)
        e->first[row + 1] += e->first[row];
}

/* --- bounds --- */

static int64_t divided_down(int64_t a, int64_t b)
{
    int64_t q = a / b;

    return q * b > a ? q - 1 : q;
}

/* What a term can be at least, at most. */
static void range(const struct dp_equations *e, const struct dp_term *t, int64_t *low,
                  int64_t *high)
{
    int64_t a = t->times * e->least[t->column], b = t->times * e->most[t->column];

    *low = a < b ? a : b;
    *high = a < b ? b : a;
}

/* Narrows the bounds of one unknown so that times * it lies between low and high. */
static int narrow(struct dp_equations *e, const struct dp_term *t, int64_t low, int64_t high)
{
    int64_t times = t->times < 0 ? -t->times : t->times, from = t->times < 0 ? -high : low,
            to = t->times < 0 ? -low : high, changed = 0;

    to = divided_down(to, times);
    from = -divided_down(-from, times);
    if (from > e->least[t->column]) {
        e->least[t->column] = from;
        changed = 1;
    }
    if (to < e->most[t->column]) {
        e->most[t->column] = to;
        changed = 1;
    }
    return (int)changed;
}

/* 1: bounds are narrower now; 0: they are not; -1: nothing fits. */
static int narrow_row(struct dp_equations *e, uint32_t row)
{
    int64_t low = 0, high = 0, a, b;
    int changed = 0;

    for (uint32_t i = e->first[row]; i < e->first[row + 1]; i++) {
        range(e, &e->terms[i], &a, &b);
        low += a;
        high += b;
    }
    if (e->right[row] < low || e->right[row] > high)
        return -1;
    for (uint32_t i = e->first[row]; i < e->first[row + 1]; i++) {
        const struct dp_term *t = &e->terms[i];

        if (!t->times)
            continue;
        range(e, t, &a, &b);
        if (!narrow(e, t, e->right[row] - (high - b), e->right[row] - (low - a)))
            continue;
        changed = 1;
        if (e->least[t->column] > e->most[t->column])
            return -1;
        low -= a;
        high -= b;
        range(e, t, &a, &b);
        low += a;
        high += b;
    }
    return changed;
}

static int narrow_all(struct dp_equations *e)
{
    int changed = 1;

    for (int round = 0; changed && round < MOST_ROUNDS; round++) {
        changed = 0;
        for (uint32_t row = 0; row < e->nrows; row++) {
            int how = narrow_row(e, row);

            if (how < 0)
                return -1;
            changed |= how;
        }
    }
    return 0;
}

/* --- elimination --- */

static uint64_t residue(int64_t n)
{
    int64_t r = n % PRIME;

    return (uint64_t)(r < 0 ? r + PRIME : r);
}

static uint64_t inverse(uint64_t n)
{
    uint64_t power = n, result = 1;

    for (uint64_t exponent = PRIME - 2; exponent; exponent >>= 1) {
        if (exponent & 1)
            result = result * power % PRIME;
        power = power * power % PRIME;
    }
    return result;
}

static int has_unknowns(const struct dp_equations *e, uint32_t row)
{
    for (uint32_t i = e->first[row]; i < e->first[row + 1]; i++)
        if (e->terms[i].times && e->least[e->terms[i].column] < e->most[e->terms[i].column])
            return 1;
    return 0;
}

static int is_feasible(const struct dp_equations *e)
{
    uint64_t rows = 0, cells;

    for (uint32_t row = 0; row < e->nrows; row++)
        rows += (uint64_t)has_unknowns(e, row);
    cells = rows * e->nloose;
    return cells <= MOST_CELLS && cells * (rows < e->nloose ? rows : e->nloose) <= MOST_WORK;
}

static uint64_t *row_of(const struct dp_equations *e, uint32_t row)
{
    return e->matrix + (size_t)row * (e->nloose + 1);
}

/* Rows that have unknowns, what is certain taken over to the right. Returns how many. */
static uint32_t fill_matrix(struct dp_equations *e)
{
    uint32_t *where = dp_alloc_array(e->ncolumns + 1, sizeof *where), n = 0;

    for (uint32_t i = 0; i < e->nloose; i++)
        where[e->loose[i]] = i;
    for (uint32_t row = 0; row < e->nrows; row++)
        n += (uint32_t)has_unknowns(e, row);
    e->matrix = dp_alloc_array((size_t)(n + 1) * (e->nloose + 1), sizeof *e->matrix);
    n = 0;
    for (uint32_t row = 0; row < e->nrows; row++) {
        uint64_t *to = row_of(e, n);
        int64_t right = e->right[row];

        if (!has_unknowns(e, row))
            continue;

        for (uint32_t i = e->first[row]; i < e->first[row + 1]; i++) {
            const struct dp_term *t = &e->terms[i];

            if (e->least[t->column] == e->most[t->column])
                right -= t->times * e->least[t->column];
            else
                to[where[t->column]] = residue(t->times);
        }
        to[e->nloose] = residue(right);
        n++;
    }
    dp_free(where);
    return n;
}

static void swap_rows(const struct dp_equations *e, uint32_t a, uint32_t b)
{
    for (uint32_t i = 0; i <= e->nloose; i++) {
        uint64_t kept = row_of(e, a)[i];

        row_of(e, a)[i] = row_of(e, b)[i];
        row_of(e, b)[i] = kept;
    }
}

/* Makes `column` 1 in the row and 0 in all others. */
static void clear_column(const struct dp_equations *e, uint32_t nrows, uint32_t row,
                         uint32_t column)
{
    uint64_t *pivot = row_of(e, row), factor = inverse(pivot[column]);

    for (uint32_t i = 0; i <= e->nloose; i++)
        pivot[i] = pivot[i] * factor % PRIME;
    for (uint32_t other = 0; other < nrows; other++) {
        uint64_t *to = row_of(e, other);

        factor = to[column];
        if (other == row || !factor)
            continue;
        for (uint32_t i = 0; i <= e->nloose; i++)
            to[i] = (to[i] + (PRIME - factor) * pivot[i]) % PRIME;
    }
}

static enum dp_solved eliminate(struct dp_equations *e)
{
    uint32_t nrows = fill_matrix(e);

    e->pivots = dp_alloc_array(e->nloose + 1, sizeof *e->pivots);
    e->open = dp_alloc_array(e->nloose + 1, sizeof *e->open);
    for (uint32_t column = 0; column < e->nloose; column++) {
        uint32_t row = e->rank;

        while (row < nrows && !row_of(e, row)[column])
            row++;
        if (row == nrows) {
            e->open[e->nopen++] = column;
            continue;
        }
        swap_rows(e, row, e->rank);
        clear_column(e, nrows, e->rank, column);
        e->pivots[e->rank++] = column;
    }
    for (uint32_t row = e->rank; row < nrows; row++)
        if (row_of(e, row)[e->nloose])
            return DP_SOLVED_NEVER;
    return e->nopen ? DP_SOLVED_OFTEN : DP_SOLVED_ONCE;
}

/* The one solution, if it is one of whole numbers within the bounds. */
static enum dp_solved take_solution(struct dp_equations *e)
{
    for (uint32_t row = 0; row < e->rank; row++) {
        uint32_t column = e->loose[e->pivots[row]];
        int64_t value = (int64_t)row_of(e, row)[e->nloose];

        if (value < e->least[column] || value > e->most[column])
            return DP_SOLVED_NEVER;
        e->least[column] = e->most[column] = value;
    }
    return DP_SOLVED_ONCE;
}

static void forget(struct dp_equations *e)
{
    dp_free(e->matrix);
    dp_free(e->pivots);
    dp_free(e->open);
    e->matrix = NULL;
    e->pivots = e->open = NULL;
    e->nloose = e->nopen = e->rank = 0;
    memset(e->first, 0, (e->nrows + 2) * sizeof *e->first);
}

enum dp_solved dp_equations_solve(struct dp_equations *e)
{
    enum dp_solved how;

    forget(e);
    sort(e);
    if (narrow_all(e) < 0)
        return DP_SOLVED_NEVER;
    for (uint32_t i = 0; i < e->ncolumns; i++)
        if (e->least[i] < e->most[i])
            e->loose[e->nloose++] = i;
    if (!is_feasible(e)) {
        e->nopen = 1;
        return DP_SOLVED_UNKNOWN;
    }
    how = eliminate(e);
    return how == DP_SOLVED_ONCE ? take_solution(e) : how;
}

/* An unknown that is open, given one value after the other until the rest has a solution. */
struct guess {
    uint32_t column;
    int64_t value;
    int64_t last;
    int64_t *least; /* the bounds before it */
    int64_t *most;
};

static int64_t *copied(const int64_t *from, uint32_t n)
{
    int64_t *to = dp_alloc_array(n + 1, sizeof *to);

    memcpy(to, from, n * sizeof *to);
    return to;
}

static struct guess first_guess(const struct dp_equations *e)
{
    uint32_t column = e->loose[e->open[0]];
    int64_t last = e->least[column] + VALUES_TRIED;

    return (struct guess){column, e->least[column], last < e->most[column] ? last : e->most[column],
                          copied(e->least, e->ncolumns), copied(e->most, e->ncolumns)};
}

static enum dp_solved try_value(struct dp_equations *e, struct guess *guess)
{
    memcpy(e->least, guess->least, e->ncolumns * sizeof *e->least);
    memcpy(e->most, guess->most, e->ncolumns * sizeof *e->most);
    e->least[guess->column] = e->most[guess->column] = guess->value++;
    return dp_equations_solve(e);
}

int dp_equations_choose(struct dp_equations *e)
{
    struct guess *guesses = dp_alloc_array(MOST_TRIES + 1, sizeof *guesses);
    uint32_t n = 0;
    enum dp_solved how = DP_SOLVED_OFTEN;

    for (int tries = 0; how != DP_SOLVED_ONCE && tries < MOST_TRIES; tries++) {
        if (how == DP_SOLVED_OFTEN)
            guesses[n++] = first_guess(e);
        while (n && guesses[n - 1].value > guesses[n - 1].last) {
            dp_free(guesses[--n].least);
            dp_free(guesses[n].most);
        }
        if (!n)
            break;
        how = try_value(e, &guesses[n - 1]);
    }
    while (n) {
        dp_free(guesses[--n].least);
        dp_free(guesses[n].most);
    }
    dp_free(guesses);
    return how == DP_SOLVED_ONCE;
}

void dp_equations_direction(const struct dp_equations *e, uint32_t k, int64_t *along)
{
    for (uint32_t i = 0; i < e->ncolumns; i++)
        along[i] = 0;
    for (uint32_t i = 0; !e->open && i < e->nloose; i++)
        along[e->loose[i]] = 1; /* too many to be told apart */
    if (!e->open)
        return;
    along[e->loose[e->open[k]]] = 1;
    for (uint32_t row = 0; row < e->rank; row++)
        along[e->loose[e->pivots[row]]] = (int64_t)((PRIME - row_of(e, row)[e->open[k]]) % PRIME);
}

int dp_equations_is_zero(int64_t sum)
{
    return sum % PRIME == 0;
}
