/* Marks with ids: `& 1f main bar` introduces one, `@ 1 0 1` lets time pass, `+ 1f` and `- 1f` enter
   and leave, `* 1f` and `/ 1f` are the original's goto and unwinding. Before perl 5.004_55 the
   original wrote `+ & main::bar`. */
#include "read/tmon.h"

#include "base/digits.h"

/* The sub that the original pretends to call while it writes its buffer out. */
#define WRITE_SUB "Devel::DProf::write"

#if DP_WORDS
/* The bytes after `ID\n` if that is what stands here, as it is written for this sub; else NULL. */
static inline const char *after_id(const struct dp_tmon *tmon, const char *at, uint32_t sub)
{
    const struct dp_written *as;

    if (sub >= tmon->nwritten)
        return NULL;
    as = &tmon->written[sub];
    return as->mask && (dp_load8(at) & as->mask) == as->id ? at + as->id_n : NULL;
}

/* Most lines of a profile in microseconds: `@ 1 0 1` and a newline, eight bytes, one digit each. `at` is the
   start of the line. */
static inline const char *single_ticks(const char *at, struct dp_time *step)
{
    static const char line[8] = {'@', ' ', '0', ' ', '0', ' ', '0', '\n'};
    const uint64_t digits = 0x000F000F000F0000u;
    uint64_t x = dp_load8(at) ^ dp_load8(line);

    if (((x | (x + 0x0006000600060000u)) & ~digits) != 0)
        return NULL;
    step->user = (int64_t)(x >> 16 & 15);
    step->sys = (int64_t)(x >> 32 & 15);
    step->real = (int64_t)(x >> 48);
    return at + 8;
}

/* Three short numbers and a newline in eight bytes: where each ends is found at once, so that the
   next line is not waited for. Signs, longer numbers and whatever else give NULL. */
static inline const char *short_ticks(const char *at, struct dp_time *step)
{
    const uint64_t sixteens = 0x1010101010101010u;
    uint64_t word = dp_load8(at), marks = ~word & sixteens; /* no digits */
    uint64_t x = word ^ 0x3030303030303030u, user, sys, real;
    int a, b, c;

    if ((marks & (marks - 1) & ((marks & (marks - 1)) - 1)) == 0)
        return NULL;
    a = __builtin_ctzll(marks) & ~7;
    marks &= marks - 1;
    b = __builtin_ctzll(marks) & ~7;
    marks &= marks - 1;
    c = __builtin_ctzll(marks) & ~7;
    if (a == 0 || b == a + 8 || c == b + 8 || (char)(word >> a) != ' ' ||
        (char)(word >> b) != ' ' || (char)(word >> c) != '\n')
        return NULL;
    user = x << (64 - a);
    sys = (x >> (a + 8)) << (64 - (b - a - 8));
    real = (x >> (b + 8)) << (64 - (c - b - 8));
    if (dp_no_digits(user) | dp_no_digits(sys) | dp_no_digits(real))
        return NULL;
    step->user = (int64_t)dp_eight_digits(user);
    step->sys = (int64_t)dp_eight_digits(sys);
    step->real = (int64_t)dp_eight_digits(real);
    return at + c / 8 + 1;
}
#else
static const char *after_id(const struct dp_tmon *tmon, const char *at, uint32_t sub)
{
    (void)tmon, (void)at, (void)sub;
    return NULL;
}

static const char *single_ticks(const char *at, struct dp_time *step)
{
    (void)at, (void)step;
    return NULL;
}

static const char *short_ticks(const char *at, struct dp_time *step)
{
    return single_ticks(at, step);
}
#endif

/* What follows a plain `ID\n`, and its sub; NULL if it is none or not known. */
static const char *looked_up(const struct dp_tmon *tmon, const char *at, const char *end,
                             uint32_t *sub)
{
    struct dp_line line = {at, at};
    uint64_t id;

    while (line.end < end && *line.end != '\n')
        line.end++;
    if (line.end == end || !dp_line_hex(&line, &id) || line.at != line.end)
        return NULL;
    *sub = dp_idmap_find(&tmon->ids, id);
    return *sub == DP_NONE ? NULL : line.end + 1;
}

static inline const char *enter(struct dp_tmon *tmon, const char *at, const char *end,
                                const struct dp_time *now)
{
    struct dp_guesses *guesses = dp_build_guesses(tmon->build);
    struct dp_guess guess = guesses->last;
    const char *next = after_id(tmon, at, guess.sub);
    uint32_t sub;

    if (!next && (next = after_id(tmon, at, guesses->other.sub))) {
        guess = guesses->other;
        if (next <= end)
            dp_build_foresee(guesses, guess);
    }
    if (next && next <= end) {
        dp_build_enter_guess(tmon->build, guess, now);
        return next;
    }
    next = looked_up(tmon, at, end, &sub);
    if (next)
        dp_build_enter(tmon->build, sub, now);
    return next;
}

static inline const char *leave(struct dp_tmon *tmon, const char *at, const char *end,
                                const struct dp_time *now)
{
    uint32_t sub = tmon->build->frames[tmon->build->depth].expect;
    const char *next = after_id(tmon, at, sub);

    if (!next || next > end)
        next = looked_up(tmon, at, end, &sub);
    if (next)
        dp_build_leave(tmon->build, sub, now);
    return next;
}

