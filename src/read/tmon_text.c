/* Marks with absolute times and names: `+ 26012 2801 566822884101 main::bar`. */
#include "read/tmon.h"

#include "base/fields.h"

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
    struct dp_guess guess = dp_build_guess(tmon->build);

    if (guess.sub >= tmon->nwritten || !says(at, end, &tmon->written[guess.sub]))
        return NULL;
    dp_build_enter_guess(tmon->build, guess, time);
    return at + tmon->written[guess.sub].n + 1;
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
        next = sign == '+' ? guessed_enter(tmon, here, end, &time)
                           : guessed_leave(tmon, here, end, &time);
        if (!next && !(next = looked_up(tmon, sign, here, end, &time))) {
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
