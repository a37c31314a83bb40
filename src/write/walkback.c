/*
 * walkback: the frames that were open when a program was killed, hung or is still running,
 * innermost first, each with how long it was open, and the last marks: what a debugger would show,
 * from the file alone.
 */
#include "write/writers.h"

#include <inttypes.h>

#include "base/escape.h"
#include "write/cells.h"
#include "write/tail.h"
#include "write/z80.h"

static double seconds_since(const struct dp_profile *prof, const struct dp_time *at)
{
    return (double)(prof->last.real - at->real) / (double)prof->hz;
}

/* How long a frame was open at the last mark; or is open now, which is known less exactly, since
   the run began a little before its first mark. */
static struct dp_cell open_for(const struct dp_job *job, const struct dp_open *open)
{
    const struct dp_profile *prof = job->prof;
    struct dp_cell cell = {seconds_since(prof, &open->since), dp_time_digits(prof->hz), 0, 0};

    if (job->view->age > 0) {
        cell.seconds =
            job->view->age - (double)(open->since.real - prof->first.real) / (double)prof->hz;
        cell.digits = 1;
        cell.coarse = 1;
    }
    return cell;
}

static void put_sub(const struct dp_job *job, uint32_t sub)
{
    size_t n;
    const char *name = dp_sub_name(job->prof, sub, &n);

    dp_put_name(job->out, name, n);
}

static void put_place(const struct dp_job *job, uint32_t sub)
{
    const struct dp_sub *where = &job->prof->subs[sub];
    size_t n;
    const char *file = dp_string(job->prof, where->file, &n);

    if (where->file == DP_NONE)
        return;
    dp_puts(job->out, "  (");
    dp_put_name(job->out, file, n);
    if (where->line)
        dp_putf(job->out, ":%" PRIu32, where->line);
    dp_putc(job->out, ')');
}

static void put_frame(const struct dp_job *job, uint32_t index, int width)
{
    const struct dp_open *open = &job->prof->open[index];
    struct dp_cell seconds = open_for(job, open);
    uint32_t sub = job->prof->nodes[open->node].sub;

    dp_putf(job->out, "#%-4" PRIu32 " ", job->prof->nopen - 1 - index);
    if (open->timeless)
        dp_putf(job->out, "%*s", width, "?");
    else
        dp_put_cell(job->out, &seconds, width);
    dp_puts(job->out, "  ");
    put_sub(job, sub);
    put_place(job, sub);
    dp_putc(job->out, '\n');
}

/* Of a deep recursion both ends, unless all rows were asked for. */
static void put_frames(const struct dp_job *job)
{
    uint32_t n = job->prof->nopen;
    uint32_t ends = job->view->rows < 0 ? n : job->view->rows < 50 ? 50 : (uint32_t)job->view->rows;
    int width = 8;

    if (n) {
        struct dp_cell longest = open_for(job, &job->prof->open[0]);
        int need = dp_cell_width(&longest);

        width = need > width ? need : width;
    }
    for (uint32_t i = n; i-- > 0;) {
        if (n / 2 > ends && i == n - ends - 1) {
            dp_putf(job->out, "... %" PRIu32 " more: dprofpp -O -1 shows all\n", n - 2 * ends);
            i = ends;
            continue;
        }
        put_frame(job, i, width);
    }
}

static void put_marks(const struct dp_job *job)
{
    const struct dp_tail *tail = job->tail;
    uint64_t n = tail ? tail->n < DP_TAIL_MARKS ? tail->n : DP_TAIL_MARKS : 0;

    if (!n)
        return;
    if (job->view->header)
        dp_puts(job->out, "The last marks, and how long before the end:\n");
    for (uint64_t i = tail->n - n; i < tail->n; i++) {
        const struct dp_tail_mark *mark = &tail->marks[i % DP_TAIL_MARKS];

        dp_put_number(job->out, seconds_since(job->prof, &mark->at), dp_time_digits(job->prof->hz),
                      14);
        dp_puts(job->out, mark->enters ? "  + " : "  - ");
        put_sub(job, mark->sub);
        dp_putc(job->out, '\n');
    }
}

static int write_walkback(const struct dp_job *job, struct dp_err *err)
{
    if (job->prof->counts)
        return dp_z80_put_walkback(job, err);
    if (job->view->header && !job->prof->nopen)
        dp_puts(job->out, job->prof->ended ? "The run ended in order: no frame was open.\n"
                                           : "No frame was open at the last mark.\n");
    else if (job->view->header && job->view->age > 0)
        dp_puts(job->out, "Still running. Open now, innermost first, and for how many seconds:\n");
    else if (job->view->header)
        dp_puts(job->out, "Open at the last mark, innermost first, and for how many seconds:\n");
    put_frames(job);
    put_marks(job);
    return 0;
}

const struct dp_writer dp_write_walkback = {
    .name = "walkback",
    .about = "the frames that were open when the program was killed or hung",
    .ending = "",
    .needs = DP_NEEDS_PLAIN | DP_NEEDS_TAIL,
    .write = write_walkback,
};
