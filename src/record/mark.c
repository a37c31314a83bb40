#include "record/mark.h"

#include "base/tmon_tags.h"
#include "record/header.h"
#include "record/tree.h"

#include <stdio.h>
#include <stdlib.h>

uint16_t dp_pairs[100];

void dp_mark_init(void)
{
    int i;

    for (i = 0; i < 100; i++) {
        char pair[2];

        pair[0] = (char)('0' + i / 10);
        pair[1] = (char)('0' + i % 10);
        memcpy(&dp_pairs[i], pair, 2);
    }
}

char *dp_decimal(char *to, uint64_t value)
{
    char digits[20];
    int n = 0;

    do {
        digits[n++] = (char)('0' + value % 10);
        value /= 10;
    } while (value);
    while (n)
        *to++ = digits[--n];
    return to;
}

void dp_mark_prefix(struct dp_recorder *recorder, int64_t user)
{
    struct dp_clock *clock = &recorder->clock;
    char *s = recorder->prefix;
    int fine = recorder->dialect == DP_TEXT_FINE;
    int small = fine && clock->ublock == 0;

    *s++ = DP_TMON_ENTER;
    *s++ = ' ';
    s = dp_decimal(s, clock->ublock + (small ? (uint64_t)user : 0));
    recorder->user_at = (uint32_t)(s - recorder->prefix) - 4;
    *s++ = ' ';
    s = dp_decimal(s, clock->sys);
    *s++ = ' ';
    s = dp_decimal(s, clock->rblock);
    recorder->real_at = (uint32_t)(s - recorder->prefix) - 4;
    *s++ = ' ';
    recorder->prefix_length = (uint32_t)(s - recorder->prefix);
    memset(s, '#', (size_t)(recorder->prefix + sizeof recorder->prefix - s));
    /* Below the first block user time has no four digits to rewrite: the prefix holds the number
       itself and is made anew each time, and the digits of real time land on their place twice. */
    if (small)
        recorder->user_at = recorder->real_at;
    clock->stale = small;
}

static char *put_ticks(char *to, int64_t ticks)
{
    if (ticks < 0) {
        *to++ = '-';
        ticks = -ticks;
    }
    return dp_decimal(to, (uint64_t)ticks);
}

/* The ticks since the last @, if there are any. */
static char *elapsed(struct dp_recorder *recorder, char *to, const struct dp_stamp *stamp)
{
    struct dp_stamp *written = &recorder->written;

    if (stamp->real == written->real && stamp->user == written->user && stamp->sys == written->sys)
        return to;
    *to++ = DP_TMON_TICKS;
    *to++ = ' ';
    to = put_ticks(to, (int64_t)(stamp->user - written->user));
    *to++ = ' ';
    to = put_ticks(to, (int64_t)(stamp->sys - written->sys));
    *to++ = ' ';
    to = put_ticks(to, (int64_t)(stamp->real - written->real));
    *to++ = '\n';
    *written = *stamp;
    return to;
}

static void compact_mark(struct dp_recorder *recorder, char *to, const struct dp_sub *sub, char sign)
{
    memcpy(to, sub->mark, sizeof sub->mark);
    *to = sign;
    to += sub->mark_length;
    memset(to, '#', 64); /* what the longer line before may have left */
    recorder->window.next = to;
    recorder->marks++;
}

void dp_mark_compact(struct dp_recorder *recorder, const struct dp_sub *sub, char sign, uint64_t now)
{
    char *to = recorder->window.next;

    if (DP_UNLIKELY(to >= *recorder->window.limit || sub->generation != recorder->generation)) {
        dp_mark_slow(recorder, (struct dp_sub *)(uintptr_t)sub, sign, now);
        return;
    }
    if (recorder->clock.coarse) {
        dp_clock_read_coarse(&recorder->clock, now);
        if (DP_UNLIKELY(recorder->clock.stale)) {
            struct dp_stamp stamp = dp_clock_stamp(&recorder->clock, now);

            to = elapsed(recorder, to, &stamp);
            recorder->clock.stale = 0;
        }
    } else {
        struct dp_stamp stamp;

        if (sign == '-' && dp_clock_is_due(&recorder->clock, now))
            now = dp_clock_after(&recorder->clock, now);
        stamp = dp_clock_stamp(&recorder->clock, now);

        to = elapsed(recorder, to, &stamp);
    }
    memcpy(to, sub->mark, sizeof sub->mark);
    *to = sign;
    recorder->window.next = to + sub->mark_length;
    recorder->marks++;
}

