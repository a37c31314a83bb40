/*
 * The files that an emulated program sees: plain files of the current folder whose names fit 8.3. A
 * CP/M name cannot say a folder, links are not followed, and without leave nothing is written.
 */
#define _POSIX_C_SOURCE 200809L /* NOLINT(bugprone-reserved-identifier): POSIX asks for it */

#include "z80/machine.h"

#include <ctype.h>
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"

#define KEPT 8 /* open at a time; the others are opened again when they are used */

struct kept {
    uint8_t name[11];
    int fd; /* -1: free */
    int writable;
};

struct dp_z80_files {
    int allow_write;
    struct kept kept[KEPT];
    unsigned next; /* the one to be given up */
    DIR *search;
};

struct dp_z80_files *dp_z80_files_new(int allow_write)
{
    struct dp_z80_files *files = dp_alloc(sizeof *files);

    files->allow_write = allow_write;
    for (int i = 0; i < KEPT; i++)
        files->kept[i].fd = -1;
    return files;
}

static void drop(struct kept *kept)
{
    if (kept->fd >= 0)
        close(kept->fd);
    kept->fd = -1;
}

void dp_z80_files_free(struct dp_z80_files *files)
{
    if (!files)
        return;
    for (int i = 0; i < KEPT; i++)
        drop(&files->kept[i]);
    if (files->search)
        closedir(files->search);
    dp_free(files);
}

/* --- names -------------------------------------------------------------------------------------*/

/* A host's name as CP/M has it: 1, or 0 if it does not fit. */
static int to_cpm(const char *host, uint8_t name[11])
{
    const char *dot = strchr(host, '.');
    size_t stem = dot ? (size_t)(dot - host) : strlen(host), ending = dot ? strlen(dot + 1) : 0;

    if (stem == 0 || stem > 8 || ending > 3 || (dot && strchr(dot + 1, '.')))
        return 0;
    memset(name, ' ', 11);
    for (size_t i = 0; i < stem; i++)
        name[i] = (uint8_t)toupper((unsigned char)host[i]);
    for (size_t i = 0; i < ending; i++)
        name[8 + i] = (uint8_t)toupper((unsigned char)dot[1 + i]);
    for (int i = 0; i < 11; i++)
        if (name[i] < ' ' || name[i] > '~' || strchr("<>,;:=?*[]/\\|", name[i]))
            return 0;
    return 1;
}

static int fits(const uint8_t pattern[11], const uint8_t name[11])
{
    for (int i = 0; i < 11; i++)
        if ((pattern[i] & 0x7F) != '?' && toupper(pattern[i] & 0x7F) != name[i])
            return 0;
    return 1;
}

/* Does it mean several files? */
static int is_pattern(const uint8_t name[11])
{
    for (int i = 0; i < 11; i++)
        if ((name[i] & 0x7F) == '?')
            return 1;
    return 0;
}

/* A new file's name, in lower case: NULL if it would not be found again. */
static const char *to_host(const uint8_t name[11], char host[16])
{
    uint8_t again[11];
    int n = 0;

    for (int i = 0; i < 8 && (name[i] & 0x7F) != ' '; i++)
        host[n++] = (char)tolower(name[i] & 0x7F);
    if ((name[8] & 0x7F) != ' ')
        host[n++] = '.';
    for (int i = 8; i < 11 && (name[i] & 0x7F) != ' '; i++)
        host[n++] = (char)tolower(name[i] & 0x7F);
    host[n] = 0;
    return to_cpm(host, again) && fits(name, again) ? host : NULL;
}

/* Not a folder, link, device or pipe: to open some of those is to do something already. */
static int is_plain(const char *host)
{
    struct stat st;

    return lstat(host, &st) == 0 && S_ISREG(st.st_mode);
}

/* The host's name of the plain file that fits first in the folder's order; NULL if none does. */
static const char *find(const uint8_t pattern[11], char host[16])
{
    DIR *folder = opendir(".");
    const struct dirent *entry;
    const char *found = NULL;
    uint8_t name[11];

    while (folder && !found && (entry = readdir(folder)) != NULL)
        if (to_cpm(entry->d_name, name) && fits(pattern, name) && is_plain(entry->d_name))
            found = strcpy(host, entry->d_name);
    if (folder)
        closedir(folder);
    return found;
}

/* --- open files --------------------------------------------------------------------------------*/

/* Never anything but a plain file, and never through a link, whatever it was a moment ago. */
static int open_plain(const char *host, int flags)
{
    int fd = open(host, flags | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0666);
    struct stat st;

    if (fd >= 0 && (fstat(fd, &st) < 0 || !S_ISREG(st.st_mode))) {
        close(fd);
        return -1;
    }
    return fd;
}

