#include "record/tree.h"

#include "base/tmon_tags.h"
#include "record/frames.h"
#include "record/guard.h"
#include "record/header.h"
#include "record/mark.h"
#include "record/names.h"
#include "record/sites.h"
#include "record/tree_store.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_NODES 1000000
#define TREE_HZ 1000000 /* where the profile's own ticks are coarse */

static struct dp_tree_slot *running(struct dp_tree *tree)
{
    return &tree->slots[tree->current];
}

/* What the clock learnt from the kernel is laid upon the node that was running. */
static DP_COLD void learn(struct dp_tree *tree, uint64_t now)
{
    struct dp_stamp stamp = dp_clock_stamp(&tree->clock, now);
    struct dp_tree_slot *slot = running(tree);
    int64_t real = (int64_t)(stamp.real - tree->stamp.real);
    int64_t user = (int64_t)(stamp.user - tree->stamp.user);
    int64_t sys = (int64_t)(stamp.sys - tree->stamp.sys);

    slot->wait += real - user - sys;
    slot->sys += sys;
    tree->stamp = stamp;
    tree->header->ticks = 1.0 / (tree->clock.per_ns * (double)tree->clock.tick_ns);
}

/* Gives the time since the last event to the running node. */
DP_INLINE struct dp_tree_slot *give(struct dp_tree *tree, uint64_t now)
{
    struct dp_tree_slot *slot = running(tree);

    if (DP_LIKELY(now > tree->last)) {
        slot->real += now - tree->last;
        tree->last = now;
    }
    return slot;
}

/* Must the kernel be asked before that? */
DP_INLINE int is_due(const struct dp_tree *tree, uint64_t now)
{
    return now >= tree->clock.due || now - tree->last > tree->clock.gap ||
           dp_interrupted(&tree->clock);
}

/* The same, after it was asked if it must be. leaving: it is the end of a call. Returns the time that counts. */
static uint64_t charge(struct dp_tree *tree, uint64_t now, int leaving)
{
    if (is_due(tree, now)) {
        tree->clock.last = tree->last;
        if (leaving)
            now = dp_clock_after(&tree->clock, now);
        learn(tree, now);
    }
    give(tree, now);
    return now;
}

void dp_tree_settle(struct dp_recorder *recorder, uint64_t now)
{
    charge(recorder->tree, now, 0);
}

/* A statement. Its address alone will not do, for an eval's code may lie where that of the one before lay; perl's number
   of it does not come again for a million of evals. */
DP_INLINE uint64_t statement(const COP *cop)
{
    return (uint64_t)PTR2UV(cop) << 17 | (cop ? cop->cop_seq & 0xfffff : 0);
}

/* What makes a node: who is called, from whom, and where. */
struct path {
    uint32_t parent, sub, site, line;
};

static struct path path_to(const struct dp_tree_slot *slot)
{
    struct path path = {slot->parent, slot->sub, slot->site, slot->line};

    return path;
}

static int is_path(const struct dp_tree_slot *slot, const struct path *path)
{
    return slot->parent == path->parent && slot->sub == path->sub && slot->line == path->line &&
           slot->site == path->site;
}

static uint32_t *path_slot(const struct dp_tree *tree, const struct path *path)
{
    uint32_t i = (path->parent * 0x9e3779b1u) ^ (path->sub * 0x85ebca6bu) ^
                 (path->line * 0xc2b2ae35u) ^ (path->site * 0x27d4eb2fu);

    for (i ^= i >> 15; tree->paths[i & tree->paths_mask]; i++)
        if (is_path(&tree->slots[tree->paths[i & tree->paths_mask]], path))
            break;
    return &tree->paths[i & tree->paths_mask];
}

static int grow_paths(struct dp_tree *tree)
{
    uint32_t mask = tree->paths_mask ? tree->paths_mask * 2 + 1 : 1023, i;
    uint32_t *paths = calloc((size_t)mask + 1, sizeof *paths);

    if (!paths)
        return -1;
    free(tree->paths);
    tree->paths = paths;
    tree->paths_mask = mask;
    for (i = 1; i < tree->used; i++) {
        struct path path = path_to(&tree->slots[i]);

        if (path.sub != DP_TREE_EXTENSION)
            *path_slot(tree, &path) = i;
    }
    return 0;
}

static void stop_growing(struct dp_recorder *recorder, const char *why)
{
    char note[160];

    recorder->tree->full = 1;
    snprintf(note, sizeof note, "%s after %u call paths: further ones are folded into the nearest "
                                "ancestor of the same name, or into (other)", why,
             recorder->tree->used);
    dp_header_note(recorder, note);
}

