/*
 * The files in which calls stand, for a tree: each has a number, and a `#site` line where it is first met.
 */
#ifndef DPROF_RECORD_SITES_H
#define DPROF_RECORD_SITES_H

#include "record/recorder.h"

/* So many can be told apart. */
#define DP_SITES 4096

/* A file in which calls stand. */
struct dp_site {
    const char *text; /* escaped, kept for ever, so that its address will do; NULL: free */
    uint32_t id;
};

/* What was found for a file name of perl's. */
struct dp_file_seen {
    const char *file;
    const char *text;
    uint32_t id;
};

/* The number of a file name as perl has it; 0: there is no room for its number. */
uint32_t dp_site_of(struct dp_recorder *recorder, const char *file);

/* The texts of the sites by their number, [0] NULL; free the array. NULL: no memory. */
const char **dp_sites(const struct dp_recorder *recorder);

#endif
