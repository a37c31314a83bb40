/* Lines and their fields. */
#include "read/tmon.h"

#include "base/escape.h"

int dp_line_field(struct dp_line *line, struct dp_line *field)
{
    while (line->at < line->end && (*line->at == ' ' || *line->at == '\t'))
        line->at++;
    field->at = line->at;
    while (line->at < line->end && *line->at != ' ' && *line->at != '\t')
        line->at++;
    field->end = line->at;
    return field->at < field->end;
}

int dp_line_is(struct dp_line field, const char *word)
{
    size_t n = (size_t)(field.end - field.at);

    return strlen(word) == n && memcmp(field.at, word, n) == 0;
}

static int is_digit(char c)
{
    return c >= '0' && c <= '9';
}

int dp_line_number(struct dp_tmon *tmon, struct dp_line *line, int64_t *value)
{
    struct dp_line rest = *line, field;
    int64_t number = 0;
    int negative, too_large = 0;

    if (!dp_line_field(&rest, &field))
        return 0;
    negative = *field.at == '-';
    field.at += negative;
    if (field.at == field.end)
        return 0;
    for (; field.at < field.end; field.at++) {
        if (!is_digit(*field.at))
            return 0;
        if (number <= DP_TMON_MOST / 10)
            number = number * 10 + (*field.at - '0');
        else
            too_large = 1;
    }
    *line = rest;
    if (too_large || number > DP_TMON_MOST)
        dp_note(tmon->prof, DP_NOTE_IMPOSSIBLE, tmon->build->line,
                "a number of more than 10^18; left out");
    else
        *value = negative ? -number : number;
    return 1;
}

int dp_line_time(struct dp_tmon *tmon, struct dp_line *line, struct dp_time *at)
{
    return dp_line_number(tmon, line, &at->user) && dp_line_number(tmon, line, &at->sys) &&
           dp_line_number(tmon, line, &at->real);
}

int dp_line_hex(struct dp_line *line, uint64_t *value)
{
    struct dp_line rest = *line, field;

    if (!dp_line_field(&rest, &field) || field.end - field.at > 16)
        return 0;
    for (*value = 0; field.at < field.end; field.at++) {
        int digit = dp_hex_digit(*field.at);

        if (digit < 0)
            return 0;
        *value = *value << 4 | (uint64_t)digit;
    }
    *line = rest;
    return 1;
}

void dp_tmon_bad_line(struct dp_tmon *tmon, const char *wanted, struct dp_line line)
{
    size_t n = (size_t)(line.end - line.at);

    dp_note(tmon->prof, DP_NOTE_BAD_LINE, tmon->build->line, "expected %s, found \"%.*s\"", wanted,
            (int)(n < 60 ? n : 60), line.at);
}
