#include "write/tree.h"

#include <inttypes.h>

#include "base/escape.h"
#include "write/cells.h"
#include "write/shapes.h"
#include "write/statements.h"
#include "write/walk.h"
#include "write/writers.h"

enum { BLANKS = 3 }; /* of a level */

/* Added to a sub: not a call, but the rest of one that was counted before and whose line is not the
   last one of its level: in the profile of a forked child the frames that its parent had open. */
#define CONTINUED UINT32_C(0x80000000)

/* The name of a sub as it is printed, made when it is first needed. */
struct label {
    const char *text;
    size_t length;
};

/* An open call while equal ones are being folded. */
struct frame {
    uint32_t sub;
    uint32_t first; /* of its calls in `pending` */
};

struct dp_tree {
    struct dp_listener listener;
    struct dp_out *out;
    struct dp_lens lens;
    uint32_t level;  /* calls shown around the next one */
    uint32_t *lines; /* per level: the sub of its last line, while that could go on */
    uint32_t nlines;
    uint64_t shown;

    struct dp_arena arena;
    struct label *labels; /* per sub */
    uint32_t nlabels;

    struct dp_shapes shapes;
    struct frame *frames;
    uint32_t frame_room;
    struct dp_times *pending; /* calls that ended inside open ones */
    uint32_t npending;
    uint32_t pending_room;
    struct dp_times last; /* outermost calls that are not printed yet */
};

static const struct label *label(struct dp_tree *tree, uint32_t sub)
{
    struct label *label;

    while (tree->nlabels <= sub) {
        tree->labels = dp_more(tree->labels, tree->nlabels, sizeof *tree->labels);
        tree->labels[tree->nlabels++] = (struct label){NULL, 0};
    }
    label = &tree->labels[sub];
    if (!label->text) {
        size_t n;
        const char *name = dp_string(tree->lens.prof, tree->lens.subs[sub].as, &n);
        char *text = dp_arena_alloc(&tree->arena, 4 * n + 1);

        label->length = dp_show_name(text, 4 * n + 1, name, n);
        label->text = text;
    }
    return label;
}

static void put_call(struct dp_tree *tree, uint32_t sub, uint32_t level, uint32_t count)
{
    const struct label *shown = label(tree, sub & ~CONTINUED);

    dp_put_indent(tree->out, level, BLANKS);
    dp_put(tree->out, shown->text, shown->length);
    if (count > 1) {
        dp_put(tree->out, " (", 2);
        dp_put_u64(tree->out, count);
        dp_put(tree->out, "x)", 2);
    }
    if (sub & CONTINUED)
        dp_puts(tree->out, " (continued)");
    dp_putc(tree->out, '\n');
}

static void put_line(struct dp_tree *tree, uint32_t sub)
{
    put_call(tree, sub, tree->level, 1);
    tree->nlines = tree->level++;
    tree->lines = dp_more(tree->lines, tree->nlines, sizeof *tree->lines);
    tree->lines[tree->nlines++] = sub & ~CONTINUED;
}

static void enter(void *ctx, uint32_t sub, uint32_t depth, const struct dp_time *at)
{
    struct dp_tree *tree = ctx;

    (void)depth, (void)at;
    if (!dp_lens_opens(&tree->lens, sub))
        return;
    tree->shown++;
    put_line(tree, sub);
}

/* What follows belongs under the line that is there, if nothing came between. */
static void reenter(void *ctx, uint32_t sub, uint32_t depth, const struct dp_time *at)
{
    struct dp_tree *tree = ctx;

    (void)depth, (void)at;
    if (!dp_lens_opens(&tree->lens, sub))
        return;
    if (tree->level < tree->nlines && tree->lines[tree->level] == sub)
        tree->level++;
    else
        put_line(tree, sub | CONTINUED);
}

static void leave(void *ctx, uint32_t sub, uint32_t depth, const struct dp_time *at)
{
    struct dp_tree *tree = ctx;

    (void)depth, (void)at;
    if (dp_lens_closes(&tree->lens, sub) && tree->level)
        tree->level--;
}