/* A slot at the end; 0: the tree is full. */
static uint32_t new_slot(struct dp_recorder *recorder)
{
    struct dp_tree *tree = recorder->tree;

    if (tree->full)
        return 0;
    if (tree->used >= tree->most) {
        stop_growing(recorder, "the tree is full");
        return 0;
    }
    if (tree->used >= tree->room && dp_tree_store_grow(tree) != 0) {
        stop_growing(recorder, "there is no room for the tree");
        return 0;
    }
    return tree->used++;
}

static int know_sub(struct dp_recorder *recorder, struct dp_sub *sub)
{
    struct dp_tree *tree = recorder->tree;

    if (sub->id >= tree->nsubs) {
        uint32_t n = (sub->id + 256) * 2;
        struct dp_sub **subs = realloc(tree->subs, n * sizeof *subs);

        if (!subs)
            return -1;
        memset(subs + tree->nsubs, 0, (n - tree->nsubs) * sizeof *subs);
        tree->subs = subs;
        tree->nsubs = n;
    }
    tree->subs[sub->id] = sub;
    if (sub->generation != recorder->generation)
        dp_mark_announce(recorder, sub);
    return 0;
}

static uint32_t add_node(struct dp_recorder *recorder, const struct path *path, struct dp_sub *sub)
{
    struct dp_tree *tree = recorder->tree;
    struct dp_tree_slot *slot;
    uint32_t index;

    if (tree->used * 2 >= tree->paths_mask && grow_paths(tree) != 0)
        return 0;
    if (know_sub(recorder, sub) != 0 || (index = new_slot(recorder)) == 0)
        return 0;
    slot = &tree->slots[index];
    slot->sub = path->sub;
    slot->parent = path->parent;
    slot->site = path->site;
    slot->line = path->line;
    slot->min = UINT64_MAX;
    *path_slot(tree, path) = index;
    tree->header->used = tree->used;
    return index;
}

/* The tree is full: the nearest ancestor of the same name, else (other). */
static uint32_t fold(struct dp_recorder *recorder, uint32_t parent, const struct dp_sub *sub)
{
    struct dp_tree *tree = recorder->tree;
    struct path other = {0, tree->other->id, 0, 0};
    uint32_t index;

    tree->header->folded = ++tree->folded;
    for (index = parent; index; index = tree->slots[index].parent)
        if (tree->slots[index].sub == sub->id)
            return index;
    return *path_slot(tree, &other);
}

/* FILE.tree was cut by somebody else: what was folded is gone. */
static int is_lost(struct dp_recorder *recorder)
{
    if (!recorder->tree->lost)
        return 0;
    recorder->window.why = "its .tree was cut by somebody else";
    recorder->window.why_errno = 0;
    dp_recorder_fail(recorder);
    return 1;
}

/* The node for a call that is not like the last one from here. 0, the root: there is none, the profile has
   ended. */
static DP_COLD uint32_t find_child(pTHX_ struct dp_recorder *recorder, uint32_t parent, struct dp_sub *sub,
                                   const COP *cop)
{
    struct dp_tree *tree = recorder->tree;
    struct path path = {parent, sub->id, 0, 0};
    uint32_t index;

    if (is_lost(recorder))
        return 0;
    if (cop && CopFILE(cop)) {
        path.site = dp_site_of(recorder, CopFILE(cop));
        path.line = path.site ? (uint32_t)CopLINE(cop) : 0;
    }
    index = *path_slot(tree, &path);
    if (!index)
        index = add_node(recorder, &path, sub);
    if (!index)
        index = fold(recorder, parent, sub);
    tree->slots[parent].last = index;
    /* While perl compiles, its statement has no line of its own. */
    tree->slots[index].statement = cop == &PL_compiling ? 0 : statement(cop);
    return index;
}

/* The innermost frame ends, and this is a forked child. */
static DP_COLD void leave_in_child(struct dp_recorder *recorder, uint64_t now)
{
    struct dp_sub *sub = recorder->top->sub;

    recorder->top--;
    dp_mark_slow(recorder, sub, DP_TMON_LEAVE, now);
    if (recorder->recording)
        recorder->top++;
}

/* The call is open now. */
DP_INLINE void go_into(struct dp_recorder *recorder, uint32_t child, uint64_t now, int counted)
{
    struct dp_tree *tree = recorder->tree;
    struct dp_frame *frame = recorder->top;

    tree->slots[child].calls += (uint64_t)counted;
    tree->header->current = tree->current = child;
    frame->node = child;
    frame->since = counted ? now : 0;
    recorder->marks++;
}

