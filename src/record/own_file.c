#include "record/own_file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#define HIGH_FD 200

static int move_high(int fd)
{
    struct rlimit most;
    int floor = HIGH_FD, high = -1;

    if (getrlimit(RLIMIT_NOFILE, &most) == 0 && most.rlim_cur <= HIGH_FD + 10)
        floor = most.rlim_cur > 20 ? (int)most.rlim_cur - 10 : 10;
    high = fcntl(fd, F_DUPFD_CLOEXEC, floor);
    if (high < 0)
        return fd;
    close(fd);
    return high;
}

static int is_same(const struct dp_own_file *file, const struct stat *st)
{
    return st->st_dev == file->device && st->st_ino == file->inode;
}

static int is_ours(const struct dp_own_file *file, int fd)
{
    struct stat st;

    return fd >= 0 && fstat(fd, &st) == 0 && is_same(file, &st);
}

int dp_own_take(struct dp_own_file *file, int fd, const char *path)
{
    struct stat st;
    int error = ENAMETOOLONG;

    file->fd = -1;
    if (strlen(path) < sizeof file->path) {
        strcpy(file->path, path);
        file->fd = fd = move_high(fd);
        if (fstat(fd, &st) == 0) {
            file->device = st.st_dev;
            file->inode = st.st_ino;
            return 0;
        }
        error = errno;
    }
    close(fd);
    file->fd = -1;
    errno = error;
    return -1;
}

int dp_own_fd(struct dp_own_file *file)
{
    int fd;

    if (is_ours(file, file->fd))
        return 0;
    file->fd = -1;
    fd = open(file->path, O_RDWR | O_CLOEXEC | O_NOCTTY | O_NOFOLLOW);
    if (fd < 0)
        return -1;
    if (!is_ours(file, fd)) {
        close(fd);
        errno = ESTALE;
        return -1;
    }
    file->fd = move_high(fd);
    return 0;
}

void dp_own_close(struct dp_own_file *file)
{
    if (is_ours(file, file->fd))
        close(file->fd);
    file->fd = -1;
}

void dp_own_unlink(const struct dp_own_file *file)
{
    struct stat st;

    if (lstat(file->path, &st) == 0 && is_same(file, &st))
        unlink(file->path);
}