/* PKG NAME of the compact dialect, from PKG::NAME. The separator is the last "::" before any place in
   brackets. PKG is "-" where there is none, and a package of that name is escaped. */
static char *put_introduction(char *to, const struct dp_sub *sub)
{
    const char *end = memchr(sub->text, '[', sub->length - 1);
    const char *s = end ? end : sub->text + sub->length - 1;

    to += sprintf(to, "& %x ", sub->id);
    while (s > sub->text + 1 && !(s[-1] == ':' && s[-2] == ':'))
        s--;
    if (s == sub->text + 3 && *sub->text == '-') {
        to += sprintf(to, "\\x2d");
    } else if (s > sub->text + 1) {
        memcpy(to, sub->text, (size_t)(s - 2 - sub->text));
        to += s - 2 - sub->text;
    } else {
        s = sub->text;
        *to++ = '-';
    }
    *to++ = ' ';
    memcpy(to, s, (size_t)(sub->text + sub->length - s));
    return to + (sub->text + sub->length - s);
}

void dp_mark_announce(struct dp_recorder *recorder, struct dp_sub *sub)
{
    char small[256];
    char *line = sub->length < 200 ? small : malloc(sub->length + 64);

    if (!line)
        return;
    sub->generation = recorder->generation;
    if (recorder->dialect >= DP_COMPACT)
        dp_window_put(&recorder->window, line, (size_t)(put_introduction(line, sub) - line));
    if (line != small)
        free(line);
    if (sub->told == recorder->files)
        return;
    sub->told = recorder->files;
    dp_header_sub(recorder, sub);
}

static void mark_long(struct dp_recorder *recorder, struct dp_sub *sub, char sign,
                      const struct dp_stamp *stamp)
{
    char start[80];
    char *s = start;

    *s++ = sign;
    *s++ = ' ';
    s = dp_decimal(s, stamp->user);
    *s++ = ' ';
    s = dp_decimal(s, stamp->sys);
    *s++ = ' ';
    s = dp_decimal(s, stamp->real);
    *s++ = ' ';
    dp_window_line_begins(&recorder->window);
    if (dp_window_put(&recorder->window, start, (size_t)(s - start)) == DP_ROOM)
        dp_window_put(&recorder->window, sub->text, sub->length);
    dp_window_line_ends(&recorder->window);
    recorder->marks++;
}

void dp_mark_at(struct dp_recorder *recorder, struct dp_sub *sub, char sign,
                const struct dp_stamp *stamp)
{
    if (sub->generation != recorder->generation)
        dp_mark_announce(recorder, sub);
    if (recorder->dialect != DP_COMPACT)
        mark_long(recorder, sub, sign, stamp);
    else if (dp_window_more(&recorder->window) == DP_ROOM)
        compact_mark(recorder, elapsed(recorder, recorder->window.next, stamp), sub, sign);
}

/* Makes room while the shadow stack stands as it did before this mark: a forked child begins its profile
   with the frames that were open at the fork. */
static int room_before(struct dp_recorder *recorder, char sign)
{
    int step = sign == DP_TMON_ENTER ? 1 : -1;

    recorder->top -= step;
    if (dp_recorder_room(recorder) != 0)
        return -1;
    recorder->top += step;
    return 0;
}

/* The room that was made is a tree now. */
static void tree_mark(struct dp_recorder *recorder, struct dp_sub *sub, char sign, uint64_t now)
{
    dTHX;

    if (sign == DP_TMON_ENTER) {
        dp_tree_enter(aTHX_ recorder, sub, now);
        return;
    }
    recorder->top++;
    dp_tree_leave(recorder, now);
    recorder->top -= recorder->top > recorder->base;
}

void dp_mark_slow(struct dp_recorder *recorder, struct dp_sub *sub, char sign, uint64_t now)
{
    struct dp_stamp stamp;

    if (room_before(recorder, sign) != 0)
        return;
    if (recorder->dialect == DP_TREE) {
        tree_mark(recorder, sub, sign, now);
        return;
    }
    stamp = dp_clock_stamp(&recorder->clock, now);
    dp_mark_at(recorder, sub, sign, &stamp);
    if (recorder->window.kind == DP_WINDOW_NONE)
        dp_recorder_fail(recorder);
}
