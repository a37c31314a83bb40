/*
 * Which file a profile goes to.
 *
 * An older run's file is replaced by a new one (a new inode: who still reads the old one is not hit),
 * and its family of children and threads goes with it. What belongs to a process that lives, or to the
 * family that this process is of, is never touched: then a name of its own is taken.
 */
#ifndef DPROF_RECORD_OUTPUT_H
#define DPROF_RECORD_OUTPUT_H

#include "record/options.h"

#include <sys/types.h>

#define DP_ID_LENGTH 10

struct dp_output {
    char path[DP_PATH_MAX];    /* absolute: the file that was opened */
    char base[DP_PATH_MAX];    /* absolute: children and threads add .PID and .PID.TID to this */
    char id[DP_ID_LENGTH + 1]; /* of the family */
    char note[256];            /* why the name differs from the one asked for; "" if it does not */
    int regular;               /* 1: a regular file */
    int fd;
};

/* Opens the first profile of a run; a regular file is locked. 0, or -1 with errno set; output->path tells which file. */
int dp_output_open(struct dp_output *output, const char *pattern);

/* The file says whose it is: others may look at it. */
void dp_output_unlock(int fd);

/* Opens the profile of a forked child (tid 0) or of a thread of this process. */
int dp_output_open_member(struct dp_output *output, const struct dp_output *family,
                          unsigned long tid);

#endif
