/* Marks with absolute times and names: `+ 26012 2801 566822884101 main::bar`. */
#include "read/tmon.h"

#include "base/digits.h"

/* Is this the end of a line that says `name`? */
static inline int says(const char *at, const char *end, const struct dp_written *as)
{
    return (size_t)(end - at) > as->n && at[as->n] == '\n' && as->name &&
           dp_same_bytes(at, as->name, as->n);
}

/* An entry of the sub that was entered here the last time: most of them. */
static inline const char *guessed_enter(struct dp_tmon *tmon, const char *at, const char *end,
                                        const struct dp_time *time)
{
    uint32_t node = dp_build_guess(tmon->build), sub;

    if (node == DP_NONE)
        return NULL;
    sub = tmon->prof->nodes[node].sub;
    if (sub >= tmon->nwritten || !says(at, end, &tmon->written[sub]))
        return NULL;
    dp_build_enter_guess(tmon->build, node, time);
    return at + tmon->written[sub].n + 1;
}

/* An exit of the innermost frame. */
static inline const char *guessed_leave(struct dp_tmon *tmon, const char *at, const char *end,
                                        const struct dp_time *time)
{
    uint32_t sub = tmon->build->frames[tmon->build->depth].expect;

    if (sub >= tmon->nwritten || !says(at, end, &tmon->written[sub]))
        return NULL;
    dp_build_leave(tmon->build, sub, time);
    return at + tmon->written[sub].n + 1;
}

static const char *looked_up(struct dp_tmon *tmon, char sign, const char *at, const char *end,
                             const struct dp_time *time)
{
    const char *stop = memchr(at, '\n', (size_t)(end - at));
    uint32_t sub;

    if (!stop || stop == at || stop[-1] == '\r')
        return NULL;
    sub = dp_tmon_sub(tmon, at, (size_t)(stop - at));
    if (sign == '+')
        dp_build_enter(tmon->build, sub, time);
    else
        dp_build_leave(tmon->build, sub, time);
    return stop + 1;
}

const char *dp_tmon_text_marks(struct dp_tmon *tmon, const char *at, const char *end)
{
    struct dp_build *build = tmon->build;

    if (build->reenter)
        return at;
    while (at < end) {
        char sign = *at;
        const char *here = at + 2, *next;
        struct dp_time time;

        if ((sign != '+' && sign != '-') || at[1] != ' ' || !(here = dp_digits(here, &time.user)) ||
            *here++ != ' ' || !(here = dp_digits(here, &time.sys)) || *here++ != ' ' ||
            !(here = dp_digits(here, &time.real)) || *here++ != ' ' || here >= end)
            return at;
        build->line++;
        next = sign == '+' ? guessed_enter(tmon, here, end, &time)
                           : guessed_leave(tmon, here, end, &time);
        if (!next && !(next = looked_up(tmon, sign, here, end, &time))) {
            build->line--;
            return at;
        }
        at = next;
    }
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
