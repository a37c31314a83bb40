#include "write/frames.h"

#include "base/mem.h"
#include "write/cells.h"

uint32_t dp_frame_named(struct dp_frames *frames, const char *name, size_t n)
{
    uint32_t frame =
        n ? dp_intern(&frames->names, name, n) : dp_intern_text(&frames->names, "(no name)");

    while (frames->n <= frame) {
        frames->info = dp_more(frames->info, frames->n, sizeof *frames->info);
        frames->info[frames->n++] = (struct dp_frame_info){NULL, DP_NONE, 0};
    }
    return frame;
}

uint32_t *dp_frames_of(struct dp_frames *frames, const struct dp_profile *prof)
{
    uint32_t *of = dp_alloc_array((size_t)prof->nsubs + 1, sizeof *of);

    for (uint32_t i = 0; i <= prof->nsubs; i++) {
        size_t n;
        const char *name = dp_sub_name(prof, i, &n);

        of[i] = dp_frame_named(frames, name, n);
        if (i < prof->nsubs && prof->subs[i].file != DP_NONE && !frames->info[of[i]].prof)
            frames->info[of[i]] =
                (struct dp_frame_info){prof, prof->subs[i].file, prof->subs[i].line};
    }
    return of;
}

const char *dp_frame_name(const struct dp_frames *frames, uint32_t frame, size_t *n)
{
    *n = frames->names.length[frame];
    return frames->names.bytes[frame];
}

const char *dp_frame_file(const struct dp_frames *frames, uint32_t frame, size_t *n)
{
    const struct dp_frame_info *info = &frames->info[frame];

    if (!info->prof || info->file == DP_NONE)
        return NULL;
    return dp_string(info->prof, info->file, n);
}

void dp_frames_free(struct dp_frames *frames)
{
    dp_strings_free(&frames->names);
    dp_free(frames->info);
}
