#include "record/clock.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/times.h>
#include <unistd.h>
#if defined(__linux__)
#include <sys/prctl.h>
#endif
#if DP_HAVE_RSEQ && defined(__GLIBC__) && __GLIBC_PREREQ(2, 35)
#include <sys/rseq.h>
#define HAVE_GLIBC_RSEQ 1
#else
#define HAVE_GLIBC_RSEQ 0
#endif
#if defined(__GLIBC__) && __GLIBC_PREREQ(2, 32)
#include <sys/single_threaded.h>
#define SINGLE_THREADED __libc_single_threaded
#else
#define SINGLE_THREADED 0
#endif

#define MSEC 1000000u /* ns */
#define USEC 1000u

/* A pause of this length (ns) may have been a wait. Where rseq tells about waits, the rule only serves
   the split of user and system time. */
#define GAP_ALONE (30 * USEC)
#define GAP_WITH_RSEQ (100 * USEC)

/* From a reading to its synchronisation it takes less than this (ns) if nothing comes between. */
#define LATE (2 * USEC)

/* Below this, asking for ticks would be asked at every mark while a counter stands near its edge. */
#define LEAST_WAIT_US 20

int dp_counter_is_tsc;
struct dp_rseq_cs dp_rseq_cs __attribute__((aligned(32)));

#if DP_HAVE_RSEQ
/* The four bytes before abort_ip must be the signature that the C library registered (0x53053053 on
   x86): the kernel checks them whenever it clears the field. Nothing ever runs there. */
static const uint32_t rseq_code[4] = {0x53053053, 0x53053053, 0x53053053, 0x53053053};
#endif

