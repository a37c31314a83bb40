/* FILE.tree, which a killed run leaves beside its profile: the calls that were folded and never
   became a PART3. base/tree_file.h says how it is laid out. */
#include "read/tmon.h"

#include "base/tree_file.h"
#include "base/tmon_tags.h"
#include "model/hists.h"
#include "model/time.h"

struct mapped {
    struct dp_tmon *tmon;
    struct dp_tree_header header;
    const char *slots;
    uint32_t used;
    double scale;               /* ticks of the profile in a tick of the tree */
    uint32_t *places;           /* nodes of the profile by slot, DP_NONE: none */
    struct dp_tree_node *nodes; /* the same as of a PART3: for where they are called from */
};

static struct dp_tree_slot slot_at(const struct mapped *mapped, uint32_t i)
{
    struct dp_tree_slot slot;

    memcpy(&slot, mapped->slots + (size_t)i * sizeof slot, sizeof slot);
    return slot;
}

static int fail(struct dp_tmon *tmon, const char *why)
{
    dp_note(tmon->prof, DP_NOTE_BAD_TREE, 0, "the tree beside the profile %s; left out", why);
    return 0;
}

/* Is it whole, of this machine and of this run? */
static int begin(struct mapped *mapped, struct dp_tmon *tmon, const char *bytes, size_t n)
{
    struct dp_tree_header *header = &mapped->header;
    const char *id = dp_string(tmon->prof, tmon->prof->run.id, NULL);

    if (n < DP_TREE_PAGE || memcmp(bytes, DP_TREE_MAGIC, sizeof header->magic) != 0)
        return fail(tmon, "is none");
    memcpy(header, bytes, sizeof *header);
    if (header->order != DP_TREE_ORDER || header->node_size != sizeof(struct dp_tree_slot))
        return fail(tmon, "comes from another kind of machine");
    if (strncmp(header->id, id, sizeof header->id) != 0)
        return 0; /* of another run of the same name: nothing to do with this one */
    if (header->hz < 1 || header->hz > 1000000000 || !(header->ticks > 0 && header->ticks < 1e9))
        return fail(tmon, "has no usable clock");
    mapped->tmon = tmon;
    mapped->slots = bytes + DP_TREE_PAGE;
    n = (n - DP_TREE_PAGE) / sizeof(struct dp_tree_slot);
    if (n > UINT32_MAX - 1)
        n = UINT32_MAX - 1;
    mapped->used = header->used < n ? (uint32_t)header->used : (uint32_t)n;
    mapped->scale = (double)tmon->prof->hz / (double)header->hz;
    return mapped->used > 0;
}

static int64_t between(int64_t ticks, int64_t most)
{
    return ticks < 0 ? 0 : ticks > most ? most : ticks;
}

/* Real time that was neither spent waiting nor in the kernel is the user's. */
static struct dp_time own_time(const struct mapped *mapped, const struct dp_tree_slot *slot)
{
    struct dp_time self;
    int64_t wait;

    self.real = dp_ticks((double)slot->real * mapped->header.ticks * mapped->scale);
    wait = between(dp_ticks((double)slot->wait * mapped->scale), self.real);
    self.sys = between(dp_ticks((double)slot->sys * mapped->scale), self.real - wait);
    self.user = self.real - wait - self.sys;
    return self;
}

static void hist_of(const struct mapped *mapped, const struct dp_tree_slot *slot,
                    struct dp_hist *hist)
{
    struct dp_tree_extension wide;

    memset(hist, 0, sizeof *hist);
    for (uint32_t i = 0; i < DP_TREE_BUCKETS; i++)
        hist->bucket[i] = slot->bucket[i];
    if (slot->wide && slot->wide < mapped->used) {
        memcpy(&wide, mapped->slots + slot->wide * sizeof *slot, sizeof wide);
        for (uint32_t i = 0; wide.sub == DP_TREE_EXTENSION && i < DP_TREE_WIDE; i++)
            hist->bucket[DP_TREE_BUCKETS + i] = wide.bucket[i];
    }
    hist->min = slot->min;
    hist->max = slot->max;
    dp_hist_rescale(hist, mapped->header.hz, mapped->tmon->prof->hz);
}

/* Where a slot's parent is in the profile, and its sub; 0: the slot is no node, or has no parent.
 */
static int find_above(const struct mapped *mapped, uint32_t i, const struct dp_tree_slot *slot,
                      uint32_t *above, uint32_t *sub)
{
    struct dp_tmon *tmon = mapped->tmon;

    *above = 0;
    *sub = DP_NONE;
    if (slot->sub == DP_TREE_EXTENSION)
        return 0;
    if (i == 0)
        return 1;
    *above = slot->parent < i ? mapped->places[slot->parent] : DP_NONE;
    if (*above == DP_NONE) {
        dp_note(tmon->prof, DP_NOTE_BAD_TREE, 0, "a node before its parent; left out");
        return 0;
    }
    *sub = dp_tmon_sub_of_id(tmon, slot->sub);
    return 1;
}

