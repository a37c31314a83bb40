/*
 * Writing a mark: the time prefix and the name, both made before, copied into the window.
 */
#ifndef DPROF_RECORD_MARK_H
#define DPROF_RECORD_MARK_H

#include "record/recorder.h"

#include <string.h>

/* A longer line than this goes through dp_mark_slow(). */
#define DP_MARK_MAX 1024

/* Two digits each, as they stand in text. */
extern uint16_t dp_pairs[100];

void dp_mark_init(void);

/* Makes the prefix anew from the clock: user time lies `user` ticks in its block. */
void dp_mark_prefix(struct dp_recorder *recorder, int64_t user);

/* Marks that need room, are long, or must begin with the #sub line of their sub. */
void dp_mark_slow(struct dp_recorder *recorder, struct dp_sub *sub, char sign, uint64_t now);

/* The compact dialect: @ if the time changed, then the mark. */
void dp_mark_compact(struct dp_recorder *recorder, const struct dp_sub *sub, char sign,
                     uint64_t now);

/* One mark at a given time, in whatever dialect but the tree. */
void dp_mark_at(struct dp_recorder *recorder, struct dp_sub *sub, char sign,
                const struct dp_stamp *stamp);

/* The metadata of a sub, before its first mark in this file. */
void dp_mark_announce(struct dp_recorder *recorder, struct dp_sub *sub);

/* Writes a decimal number, returns the end. */
char *dp_decimal(char *to, uint64_t value);

/* Four digits of 0 to 9999, with leading zeros. */
DP_INLINE void dp_put_digits(char *to, int64_t value)
{
    uint32_t high = (uint32_t)value * 5243u >> 19;
    uint32_t low = (uint32_t)value - high * 100;

    memcpy(to, &dp_pairs[high], 2);
    memcpy(to + 2, &dp_pairs[low], 2);
}

/* The fixed sizes let the compiler copy in a few wide moves; what is copied too much is '#', and the
   next mark overwrites it. */
DP_INLINE char *dp_put_name(char *to, const struct dp_sub *sub)
{
    memcpy(to, sub->text, 32);
    if (DP_UNLIKELY(sub->length > 32)) {
        memcpy(to + 32, sub->text + 32, 32);
        if (sub->length > 64)
            memcpy(to + 64, sub->text + 64, sub->length - 64 + 16);
    }
    return to + sub->length;
}

DP_INLINE void dp_mark_text(struct dp_recorder *recorder, struct dp_sub *sub, char sign,
                            uint64_t now)
{
    char *to = recorder->window.next;
    int64_t user = 0, real = 0;
    int fine = recorder->dialect == DP_TEXT_FINE;

    if (DP_UNLIKELY(to >= *recorder->window.limit || sub->length > DP_MARK_MAX ||
                    sub->generation != recorder->generation)) {
        dp_mark_slow(recorder, sub, sign, now);
        return;
    }
    if (fine)
        dp_clock_read_fine(&recorder->clock, now, sign == '-', &user, &real);
    else
        dp_clock_read_coarse(&recorder->clock, now);
    if (DP_UNLIKELY(recorder->clock.stale))
        dp_mark_prefix(recorder, user);
    memcpy(to, recorder->prefix, 64);
    *to = sign;
    if (fine) {
        dp_put_digits(to + recorder->user_at, user);
        dp_put_digits(to + recorder->real_at, real);
    }
    recorder->window.next = dp_put_name(to + recorder->prefix_length, sub);
    recorder->marks++;
}

DP_INLINE void dp_mark(struct dp_recorder *recorder, struct dp_sub *sub, char sign, uint64_t now)
{
    if (DP_LIKELY(recorder->dialect <= DP_TEXT_COARSE))
        dp_mark_text(recorder, sub, sign, now);
    else
        dp_mark_compact(recorder, sub, sign, now);
}

#endif
