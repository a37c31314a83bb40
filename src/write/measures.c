#include "write/measures.h"

#define BILLION 1000000000

static const struct dp_measure of_times[] = {
    {DP_CALLS, "calls", "count", "Calls"},
    {DP_CPU, "cpu", "nanoseconds", "User and system time (ns)"},
    {DP_WALL, "wall", "nanoseconds", "Elapsed time (ns)"},
    {DP_USER, "user", "nanoseconds", "User time (ns)"},
    {DP_SYSTEM, "system", "nanoseconds", "System time (ns)"},
};
static const struct dp_measure of_counts[] = {
    {DP_CALLS, "calls", "count", "Calls"},
    {DP_STATEMENTS, "statements", "count", "Statements"},
};

const struct dp_measure *dp_measures(const struct dp_profile *prof, unsigned *n)
{
    if (!prof->counts) {
        *n = sizeof of_times / sizeof *of_times;
        return of_times;
    }
    *n = prof->statements ? 2 : 1;
    return of_counts;
}

const struct dp_measure *dp_main_measure(const struct dp_job *job)
{
    static const enum dp_measured of_clock[DP_NCLOCKS] = {DP_CPU, DP_USER, DP_SYSTEM, DP_WALL};

    if (job->prof->counts)
        return &of_counts[job->prof->statements ? 1 : 0];
    for (unsigned i = 0; i < sizeof of_times / sizeof *of_times; i++)
        if (of_times[i].what == of_clock[job->view->clock])
            return &of_times[i];
    return of_times;
}

int64_t dp_nanoseconds(int64_t ticks, uint64_t hz)
{
    uint64_t n = ticks > 0 ? (uint64_t)ticks : 0;
    double part;

    if (n / hz >= INT64_MAX / BILLION)
        return INT64_MAX;
    part = (double)(n % hz) * BILLION / (double)hz;
    return (int64_t)(n / hz) * BILLION + (int64_t)(part + 0.5);
}

int64_t dp_measure(const struct dp_profile *prof, const struct dp_measure *measure, uint64_t calls,
                   const struct dp_time *time)
{
    switch (measure->what) {
    case DP_CALLS:
        return calls > INT64_MAX ? INT64_MAX : (int64_t)calls;
    case DP_CPU:
        return dp_nanoseconds(time->user + time->sys, prof->hz);
    case DP_WALL:
        return dp_nanoseconds(time->real, prof->hz);
    case DP_USER:
        return dp_nanoseconds(time->user, prof->hz);
    case DP_SYSTEM:
        return dp_nanoseconds(time->sys, prof->hz);
    default:
        return time->user;
    }
}

int64_t dp_measure_node(const struct dp_profile *prof, const struct dp_measure *measure,
                        uint32_t node)
{
    return dp_measure(prof, measure, prof->nodes[node].calls, &prof->nodes[node].self);
}