static DP_COLD void enter_slowly(pTHX_ struct dp_recorder *recorder, struct dp_sub *sub,
                                 uint64_t now)
{
    struct dp_tree *tree = recorder->tree;

    if (*recorder->window.limit == NULL) { /* its own profile may be no tree */
        dp_mark_slow(recorder, sub, DP_TMON_ENTER, now);
        return;
    }
    charge(tree, now, 0);
    go_into(recorder, find_child(aTHX_ recorder, tree->current, sub, PL_curcop), now, 1);
}

void dp_tree_take_up(pTHX_ struct dp_recorder *recorder, struct dp_sub *sub, uint64_t now, const COP *cop)
{
    struct dp_tree *tree = recorder->tree;

    charge(tree, now, 0);
    go_into(recorder, find_child(aTHX_ recorder, tree->current, sub, cop), now, 0);
}

/* What is rare is called as the last thing, here and in dp_tree_leave(): so the usual way needs no stack. */
void dp_tree_enter(pTHX_ struct dp_recorder *recorder, struct dp_sub *sub, uint64_t now)
{
    struct dp_tree *tree = recorder->tree;
    uint32_t child;

    if (DP_LIKELY(*recorder->window.limit != NULL && !is_due(tree, now))) {
        child = give(tree, now)->last;
        if (DP_LIKELY(child && tree->slots[child].sub == sub->id &&
                      tree->slots[child].statement == statement(PL_curcop))) {
            go_into(recorder, child, now, 1);
            return;
        }
    }
    enter_slowly(aTHX_ recorder, sub, now);
}

static void count_wide(struct dp_recorder *recorder, uint32_t index, int bucket)
{
    struct dp_tree *tree = recorder->tree;
    uint32_t wide = tree->slots[index].wide;
    struct dp_tree_extension *extension;

    if (!wide) {
        wide = new_slot(recorder);
        if (!wide)
            return; /* the histogram then holds less than the calls, and readers mark it */
        tree->slots[index].wide = wide;
        tree->slots[wide].sub = DP_TREE_EXTENSION;
        tree->header->used = tree->used;
    }
    extension = (struct dp_tree_extension *)&tree->slots[wide];
    bucket -= DP_TREE_BUCKETS;
    if (bucket >= (int)DP_TREE_WIDE)
        bucket = (int)DP_TREE_WIDE - 1;
    if (extension->bucket[bucket] != UINT32_MAX)
        extension->bucket[bucket]++;
}

DP_INLINE void note_extremes(struct dp_tree_slot *slot, uint64_t ticks)
{
    if (ticks < slot->min)
        slot->min = ticks;
    if (ticks > slot->max)
        slot->max = ticks;
}

DP_INLINE void note_bucket(struct dp_tree_slot *slot, int bucket)
{
    if (DP_LIKELY(slot->bucket[bucket] != UINT32_MAX))
        slot->bucket[bucket]++;
}

static DP_COLD void count_long(struct dp_recorder *recorder, uint32_t index, uint64_t units)
{
    struct dp_tree *tree = recorder->tree;
    struct dp_tree_slot *slot = &tree->slots[index];
    uint64_t ticks = units < (uint64_t)1 << 31 ? units * (uint64_t)tree->clock.mult >> 32
                                               : (uint64_t)((double)units * tree->header->ticks);
    int bucket = ticks ? 64 - __builtin_clzll(ticks) : 0;

    note_extremes(slot, ticks);
    if (bucket >= DP_TREE_BUCKETS)
        count_wide(recorder, index, bucket);
    else
        note_bucket(slot, bucket);
}

/* What the table of buckets in a node and a multiplication have room for. No branch by the number of the
   bucket, which from call to call is another. */
DP_INLINE int count_short(struct dp_tree *tree, uint32_t index, uint64_t units)
{
    struct dp_tree_slot *slot = &tree->slots[index];
    uint64_t ticks;

    if (DP_UNLIKELY(units >= (uint64_t)1 << 31))
        return 0;
    ticks = units * (uint64_t)tree->clock.mult >> 32;
    if (DP_UNLIKELY(ticks >= (uint64_t)1 << (DP_TREE_BUCKETS - 1)))
        return 0;
    note_extremes(slot, ticks);
    note_bucket(slot, 63 - __builtin_clzll(ticks << 1 | 1));
    return 1;
}

