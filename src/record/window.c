#include "record/window.h"

#include "record/guard.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#define PAGE 4096
#define WINDOW_SIZE ((size_t)512 << 10)
#define FIRST_SIZE ((size_t)64 << 10) /* most programs are short */
#define STREAM_SIZE ((size_t)64 << 10)
#define LEAST_ROOM (2 * DP_WINDOW_SLACK)
#define LARGEST_WINDOW (WINDOW_SIZE + LEAST_ROOM)
#define TABLE_SPAN ((size_t)2 << 20) /* what one page table maps */
#define PIPE_PATIENCE_MS 10000

/* What room is filled with: a line that begins with '#' is a comment to every reader. One piece is written
   many times by one call: it stays in the processor's cache. */
#define PIECE ((size_t)32 << 10)
#define PIECES (WINDOW_SIZE / PIECE)
static char filling[PIECE];

/* The ends of rooms: one page that a forked child gets empty. Threads take the slots one by one and
   give them back. */
#define SLOTS (PAGE / sizeof(char *))
static char **limits;
static unsigned char taken[SLOTS];
static pthread_mutex_t slots_lock = PTHREAD_MUTEX_INITIALIZER;

/* The limit of a window that is not open: like that of a forked child. Events that come before the recorder
   knows read it. */
static char *nowhere;

/* Of the memory, in which files are mapped: 4 KiB, or up to 64 KiB on some machines. */
static size_t page_size(void)
{
    static size_t size;

    if (!size) {
        long known = sysconf(_SC_PAGESIZE);

        size = known > PAGE ? (size_t)known : PAGE;
    }
    return size;
}

static int has_slot(const struct dp_window *window)
{
    return window->limit && window->limit != &nowhere;
}

static void wipe_in_child(void)
{
    if (limits)
        memset((void *)limits, 0, PAGE);
    pthread_mutex_init(&slots_lock, NULL);
}

static int make_slots(void)
{
    void *page = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    if (page == MAP_FAILED)
        return -1;
#if defined(MADV_WIPEONFORK)
    (void)madvise(page, PAGE, MADV_WIPEONFORK);
#endif
    pthread_atfork(NULL, NULL, wipe_in_child); /* where the kernel does not wipe */
    memset(filling, '#', sizeof filling);
    limits = page;
    return 0;
}

static int take_slot(struct dp_window *window)
{
    size_t i;
    int found = -1;

    if (has_slot(window))
        return 0;
    pthread_mutex_lock(&slots_lock);
    if (limits || make_slots() == 0) {
        for (i = 0; i < SLOTS && taken[i]; i++)
            ;
        if (i < SLOTS) {
            taken[i] = 1;
            window->limit = &limits[i];
            *window->limit = NULL;
            found = 0;
        } else {
            errno = EMFILE;
        }
    }
    pthread_mutex_unlock(&slots_lock);
    return found;
}

/* Address space for a window that lies under one page table of the processor: the kernel maps many pages by
   one fault only there. */