static struct kept *keep(struct dp_z80_files *files, const uint8_t name[11], int fd, int writable)
{
    struct kept *kept = &files->kept[files->next++ % KEPT];

    drop(kept);
    for (int i = 0; i < 11; i++)
        kept->name[i] = name[i] & 0x7F;
    kept->fd = fd;
    kept->writable = writable;
    return kept;
}

static struct kept *kept_of(struct dp_z80_files *files, const uint8_t name[11])
{
    for (int i = 0; i < KEPT; i++)
        if (files->kept[i].fd >= 0 && fits(name, files->kept[i].name))
            return &files->kept[i];
    return NULL;
}

static struct kept *opened(struct dp_z80_files *files, const uint8_t name[11])
{
    struct kept *kept = kept_of(files, name);
    int writable = files->allow_write, fd = -1;
    char host[16];

    if (kept)
        return kept;
    if (is_pattern(name) || !find(name, host))
        return NULL;
    if (writable)
        fd = open_plain(host, O_RDWR);
    if (fd < 0) {
        writable = 0;
        fd = open_plain(host, O_RDONLY);
    }
    return fd < 0 ? NULL : keep(files, name, fd, writable);
}

int dp_z80_file_open(struct dp_z80_files *files, const uint8_t name[11])
{
    return opened(files, name) ? 0 : -1;
}

void dp_z80_file_close(struct dp_z80_files *files, const uint8_t name[11])
{
    struct kept *kept = kept_of(files, name);

    if (kept)
        drop(kept);
}

int dp_z80_file_make(struct dp_z80_files *files, const uint8_t name[11])
{
    char host[16];
    int fd;

    if (!files->allow_write || find(name, host) || !to_host(name, host))
        return -1;
    fd = open_plain(host, O_RDWR | O_CREAT | O_EXCL);
    if (fd < 0)
        return -1;
    keep(files, name, fd, 1);
    return 0;
}

/* A whole name is one file's, though the host may have several that differ in case. */
int dp_z80_file_delete(struct dp_z80_files *files, const uint8_t pattern[11])
{
    char host[16];
    int deleted = -1;

    while (files->allow_write && find(pattern, host)) {
        struct kept *kept = kept_of(files, pattern);

        if (kept)
            drop(kept);
        if (unlink(host) < 0)
            break;
        deleted = 0;
        if (!is_pattern(pattern))
            break;
    }
    return deleted;
}

int dp_z80_file_rename(struct dp_z80_files *files, const uint8_t from[11], const uint8_t to[11])
{
    char old[16], new[16];
    struct stat st;

    if (!files->allow_write || !find(from, old) || find(to, new) || !to_host(to, new) ||
        lstat(new, &st) == 0) /* rename() would put an end to a link or a pipe of that name */
        return -1;
    dp_z80_file_close(files, from);
    return rename(old, new);
}

int dp_z80_file_read(struct dp_z80_files *files, const uint8_t name[11], uint32_t record,
                     uint8_t bytes[128])
{
    struct kept *kept = opened(files, name);
    ssize_t n;

    if (!kept)
        return -1;
    n = pread(kept->fd, bytes, 128, (off_t)record * 128);
    if (n > 0)
        memset(bytes + n, 0x1A, (size_t)(128 - n));
    return (int)n;
}

int dp_z80_file_write(struct dp_z80_files *files, const uint8_t name[11], uint32_t record,
                      const uint8_t bytes[128])
{
    struct kept *kept = opened(files, name);

    if (!kept || !kept->writable)
        return -1;
    return pwrite(kept->fd, bytes, 128, (off_t)record * 128) == 128 ? 128 : -1;
}

int32_t dp_z80_file_size(struct dp_z80_files *files, const uint8_t name[11])
{
    struct kept *kept = opened(files, name);
    struct stat st;

    if (!kept || fstat(kept->fd, &st) < 0)
        return -1;
    return st.st_size > 65535 * 128L ? 65536 : (int32_t)((st.st_size + 127) / 128);
}

int dp_z80_file_search(struct dp_z80_files *files, const uint8_t pattern[11], int again,
                       uint8_t name[11])
{
    const struct dirent *entry;

    if (!again) {
        if (files->search)
            closedir(files->search);
        files->search = opendir(".");
    }
    while (files->search && (entry = readdir(files->search)) != NULL)
        if (to_cpm(entry->d_name, name) && fits(pattern, name) && is_plain(entry->d_name))
            return 0;
    return -1;
}