/* --- folding equal calls --- */

/* A place in a shape that is being printed. */
struct step {
    uint32_t shape;
    uint32_t next;
};

static void put_shape(struct dp_tree *tree, struct dp_times top)
{
    struct step *steps = NULL;
    uint32_t n = 0;

    put_call(tree, tree->shapes.shapes[top.shape].sub, 0, top.count);
    steps = dp_more(steps, n, sizeof *steps);
    steps[n++] = (struct step){top.shape, 0};
    while (n) {
        const struct dp_shape *shape = &tree->shapes.shapes[steps[n - 1].shape];
        struct dp_times call;

        if (steps[n - 1].next == shape->ncalls) {
            n--;
            continue;
        }
        call = shape->calls[steps[n - 1].next++];
        put_call(tree, tree->shapes.shapes[call.shape].sub, n, call.count);
        if (!tree->shapes.shapes[call.shape].ncalls)
            continue;
        steps = dp_more(steps, n, sizeof *steps);
        steps[n++] = (struct step){call.shape, 0};
    }
    dp_free(steps);
}

static void put_last(struct dp_tree *tree)
{
    if (tree->last.count)
        put_shape(tree, tree->last);
    tree->last.count = 0;
}

static void fold_outermost(struct dp_tree *tree, uint32_t shape)
{
    if (tree->last.count && (tree->last.shape != shape || tree->last.count == UINT32_MAX))
        put_last(tree);
    tree->last.shape = shape;
    tree->last.count++;
}

static void put_pending(struct dp_tree *tree, struct dp_times times)
{
    if (!tree->pending || tree->npending == tree->pending_room) {
        tree->pending_room = tree->pending_room ? 2 * tree->pending_room : 64;
        tree->pending = dp_grow(tree->pending, tree->pending_room * sizeof *tree->pending);
    }
    tree->pending[tree->npending++] = times;
}

static void fold_inner(struct dp_tree *tree, uint32_t first, uint32_t shape)
{
    struct dp_times *before = tree->npending > first ? &tree->pending[tree->npending - 1] : NULL;

    if (before && before->shape == shape && before->count < UINT32_MAX) {
        before->count++;
        return;
    }
    put_pending(tree, (struct dp_times){shape, 1});
}

static void open_frame(struct dp_tree *tree, uint32_t sub)
{
    if (tree->level == tree->frame_room) {
        tree->frame_room = tree->frame_room ? 2 * tree->frame_room : 64;
        tree->frames = dp_grow(tree->frames, tree->frame_room * sizeof *tree->frames);
    }
    tree->frames[tree->level++] = (struct frame){sub, tree->npending};
}

static void fold_enter(void *ctx, uint32_t sub, uint32_t depth, const struct dp_time *at)
{
    struct dp_tree *tree = ctx;

    (void)depth, (void)at;
    if (!dp_lens_opens(&tree->lens, sub))
        return;
    tree->shown++;
    open_frame(tree, sub);
}

/* Takes back the last call that ended here, if it was one of that sub: its shape, else DP_NONE. */
static uint32_t take_last(struct dp_tree *tree, uint32_t sub)
{
    struct dp_times *last = &tree->last;
    uint32_t shape;

    if (tree->level) {
        if (tree->npending == tree->frames[tree->level - 1].first)
            return DP_NONE;
        last = &tree->pending[tree->npending - 1];
    }
    if (!last->count || (tree->shapes.shapes[last->shape].sub & ~CONTINUED) != sub)
        return DP_NONE;
    shape = last->shape;
    if (!--last->count && tree->level)
        tree->npending--;
    return shape;
}

/* The call goes on where it stopped, with what it had called. */
static void fold_reenter(void *ctx, uint32_t sub, uint32_t depth, const struct dp_time *at)
{
    struct dp_tree *tree = ctx;
    const struct dp_shape *shape;
    uint32_t taken;

    (void)depth, (void)at;
    if (!dp_lens_opens(&tree->lens, sub))
        return;
    taken = take_last(tree, sub);
    if (taken == DP_NONE) {
        open_frame(tree, sub | CONTINUED);
        return;
    }
    shape = &tree->shapes.shapes[taken];
    open_frame(tree, shape->sub);
    for (uint32_t i = 0; i < shape->ncalls; i++)
        put_pending(tree, shape->calls[i]);
}

