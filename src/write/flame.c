#include "write/writers.h"
static int write_flame(const struct dp_job *job, struct dp_err *err)
{
    (void)job;
    (void)err;
    return 0;
}

const struct dp_writer dp_write_flame = {
    .name = "flame",
    .about = "the flame graph alone, as an SVG that can be zoomed and searched",
    .ending = ".svg",
    .writes = DP_WRITES_FORMAT,
    .write = write_flame,
};
