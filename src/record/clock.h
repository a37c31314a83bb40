/*
 * The recorder's clock: user, system and real time at the price of a counter.
 *
 * A reading costs one look at the processor's counter. The kernel is asked (a synchronisation) only when
 * its answer could differ from what the counter says:
 *   coarse (hz=100)   when a tick of times(2) could have passed;
 *   fine (the others) after a pause, after a preemption (rseq told us), and once a millisecond.
 * Between two synchronisations of the fine clock, CPU time runs with real time; a wait always lies inside
 * a pause between two marks. Nothing ever runs backwards: what was given out is a floor.
 *
 * The measurements behind this are in doc/recorder.md.
 */
#ifndef DPROF_RECORD_CLOCK_H
#define DPROF_RECORD_CLOCK_H

#include <stddef.h>
#include <stdint.h>
#include <time.h>

#if defined(__GNUC__)
#define DP_LIKELY(x) __builtin_expect(!!(x), 1)
#define DP_UNLIKELY(x) __builtin_expect(!!(x), 0)
#define DP_COLD __attribute__((noinline, cold))
#define DP_APART __attribute__((noinline))
#define DP_INLINE static inline __attribute__((always_inline))
#else
#define DP_LIKELY(x) (x)
#define DP_UNLIKELY(x) (x)
#define DP_COLD
#define DP_APART
#define DP_INLINE static inline
#endif

/* Times are given out as a block and an offset in it, so that a writer only has to rewrite the last
   four digits of a number while the block stays. */
#define DP_BLOCK 10000

struct dp_clock {
    /* read at every mark */
    uint64_t due;   /* counter at which the next synchronisation is due */
    uint64_t last;  /* counter at the reading before */
    uint64_t gap;   /* a longer pause than this is synchronised (fine clock) */
    int64_t mult;   /* ticks a unit of the counter, with 32 binary places */
    int64_t uzero;  /* counter at which the present block of user ticks began */
    int64_t rzero;  /* the same for real ticks */
    int64_t ufloor; /* offsets in the block that were given out before the last synchronisation */
    int64_t rfloor;
    ptrdiff_t rseq; /* from the thread pointer to its rseq_cs field; 0: not used */
    int coarse;     /* 1: hz=100, the ticks of times(2) */
    int stale;      /* set when a block or the system time changed: prefixes must be made anew */

    /* read at a synchronisation */
    uint64_t ublock; /* user ticks at uzero: a multiple of DP_BLOCK; coarse: the ticks themselves */
    uint64_t rblock;
    uint64_t sys; /* system ticks */
    uint64_t hz;
    uint64_t tick_ns;
    double per_ns;       /* units of the counter in a nanosecond */
    uint64_t count0;     /* counter and monotonic clock at the start, one moment */
    uint64_t mono0;      /* ns */
    uint64_t real0;      /* ns: what times(2) returned at mono0 */
    uint64_t rusage_due; /* counter at which the split of user and system is read again */
    uint64_t sync_count; /* counter and CPU time (ns) at the last synchronisation */
    uint64_t sync_cpu;
    uint64_t sys_ns;     /* the kernel's system time when it was last read */
    uint64_t settled;    /* ns of the base line that per_ns was last taken from */
    const void *thread;  /* whose CPU time is read; an interpreter may change its thread */
    int64_t cpu_shift;   /* ns to add to the thread's CPU time, so that it goes on from where it was */
    int64_t sys_shift;
};

/* Absolute ticks. */
struct dp_stamp {
    uint64_t user;
    uint64_t sys;
    uint64_t real;
};

/* 1: the time-stamp counter is used; 0: clock_gettime. Set once by dp_clock_init(). */
extern int dp_counter_is_tsc;

/* Starts the clock. hz: 100, 1000, 1000000 or 1000000000. portable: clock_gettime and getrusage only. */
void dp_clock_init(struct dp_clock *clock, uint64_t hz, int portable);

/* A copied clock for a forked child, whose CPU time the kernel counts from zero, or for a new thread, whose
   CPU time begins now. */
void dp_clock_restart(struct dp_clock *clock, int thread);

/* Synchronises at once, and takes the rate of the counter anew from all the time since the start. */
void dp_clock_settle(struct dp_clock *clock);