static void fold_leave(void *ctx, uint32_t sub, uint32_t depth, const struct dp_time *at)
{
    struct dp_tree *tree = ctx;
    struct frame frame;
    uint32_t ncalls, shape;

    (void)depth, (void)at;
    if (!dp_lens_closes(&tree->lens, sub) || !tree->level)
        return;
    frame = tree->frames[--tree->level];
    ncalls = tree->npending - frame.first;
    shape = dp_shape(&tree->shapes, frame.sub, ncalls ? tree->pending + frame.first : NULL, ncalls);
    tree->npending = frame.first;
    if (tree->level)
        fold_inner(tree, tree->frames[tree->level - 1].first, shape);
    else
        fold_outermost(tree, shape);
}

/* --- what the outside sees --- */

struct dp_tree *dp_tree_new(struct dp_out *out, int collapsed, int only_within, dp_decide *decide,
                            void *ctx)
{
    struct dp_tree *tree = dp_alloc(sizeof *tree);

    tree->listener.enter = collapsed ? fold_enter : enter;
    tree->listener.reenter = collapsed ? fold_reenter : reenter;
    tree->listener.leave = collapsed ? fold_leave : leave;
    tree->listener.ctx = tree;
    tree->out = out;
    dp_lens_init(&tree->lens, only_within, decide, ctx);
    return tree;
}

const struct dp_listener *dp_tree_listener(const struct dp_tree *tree)
{
    return &tree->listener;
}

void dp_tree_begin(void *ctx, struct dp_profile *prof)
{
    struct dp_tree *tree = ctx;

    dp_lens_begin(&tree->lens, prof);
    tree->nlabels = 0;
    tree->level = 0;
    tree->nlines = 0;
}

uint64_t dp_tree_end(struct dp_tree *tree)
{
    put_last(tree);
    return tree->shown;
}

void dp_tree_free(struct dp_tree *tree)
{
    dp_shapes_free(&tree->shapes);
    dp_arena_free(&tree->arena);
    dp_lens_free(&tree->lens);
    dp_free(tree->labels);
    dp_free(tree->lines);
    dp_free(tree->frames);
    dp_free(tree->pending);
    dp_free(tree);
}

/* A profile that was folded when it was recorded has no order: its call paths, with counts. */
static int write_paths(const struct dp_job *job, struct dp_err *err)
{
    struct dp_view in_order = *job->view;
    struct dp_job ordered = *job;
    struct dp_walk walk;
    struct dp_step step;

    (void)err;
    if (job->prof->statements)
        return dp_put_statement_tree(job);
    if (job->prof->counts)
        return dp_write_callgraph.write(job, err);
    ordered.view = &in_order;
    in_order.sort = DP_SORT_FIRST;
    in_order.reverse = 0;
    dp_walk_init(&walk, &ordered);
    while (dp_walk_next(&walk, &step)) {
        const struct dp_node *node = &job->prof->nodes[step.node];
        size_t n;
        const char *name = dp_sub_name(job->prof, node->sub, &n);

        dp_put_indent(job->out, step.level, BLANKS);
        dp_put_name(job->out, name, n);
        if (node->calls != 1 && !(job->prof->uncounted && !node->calls))
            dp_putf(job->out, " (%" PRIu64 "x)", node->calls);
        dp_putc(job->out, '\n');
    }
    dp_walk_free(&walk);
    return 0;
}

const struct dp_writer dp_write_tree = {
    .name = "tree",
    .about = "the tree of calls in their order, a line for each",
    .ending = "",
    .needs = DP_NEEDS_ORDER,
    .write = write_paths,
};

const struct dp_writer dp_write_collapsed = {
    .name = "collapsed",
    .about = "the tree of calls in their order, equal ones in a row folded into one",
    .ending = "",
    .needs = DP_NEEDS_ORDER,
    .write = write_paths,
};
