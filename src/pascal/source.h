/*
 * The text of a Pascal program: its file and those it includes. Bytes come from a loader, because
 * this library opens nothing itself; they are copied.
 */
#ifndef DPROF_PASCAL_SOURCE_H
#define DPROF_PASCAL_SOURCE_H

#include <stddef.h>
#include <stdint.h>

/* Gives the bytes of an included file: 0, or -1 if it cannot be read (errno says why, or 0). */
struct dp_pascal_loader {
    int (*load)(void *ctx, const char *name, const char **bytes, size_t *n, int64_t *mtime);
    void *ctx;
};

/* A file as it stands in the text: one that is included twice is there twice. */
struct dp_pascal_file {
    char *name;
    const char *text;
    uint32_t bytes; /* up to a ^Z */
    uint32_t lines;
    uint32_t includer; /* index of the file that includes this one, UINT32_MAX: none */
    int64_t mtime;     /* seconds since 1970, 0: unknown */
    uint32_t resume;   /* where the text goes on behind an #include line, while it is written */
};

#endif