/* The innermost frame is over, and its caller runs again; below the first frame lies the base, of node 0. */
DP_INLINE void end_call(struct dp_recorder *recorder, uint64_t now)
{
    struct dp_tree *tree = recorder->tree;
    const struct dp_frame *frame = recorder->top;
    uint64_t units = now > frame->since ? now - frame->since : 0;

    tree->header->current = tree->current = frame[-1].node;
    recorder->marks++;
    if (DP_LIKELY(frame->since) && DP_UNLIKELY(!count_short(tree, frame->node, units)))
        count_long(recorder, frame->node, units);
}

static DP_COLD void leave_slowly(struct dp_recorder *recorder, uint64_t now)
{
    if (*recorder->window.limit == NULL) {
        leave_in_child(recorder, now);
        return;
    }
    end_call(recorder, charge(recorder->tree, now, 1));
}

void dp_tree_leave(struct dp_recorder *recorder, uint64_t now)
{
    struct dp_tree *tree = recorder->tree;

    if (DP_UNLIKELY(*recorder->window.limit == NULL || is_due(tree, now))) {
        leave_slowly(recorder, now);
        return;
    }
    give(tree, now);
    end_call(recorder, now);
}

void dp_tree_resume(struct dp_recorder *recorder)
{
    struct dp_tree *tree = recorder->tree;

    tree->last = dp_counter();
    tree->stamp = dp_clock_stamp(&tree->clock, tree->last);
    tree->current = 0;
}

static void start_clock(struct dp_recorder *recorder)
{
    struct dp_tree *tree = recorder->tree;

    if (recorder->clock.coarse)
        dp_clock_init(&tree->clock, TREE_HZ, recorder->options.portable);
    else
        tree->clock = recorder->clock;
    tree->header->hz = tree->clock.hz;
    tree->header->ticks = 1.0 / (tree->clock.per_ns * (double)tree->clock.tick_ns);
    dp_tree_resume(recorder);
}

int dp_tree_begin(struct dp_recorder *recorder)
{
    struct dp_tree *tree = calloc(1, sizeof *tree);
    char line[DP_PATH_MAX * 2];
    struct path path;

    if (!tree)
        return -1;
    tree->most = MOST_NODES;
    tree->sites = calloc(DP_SITES, sizeof *tree->sites);
    tree->seen = calloc(DP_SITES, sizeof *tree->seen);
    tree->other = dp_sub_other(recorder);
    if (!tree->sites || !tree->seen || !tree->other || dp_tree_store_open(tree, recorder) != 0) {
        free(tree->sites);
        free(tree->seen);
        free(tree);
        return -1;
    }
    recorder->tree = tree;
    recorder->trace_marks = recorder->marks;
    if (recorder->dialect != DP_COMPACT)
        recorder->generation++; /* ids are still to be introduced */
    recorder->dialect = DP_TREE;
    start_clock(recorder);
    tree->used = 1;
    tree->slots[0].min = UINT64_MAX;
    grow_paths(tree);
    know_sub(recorder, tree->other);
    tree->slots[tree->used].sub = tree->other->id;
    tree->slots[tree->used].min = UINT64_MAX;
    path = path_to(&tree->slots[tree->used]);
    *path_slot(tree, &path) = tree->used++;
    tree->header->used = tree->used;
    if (tree->is_file)
        dp_window_put(&recorder->window, line,
                      (size_t)snprintf(line, sizeof line, "#tree %s\n", tree->file.path));
    return 0;
}

void dp_tree_forget(struct dp_recorder *recorder)
{
    struct dp_tree *tree = recorder->tree;

    if (!tree)
        return;
    dp_tree_store_close(tree);
    free(tree->paths);
    free(tree->subs);
    free(tree->sites);
    free(tree->seen);
    free(tree);
    recorder->tree = NULL;
}

void dp_tree_remove(struct dp_recorder *recorder)
{
    dp_tree_store_remove(recorder->tree);
    dp_tree_forget(recorder);
}

void dp_tree_end(struct dp_recorder *recorder)
{
    struct dp_tree *tree = recorder->tree;

    dp_tree_settle(recorder, dp_counter());
    if (is_lost(recorder))
        return;
    if (!recorder->clock.coarse)
        recorder->clock = tree->clock; /* which knows this thread, if it is another's that ends here */
    dp_tree_store_write(recorder);
    if (recorder->window.kind != DP_WINDOW_NONE)
        dp_tree_store_remove(tree);
}
