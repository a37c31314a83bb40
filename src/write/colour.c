#include "write/colour.h"

#define BOLD "\033[1m"
#define RED "\033[31m"
#define GREEN "\033[32m"
#define YELLOW "\033[33m"
#define PLAIN "\033[0m"

static void put(const struct dp_job *job, const char *code)
{
    if (job->view->colour)
        dp_puts(job->out, code);
}

void dp_colour_head(const struct dp_job *job)
{
    put(job, BOLD);
}

void dp_colour_share(const struct dp_job *job, double part, double whole)
{
    if (whole > 0 && part >= 0.05 * whole)
        put(job, part >= 0.2 * whole ? RED : YELLOW);
}

void dp_colour_change(const struct dp_job *job, int worse)
{
    put(job, worse ? RED : GREEN);
}

void dp_colour_end(const struct dp_job *job)
{
    put(job, PLAIN);
}
