#include "record/output.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* What a file says of the run that wrote it. */
struct owner {
    char id[DP_ID_LENGTH + 1];
    long pid;
    double started; /* seconds since 1970 */
    double changed; /* when the file was last written */
};

/* The kernel counts the start of a process in 10 ms; below that, nothing can be told apart. */
#define START_SLACK 0.02

static double clock_seconds(clockid_t id)
{
    struct timespec t;

    clock_gettime(id, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static ssize_t read_start(const char *path, char *text, size_t size)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    ssize_t n;

    if (fd < 0)
        return -1;
    n = read(fd, text, size - 1);
    close(fd);
    text[n > 0 ? n : 0] = '\0';
    return n;
}

/* When the process began, in seconds since 1970; 0 if that cannot be known. */
static double process_started(long pid)
{
#if defined(__linux__)
    char path[64], stat_line[1024];
    const char *field;
    unsigned long long ticks;
    int i;

    snprintf(path, sizeof path, "/proc/%ld/stat", pid);
    if (read_start(path, stat_line, sizeof stat_line) <= 0 || !(field = strrchr(stat_line, ')')))
        return 0;
    for (i = 0; i < 20 && field; i++) /* the 22nd field; the name in parentheses is the second */
        field = strchr(field + 1, ' ');
    if (!field || sscanf(field, " %llu", &ticks) != 1)
        return 0;
    return clock_seconds(CLOCK_REALTIME) - clock_seconds(CLOCK_BOOTTIME) +
           (double)ticks / (double)sysconf(_SC_CLK_TCK);
#else
    (void)pid;
    return 0;
#endif
}

/* Reads the #run line. -1 if there is none: not a profile of ours. */
static int read_owner(const char *path, struct owner *owner)
{
    char text[4096];
    struct stat st;
    const char *line;

    memset(owner, 0, sizeof *owner);
    if (stat(path, &st) != 0 || read_start(path, text, sizeof text) <= 0)
        return -1;
    owner->changed = (double)st.st_mtime;
#if defined(__linux__)
    owner->changed += (double)st.st_mtim.tv_nsec / 1e9;
#endif
    line = strstr(text, "\n#run id=");
    if (!line || sscanf(line, "\n#run id=%10[0-9a-f] pid=%ld started=%lf", owner->id, &owner->pid,
                        &owner->started) != 3 ||
        owner->pid <= 0 || owner->pid != (long)(pid_t)owner->pid)
        return -1;
    return 0;
}

/* Does the process that wrote the file still live (or is it this one, before an exec)? */
static int owner_lives(const struct owner *owner)
{
    double began;

    if (kill((pid_t)owner->pid, 0) != 0 && errno != EPERM)
        return 0;
    began = process_started(owner->pid);
    return began == 0 || began <= owner->started + START_SLACK;
}

/* Was the file still written when this process already ran? Then both are of one run: this process was
   started by that program, or beside it. */
static int owner_was_beside(const struct owner *owner)
{
    double began = process_started((long)getpid());

    return began != 0 && owner->changed > began + START_SLACK;
}

static void new_id(char *id)
{
    unsigned char bytes[DP_ID_LENGTH / 2];
    struct timespec now;
    uint64_t mix;
    size_t i;
    int fd = open("/dev/urandom", O_RDONLY | O_CLOEXEC);
    ssize_t n = -1;

    if (fd >= 0) {
        n = read(fd, bytes, sizeof bytes);
        close(fd);
    }
    if (n != (ssize_t)sizeof bytes) {
        clock_gettime(CLOCK_REALTIME, &now);
        mix = ((uint64_t)now.tv_nsec << 20) ^ (uint64_t)now.tv_sec ^ ((uint64_t)getpid() << 40);
        mix *= 0x9e3779b97f4a7c15u;
        memcpy(bytes, &mix, sizeof bytes);
    }
    for (i = 0; i < sizeof bytes; i++)
        snprintf(id + 2 * i, 3, "%02x", bytes[i]);
}

/* Replaces %p %t %h %s %% in the pattern; %n becomes `number`. Returns 1 if there was a %n, 0 if not,
   -1 if the path is too long. */
static int expand(const char *pattern, unsigned number, unsigned long tid, char *path)
{
    char host[256] = "localhost", piece[256];
    size_t used = 0;
    int numbered = 0;

    *path = '\0';
    for (; *pattern; pattern++) {
        snprintf(piece, sizeof piece, "%c", *pattern);
        if (*pattern == '%' && pattern[1]) {
            switch (*++pattern) {
            case 'p':
                snprintf(piece, sizeof piece, "%ld", (long)getpid());
                break;
            case 't':
                snprintf(piece, sizeof piece, "%lu", tid);
                break;
            case 's':
                snprintf(piece, sizeof piece, "%ld", (long)time(NULL));
                break;
            case 'n':
                snprintf(piece, sizeof piece, "%u", number);
                numbered = 1;
                break;
            case 'h':
                gethostname(host, sizeof host - 1);
                snprintf(piece, sizeof piece, "%.200s", host);
                break;
            case '%':
                break;
            default:
                snprintf(piece, sizeof piece, "%%%c", *pattern);
            }
        }
        if (used + strlen(piece) >= DP_PATH_MAX)
            return -1;
        strcpy(path + used, piece);
        used += strlen(piece);
    }
    return numbered;
}

static int absolute(const char *path, char *whole)
{
    size_t n = 0;

    if (*path != '/') {
        if (!getcwd(whole, DP_PATH_MAX - 1))
            return -1;
        n = strlen(whole);
        whole[n++] = '/';
    }
    if (n + strlen(path) >= DP_PATH_MAX) {
        errno = ENAMETOOLONG;
        return -1;
    }
    strcpy(whole + n, path);
    return 0;
}

/* Makes a file under a name that is free: NAME, NAME.1, NAME.2 ... */
static int make_free(struct dp_output *output, const char *name)
{
    unsigned n;

    for (n = 0; n < 100000; n++) {
        int length = n ? snprintf(output->path, DP_PATH_MAX, "%s.%u", name, n)
                       : snprintf(output->path, DP_PATH_MAX, "%s", name);

        if (length < 0 || length >= DP_PATH_MAX) {
            errno = ENAMETOOLONG;
            return -1;
        }
        output->fd = open(output->path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOCTTY, 0666);
        if (output->fd >= 0) {
            output->regular = 1;
            return 0;
        }
        if (errno != EEXIST)
            return -1;
    }
    return -1;
}

/* A profile and the tree that a kill left beside it. */
static int remove_profile(const char *path)
{
    char tree[2 * DP_PATH_MAX + 8];

    snprintf(tree, sizeof tree, "%s.tree", path);
    unlink(tree);
    return unlink(path);
}

/* Removes FILE.* that are of the family of the old FILE: their #run has its id. */
static void remove_family(const char *path, const char *id)
{
    char folder[DP_PATH_MAX], member[2 * DP_PATH_MAX];
    struct owner owner;
    const struct dirent *entry;
    char *slash;
    size_t n;
    DIR *dir;

    strcpy(folder, path);
    slash = strrchr(folder, '/');
    *slash = '\0';
    n = strlen(slash + 1);
    dir = opendir(*folder ? folder : "/");
    if (!dir)
        return;
    while ((entry = readdir(dir)) != NULL) {
        if (strncmp(entry->d_name, slash + 1, n) != 0 || entry->d_name[n] != '.')
            continue;
        snprintf(member, sizeof member, "%s/%s", folder, entry->d_name);
        if (read_owner(member, &owner) == 0 && strcmp(owner.id, id) == 0 && !owner_lives(&owner))
            remove_profile(member);
    }
    closedir(dir);
}

/* What stands at the path is not what it was a moment ago, or is being made: look again. */
#define AGAIN 1
#define TRIES 200 /* a millisecond each */

/* From the opening of a file until its #run line says whose it is. Where files cannot be locked, they are not. */
static int lock(int fd)
{
    return flock(fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK ? -1 : 0;
}

void dp_output_unlock(int fd)
{
    (void)flock(fd, LOCK_UN);
}

static int stands_at(int fd, const char *path)
{
    struct stat ours, there;

    return fstat(fd, &ours) == 0 && stat(path, &there) == 0 && ours.st_dev == there.st_dev &&
           ours.st_ino == there.st_ino;
}

/* The end of a path, for a line of text. */
static void tell_path(const char *path, char *text, size_t size)
{
    size_t n = strlen(path);

    snprintf(text, size, "%s", n < size ? path : path + n - size + 1);
    for (; *text; text++)
        if ((unsigned char)*text < 0x20 || *text == 0x7f)
            *text = '?';
}

/* A name of one's own beside a file that must not be touched. owner: NULL if it does not say yet whose it is. */
static int beside(struct dp_output *output, const struct owner *owner)
{
    char name[DP_PATH_MAX + 32];
    char asked[101];

    snprintf(name, sizeof name, "%s.%ld", output->path, (long)getpid());
    tell_path(output->path, asked, sizeof asked);
    if (owner) {
        snprintf(output->note, sizeof output->note,
                 "%s belongs to process %ld of this family, so this one took a name of its own",
                 asked, owner->pid);
        memcpy(output->id, owner->id, sizeof output->id);
    } else {
        snprintf(output->note, sizeof output->note,
                 "%s is another process's, so this one took a name of its own", asked);
    }
    return make_free(output, name);
}

/* A file where none is. 0, -1, or AGAIN: another process was faster. */
static int make_new(struct dp_output *output, const char *path)
{
    struct stat st;
    int link = lstat(path, &st) == 0 && S_ISLNK(st.st_mode);

    output->regular = 1;
    output->fd = open(path, O_RDWR | O_CREAT | (link ? 0 : O_EXCL) | O_CLOEXEC | O_NOCTTY, 0666);
    if (output->fd < 0)
        return errno == EEXIST ? AGAIN : -1;
    if (lock(output->fd) == 0 && stands_at(output->fd, path))
        return 0;
    close(output->fd);
    output->fd = -1;
    return AGAIN;
}

static int replace_locked(struct dp_output *output, const char *target)
{
    struct owner owner;

    if (read_owner(target, &owner) == 0) {
        if (owner_lives(&owner) || owner_was_beside(&owner))
            return beside(output, &owner);
        remove_family(target, owner.id);
    }
    if (remove_profile(target) == 0)
        return make_new(output, target);
    output->fd = open(target, O_RDWR | O_TRUNC | O_CLOEXEC | O_NOCTTY);
    output->regular = 1;
    return output->fd < 0 ? -1 : 0;
}

static int is_gone(const char *path)
{
    struct stat st;
    int saved = errno, gone = stat(path, &st) != 0;

    errno = saved;
    return gone;
}

static int replace(struct dp_output *output)
{
    char target[PATH_MAX];
    int old, result = AGAIN;

    if (!realpath(output->path, target) || strlen(target) >= DP_PATH_MAX)
        return is_gone(output->path) ? AGAIN : -1;
    old = open(target, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (old < 0)
        return is_gone(target) ? AGAIN : replace_locked(output, target);
    if (lock(old) == 0 && stands_at(old, target))
        result = replace_locked(output, target);
    close(old);
    return result;
}

/* A pipe, a terminal, a device: opened as it is. A pipe without a reader is an error, not a wait. */
static int open_special(struct dp_output *output)
{
    output->fd = open(output->path, O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    output->regular = 0;
    return output->fd < 0 ? -1 : 0;
}

static int open_once(struct dp_output *output)
{
    struct stat st;

    if (stat(output->path, &st) != 0)
        return make_new(output, output->path);
    if (S_ISREG(st.st_mode))
        return replace(output);
    if (S_ISDIR(st.st_mode)) {
        errno = EISDIR;
        return -1;
    }
    return open_special(output);
}

static int open_path(struct dp_output *output)
{
    const struct timespec moment = {0, 1000000};
    int tries, result;

    for (tries = 0; tries < TRIES; tries++) {
        if ((result = open_once(output)) != AGAIN)
            return result;
        nanosleep(&moment, NULL);
    }
    return beside(output, NULL);
}

int dp_output_open(struct dp_output *output, const char *pattern)
{
    char path[DP_PATH_MAX];
    struct stat st;
    unsigned number = 1;
    int numbered;

    memset(output, 0, sizeof *output);
    output->fd = -1;
    snprintf(output->path, sizeof output->path, "%s", pattern);
    new_id(output->id);
    do {
        numbered = expand(pattern, number++, 0, path);
        if (numbered < 0) {
            errno = ENAMETOOLONG;
            return -1;
        }
        if (absolute(path, output->path) != 0)
            return -1;
    } while (numbered && lstat(output->path, &st) == 0 && number < 1000000);
    strcpy(output->base, output->path);
    return open_path(output);
}

int dp_output_open_member(struct dp_output *output, const struct dp_output *family,
                          unsigned long tid)
{
    char name[DP_PATH_MAX + 64];

    *output = *family;
    output->fd = -1;
    output->note[0] = '\0';
    if (!family->regular) {
        errno = ENOTSUP;
        return -1;
    }
    if (tid)
        snprintf(name, sizeof name, "%s.%ld.%lu", family->base, (long)getpid(), tid);
    else
        snprintf(name, sizeof name, "%s.%ld", family->base, (long)getpid());
    return make_free(output, name);
}