static uint64_t ns_of(clockid_t id)
{
    struct timespec t;

    clock_gettime(id, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

uint64_t dp_mono_ns(void)
{
    return ns_of(CLOCK_MONOTONIC);
}

/* The moment at which the kernel last counted a tick: times(2) tells that one's number, which may be ten ms
   ago and, where a machine is shared, more. */
static uint64_t last_tick_ns(void)
{
#if defined(CLOCK_MONOTONIC_COARSE)
    return ns_of(CLOCK_MONOTONIC_COARSE);
#else
    return dp_mono_ns();
#endif
}

uint64_t dp_cpu_ns(void)
{
#if defined(RUSAGE_THREAD)
    return ns_of(CLOCK_THREAD_CPUTIME_ID);
#else
    return ns_of(CLOCK_PROCESS_CPUTIME_ID);
#endif
}

static uint64_t usec_of(const struct timeval *t)
{
    return (uint64_t)t->tv_sec * 1000000u + (uint64_t)t->tv_usec;
}

static const void *this_thread(void)
{
    static __thread char one_each;

    return &one_each;
}

/* Is the time-stamp counter allowed, and does the kernel itself trust it? */
static int tsc_usable(void)
{
#if defined(__GNUC__) && defined(__x86_64__) && defined(__linux__)
    char name[16] = "";
    int mode = 0;
    ssize_t n;
    int fd = open("/sys/devices/system/clocksource/clocksource0/current_clocksource",
                  O_RDONLY | O_CLOEXEC);

    if (fd < 0)
        return 0;
    n = read(fd, name, sizeof name - 1);
    close(fd);
    if (n < 3 || memcmp(name, "tsc", 3) != 0)
        return 0;
    return prctl(PR_GET_TSC, &mode) != 0 || mode == PR_TSC_ENABLE;
#elif defined(__GNUC__) && defined(__aarch64__) && defined(__linux__)
    return 1;
#else
    return 0;
#endif
}

/* The rseq area of this thread, if the C library registered one and the kernel really clears the field
   when the thread waits: some kernels do not where it wakes up on the same processor. */
static ptrdiff_t rseq_offset(void)
{
#if HAVE_GLIBC_RSEQ
    struct timespec shortest = {0, 1};
    struct dp_clock probe;

    if (__rseq_size == 0)
        return 0;
    dp_rseq_cs.start_ip = (uint64_t)(uintptr_t)&rseq_code[0];
    dp_rseq_cs.post_commit_offset = 4;
    dp_rseq_cs.abort_ip = (uint64_t)(uintptr_t)&rseq_code[2];
    probe.rseq = __rseq_offset + (ptrdiff_t)offsetof(struct rseq, rseq_cs);
    *dp_rseq_field(&probe) = (uint64_t)(uintptr_t)&dp_rseq_cs;
    nanosleep(&shortest, NULL);
    return dp_interrupted(&probe) ? probe.rseq : 0;
#else
    return 0;
#endif
}

static void set_rate(struct dp_clock *clock, double per_ns)
{
    clock->per_ns = per_ns;
    clock->mult = (int64_t)(4294967296.0 / (per_ns * (double)clock->tick_ns));
    clock->gap = (uint64_t)(per_ns * (clock->rseq ? GAP_WITH_RSEQ : GAP_ALONE));
}

/* A first rate from 100 us; the synchronisations refine it. */
static double first_rate(const struct dp_clock *clock)
{
    uint64_t mono;

    if (!dp_counter_is_tsc)
        return 1.0;
    while ((mono = dp_mono_ns()) - clock->mono0 < 100 * USEC)
        ;
    return (double)(dp_counter() - clock->count0) / (double)(mono - clock->mono0);
}

/* What times(2) returns at a moment of the monotonic clock, in ns. Asked once, so that all clocks of a
   process agree. */
static uint64_t real_at(uint64_t mono)
{
    static uint64_t base, base_mono;
    struct tms unused;
    long clk_tck = sysconf(_SC_CLK_TCK);
    int tries = 5;

    if (!base) {
        do { /* no tick may come between the two */
            base_mono = last_tick_ns();
            base = (uint64_t)times(&unused) *
                   (1000000000u / (uint64_t)(clk_tck > 0 ? clk_tck : 100));
        } while (last_tick_ns() - base_mono > MSEC && --tries);
    }
    return base + mono - base_mono;
}

void dp_clock_init(struct dp_clock *clock, uint64_t hz, int portable)
{
    memset(clock, 0, sizeof *clock);
    clock->hz = hz;
    clock->coarse = hz == 100;
    clock->tick_ns = 1000000000u / hz;
    dp_counter_is_tsc = !portable && tsc_usable();
    clock->rseq = !portable && dp_counter_is_tsc && !clock->coarse ? rseq_offset() : 0;
    clock->thread = this_thread();
    clock->mono0 = dp_mono_ns();
    clock->real0 = real_at(clock->mono0);
    clock->count0 = dp_counter();
    clock->last = clock->count0;
    clock->uzero = clock->rzero = (int64_t)clock->count0;
    set_rate(clock, first_rate(clock));
    dp_clock_sync(clock, dp_counter());
}

/* Only within a synchronisation: with another rate every running number has to be set anew. */
static void refine_rate(struct dp_clock *clock)
{
    uint64_t mono, count;

    if (!dp_counter_is_tsc)
        return;
    mono = dp_mono_ns();
    count = dp_counter();
    if (mono - clock->mono0 < 2 * clock->settled || mono - clock->mono0 < 200 * USEC)
        return;
    clock->settled = mono - clock->mono0;
    set_rate(clock, (double)(count - clock->count0) / (double)clock->settled);
}

void dp_clock_stop(struct dp_clock *clock)
{
#if DP_HAVE_RSEQ
    if (clock->rseq && !dp_interrupted(clock))
        *dp_rseq_field(clock) = 0;
#endif
    clock->rseq = 0;
}

/* Coarse: after a reading, no tick can pass before so much real time has passed, since user and system
   time of one thread together never run faster than real time. Only where the kernel, at a tick of its
   own, divides the sum anew may one of them leap; it is a tick behind until the next reading. Other
   threads break that bound, and are met with a shorter one. */
static uint64_t quiet_us(uint64_t user, uint64_t sys, uint64_t real)
{
    uint64_t wait = 9999 - user % 10000;

    if (9999 - sys % 10000 < wait)
        wait = 9999 - sys % 10000;
    if (!SINGLE_THREADED)
        wait /= 8;
    if (9999 - real % 10000 < wait)
        wait = 9999 - real % 10000;
    return wait < LEAST_WAIT_US ? LEAST_WAIT_US : wait;
}

static void sync_coarse(struct dp_clock *clock, uint64_t now)
{
    struct rusage usage;
    uint64_t user, sys, real;

    getrusage(RUSAGE_SELF, &usage);
    user = usec_of(&usage.ru_utime);
    sys = usec_of(&usage.ru_stime);
    real = (clock->real0 + dp_mono_ns() - clock->mono0) / USEC;
    clock->due = now + (uint64_t)((double)quiet_us(user, sys, real) * USEC * clock->per_ns * 0.998);
    if (user / 10000 == clock->ublock && sys / 10000 == clock->sys && real / 10000 == clock->rblock)
        return;
    clock->ublock = user / 10000;
    clock->sys = sys / 10000;
    clock->rblock = real / 10000;
    clock->stale = 1;
}

/* The counter and the monotonic clock at one moment; from here on rseq tells of interruptions. */
static uint64_t counter_now(const struct dp_clock *clock, uint64_t *mono)
{
    uint64_t count;
    int tries = 3;

    do {
#if DP_HAVE_RSEQ
        if (clock->rseq)
            *dp_rseq_field(clock) = (uint64_t)(uintptr_t)&dp_rseq_cs;
#endif
        count = dp_counter();
        *mono = dp_mono_ns();
    } while (dp_interrupted(clock) && --tries);
    return count;
}

static uint64_t system_ns(void)
{
    struct rusage usage;

#if defined(RUSAGE_THREAD)
    getrusage(RUSAGE_THREAD, &usage);
#else
    getrusage(RUSAGE_SELF, &usage);
#endif
    return usec_of(&usage.ru_stime) * USEC;
}

static uint64_t given(int64_t at, int64_t zero, int64_t floor, uint64_t block, int64_t mult)
{
    int64_t offset = (at - zero) * mult >> 32;

    return block + (uint64_t)(offset < floor ? floor : offset);
}

static uint64_t between(uint64_t value, uint64_t low, uint64_t high)
{
    return value > high ? high : value < low ? low : value;
}

/* Sets one of the two running numbers: `ns` is its true value at counter `now`, `floor` what was given
   out already. */
static void set_block(const struct dp_clock *clock, int64_t ns, uint64_t now, uint64_t floor,
                      uint64_t *block, int64_t *zero, int64_t *floor_offset)
{
    int64_t ticks = ns / (int64_t)clock->tick_ns;
    uint64_t shown = ticks < (int64_t)floor ? floor : (uint64_t)ticks;

    *block = shown - shown % DP_BLOCK;
    *floor_offset = (int64_t)(floor > *block ? floor - *block : 0);
    *zero = (int64_t)now -
            (int64_t)((double)(ns - (int64_t)(*block * clock->tick_ns)) * clock->per_ns);
}

/* CPU time (ns) at `now`, of which `cpu` is known at the later `count`. What of the time since the last
   synchronisation was a wait may have lain between the two: kernels change threads at the end of
   system calls, and those of a synchronisation are such. */
static uint64_t cpu_at(struct dp_clock *clock, uint64_t now, uint64_t count, uint64_t cpu)
{
    double since = (double)(count - clock->sync_count) / clock->per_ns;
    double wait = since - (double)(cpu - clock->sync_cpu);
    double after = (double)(count - now) / clock->per_ns - (wait > 0 ? wait : 0);

    clock->sync_count = count;
    clock->sync_cpu = cpu;
    return after > 0 ? cpu - (uint64_t)after : cpu;
}

/* Another thread runs the interpreter now (one that joins a thread also ends its interpreter): its CPU
   time goes on from the ticks that were given out. */
static void change_thread(struct dp_clock *clock, uint64_t user)
{
    uint64_t cpu = (user + clock->sys) * clock->tick_ns;

    clock->cpu_shift = (int64_t)cpu - (int64_t)dp_cpu_ns();
    clock->sys_shift = (int64_t)(clock->sys * clock->tick_ns) - (int64_t)system_ns();
    clock->thread = this_thread();
}

static void sync_fine(struct dp_clock *clock, uint64_t now)
{
    uint64_t user = given((int64_t)clock->last, clock->uzero, clock->ufloor, clock->ublock, clock->mult);
    uint64_t real = given((int64_t)clock->last, clock->rzero, clock->rfloor, clock->rblock, clock->mult);
    uint64_t count, cpu, mono, cpu_ticks, sys;

    if (DP_UNLIKELY(clock->thread != this_thread()))
        change_thread(clock, user);
    count = counter_now(clock, &mono);
    cpu = cpu_at(clock, now, count, dp_cpu_ns() + (uint64_t)clock->cpu_shift);
    mono -= (uint64_t)((double)(count - now) / clock->per_ns);
    if (count >= clock->rusage_due || now - clock->last > clock->gap) {
        clock->sys_ns = system_ns() + (uint64_t)clock->sys_shift;
        clock->rusage_due = count + (uint64_t)(clock->per_ns * MSEC);
        refine_rate(clock);
    }
    /* What is known exactly is the sum. System time is shown as far as the sum leaves room for it
       without taking back user time that was given out. */
    cpu_ticks = cpu / clock->tick_ns;
    sys = cpu_ticks > user ? cpu_ticks - user : 0;
    sys = between(sys, clock->sys, clock->sys_ns / clock->tick_ns);
    if (sys < clock->sys)
        sys = clock->sys;
    set_block(clock, (int64_t)cpu - (int64_t)(sys * clock->tick_ns), now, user, &clock->ublock,
              &clock->uzero, &clock->ufloor);
    set_block(clock, (int64_t)(clock->real0 + mono - clock->mono0), now, real, &clock->rblock,
              &clock->rzero, &clock->rfloor);
    clock->sys = sys;
    clock->last = now;
    clock->stale = 1;
    clock->due = count + (uint64_t)(clock->per_ns * MSEC);
    if (count - now > (uint64_t)(clock->per_ns * LATE))
        clock->due = 0; /* something lay between: look again next time */
}

void dp_clock_restart(struct dp_clock *clock, int thread)
{
    clock->ublock = 0;
    clock->sys = 0;
    clock->sys_ns = 0;
    clock->ufloor = 0;
    clock->uzero = (int64_t)dp_counter();
    clock->last = (uint64_t)clock->uzero;
    clock->rusage_due = 0;
    clock->thread = this_thread();
    clock->cpu_shift = thread ? -(int64_t)dp_cpu_ns() : 0;
    clock->sys_shift = thread ? -(int64_t)system_ns() : 0;
    dp_clock_sync(clock, dp_counter());
}

void dp_clock_sync(struct dp_clock *clock, uint64_t now)
{
    int saved = errno;

    if (clock->coarse)
        sync_coarse(clock, now);
    else
        sync_fine(clock, now);
    errno = saved;
}

void dp_clock_settle(struct dp_clock *clock)
{
    clock->rusage_due = 0;
    if (clock->coarse)
        refine_rate(clock);
    dp_clock_sync(clock, dp_counter());
}

uint64_t dp_clock_after(struct dp_clock *clock, uint64_t now)
{
    uint64_t after;

    dp_clock_sync(clock, now);
    after = dp_counter();
    if (after - now > (uint64_t)(clock->per_ns * LATE))
        dp_clock_sync(clock, after);
    return after;
}

static void turn_one(const struct dp_clock *clock, int64_t *offset, uint64_t *block, int64_t *zero,
                     int64_t *floor)
{
    int64_t blocks = *offset / DP_BLOCK;

    if (blocks == 0)
        return;
    *block += (uint64_t)blocks * DP_BLOCK;
    *offset -= blocks * DP_BLOCK;
    *zero += (int64_t)((double)blocks * DP_BLOCK * (double)clock->tick_ns * clock->per_ns);
    *floor = *offset;
}

void dp_clock_turn(struct dp_clock *clock, int64_t *user, int64_t *real)
{
    turn_one(clock, user, &clock->ublock, &clock->uzero, &clock->ufloor);
    turn_one(clock, real, &clock->rblock, &clock->rzero, &clock->rfloor);
    clock->stale = 1;
}

struct dp_stamp dp_clock_given(const struct dp_clock *clock)
{
    struct dp_stamp stamp;

    stamp.sys = clock->sys;
    stamp.user = clock->ublock;
    stamp.real = clock->rblock;
    if (!clock->coarse) {
        stamp.user = given((int64_t)clock->last, clock->uzero, clock->ufloor, clock->ublock, clock->mult);
        stamp.real = given((int64_t)clock->last, clock->rzero, clock->rfloor, clock->rblock, clock->mult);
    }
    return stamp;
}

struct dp_stamp dp_clock_stamp(struct dp_clock *clock, uint64_t now)
{
    struct dp_stamp stamp;
    int64_t user = 0, real = 0;

    if (clock->coarse)
        dp_clock_read_coarse(clock, now);
    else
        dp_clock_read_fine(clock, now, 0, &user, &real);
    stamp.user = clock->ublock + (uint64_t)user;
    stamp.sys = clock->sys;
    stamp.real = clock->rblock + (uint64_t)real;
    return stamp;
}
