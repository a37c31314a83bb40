/* The header: lines of `$name=value;` up to the first PART. The original's readers evaluate them;
   here they are only looked at. */
#include "read/tmon.h"

#include "base/tmon_tags.h"

#define MOST_HZ 1000000000
#define FIRST_OF_OURS "DProf 20260101" /* XS_VERSION; the original's last is 20110802 */

static int is_blank(char c)
{
    return c == ' ' || c == '\t';
}

static int is_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

static void skip_blanks(struct dp_line *line)
{
    while (line->at < line->end && is_blank(*line->at))
        line->at++;
}

/* `$name = value`, with or without its `;`. 0: there is none. A value in quotes comes without them.
 */
static int assignment(struct dp_line *line, struct dp_line *name, struct dp_line *value)
{
    char stop = ';';

    skip_blanks(line);
    if (line->at == line->end || *line->at != '$')
        return 0;
    for (name->at = ++line->at; line->at < line->end && is_word(*line->at); line->at++)
        continue;
    name->end = line->at;
    skip_blanks(line);
    if (line->at == line->end || *line->at != '=')
        return 0;
    line->at++;
    skip_blanks(line);
    if (line->at < line->end && (*line->at == '\'' || *line->at == '"'))
        stop = *line->at++;
    for (value->at = line->at; line->at < line->end && *line->at != stop; line->at++)
        continue;
    value->end = line->at;
    while (line->at < line->end && (*line->at == stop || *line->at == ';' || is_blank(*line->at)))
        line->at++;
    return 1;
}

/* A whole number, a fraction cut off; 0 and a note if it is none or cannot be believed. */
static int integer(struct dp_tmon *tmon, struct dp_line name, struct dp_line value, int64_t *number)
{
    struct dp_line text = value;
    int64_t found = -DP_TMON_MOST - 1;

    for (const char *c = value.at; c < value.end; c++)
        if (*c == '.')
            text.end = text.end < c ? text.end : c;
    if (dp_line_number(tmon, &text, &found) && found >= -DP_TMON_MOST) {
        *number = found;
        return 1;
    }
    dp_note(tmon->prof, DP_NOTE_HEADER, tmon->build->line,
            "expected a number for $%.*s, found \"%.*s\"", (int)(name.end - name.at), name.at,
            (int)(value.end - value.at < 40 ? value.end - value.at : 40), value.at);
    return 0;
}

static void set_hz(struct dp_tmon *tmon, struct dp_line name, struct dp_line value)
{
    int64_t hz;

    if (!integer(tmon, name, value, &hz))
        return;
    if (hz < 1 || hz > MOST_HZ) {
        dp_note(tmon->prof, DP_NOTE_NO_HZ, tmon->build->line,
                "$hz=%lld cannot be; taken as 100 ticks a second", (long long)hz);
        return;
    }
    tmon->prof->hz = (uint64_t)hz;
    tmon->has_hz = 1;
}

/* The variables that are plain numbers. */
static int64_t *number_of(struct dp_tmon *tmon, struct dp_line name)
{
    const struct {
        const char *name;
        int64_t *to;
    } known[] = {
        {"over_utime", &tmon->over.user}, {"over_stime", &tmon->over.sys},
        {"over_rtime", &tmon->over.real}, {"over_tests", &tmon->over_tests},
        {"rrun_utime", &tmon->rrun.user}, {"rrun_stime", &tmon->rrun.sys},
        {"rrun_rtime", &tmon->rrun.real}, {"total_marks", &tmon->stated_marks},
    };

    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (dp_line_is(name, known[i].name))
            return known[i].to;
    return NULL;
}

/* Ours has its totals in the header from the start: they say nothing of the end. The #run line says
   so too, but a file may be cut before it. */
static void set_version(struct dp_tmon *tmon, struct dp_line value)
{
    static const char first[] = FIRST_OF_OURS;
    size_t n = (size_t)(value.end - value.at);

    tmon->prof->run.version = dp_tmon_text(tmon, value.at, n);
    if (n >= sizeof first - 1 && memcmp(value.at, first, 6) == 0 &&
        memcmp(value.at, first, sizeof first - 1) >= 0)
        tmon->needs_end = 1;
}

static void set(struct dp_tmon *tmon, struct dp_line name, struct dp_line value)
{
    int64_t *number = number_of(tmon, name);

    if (dp_line_is(name, "hz"))
        set_hz(tmon, name, value);
    else if (dp_line_is(name, "XS_VERSION"))
        set_version(tmon, value);
    else if (number && integer(tmon, name, value, number) && number == &tmon->rrun.real)
        tmon->has_rrun = 1;
}

void dp_tmon_header(struct dp_tmon *tmon, struct dp_line line)
{
    struct dp_line name, value, whole = line;

    while (assignment(&line, &name, &value))
        set(tmon, name, value);
    skip_blanks(&line);
    if (line.at < line.end)
        dp_note(tmon->prof, DP_NOTE_HEADER, tmon->build->line,
                "expected $name=value; in the header, found \"%.*s\"",
                (int)(whole.end - whole.at < 60 ? whole.end - whole.at : 60), whole.at);
}

static int64_t not_negative(int64_t ticks)
{
    return ticks < 0 ? 0 : ticks;
}

void dp_tmon_header_done(struct dp_tmon *tmon)
{
    struct dp_time *rrun = &tmon->rrun;

    if (!tmon->has_hz && !dp_find_note(tmon->prof, DP_NOTE_NO_HZ))
        dp_note(tmon->prof, DP_NOTE_NO_HZ, 0, "no usable $hz; taken as 100 ticks a second");
    if (rrun->user < 0 || rrun->sys < 0 || rrun->real < 0)
        dp_note(tmon->prof, DP_NOTE_HEADER, 0, "negative $rrun_ times; left out");
    rrun->user = not_negative(rrun->user);
    rrun->sys = not_negative(rrun->sys);
    rrun->real = not_negative(rrun->real);
    if (tmon->over_tests > 0)
        dp_tmon_over(tmon, &tmon->over, tmon->over_tests, DP_KIND_UNKNOWN);
}
