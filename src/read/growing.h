/*
 * A profile that is still being written: its bytes as they come, whole lines only, and the mapped
 * tree beside it. What was handed out is never read again, so that a look costs what is new and no
 * more, however long the file is.
 */
#ifndef DPROF_READ_GROWING_H
#define DPROF_READ_GROWING_H

#include <stddef.h>
#include <stdint.h>

struct dp_growing {
    int fd;
    uint64_t at; /* what was taken from the file ends here */
    char *bytes; /* of them these are still to be handed out */
    size_t used;
    size_t n;
    size_t room;
    int error; /* errno, 0: none */
};

/* The descriptor stays the caller's. */
void dp_growing_init(struct dp_growing *growing, int fd);
void dp_growing_free(struct dp_growing *growing);
/* Up to `room` new bytes; 0: there is nothing new; -1: `error`. */
ptrdiff_t dp_growing_read(struct dp_growing *growing, char *to, size_t room);

/* What is in use of FILE.tree (base/tree_file.h): yours to free, NULL if there is none or it cannot
   be read. */
char *dp_growing_tree(const char *path, size_t *n);

#endif
