/*
 * FILE.tree of a run that was killed or still runs (base/tree_file.h): nodes as they lie in memory, names
 * by the ids of the profile's `&` lines. Every number in it is doubted.
 */
#include "base/tree_file.h"

#include "read/tmon.h"

/* Beyond this a count of ticks is no time. */
#define MOST_TICKS 1e18

struct tree_file {
    struct dp_tmon *tmon;
    const char *bytes;
    uint64_t slots;
    double ticks;   /* ticks of the tree's clock that one unit of the counter is */
    uint64_t scale; /* ticks of the tree's clock in one of the profile's */
    uint32_t *places; /* of each slot among the nodes; DP_NONE: it is none */
};

static void strange(struct dp_tmon *tmon, const char *what)
{
    dp_note(tmon->prof, DP_NOTE_BAD_TREE, 0, "the tree beside the profile %s; it is left out", what);
}

static struct dp_tree_slot slot_at(const struct tree_file *file, uint64_t index)
{
    struct dp_tree_slot slot;

    memcpy(&slot, file->bytes + DP_TREE_PAGE + index * sizeof slot, sizeof slot);
    return slot;
}

static int64_t in_range(double value)
{
    return value > 0 && value < MOST_TICKS ? (int64_t)value : 0;
}

static void set_times(const struct tree_file *file, const struct dp_tree_slot *slot,
                      struct dp_time *self)
{
    double real = (double)slot->real * file->ticks;
    double sys = (double)slot->sys, wait = (double)slot->wait;
    double user = real - wait - sys;

    if (user < 0) {
        sys += user;
        user = 0;
    }
    self->real = in_range(real) / (int64_t)file->scale;
    self->sys = in_range(sys) / (int64_t)file->scale;
    self->user = in_range(user) / (int64_t)file->scale;
}

static uint32_t bucket_number(const struct tree_file *file, uint32_t bucket)
{
    uint64_t low = bucket ? (uint64_t)1 << (bucket - 1) : 0;
    uint32_t number = 0;

    for (low /= file->scale; low; low >>= 1)
        number++;
    return number;
}

static uint32_t set_hist(const struct tree_file *file, const struct dp_tree_slot *slot)
{
    struct dp_tree *tree = &file->tmon->tree;
    struct dp_tree_extension wide;
    struct dp_hist hist;

    if (slot->min > slot->max)
        return DP_NONE;
    memset(&hist, 0, sizeof hist);
    hist.min = slot->min / file->scale;
    hist.max = slot->max / file->scale;
    for (uint32_t i = 0; i < DP_TREE_BUCKETS; i++)
        hist.bucket[bucket_number(file, i)] += slot->bucket[i];
    if (slot->wide && slot->wide < file->slots) {
        memcpy(&wide, file->bytes + DP_TREE_PAGE + slot->wide * sizeof *slot, sizeof wide);
        for (uint32_t i = 0; wide.sub == DP_TREE_EXTENSION && i < DP_TREE_WIDE; i++)
            hist.bucket[bucket_number(file, DP_TREE_BUCKETS + i)] += wide.bucket[i];
    }
    tree->hists = dp_more(tree->hists, tree->nhists, sizeof *tree->hists);
    tree->hists[tree->nhists] = hist;
    return tree->nhists++;
}

/* A slot becomes a node if its parent is one and its sub is known. */
static void add_slot(struct tree_file *file, uint64_t index)
{
    struct dp_tree *tree = &file->tmon->tree;
    struct dp_tree_slot slot = slot_at(file, index);
    struct dp_tree_node node = {slot.calls, {0, 0, 0}, DP_NONE, DP_NONE, DP_NONE};

    file->places[index] = DP_NONE;
    if (index) {
        if (slot.sub == DP_TREE_EXTENSION)
            return;
        node.parent = slot.parent < index ? file->places[slot.parent] : DP_NONE;
        node.sub = dp_idmap_find(&file->tmon->ids, slot.sub);
        if (node.parent == DP_NONE || node.sub == DP_NONE) {
            dp_note(file->tmon->prof, DP_NOTE_BAD_TREE, 0,
                    "slot %llu of the tree beside the profile has no %s; it is left out",
                    (unsigned long long)index, node.sub == DP_NONE ? "known sub" : "parent");
            return;
        }
    }
    set_times(file, &slot, &node.self);
    node.hist = set_hist(file, &slot);
    file->places[index] = tree->nnodes;
    tree->nodes = dp_more(tree->nodes, tree->nnodes, sizeof *tree->nodes);
    tree->nodes[tree->nnodes++] = node;
}

/* 0 if it is a tree of this run and this machine's make. */
static int check(struct dp_tmon *tmon, const struct dp_tree_header *header)
{
    const struct dp_profile *prof = tmon->prof;
    size_t n;
    const char *id = dp_string(prof, prof->run.id, &n);

    if (memcmp(header->magic, DP_TREE_MAGIC, sizeof header->magic) != 0)
        return strange(tmon, "is none"), -1;
    if (header->order != DP_TREE_ORDER || header->node_size != sizeof(struct dp_tree_slot))
        return strange(tmon, "was written by another kind of machine"), -1;
    if (n != strnlen(header->id, sizeof header->id) || memcmp(id, header->id, n) != 0)
        return strange(tmon, "belongs to another run"), -1;
    if (!(header->ticks > 0 && header->ticks < 1e9) || header->hz < prof->hz || header->used == 0)
        return strange(tmon, "has a header that cannot be"), -1;
    return 0;
}

void dp_tmon_tree_file(struct dp_tmon *tmon, const char *bytes, size_t n)
{
    struct tree_file file = {tmon, bytes, 0, 0, 1, NULL};
    struct dp_tree_header header;

    if (n < DP_TREE_PAGE + sizeof(struct dp_tree_slot)) {
        strange(tmon, "is cut");
        return;
    }
    memcpy(&header, bytes, sizeof header);
    if (check(tmon, &header) != 0)
        return;
    file.slots = (n - DP_TREE_PAGE) / sizeof(struct dp_tree_slot);
    if (header.used < file.slots)
        file.slots = header.used;
    if (file.slots > UINT32_MAX - 1)
        file.slots = UINT32_MAX - 1;
    file.ticks = header.ticks;
    file.scale = header.hz / tmon->prof->hz;
    file.places = dp_alloc_array(file.slots, sizeof *file.places);
    tmon->tree.nnodes = tmon->tree.nhists = 0;
    for (uint64_t i = 0; i < file.slots; i++)
        add_slot(&file, i);
    dp_free(file.places);
    tmon->part = DP_PART_MARKS;
}