static const char *any_ticks(const char *at, struct dp_time *step)
{
    if (!(at = dp_digits(at, &step->user)) || *at++ != ' ' || !(at = dp_digits(at, &step->sys)) ||
        *at++ != ' ' || !(at = dp_digits(at, &step->real)) || *at++ != '\n')
        return NULL;
    return at;
}

/* Moves the clock on; `at` is the start of the line. */
static inline const char *ticks(const char *at, const char *end, struct dp_time *now)
{
    struct dp_time step, after;
    const char *next = single_ticks(at, &step);

    if (!next) {
        next = short_ticks(at + 2, &step);
        if (!next)
            next = any_ticks(at + 2, &step);
    }
    if (!next || next > end)
        return NULL;
    after.user = now->user + step.user;
    after.sys = now->sys + step.sys;
    after.real = now->real + step.real;
    if (after.user > DP_TMON_MOST || after.sys > DP_TMON_MOST || after.real > DP_TMON_MOST)
        return NULL;
    *now = after;
    return next;
}

const char *dp_tmon_compact_marks(struct dp_tmon *tmon, const char *at, const char *end)
{
    struct dp_build *build = tmon->build;
    struct dp_time now = build->now; /* the builder's clock follows at each mark */

    if (build->reenter || !build->began)
        return at;
    while (at < end) {
        const char *next = NULL;

        build->line++;
        if (at[1] == ' ' && end - at > 2) {
            if (*at == '@')
                next = ticks(at, end, &now);
            else if (*at == '+')
                next = enter(tmon, at + 2, end, &now);
            else if (*at == '-')
                next = leave(tmon, at + 2, end, &now);
        }
        if (!next) {
            build->line--;
            break;
        }
        at = next;
    }
    dp_build_step(build, &now);
    return at;
}

/* A clock that only knows steps begins at 0. (In a file of ours the first @ sets the clock; it is
   no step.) */
static void begin(struct dp_build *build)
{
    const struct dp_time zero = {0, 0, 0};

    if (!build->began)
        dp_build_tick(build, &zero);
}

static void mark(struct dp_tmon *tmon, char sign, uint32_t sub)
{
    struct dp_build *build = tmon->build;

    begin(build);
    if (sign == '+')
        dp_build_enter(build, sub, &build->now);
    else if (sign == '-')
        dp_build_leave(build, sub, &build->now);
    else if (sign == '*')
        dp_build_jump(build, sub, &build->now);
    else
        dp_build_leave_top(build, &build->now);
}

/* The time of writing is nobody's. */
static void write_mark(struct dp_tmon *tmon, char sign)
{
    struct dp_build *build = tmon->build;

    begin(build);
    if (sign == '+')
        dp_build_stop(build, &build->now);
    else
        dp_build_start(build, &build->now);
}

static int named_mark(struct dp_tmon *tmon, char sign, struct dp_line name)
{
    while (name.at < name.end && *name.at == ' ')
        name.at++;
    if (name.at == name.end)
        return 0;
    if (dp_line_is(name, WRITE_SUB))
        write_mark(tmon, sign);
    else
        mark(tmon, sign, dp_tmon_sub(tmon, name.at, (size_t)(name.end - name.at)));
    return 1;
}

int dp_tmon_compact_mark(struct dp_tmon *tmon, char sign, struct dp_line line)
{
    struct dp_line rest = line, field;
    uint64_t id;

    if (dp_line_field(&rest, &field) && dp_line_is(field, "&"))
        return named_mark(tmon, sign, rest);
    if (!dp_line_hex(&line, &id) || dp_line_field(&line, &field))
        return 0;
    mark(tmon, sign, dp_tmon_sub_of_id(tmon, id));
    return 1;
}

int dp_tmon_compact_name(struct dp_tmon *tmon, struct dp_line line)
{
    struct dp_line pkg;
    uint64_t id;

    if (!dp_line_hex(&line, &id) || line.at == line.end)
        return 0;
    pkg.at = ++line.at;
    while (line.at < line.end && *line.at != ' ')
        line.at++;
    pkg.end = line.at;
    if (line.at == line.end)
        return 0;
    line.at++;
    dp_tmon_define(tmon, id, pkg, line);
    return 1;
}

static int64_t clock_after(struct dp_tmon *tmon, int64_t now, int64_t step)
{
    if (now + step >= -DP_TMON_MOST && now + step <= DP_TMON_MOST)
        return now + step;
    dp_note(tmon->prof, DP_NOTE_IMPOSSIBLE, tmon->build->line, "time leapt by %lld ticks; left out",
            (long long)step);
    return now;
}

int dp_tmon_compact_ticks(struct dp_tmon *tmon, struct dp_line line)
{
    struct dp_build *build = tmon->build;
    struct dp_time step = {0, 0, 0}, now;

    if (!dp_line_time(tmon, &line, &step))
        return 0;
    if (!tmon->ours)
        begin(build);
    now.user = clock_after(tmon, build->now.user, step.user);
    now.sys = clock_after(tmon, build->now.sys, step.sys);
    now.real = clock_after(tmon, build->now.real, step.real);
    dp_build_tick(build, &now);
    return 1;
}
