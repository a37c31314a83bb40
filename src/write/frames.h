/*
 * One list of frames for all that a file holds: each distinct name once, with where it is defined,
 * however many processes it occurs in.
 */
#ifndef DPROF_WRITE_FRAMES_H
#define DPROF_WRITE_FRAMES_H

#include "model/profile.h"
#include "model/strings.h"

struct dp_frame_info {
    const struct dp_profile *prof; /* whose strings `file` is of; NULL: nothing is known */
    uint32_t file;
    uint32_t line;
};

struct dp_frames {
    struct dp_strings names; /* a frame's index is that of its name */
    struct dp_frame_info *info;
    uint32_t n;
};

/* The frame of that name. */
uint32_t dp_frame_named(struct dp_frames *frames, const char *name, size_t n);
/* The frames of a profile's subs, and behind them that of the code outside any sub: free it with
   dp_free(). */
uint32_t *dp_frames_of(struct dp_frames *frames, const struct dp_profile *prof);
/* Its name, and its file (NULL: not known). */
const char *dp_frame_name(const struct dp_frames *frames, uint32_t frame, size_t *n);
const char *dp_frame_file(const struct dp_frames *frames, uint32_t frame, size_t *n);
void dp_frames_free(struct dp_frames *frames);

#endif
