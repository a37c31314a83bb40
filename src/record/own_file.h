/*
 * A file of ours in a program that may close any descriptor, and use its number for a file of its own.
 */
#ifndef DPROF_RECORD_OWN_FILE_H
#define DPROF_RECORD_OWN_FILE_H

#include <sys/types.h>

struct dp_own_file {
    int fd; /* above the numbers that programs close or expect free; -1: none */
    dev_t device;
    ino_t inode;
    char path[4096 + 8]; /* absolute */
};

/* Takes `fd`, an open file at `path`: moves it to a high number, closed at exec, and notes which file it is.
   0, or -1 with errno set (and fd closed). */
int dp_own_take(struct dp_own_file *file, int fd, const char *path);

/* Is the descriptor still ours? If not, opens the file anew by its path. 0, or -1 with errno set. */
int dp_own_fd(struct dp_own_file *file);

/* Closes the descriptor if it is ours. */
void dp_own_close(struct dp_own_file *file);

/* Removes the file, if that is what stands at its path. */
void dp_own_unlink(const struct dp_own_file *file);

#endif