static int reserve(struct dp_window *window, size_t size)
{
    char *base;
    size_t skip = 0;

    size = (size + page_size() - 1) / page_size() * page_size();
    base = mmap(NULL, 2 * size, PROT_READ | PROT_WRITE,
                MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (base == MAP_FAILED)
        return -1;
    if ((uintptr_t)base % TABLE_SPAN + size > TABLE_SPAN)
        skip = TABLE_SPAN - (uintptr_t)base % TABLE_SPAN;
    if (skip)
        munmap(base, skip);
    if (skip < size)
        munmap(base + skip + size, size - skip);
    window->base = base + skip;
    window->size = window->reserved = size;
    return 0;
}

/* Returns how much was written. */
static size_t write_at(struct dp_window *window, const char *bytes, size_t n, off_t at)
{
    struct dp_quiet quiet;
    size_t done = 0;
    ssize_t wrote = 0;

    dp_quiet_begin(&quiet);
    while (done < n) {
        wrote = pwrite(window->file.fd, bytes + done, n - done, at + (off_t)done);
        if (wrote < 0 && errno == EINTR)
            continue;
        if (wrote <= 0)
            break;
        done += (size_t)wrote;
    }
    if (done < n && wrote == 0)
        errno = ENOSPC;
    dp_quiet_end(&quiet, done < n);
    return done;
}

/* How much of the window has a file behind it. */
static size_t usable(const struct dp_window *window)
{
    off_t n = window->filled - window->at;

    return window->kind == DP_WINDOW_STREAM || n > (off_t)window->size ? window->size : (size_t)n;
}

/* Takes the page faults now, where their time is known, and not at some mark. Only stores: a load first
   would map each page twice. */
static void touch(struct dp_window *window)
{
    volatile char *byte = window->next;

    for (; byte < window->base + usable(window); byte += PAGE)
        *byte = '#';
}

/* Appends n bytes of filling. Returns how much was written. */
static size_t fill(struct dp_window *window, size_t n)
{
    struct iovec pieces[PIECES];
    struct dp_quiet quiet;
    size_t i, done = 0;
    ssize_t wrote = 0;

    dp_quiet_begin(&quiet);
    while (done < n) {
        for (i = 0; i < PIECES && i * PIECE < n - done; i++) {
            pieces[i].iov_base = filling;
            pieces[i].iov_len = n - done - i * PIECE < PIECE ? n - done - i * PIECE : PIECE;
        }
        wrote = pwritev(window->file.fd, pieces, (int)i, window->filled);
        if (wrote < 0 && errno == EINTR)
            continue;
        if (wrote <= 0)
            break;
        done += (size_t)wrote;
        window->filled += wrote;
    }
    if (done < n && wrote == 0)
        errno = ENOSPC;
    dp_quiet_end(&quiet, done < n);
    return done;
}

/* Fills the file up to the end of the window at `at`, or as far as the disk allows, and looks at it through
   the window. */
static int map_at(struct dp_window *window, off_t at)
{
    off_t end = at + (off_t)window->size;

    if (dp_own_fd(&window->file) != 0)
        return -1;
    if (window->filled < end) {
        size_t n = (size_t)(end - window->filled);

        if (fill(window, n) < n && window->filled - at < LEAST_ROOM)
            return -1;
    }
    if (mmap(window->base, window->size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, window->file.fd,
             at) == MAP_FAILED)
        return -1;
    window->at = at;
    return 0;
}

static void set_limit(struct dp_window *window)
{
    *window->limit = window->base + usable(window) - DP_WINDOW_SLACK;
}

static int start_mapped(struct dp_window *window)
{
    if (reserve(window, LARGEST_WINDOW + page_size()) != 0)
        return -1;
    window->kind = DP_WINDOW_MAPPED;
    window->size = FIRST_SIZE;
    dp_guard_watch(window->base, &window->size, &window->lost);
    return map_at(window, 0);
}

static int start_stream(struct dp_window *window)
{
    if (reserve(window, STREAM_SIZE) != 0)
        return -1;
    window->kind = DP_WINDOW_STREAM;
    return 0;
}

int dp_window_open(struct dp_window *window, int fd, const char *path, int portable)
{
    struct stat st;
    char **limit = window->limit;

    memset(window, 0, sizeof *window);
    window->limit = limit;
    window->whole = -1;
    if (dp_own_take(&window->file, fd, path) != 0 || fstat(window->file.fd, &st) != 0 ||
        take_slot(window) != 0)
        goto failed;
    if ((S_ISREG(st.st_mode) && !portable ? start_mapped : start_stream)(window) != 0)
        goto failed;
    window->next = window->base;
    set_limit(window);
    return 0;

failed:
    window->why_errno = errno;
    if (window->filled && ftruncate(window->file.fd, 0) != 0) {
        /* what is there is a comment */
    }
    dp_window_forget(window);
    errno = window->why_errno;
    return -1;
}

int dp_window_is_file(const struct dp_window *window)
{
    struct stat st;

    return window->kind == DP_WINDOW_MAPPED ||
           (window->kind == DP_WINDOW_STREAM && fstat(window->file.fd, &st) == 0 && S_ISREG(st.st_mode));
}

/* A reader that has stopped reading must not stop the program for ever; a signal does not end the wait. */
static int wait_writable(int fd)
{
    struct timespec begin, now;
    struct pollfd poller;
    long passed = 0;
    int ready = -1;

    poller.fd = fd;
    poller.events = POLLOUT;
    errno = EINTR;
    clock_gettime(CLOCK_MONOTONIC, &begin);
    while (ready < 0 && errno == EINTR && passed < PIPE_PATIENCE_MS) {
        ready = poll(&poller, 1, (int)(PIPE_PATIENCE_MS - passed));
        clock_gettime(CLOCK_MONOTONIC, &now);
        passed = (now.tv_sec - begin.tv_sec) * 1000 + (now.tv_nsec - begin.tv_nsec) / 1000000;
    }
    if (ready != 1)
        errno = EAGAIN;
    return ready == 1 ? 0 : -1;
}

/* Has somebody cut a file that we write from end to end? */
static int was_cut(const struct dp_window *window)
{
    struct stat st;

    return fstat(window->file.fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_size < window->at;
}

/* What was written of the buffer ends in the middle of a line: a file is cut there. */
static void keep_lines(struct dp_window *window, size_t done, int failed)
{
    const char *s = window->base + done;

    while (s > window->base && s[-1] != '\n')
        s--;
    if (s > window->base)
        window->lines = window->at + (s - window->base);
    if (failed && dp_window_is_file(window) && ftruncate(window->file.fd, window->lines) != 0) {
        /* readers know lines that end too early */
    }
}

static int drain(struct dp_window *window)
{
    size_t n = (size_t)(window->next - window->base), done = 0;
    struct dp_quiet quiet;

    if (dp_own_fd(&window->file) != 0)
        return -1;
    if (was_cut(window)) {
        window->lost = 1;
        window->next = window->base;
        return -1;
    }
    (void)lseek(window->file.fd, window->at, SEEK_SET); /* a file that was opened anew */
    dp_quiet_begin(&quiet);
    while (done < n) {
        ssize_t wrote = write(window->file.fd, window->base + done, n - done);

        if (wrote < 0 && errno == EINTR)
            continue;
        if (wrote < 0 && errno == EAGAIN && wait_writable(window->file.fd) == 0)
            continue;
        if (wrote <= 0)
            break;
        done += (size_t)wrote;
    }
    dp_quiet_end(&quiet, done < n);
    keep_lines(window, done, done < n);
    window->at += (off_t)done;
    window->next = window->base;
    return done == n ? 0 : -1;
}

/* Stops at the last whole mark: what follows it in the file is cut away. */
static enum dp_room end_early(struct dp_window *window, const char *why)
{
    int saved = errno;

    dp_window_close(window);
    window->why = why;
    window->why_errno = saved;
    return DP_ROOM_GONE;
}

/* Where the file ends when room is needed at `at`: it doubles, and then grows by WINDOW_SIZE. What is
   filled at once are then the pieces in which kernels keep a file, and a page fault maps a whole one;
   windows across two would cost twice as much. */
static off_t window_end(off_t at)
{
    off_t least = at + LEAST_ROOM, end = FIRST_SIZE;

    while (end < least && end < (off_t)WINDOW_SIZE)
        end *= 2;
    if (end < least)
        end = (least + (off_t)WINDOW_SIZE - 1) / (off_t)WINDOW_SIZE * (off_t)WINDOW_SIZE;
    return end;
}

/* The next window begins at the page of the next mark. */
static int next_window(struct dp_window *window)
{
    off_t position = dp_window_position(window);
    off_t at = position - position % (off_t)page_size();

    window->size = (size_t)(window_end(position - position % PAGE) - at);
    if (map_at(window, at) != 0)
        return -1;
    window->next = window->base + (position - at);
    touch(window);
    set_limit(window);
    return 0;
}

enum dp_room dp_window_more(struct dp_window *window)
{
    if (window->kind == DP_WINDOW_NONE)
        return DP_ROOM_GONE;
    if (*window->limit == NULL)
        return DP_ROOM_FORKED;
    if (window->next < *window->limit)
        return DP_ROOM;
    if (window->kind == DP_WINDOW_STREAM && drain(window) == 0)
        return DP_ROOM;
    if (window->lost) {
        errno = 0;
        return end_early(window, "the file was cut by somebody else");
    }
    if (window->kind == DP_WINDOW_STREAM)
        return end_early(window, "cannot write");
    if (next_window(window) != 0)
        return end_early(window, "cannot extend the file");
    return DP_ROOM;
}

void dp_window_flush(struct dp_window *window)
{
    int saved = errno;

    if (window->kind == DP_WINDOW_STREAM && drain(window) != 0 && !window->lost)
        end_early(window, "cannot write");
    if (window->kind != DP_WINDOW_NONE && window->lost) {
        errno = 0;
        end_early(window, "the file was cut by somebody else");
    }
    errno = saved;
}

off_t dp_window_position(const struct dp_window *window)
{
    return window->at + (off_t)(window->next - window->base);
}

void dp_window_line_begins(struct dp_window *window)
{
    window->whole = dp_window_position(window);
}

void dp_window_line_ends(struct dp_window *window)
{
    window->whole = -1;
}

enum dp_room dp_window_put(struct dp_window *window, const char *bytes, size_t n)
{
    while (n) {
        enum dp_room room = dp_window_more(window);
        size_t space, part;

        if (room != DP_ROOM)
            return room;
        space = (size_t)(*window->limit - window->next);
        part = n < space ? n : space;
        memcpy(window->next, bytes, part);
        window->next += part;
        bytes += part;
        n -= part;
    }
    return DP_ROOM;
}

void dp_window_rewrite(struct dp_window *window, off_t at, const char *bytes, size_t n)
{
    int saved = errno;

    if (window->kind == DP_WINDOW_STREAM) {
        if (window->at <= at) /* still in the buffer */
            memcpy(window->base + (at - window->at), bytes, n);
        else if (dp_window_is_file(window) && dp_own_fd(&window->file) == 0)
            (void)write_at(window, bytes, n, at);
    } else if (window->kind == DP_WINDOW_MAPPED && !window->lost && dp_own_fd(&window->file) == 0) {
        (void)write_at(window, bytes, n, at);
    }
    errno = saved;
}

void dp_window_close(struct dp_window *window)
{
    int saved = errno;

    if (window->kind == DP_WINDOW_MAPPED && !window->lost && dp_own_fd(&window->file) == 0) {
        off_t end = window->whole >= 0 ? window->whole : dp_window_position(window);

        if (ftruncate(window->file.fd, end) != 0) {
            /* the '#' behind the last line stay: a comment to every reader */
        }
    } else if (window->kind == DP_WINDOW_STREAM) {
        (void)drain(window);
    }
    dp_window_forget(window);
    errno = saved;
}

void dp_window_forget(struct dp_window *window)
{
    dp_guard_unwatch(window->base);
    if (window->base)
        munmap(window->base, window->reserved);
    dp_own_close(&window->file);
    if (has_slot(window)) {
        *window->limit = NULL;
        pthread_mutex_lock(&slots_lock);
        taken[window->limit - limits] = 0;
        pthread_mutex_unlock(&slots_lock);
    }
    window->limit = &nowhere;
    window->base = NULL;
    window->next = NULL;
    window->kind = DP_WINDOW_NONE;
}
