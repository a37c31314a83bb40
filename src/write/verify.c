/*
 * --verify: is the profile whole? What the reader had to mend, with the first line and a count;
 * whether the run ended; whether the amounts agree.
 */
#include "write/writers.h"

#include <inttypes.h>
#include <string.h>

#include "base/escape.h"
#include "model/check.h"
#include "model/notes.h"

static void put_note(const struct dp_job *job, const struct dp_note *note)
{
    int loss = note->code >= DP_NOTE_LOSS;

    dp_puts(job->out, loss ? "  wrong: " : "  note:  ");
    if (note->line)
        dp_putf(job->out, "line %" PRIu64 ": ", note->line);
    dp_put_name(job->out, note->text, strlen(note->text));
    if (note->count > 1)
        dp_putf(job->out, " (%" PRIu64 " times)", note->count);
    dp_putc(job->out, '\n');
}

static int write_verify(const struct dp_job *job, struct dp_err *err)
{
    const struct dp_profile *prof = job->prof;
    uint64_t calls = 0;
    unsigned wrong = 0;

    for (uint32_t i = 0; i < prof->nnodes; i++)
        calls += prof->nodes[i].calls;
    dp_putf(job->out,
            "%" PRIu64 " marks, %" PRIu64 " calls of %" PRIu32 " subs on %" PRIu32 " paths, ",
            prof->marks, calls, prof->nsubs, prof->nnodes ? prof->nnodes - 1 : 0);
    dp_putf(job->out, "%" PRIu64 " ticks a second, %s\n", prof->hz,
            prof->ended ? "ended in order" : "not ended");
    for (uint32_t i = 0; i < prof->nnotes; i++) {
        put_note(job, &prof->notes[i]);
        wrong += prof->notes[i].code >= DP_NOTE_LOSS;
    }
    if (dp_profile_check(prof, err) < 0)
        return -1;
    if (wrong)
        return dp_fail(err, "%u kind%s of fault", wrong, wrong == 1 ? "" : "s");
    dp_puts(job->out, "  nothing is wrong\n");
    return 0;
}

const struct dp_writer dp_write_verify = {
    .name = "verify",
    .about = "is the profile itself whole: nesting, clocks, totals",
    .ending = "",
    .needs = DP_NEEDS_PLAIN,
    .write = write_verify,
};
