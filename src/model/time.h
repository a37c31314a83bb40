/*
 * Amounts of time.
 */
#ifndef DPROF_MODEL_TIME_H
#define DPROF_MODEL_TIME_H

#include "model/profile.h"

/* An amount with fractions of ticks, for overheads. */
struct dp_amount {
    double user;
    double sys;
    double real;
};

static inline void dp_add_time(struct dp_time *to, const struct dp_time *what)
{
    to->user += what->user;
    to->sys += what->sys;
    to->real += what->real;
}

static inline void dp_add_amount(struct dp_amount *to, const struct dp_amount *what, double times)
{
    to->user += what->user * times;
    to->sys += what->sys * times;
    to->real += what->real * times;
}

/* Whole ticks, held within what sums can bear. */
static inline int64_t dp_ticks(double ticks)
{
    const double most = 2e18;

    if (ticks > most)
        return (int64_t)most;
    return ticks < -most ? -(int64_t)most : (int64_t)(ticks < 0 ? ticks - 0.5 : ticks + 0.5);
}

static inline struct dp_time dp_rounded(const struct dp_amount *amount)
{
    struct dp_time time;

    time.user = dp_ticks(amount->user);
    time.sys = dp_ticks(amount->sys);
    time.real = dp_ticks(amount->real);
    return time;
}

#endif