/* Stops using what points into this library. */
void dp_clock_stop(struct dp_clock *clock);

/* Synchronises with the kernel: see above. */
void dp_clock_sync(struct dp_clock *clock, uint64_t now);

/* Moves on to the block in which `user` and `real` (offsets, maybe beyond the block) lie, and brings
   them back into it. */
void dp_clock_turn(struct dp_clock *clock, int64_t *user, int64_t *real);

/* The time that was given out last, without asking anybody. */
struct dp_stamp dp_clock_given(const struct dp_clock *clock);

/* The time at counter value `now`. */
struct dp_stamp dp_clock_stamp(struct dp_clock *clock, uint64_t now);

/* CLOCK_MONOTONIC, and the CPU time of this thread, in ns. */
uint64_t dp_mono_ns(void);
uint64_t dp_cpu_ns(void);

/* The counter. */
DP_INLINE uint64_t dp_counter(void)
{
#if defined(__GNUC__) && defined(__x86_64__)
    if (DP_LIKELY(dp_counter_is_tsc))
        return __builtin_ia32_rdtsc();
#elif defined(__GNUC__) && defined(__aarch64__)
    if (DP_LIKELY(dp_counter_is_tsc)) {
        uint64_t count;
        __asm__ volatile("mrs %0, cntvct_el0" : "=r"(count));
        return count;
    }
#endif
    return dp_mono_ns();
}

/* What the kernel finds in rseq_cs while nothing has interrupted the thread. */
struct dp_rseq_cs {
    uint32_t version, flags;
    uint64_t start_ip, post_commit_offset, abort_ip;
};
extern struct dp_rseq_cs dp_rseq_cs;

#if defined(__GNUC__) && defined(__x86_64__) && defined(__linux__) && __GNUC__ >= 11
#define DP_HAVE_RSEQ 1
DP_INLINE volatile uint64_t *dp_rseq_field(const struct dp_clock *clock)
{
    return (volatile uint64_t *)((char *)__builtin_thread_pointer() + clock->rseq);
}
DP_INLINE int dp_interrupted(const struct dp_clock *clock)
{
    return clock->rseq && *dp_rseq_field(clock) != (uint64_t)(uintptr_t)&dp_rseq_cs;
}
#else
#define DP_HAVE_RSEQ 0
DP_INLINE int dp_interrupted(const struct dp_clock *clock)
{
    (void)clock;
    return 0;
}
#endif

/* Coarse: ublock, sys and rblock are right at `now`. */
DP_INLINE void dp_clock_read_coarse(struct dp_clock *clock, uint64_t now)
{
    if (DP_UNLIKELY(now >= clock->due))
        dp_clock_sync(clock, now);
}

/* Fine: must the kernel be asked before `now` can be told? */
DP_INLINE int dp_clock_is_due(const struct dp_clock *clock, uint64_t now)
{
    return now >= clock->due || now - clock->last > clock->gap || dp_interrupted(clock);
}

/* Synchronises for the end of a call and returns the counter after it: kernels take the processor away
   when they are asked, since that is when they see that the time slice is used up. It was the call that
   used it. */
uint64_t dp_clock_after(struct dp_clock *clock, uint64_t now);

/* Fine: the offsets of user and real time in their blocks at `now`. `leaving`: it is the end of a call. */
DP_INLINE void dp_clock_read_fine(struct dp_clock *clock, uint64_t now, int leaving, int64_t *user,
                                  int64_t *real)
{
    int64_t u, r;

    if (DP_UNLIKELY(dp_clock_is_due(clock, now))) {
        if (leaving)
            now = dp_clock_after(clock, now);
        else
            dp_clock_sync(clock, now);
    }
    clock->last = now;
    u = ((int64_t)now - clock->uzero) * clock->mult >> 32;
    r = ((int64_t)now - clock->rzero) * clock->mult >> 32;
    if (u < clock->ufloor)
        u = clock->ufloor;
    if (r < clock->rfloor)
        r = clock->rfloor;
    if (DP_UNLIKELY(u >= DP_BLOCK || r >= DP_BLOCK))
        dp_clock_turn(clock, &u, &r);
    *user = u;
    *real = r;
}

#endif
