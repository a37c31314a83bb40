/*
 * folded: a line for each call path, "outer;inner;innermost N", as flame graph tools write and read
 * it. Nothing in it says what N is: nanoseconds unless --clock tells how many of it make a second
 * (samples a second of a sampling profiler). Calls were not counted.
 */
#include <string.h>

#include "read/read.h"

/* Time outside any sub, as our own writer names it. */
#define OUTSIDE "(outside any sub)"

enum { LONGEST_FIRST = 65536, DEFAULT_HZ = 1000000000 };
#define MOST 1000000000000000000 /* all together: what sums can bear */

struct folded {
    struct dp_build *build;
    int64_t total;
};

/* The digits at the end: 0, or the length of the path before them. */
static size_t split(const char *line, size_t n, const char **number)
{
    size_t at = n;

    while (at && ((line[at - 1] >= '0' && line[at - 1] <= '9') || line[at - 1] == '.'))
        at--;
    *number = line + at;
    if (at == n || (*number)[0] == '.' || at < 2 || (line[at - 1] != ' ' && line[at - 1] != '\t'))
        return 0;
    while (at && (line[at - 1] == ' ' || line[at - 1] == '\t'))
        at--;
    return at;
}

/* Whole ones, rounded; -1: not a number, or too large for one. */
static int64_t amount(const char *at, const char *end)
{
    int64_t value = 0;

    for (; at < end && *at != '.'; at++) {
        if (value > MOST / 10)
            return -1;
        value = value * 10 + (*at - '0');
    }
    if (at < end && memchr(at + 1, '.', (size_t)(end - at - 1)))
        return -1;
    return at + 1 < end && at[1] >= '5' ? value + 1 : value;
}

static int is_outside(const char *path, size_t n)
{
    return n == sizeof OUTSIDE - 1 && memcmp(path, OUTSIDE, n) == 0;
}

/* YES: the line can be nothing else, for it has two frames at least, no control characters and a number, or is
   our own for what is outside any sub. MORE: it can be a path of one frame. */
static enum dp_claim claim_of_line(const char *line, size_t n)
{
    const char *number;
    size_t path;

    if (n && line[n - 1] == '\r')
        n--;
    for (size_t i = 0; i < n; i++)
        if ((unsigned char)line[i] < ' ' && line[i] != '\t')
            return DP_CLAIM_NO;
    if (!n || *line == '#' || !(path = split(line, n, &number)))
        return DP_CLAIM_NO;
    if (is_outside(line, path) || memchr(line, ';', path))
        return DP_CLAIM_YES;
    return memchr(line, ' ', path) || memchr(line, '\t', path) ? DP_CLAIM_NO : DP_CLAIM_MORE;
}

/* The lines up to the first that tells. is_all: nothing comes after them. */
static enum dp_claim claim(const char *bytes, size_t n, int is_all)
{
    const char *end = bytes + n, *line = bytes, *newline;
    enum dp_claim claim = DP_CLAIM_MORE;

    for (; line < end && claim == DP_CLAIM_MORE; line = newline + 1) {
        newline = memchr(line, '\n', (size_t)(end - line));
        if (!newline && !is_all)
            break;
        newline = newline ? newline : end;
        claim = claim_of_line(line, (size_t)(newline - line));
    }
    return claim == DP_CLAIM_MORE && n >= LONGEST_FIRST ? DP_CLAIM_NO : claim;
}

static enum dp_claim claims(const char *bytes, size_t n)
{
    return claim(bytes, n, 0);
}

/* For a last line without a newline. */
static int owns(const char *bytes, size_t n)
{
    return claim(bytes, n, 1) == DP_CLAIM_YES;
}

static void add(struct dp_build *build, const char *at, const char *end, int64_t value)
{
    const struct dp_time self = {value, 0, value};
    uint32_t node = 0, sub = DP_NONE;

    while (at < end && *at == ';')
        at++;
    while (end > at && (end[-1] == ';' || end[-1] == ' '))
        end--;
    if (is_outside(at, (size_t)(end - at)))
        at = end;
    while (at < end) {
        const char *stop = memchr(at, ';', (size_t)(end - at));

        const char *last;

        stop = last = stop ? stop : end;
        while (last > at && last[-1] == ' ')
            last--;
        if (last > at) {
            if (sub != DP_NONE)
                node = dp_build_place(build, node, sub);
            sub = dp_build_sub(build, at, (size_t)(last - at));
        }
        at = stop + 1;
    }
    dp_build_node(build, node, sub, 0, &self, NULL);
}

static void read_line(struct folded *folded, const char *line, size_t n)
{
    struct dp_build *build = folded->build;
    const char *number;
    size_t path;
    int64_t value;

    build->line++;
    if (n && line[n - 1] == '\r')
        n--;
    if (!n || *line == '#')
        return;
    path = split(line, n, &number);
    value = path ? amount(number, line + n) : -1;
    if (value < 0 || value > MOST - folded->total) {
        dp_note(build->prof, path ? DP_NOTE_IMPOSSIBLE : DP_NOTE_BAD_LINE, build->line,
                path ? "a number that is none or too large; left out"
                     : "expected frames, a blank and a number; left out");
        return;
    }
    folded->total += value;
    add(build, line, line + path, value);
}

static int read_folded(struct dp_in *in, struct dp_build *build, struct dp_err *err)
{
    struct folded folded = {build, 0};
    size_t seen = 0;

    build->prof->uncounted = 1;
    build->prof->hz = build->hints && build->hints->hz ? build->hints->hz : DEFAULT_HZ;
    for (;;) {
        const char *newline = memchr(in->at + seen, '\n', (size_t)(in->end - in->at) - seen);

        if (newline) {
            read_line(&folded, in->at, (size_t)(newline - in->at));
            in->at = newline + 1;
            seen = 0;
            continue;
        }
        seen = (size_t)(in->end - in->at);
        if (!dp_in_more(in))
            break;
    }
    if (in->at < in->end)
        read_line(&folded, in->at, (size_t)(in->end - in->at));
    in->at = in->end;
    build->line = 0;
    dp_build_end(build, 1);
    return build->prof->nsubs || build->prof->nodes[0].self.real
               ? 0
               : dp_fail(err, "no line is a path of frames with a number");
}

const struct dp_reader dp_read_folded = {
    .name = "folded",
    .about = "folded stacks: outer;inner N (nanoseconds, or --clock of them a second)",
    .claims = claims,
    .read = read_folded,
    .owns = owns,
};
