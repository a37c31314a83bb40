/* Marks with absolute times and names: `+ 26012 2801 566822884101 main::bar`. */
#include "read/tmon.h"

#include "base/fields.h"

/* Calls that are remembered: some megabytes. */
#define MOST_CALLS (1u << 20)

/* Is this the end of a line that says `name`? */
static inline int says(const char *at, const char *end, const struct dp_written *as)
{
    return (size_t)(end - at) > as->n && at[as->n] == '\n' && dp_same_bytes(at, as->name, as->n);
}

static void more_calls(struct dp_tmon *tmon)
{
    size_t n = tmon->calls_mask ? ((size_t)tmon->calls_mask + 1) * 4 : 256;

    tmon->calls = dp_grow(tmon->calls, n * sizeof *tmon->calls);
    memset(tmon->calls, 0xFF, n * sizeof *tmon->calls);
    tmon->calls_mask = (uint32_t)(n - 1);
}

/* The length of the name at `at` and a hash of it; 0 if its line has no plain end before `end`. */
#if DP_WORDS
static inline size_t measure(const char *at, const char *end, uint32_t *hash)
{
    const uint64_t ones = 0x0101010101010101u;
    const char *c = at;
    uint64_t sum = 0;

    for (; c < end; c += 8) {
        uint64_t word = dp_load8(c), x = word ^ ones * '\n';
        uint64_t found = (x - ones) & ~x & ones * 0x80;

        if (found) {
            size_t tail = dp_bytes_below(found), n = (size_t)(c - at) + tail;

            if (tail)
                sum = (sum ^ word << (64 - 8 * tail)) * 0x9E3779B97F4A7C15u;
            *hash = (uint32_t)(sum >> 32);
            return at + n < end && n && at[n - 1] != '\r' ? n : 0;
        }
        sum = (sum ^ word) * 0x9E3779B97F4A7C15u;
        sum ^= sum >> 29;
    }
    return 0;
}
#else
static inline size_t measure(const char *at, const char *end, uint32_t *hash)
{
    const char *stop = memchr(at, '\n', (size_t)(end - at));
    size_t n = stop ? (size_t)(stop - at) : 0;

    *hash = (uint32_t)dp_hash_bytes(at, n);
    return n && at[n - 1] != '\r' ? n : 0;
}
#endif

/* Where that call is remembered; the table grows with the tree. */
static inline struct dp_call *remembered(struct dp_tmon *tmon, uint32_t caller, uint32_t hash)
{
    if (tmon->prof->nnodes > tmon->calls_mask / 2 && tmon->calls_mask < MOST_CALLS - 1)
        more_calls(tmon);
    return &tmon->calls[(hash ^ caller * 0x85EBCA6Bu) & tmon->calls_mask];
}

/* An entry that was not foreseen: one of the calls that were seen before, or a new one. */
static const char *other_enter(struct dp_tmon *tmon, const char *at, const char *end,
                               const struct dp_time *time)
{
    struct dp_build *build = tmon->build;
    uint32_t caller = build->frames[build->depth].node, hash = 0;
    size_t n = measure(at, end, &hash);
    struct dp_call *call = remembered(tmon, caller, hash);

    if (n == 0)
        return NULL;
    if (call->caller == caller && says(at, end, &tmon->written[call->callee.sub])) {
        dp_build_foresee(dp_build_guesses(build), call->callee);
        dp_build_enter_guess(build, call->callee, time);
        return at + n + 1;
    }
    dp_build_enter(build, dp_tmon_sub(tmon, at, n), time);
    call->caller = caller;
    call->callee.node = build->frames[build->depth].node;
    call->callee.sub = build->frames[build->depth].expect;
    return at + n + 1;
}

static const char *other_leave(struct dp_tmon *tmon, const char *at, const char *end,
                               const struct dp_time *time)
{
    uint32_t hash = 0;
    size_t n = measure(at, end, &hash);

    if (n == 0)
        return NULL;
    dp_build_leave(tmon->build, dp_tmon_sub(tmon, at, n), time);
    return at + n + 1;
}

/* An entry: most of the time of the sub that was entered here the last time. */
static inline const char *enter(struct dp_tmon *tmon, const char *at, const char *end,
                                const struct dp_time *time)
{
    struct dp_guesses *guesses = dp_build_guesses(tmon->build);
    struct dp_guess guess = guesses->last;

    if (guess.sub >= tmon->nwritten || !says(at, end, &tmon->written[guess.sub])) {
        guess = guesses->other;
        if (guess.sub >= tmon->nwritten || !says(at, end, &tmon->written[guess.sub]))
            return other_enter(tmon, at, end, time);
        dp_build_foresee(guesses, guess);
    }
    dp_build_enter_guess(tmon->build, guess, time);
    return at + tmon->written[guess.sub].n + 1;
}

/* An exit: nearly always of the innermost frame. */
static inline const char *leave(struct dp_tmon *tmon, const char *at, const char *end,
                                const struct dp_time *time)
{
    uint32_t sub = tmon->build->frames[tmon->build->depth].expect;

    if (sub >= tmon->nwritten || !says(at, end, &tmon->written[sub]))
        return other_leave(tmon, at, end, time);
    dp_build_leave(tmon->build, sub, time);
    return at + tmon->written[sub].n + 1;
}

const char *dp_tmon_text_marks(struct dp_tmon *tmon, const char *at, const char *end)
{
    struct dp_build *build = tmon->build;
    struct dp_field user = tmon->fields[0], sys = tmon->fields[1], real = tmon->fields[2];

    if (build->reenter)
        return at;
    while (at < end) {
        char sign = *at;
        const char *here = at + 2, *next;
        struct dp_time time;

        if ((sign != '+' && sign != '-') || at[1] != ' ' ||
            !(here = dp_field_read(&user, here, &time.user)) ||
            !(here = dp_field_read_same(&sys, here, &time.sys)) ||
            !(here = dp_field_read(&real, here, &time.real)) || here >= end)
            break;
        build->line++;
        if (sign == '+')
            next = enter(tmon, here, end, &time);
        else
            next = leave(tmon, here, end, &time);
        if (!next) {
            build->line--;
            break;
        }
        at = next;
    }
    tmon->fields[0] = user;
    tmon->fields[1] = sys;
    tmon->fields[2] = real;
    return at;
}

int dp_tmon_text_mark(struct dp_tmon *tmon, char sign, struct dp_line line)
{
    struct dp_time time = tmon->build->now;
    uint32_t sub;

    if (!dp_line_time(tmon, &line, &time) || line.at == line.end || ++line.at == line.end)
        return 0;
    sub = dp_tmon_sub(tmon, line.at, (size_t)(line.end - line.at));
    if (sign == '+')
        dp_build_enter(tmon->build, sub, &time);
    else if (sign == '-')
        dp_build_leave(tmon->build, sub, &time);
    else if (sign == '*')
        dp_build_jump(tmon->build, sub, &time);
    else
        dp_build_leave_top(tmon->build, &time);
    return 1;
}
