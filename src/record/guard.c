#include "record/guard.h"

#include <errno.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

/* A mapped file whose SIGBUS is ours. */
struct watched {
    char *base;
    const size_t *size;
    volatile int *lost;
};

/* The handler reads without a lock: `base` is set last and cleared first. */
#define WATCHED 512
static volatile struct watched watched[WATCHED];
static pthread_mutex_t watch_lock = PTHREAD_MUTEX_INITIALIZER;
static struct sigaction before;
static int installed;

void dp_quiet_begin(struct dp_quiet *quiet)
{
    sigset_t ours;

    sigemptyset(&ours);
    sigaddset(&ours, SIGXFSZ);
    sigaddset(&ours, SIGPIPE);
    sigpending(&quiet->pending);
    pthread_sigmask(SIG_BLOCK, &ours, &quiet->before);
}

static void take(const struct dp_quiet *quiet, int signal)
{
    struct timespec now = {0, 0};
    sigset_t one;

    if (sigismember(&quiet->pending, signal))
        return; /* it was the program's own */
    sigemptyset(&one);
    sigaddset(&one, signal);
#if defined(__APPLE__) || defined(__OpenBSD__)
    (void)now;
    if (sigpending(&one) == 0 && sigismember(&one, signal)) {
        sigemptyset(&one);
        sigaddset(&one, signal);
        sigwait(&one, &signal);
    }
#else
    while (sigtimedwait(&one, NULL, &now) < 0 && errno == EINTR)
        ;
#endif
}

void dp_quiet_end(struct dp_quiet *quiet, int failed)
{
    int saved = errno;

    if (failed) {
        take(quiet, SIGXFSZ);
        take(quiet, SIGPIPE);
    }
    pthread_sigmask(SIG_SETMASK, &quiet->before, NULL);
    errno = saved;
}

/* Puts memory that belongs to nobody over the file, so that the store that failed can be repeated. */
static int rescue(const char *address)
{
    int i;

    for (i = 0; i < WATCHED; i++) {
        char *base = watched[i].base;

        if (!base || address < base || address >= base + *watched[i].size)
            continue;
        if (mmap(base, *watched[i].size, PROT_READ | PROT_WRITE,
                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == MAP_FAILED)
            return 0;
        *watched[i].lost = 1;
        return 1;
    }
    return 0;
}

static void on_bus(int number, siginfo_t *info, void *context)
{
    int saved = errno;

    if (rescue(info->si_addr)) {
        errno = saved;
        return;
    }
    if (before.sa_flags & SA_SIGINFO) {
        before.sa_sigaction(number, info, context);
    } else if (before.sa_handler != SIG_DFL && before.sa_handler != SIG_IGN) {
        before.sa_handler(number);
    } else {
        sigaction(SIGBUS, &before, NULL); /* the fault comes again, and does what it would have done */
        if (info->si_code <= 0)
            raise(number);
    }
    errno = saved;
}

static void install(void)
{
    struct sigaction action;

    memset(&action, 0, sizeof action);
    action.sa_sigaction = on_bus;
    action.sa_flags = SA_SIGINFO | SA_NODEFER | SA_ONSTACK;
    sigemptyset(&action.sa_mask);
    if (sigaction(SIGBUS, &action, &before) == 0)
        installed = 1;
}

void dp_guard_watch(char *base, const size_t *size, volatile int *lost)
{
    int i;

    pthread_mutex_lock(&watch_lock);
    if (!installed)
        install();
    for (i = 0; i < WATCHED && watched[i].base; i++)
        ;
    if (i < WATCHED) {
        watched[i].size = size;
        watched[i].lost = lost;
        watched[i].base = base;
    }
    pthread_mutex_unlock(&watch_lock);
}

void dp_guard_unwatch(const char *base)
{
    int i;

    for (i = 0; base && i < WATCHED; i++)
        if (watched[i].base == base)
            watched[i].base = NULL;
}

/* One line is one line, and no terminal is told what to do. */
static size_t show_controls(char *to, const char *text)
{
    size_t n = 0;

    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;

        n += (size_t)sprintf(to + n, c < 0x20 || c == 0x7f ? "\\x%02x" : "%c", c);
    }
    return n;
}

void dp_complain(const char *format, ...)
{
    static const char who[] = "Devel::DProf: ";
    char text[1024], line[sizeof who + 4 * sizeof text];
    size_t n = sizeof who - 1;
    int saved = errno;
    va_list args;

    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    memcpy(line, who, n);
    n += show_controls(line + n, text);
    line[n++] = '\n';
    if (write(2, line, n) < 0) {
        /* nobody listens */
    }
    errno = saved;
}

void dp_guard_forked(void)
{
    pthread_mutex_init(&watch_lock, NULL);
}
