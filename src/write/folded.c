/*
 * folded: a line for each call path with its own time, as flame graph tools read it:
 * "outer;inner;innermost N". N is in nanoseconds, or what was counted. Neither ';' nor a newline
 * can stand in a name there, so they are escaped like all that cannot be shown.
 */
#include "write/folded.h"

#include <string.h>

#include "base/escape.h"
#include "base/mem.h"
#include "model/compare.h"
#include "model/time.h"
#include "write/cells.h"
#include "write/measures.h"
#include "write/stack.h"
#include "write/writers.h"

void dp_put_frame(struct dp_out *out, const char *name, size_t n)
{
    const char *semicolon;

    if (!n)
        dp_puts(out, "(no name)");
    while ((semicolon = n ? memchr(name, ';', n) : NULL)) {
        size_t before = (size_t)(semicolon - name);

        dp_put_name(out, name, before);
        dp_puts(out, "\\x3b");
        name += before + 1;
        n -= before + 1;
    }
    dp_put_name(out, name, n && name[n - 1] == ' ' ? n - 1 : n);
    if (n && name[n - 1] == ' ')
        dp_puts(out, "\\x20");
}

void dp_put_frames(struct dp_out *out, const struct dp_stack *stack)
{
    const struct dp_profile *prof = stack->prof;

    if (!stack->n)
        dp_puts(out, DP_OUTSIDE);
    for (uint32_t i = 0; i < stack->n; i++) {
        size_t n;
        const char *name = dp_string(prof, prof->subs[prof->nodes[stack->nodes[i]].sub].name, &n);

        if (i) {
            dp_putc(out, ';');
        } else if (n && *name == '#') { /* a comment, else */
            dp_puts(out, "\\x23");
            name++;
            n--;
            if (!n)
                continue;
        }
        dp_put_frame(out, name, n);
    }
}

/* What the base has at each node of a walk whose deep paths may be cut. */
static struct dp_was *was_in(const struct dp_stack *stack, const struct dp_comparison *comparison)
{
    struct dp_was *all = dp_alloc_array(stack->prof->nnodes, sizeof *all);

    for (uint32_t i = 0; i < comparison->nnodes; i++) {
        struct dp_was *to = &all[stack->places ? stack->places[i] : i];

        to->calls += comparison->was[i].calls;
        dp_add_time(&to->self, &comparison->was[i].self);
    }
    return all;
}

/* Two columns for difffolded.pl and its like: before and now, each as one run on the average. */
static int write_both(const struct dp_job *job, const struct dp_comparison *comparison)
{
    const struct dp_measure *measure = dp_main_measure(job);
    struct dp_stack stack;
    struct dp_was *all;
    uint32_t node;

    dp_stack_init(&stack, job->prof, DP_STACK_MOST);
    all = was_in(&stack, comparison);
    while (dp_stack_next(&stack, &node)) {
        int64_t before = dp_measure(stack.prof, measure, all[node].calls, &all[node].self);
        int64_t now = dp_measure_node(stack.prof, measure, node);

        if (before <= 0 && now <= 0)
            continue;
        dp_put_frames(job->out, &stack);
        dp_putc(job->out, ' ');
        dp_put_u64(job->out, (uint64_t)before / comparison->runs[DP_BASE]);
        dp_putc(job->out, ' ');
        dp_put_u64(job->out, (uint64_t)now / comparison->runs[DP_NOW]);
        dp_putc(job->out, '\n');
    }
    dp_free(all);
    dp_stack_free(&stack);
    return 0;
}

static int write_folded(const struct dp_job *job, struct dp_err *err)
{
    const struct dp_measure *measure = dp_main_measure(job);
    const struct dp_comparison *comparison = dp_comparison_of(job->prof);
    struct dp_stack stack;
    uint32_t node;

    (void)err;
    if (comparison)
        return write_both(job, comparison);
    dp_stack_init(&stack, job->prof, DP_STACK_MOST);
    while (dp_stack_next(&stack, &node)) {
        int64_t amount = dp_measure_node(stack.prof, measure, node);

        if (amount <= 0)
            continue;
        dp_put_frames(job->out, &stack);
        dp_putc(job->out, ' ');
        dp_put_u64(job->out, (uint64_t)amount);
        dp_putc(job->out, '\n');
    }
    dp_stack_free(&stack);
    return 0;
}

const struct dp_writer dp_write_folded = {
    .name = "folded",
    .about = "call paths with their own nanoseconds, a line each: flamegraph.pl, inferno, "
             "speedscope, Pyroscope",
    .ending = ".folded",
    .writes = DP_WRITES_FORMAT,
    .needs = DP_KNOWS_BASE,
    .write = write_folded,
};