static void node(const struct mapped *mapped, uint32_t i)
{
    struct dp_tree_slot slot = slot_at(mapped, i);
    struct dp_time self = own_time(mapped, &slot);
    struct dp_hist hist;
    uint32_t sub, above;

    mapped->places[i] = DP_NONE;
    mapped->nodes[i] = (struct dp_tree_node){.parent = DP_NONE, .file = DP_NONE};
    if (slot.sub != DP_TREE_EXTENSION)
        mapped->nodes[i] = (struct dp_tree_node){.self = self,
                                                 .calls = slot.calls,
                                                 .parent = i ? slot.parent : DP_NONE,
                                                 .file = DP_NONE,
                                                 .line = slot.line};
    if (!find_above(mapped, i, &slot, &above, &sub))
        return;
    if (i > 0 && slot.site)
        mapped->nodes[i].file = dp_idmap_find(&mapped->tmon->sites, slot.site);
    hist_of(mapped, &slot, &hist);
    mapped->places[i] = dp_build_node(mapped->tmon->build, above, sub, i ? slot.calls : 0, &self,
                                      i && slot.calls && slot.min != UINT64_MAX ? &hist : NULL);
}

/* The call that was running, and those around it; since when is not known. */
static void open_frames(const struct mapped *mapped)
{
    struct dp_profile *prof = mapped->tmon->prof;
    uint32_t n = 0, at;

    if (mapped->header.current >= mapped->used)
        return;
    at = mapped->places[mapped->header.current];
    if (at == DP_NONE)
        return;
    for (uint32_t up = at; up; up = prof->nodes[up].parent) {
        const struct dp_open none = {0, {0, 0, 0}, 1};

        prof->open = dp_more(prof->open, prof->nopen, sizeof *prof->open);
        prof->open[prof->nopen++] = none;
        n++;
    }
    for (uint32_t up = at, i = prof->nopen; up; up = prof->nodes[up].parent) {
        prof->open[--i].node = up;
        prof->open[i].since = mapped->tmon->build->now;
    }
    if (n)
        dp_note(prof, DP_NOTE_OPEN_FRAMES, 0, "%lu frame%s open at the end", (unsigned long)n,
                n == 1 ? "" : "s");
}

int dp_tmon_mapped(struct dp_tmon *tmon)
{
    struct mapped mapped;

    if (!tmon->in->beside || tmon->has_tree || tmon->has_end ||
        !begin(&mapped, tmon, tmon->in->beside, tmon->in->nbeside))
        return 0;
    mapped.places = dp_alloc_array(mapped.used, sizeof *mapped.places);
    mapped.nodes = dp_alloc_array(mapped.used, sizeof *mapped.nodes);
    for (uint32_t i = 0; i < mapped.used; i++)
        node(&mapped, i);
    open_frames(&mapped);
    dp_tmon_callsites(tmon, mapped.nodes, mapped.places, mapped.used);
    dp_free(mapped.nodes);
    dp_free(mapped.places);
    return 1;
}

/* --- of a program that still runs --------------------------------------------------------------
 */

static void take_back(struct dp_tmon *tmon)
{
    for (uint32_t i = 0; i < tmon->noverlay; i++) {
        const struct dp_overlay *part = &tmon->overlay[i];
        struct dp_spot *spot;

        if (part->place == DP_NONE)
            continue;
        spot = &tmon->build->spots[part->place];
        spot->calls -= part->calls;
        spot->self.user -= part->self.user;
        spot->self.sys -= part->self.sys;
        spot->self.real -= part->self.real;
    }
    tmon->noverlay = 0;
    tmon->build->inner = 0;
}

/* All of them together stay far below what an int64_t holds, whatever the slots say. */
#define MOST_LAID ((int64_t)1 << 61)

static void lay(const struct mapped *mapped, uint32_t i, int64_t *laid)
{
    struct dp_tmon *tmon = mapped->tmon;
    struct dp_tree_slot slot = slot_at(mapped, i);
    struct dp_overlay part = {DP_NONE, 0, own_time(mapped, &slot)};
    struct dp_spot *spot;
    uint32_t sub, above;

    if (find_above(mapped, i, &slot, &above, &sub) && part.self.real < MOST_LAID - *laid) {
        *laid += part.self.real;
        part.place = i ? dp_build_place(tmon->build, above, sub) : 0;
        part.calls = i ? slot.calls : 0;
        spot = &tmon->build->spots[part.place];
        spot->calls += part.calls;
        spot->self.user += part.self.user;
        spot->self.sys += part.self.sys;
        spot->self.real += part.self.real;
    }
    mapped->places[i] = part.place;
    tmon->overlay = dp_more(tmon->overlay, tmon->noverlay, sizeof *tmon->overlay);
    tmon->overlay[tmon->noverlay++] = part;
}

void dp_tmon_overlay(void *ctx, const char *bytes, size_t n)
{
    struct dp_tmon *tmon = ctx;
    struct mapped mapped;
    uint64_t current;
    int64_t laid = 0;

    take_back(tmon);
    if (!bytes || tmon->has_tree || tmon->has_end || !begin(&mapped, tmon, bytes, n))
        return;
    mapped.places = dp_alloc_array(mapped.used, sizeof *mapped.places);
    for (uint32_t i = 0; i < mapped.used; i++)
        lay(&mapped, i, &laid);
    current = mapped.header.current;
    if (current < mapped.used && mapped.places[current] != DP_NONE)
        tmon->build->inner = mapped.places[current];
    dp_free(mapped.places);
}
