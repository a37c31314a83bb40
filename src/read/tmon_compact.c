/* Marks with ids: `& 1f main bar` introduces one, `@ 1 0 1` lets time pass, `+ 1f` and `- 1f` enter
   and leave, `* 1f` and `/ 1f` are the original's goto and unwinding. Before perl 5.004_55 the
   original wrote `+ & main::bar`. */
#include "read/tmon.h"

#include "base/digits.h"

/* The sub that the original pretends to call while it writes its buffer out. */
#define WRITE_SUB "Devel::DProf::write"

static int says(const char *at, const struct dp_tmon *tmon, uint32_t sub)
{
#if DP_WORDS
    return sub < tmon->nwritten && tmon->written[sub].mask &&
           (dp_load8(at) & tmon->written[sub].mask) == tmon->written[sub].id;
#else
    return 0;
#endif
}

static const char *line_after(const char *at, const char *end)
{
    while (at < end && *at != '\n')
        at++;
    return at < end ? at + 1 : NULL;
}

/* The sub of a plain `ID` at the end of a line, or DP_NONE. */
static uint32_t looked_up(const struct dp_tmon *tmon, const char *at, const char *end)
{
    struct dp_line line = {at, end - 1};
    uint64_t id;

    if (!dp_line_hex(&line, &id) || line.at != line.end)
        return DP_NONE;
    return dp_idmap_find(&tmon->ids, id);
}

static const char *enter(struct dp_tmon *tmon, const char *at, const char *end)
{
    struct dp_build *build = tmon->build;
    struct dp_guess guess = dp_build_guess(build);
    const char *next = line_after(at, end);
    uint32_t sub;

    if (!next)
        return NULL;
    if (says(at, tmon, guess.sub)) {
        dp_build_enter_guess(build, guess, &build->now);
        return next;
    }
    sub = looked_up(tmon, at, next);
    if (sub == DP_NONE)
        return NULL;
    dp_build_enter(build, sub, &build->now);
    return next;
}

static const char *leave(struct dp_tmon *tmon, const char *at, const char *end)
{
    struct dp_build *build = tmon->build;
    uint32_t sub = build->frames[build->depth].expect;
    const char *next = line_after(at, end);

    if (!next)
        return NULL;
    if (!(sub != DP_NONE && says(at, tmon, sub)) && (sub = looked_up(tmon, at, next)) == DP_NONE)
        return NULL;
    dp_build_leave(build, sub, &build->now);
    return next;
}

static const char *ticks(struct dp_tmon *tmon, const char *at, const char *end)
{
    struct dp_build *build = tmon->build;
    struct dp_time step, now = build->now;

    if (!(at = dp_digits(at, &step.user)) || *at++ != ' ' || !(at = dp_digits(at, &step.sys)) ||
        *at++ != ' ' || !(at = dp_digits(at, &step.real)) || *at++ != '\n' || at > end)
        return NULL;
    now.user += step.user;
    now.sys += step.sys;
    now.real += step.real;
    if (now.user > DP_TMON_MOST || now.sys > DP_TMON_MOST || now.real > DP_TMON_MOST)
        return NULL;
    dp_build_step(build, &now);
    return at;
}

const char *dp_tmon_compact_marks(struct dp_tmon *tmon, const char *at, const char *end)
{
    struct dp_build *build = tmon->build;

    if (build->reenter || !build->began)
        return at;
    while (at < end) {
        const char *next = NULL;

        build->line++;
        if (at[1] == ' ' && end - at > 2) {
            if (*at == '@')
                next = ticks(tmon, at + 2, end);
            else if (*at == '+')
                next = enter(tmon, at + 2, end);
            else if (*at == '-')
                next = leave(tmon, at + 2, end);
        }
        if (!next) {
            build->line--;
            break;
        }
        at = next;
    }
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
