#define _POSIX_C_SOURCE 200809L /* NOLINT(bugprone-reserved-identifier): POSIX asks for it */

#include "read/growing.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/tree_file.h"

#define FIRST_LOOK ((size_t)64 << 10)
/* Longer lines mean nothing to the reader either. */
#define LONGEST_LINE ((size_t)2 << 20)
/* No tree has more nodes: one that says so is no tree. */
#define MOST_SLOTS ((uint64_t)1 << 26)

void dp_growing_init(struct dp_growing *growing, int fd)
{
    memset(growing, 0, sizeof *growing);
    growing->fd = fd;
}

void dp_growing_free(struct dp_growing *growing)
{
    dp_free(growing->bytes);
    memset(growing, 0, sizeof *growing);
}

/* As many of n bytes as are there, from an offset on. */
static size_t look(struct dp_growing *growing, size_t n)
{
    size_t got = 0;

    while (got < n) {
        ssize_t more =
            pread(growing->fd, growing->bytes + got, n - got, (off_t)(growing->at + got));

        if (more < 0 && errno == EINTR)
            continue;
        if (more < 0)
            growing->error = errno;
        if (more <= 0)
            break;
        got += (size_t)more;
    }
    return got;
}

static size_t whole_lines(const char *bytes, size_t n)
{
    while (n && bytes[n - 1] != '\n')
        n--;
    return n;
}

/* What room is filled with until it is written to. */
static int is_filling(const char *bytes, size_t n)
{
    return n == 0 || bytes[0] == '\0' || (n > 1 && bytes[0] == '#' && bytes[1] == '#');
}

/* The recorder writes while we read, so a line whose end is there already may have been copied when
   its beginning was not. It writes in order: what is read again now is whole. */
static void take(struct dp_growing *growing, size_t room)
{
    size_t got, lines;

    if (growing->room < room) {
        growing->bytes = dp_grow(growing->bytes, room);
        growing->room = room;
    }
    got = look(growing, room);
    lines = whole_lines(growing->bytes, got);
    if (lines == 0 && got == LONGEST_LINE && !is_filling(growing->bytes, got))
        lines = got; /* a line too long to wait for */
    growing->used = 0;
    growing->n = lines ? look(growing, lines) : 0;
    growing->at += growing->n;
    if (lines == 0 && got == room && room < LONGEST_LINE && !is_filling(growing->bytes, got))
        take(growing, LONGEST_LINE);
}

ptrdiff_t dp_growing_read(struct dp_growing *growing, char *to, size_t room)
{
    size_t n;

    if (growing->used == growing->n)
        take(growing, FIRST_LOOK);
    if (growing->error)
        return -1;
    n = growing->n - growing->used;
    if (n > room)
        n = room;
    if (n)
        memcpy(to, growing->bytes + growing->used, n);
    growing->used += n;
    return (ptrdiff_t)n;
}

/* So many slots as are said to be used, but no more than the file has. */
static size_t slots_there(int fd, uint64_t used)
{
    struct stat st;
    uint64_t there;

    if (used > MOST_SLOTS || fstat(fd, &st) < 0 || st.st_size < DP_TREE_PAGE)
        return 0;
    there = (uint64_t)(st.st_size - DP_TREE_PAGE) / sizeof(struct dp_tree_slot);
    return (size_t)(used < there ? used : there);
}

char *dp_growing_tree(const char *path, size_t *n)
{
    struct dp_growing file;
    struct dp_tree_header header;
    size_t size = DP_TREE_PAGE;

    dp_growing_init(&file, open(path, O_RDONLY | O_CLOEXEC));
    if (file.fd < 0)
        return NULL;
    file.bytes = dp_alloc(DP_TREE_PAGE);
    *n = look(&file, DP_TREE_PAGE);
    memcpy(&header, file.bytes, sizeof header);
    if (*n == DP_TREE_PAGE) {
        size += slots_there(file.fd, header.used) * sizeof(struct dp_tree_slot);
        file.bytes = dp_grow(file.bytes, size);
        *n = look(&file, size);
    }
    close(file.fd);
    return file.bytes;
}
