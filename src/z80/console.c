/* The console of an emulated program. */
#define _POSIX_C_SOURCE 200809L /* NOLINT(bugprone-reserved-identifier): POSIX asks for it */

#include "z80/console.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define MOMENT 100  /* milliseconds until it is looked whether the run is over */
#define AT_ONCE 256 /* a terminal or pipe that can be written to has room for that */

static volatile sig_atomic_t interrupted;
static struct sigaction before; /* one program runs at a time */

static void interrupt(int signal)
{
    (void)signal;
    interrupted = 1;
}

static double now(void)
{
    struct timespec at;

    clock_gettime(CLOCK_MONOTONIC, &at);
    return (double)at.tv_sec + (double)at.tv_nsec / 1e9;
}

/* Ctrl-C, or the deadline. */
static int is_over(const struct dp_z80_console *console)
{
    return interrupted || (console->deadline > 0 && now() > console->deadline);
}

/* Waits until something can be written; 0: the run is over before. */
static int has_room(const struct dp_z80_console *console)
{
    struct pollfd output = {STDOUT_FILENO, POLLOUT, 0};

    for (;;) {
        int ready = poll(&output, 1, MOMENT);

        if (ready > 0)
            return 1;
        if (is_over(console) || (ready < 0 && errno != EINTR))
            return 0;
    }
}

/* A little at a time: where there is room for that, write() does not wait. */
static void flush(struct dp_z80_console *console)
{
    size_t done = 0;

    while (done < console->used && !console->failed) {
        size_t left = console->used - done;
        ssize_t n = -1;

        if (has_room(console))
            n = write(STDOUT_FILENO, console->out + done, left < AT_ONCE ? left : AT_ONCE);
        if (n > 0)
            done += (size_t)n;
        else if (errno != EINTR || is_over(console))
            console->failed = 1;
    }
    console->used = 0;
}

static void put(void *ctx, uint8_t byte)
{
    struct dp_z80_console *console = ctx;

    if (console->used == sizeof console->out)
        flush(console);
    if (!console->failed)
        console->out[console->used++] = byte;
}

/* Waits up to so many milliseconds (-1: for ever, but for Ctrl-C and the deadline). */
static int wait_for(struct dp_z80_console *console, int milliseconds)
{
    struct pollfd input = {STDIN_FILENO, POLLIN, 0};

    if (console->at < console->got)
        return 1;
    flush(console);
    for (;;) {
        int ready = poll(&input, 1, milliseconds < 0 ? MOMENT : milliseconds);

        if (ready > 0)
            return 1;
        if (milliseconds >= 0 || is_over(console) || (ready < 0 && errno != EINTR))
            return 0;
    }
}

static int take(void *ctx)
{
    struct dp_z80_console *console = ctx;

    if (console->at == console->got && !console->ended) {
        ssize_t n =
            wait_for(console, -1) ? read(STDIN_FILENO, console->in, sizeof console->in) : -1;

        console->at = 0;
        console->got = n > 0 ? (size_t)n : 0;
        console->ended = n <= 0;
    }
    return console->at < console->got ? console->in[console->at++] : -1;
}

static int ready(void *ctx)
{
    struct dp_z80_console *console = ctx;

    return !console->ended && wait_for(console, 0);
}

static int stop(void *ctx, uint64_t tstates)
{
    struct dp_z80_console *console = ctx;

    (void)tstates;
    flush(console);
    return console->failed || is_over(console);
}

void dp_z80_console_begin(struct dp_z80_console *console, struct dp_z80_host *host, double seconds,
                          int allow_write)
{
    struct sigaction action;

    memset(console, 0, sizeof *console);
    memset(&action, 0, sizeof action);
    console->deadline = seconds > 0 ? now() + seconds : 0;
    interrupted = 0;
    action.sa_handler = interrupt;
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, &before);
    host->ctx = console;
    host->read = take;
    host->ready = ready;
    host->write = put;
    host->stop = stop;
    host->allow_write = allow_write;
}

void dp_z80_console_end(struct dp_z80_console *console)
{
    flush(console);
    sigaction(SIGINT, &before, NULL);
}
