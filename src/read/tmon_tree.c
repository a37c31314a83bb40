/* PART3: calls folded into a tree of call paths, one node a line, parents first. */
#include "read/tmon.h"

#include "model/callsites.h"

void dp_tmon_tree_begin(struct dp_tmon *tmon)
{
    struct dp_tree *tree = &tmon->tree;

    dp_idmap_free(&tree->by_id);
    tree->nnodes = tree->nhists = 0;
    tmon->part = DP_PART_TREE;
}

static void free_tree(struct dp_tree *tree)
{
    dp_free(tree->nodes);
    dp_free(tree->hists);
    dp_idmap_free(&tree->by_id);
    memset(tree, 0, sizeof *tree);
}

void dp_tmon_tree_free(struct dp_tmon *tmon)
{
    free_tree(&tmon->tree);
    free_tree(&tmon->done);
}

static void bad(struct dp_tmon *tmon, const char *why)
{
    dp_note(tmon->prof, DP_NOTE_BAD_TREE, tmon->build->line, "%s; the node is left out", why);
}

/* `bucket:count,...` */
static int buckets(struct dp_line field, struct dp_hist *hist)
{
    while (field.at < field.end) {
        uint64_t number[2] = {0, 0};

        for (int i = 0; i < 2; i++) {
            if (field.at == field.end || *field.at < '0' || *field.at > '9')
                return 0;
            for (; field.at < field.end && *field.at >= '0' && *field.at <= '9'; field.at++)
                if (number[i] < (uint64_t)DP_TMON_MOST)
                    number[i] = number[i] * 10 + (uint64_t)(*field.at - '0');
            if (i == 0 && (field.at == field.end || *field.at++ != ':'))
                return 0;
        }
        if (number[0] >= sizeof hist->bucket / sizeof *hist->bucket)
            return 0;
        hist->bucket[number[0]] += number[1];
        if (field.at < field.end && *field.at++ != ',')
            return 0;
    }
    return 1;
}

/* MIN MAX HIST; DP_NONE where none was kept. */
static uint32_t hist(struct dp_tmon *tmon, int64_t min, int64_t max, struct dp_line field)
{
    struct dp_tree *tree = &tmon->tree;
    struct dp_hist new;

    memset(&new, 0, sizeof new);
    new.min = min < 0 ? 0 : (uint64_t)min;
    new.max = max < 0 ? 0 : (uint64_t)max;
    if (dp_line_is(field, "-") || !buckets(field, &new))
        return DP_NONE;
    tree->hists = dp_more(tree->hists, tree->nhists, sizeof *tree->hists);
    tree->hists[tree->nhists] = new;
    return tree->nhists++;
}

static void add(struct dp_tmon *tmon, uint64_t id, const struct dp_tree_node *node)
{
    struct dp_tree *tree = &tmon->tree;

    tree->nodes = dp_more(tree->nodes, tree->nnodes, sizeof *tree->nodes);
    tree->nodes[tree->nnodes] = *node;
    dp_idmap_set(&tree->by_id, id, tree->nnodes++);
}

/* MIN and MAX may be `-`. */
static int number_or_dash(struct dp_tmon *tmon, struct dp_line *line, int64_t *value)
{
    struct dp_line rest = *line, field;

    if (dp_line_field(&rest, &field) && dp_line_is(field, "-")) {
        *line = rest;
        return 1;
    }
    return dp_line_number(tmon, line, value);
}

/* `FILE:LINE`, or `-`. Calls from one file stand together: its name is looked up when it changes.
 */
static void site_of(struct dp_tmon *tmon, struct dp_line field, struct dp_tree_node *node)
{
    const char *colon = field.end;
    struct dp_line *last = &tmon->last_site;
    uint64_t line = 0;
    size_t n;

    while (colon > field.at && colon[-1] >= '0' && colon[-1] <= '9')
        colon--;
    if (colon - field.at < 2 || colon[-1] != ':' || field.end - colon > 10)
        return;
    for (const char *c = colon; c < field.end; c++)
        line = line * 10 + (uint64_t)(*c - '0');
    n = (size_t)(colon - 1 - field.at);
    if (!last->at || (size_t)(last->end - last->at) != n || memcmp(last->at, field.at, n) != 0) {
        tmon->last_file = dp_tmon_text(tmon, field.at, n);
        last->at = dp_arena_copy(&tmon->arena, field.at, n);
        last->end = last->at + n;
    }
    node->file = tmon->last_file;
    node->line = line <= UINT32_MAX ? (uint32_t)line : 0;
}

void dp_tmon_tree_node(struct dp_tmon *tmon, struct dp_line line)
{
    struct dp_tree_node node = {0, {0, 0, 0}, DP_NONE, 0, DP_NONE, DP_NONE, 0};
    struct dp_line whole = line, site, buckets_field;
    int64_t id = -1, parent = -1, calls = -1, min = 0, max = 0;

    if (!dp_line_number(tmon, &line, &id) || !dp_line_number(tmon, &line, &parent) ||
        !dp_line_field(&line, &site) || !dp_line_number(tmon, &line, &calls) ||
        !dp_line_time(tmon, &line, &node.self) || !number_or_dash(tmon, &line, &min) ||
        !number_or_dash(tmon, &line, &max) || !dp_line_field(&line, &buckets_field) ||
        line.at == line.end) {
        dp_tmon_bad_line(tmon, "a node: ID PARENT SITE CALLS U S R MIN MAX HIST NAME", whole);
        return;
    }
    line.at++;
    if (id < 0 || calls < 0) {
        bad(tmon, "a negative id or count");
        return;
    }
    node.calls = (uint64_t)calls;
    site_of(tmon, site, &node);
    node.hist = hist(tmon, min, max, buckets_field);
    if (id > 0) {
        node.parent = parent > 0 ? dp_idmap_find(&tmon->tree.by_id, (uint64_t)parent) : DP_NONE;
        if (parent < 0 || (parent > 0 && node.parent == DP_NONE)) {
            bad(tmon, "a node before its parent");
            return;
        }
        node.sub = dp_tmon_sub(tmon, line.at, (size_t)(line.end - line.at));
    }
    add(tmon, (uint64_t)id, &node);
}

void dp_tmon_tree_end(struct dp_tmon *tmon, int64_t nodes)
{
    struct dp_tree *tree = &tmon->tree, before = tmon->done;

    if (nodes != (int64_t)tree->nnodes)
        dp_note(tmon->prof, DP_NOTE_BAD_TREE, tmon->build->line,
                "the tree ends with %lld nodes, %lu were found", (long long)nodes,
                (unsigned long)tree->nnodes);
    tmon->done = *tree;
    tmon->has_tree = 1;
    *tree = before;
    tree->nnodes = 0;
    tmon->part = DP_PART_MARKS;
}

/* What cannot be is no part of a share. */
static int64_t added(int64_t sum, int64_t more)
{
    return more < 0 || more > DP_TMON_MOST - sum ? sum : sum + more;
}

static void include(struct dp_time *sum, const struct dp_time *more)
{
    sum->user = added(sum->user, more->user);
    sum->sys = added(sum->sys, more->sys);
    sum->real = added(sum->real, more->real);
}

void dp_tmon_callsites(struct dp_tmon *tmon, const struct dp_tree_node *nodes,
                       const uint32_t *places, uint32_t n)
{
    struct dp_time *incl = dp_alloc_array(n, sizeof *incl);

    for (uint32_t i = n; i-- > 0;) {
        include(&incl[i], &nodes[i].self);
        if (nodes[i].parent != DP_NONE && i > nodes[i].parent)
            include(&incl[nodes[i].parent], &incl[i]);
    }
    for (uint32_t i = 0; i < n; i++) {
        const struct dp_callsite site = {places[i], nodes[i].file, nodes[i].line, nodes[i].calls,
                                         incl[i]};

        if (site.file != DP_NONE && site.node != DP_NONE && site.node != 0)
            dp_add_callsite(tmon->prof, &site);
    }
    dp_settle_callsites(tmon->prof);
    dp_free(incl);
}

void dp_tmon_tree_done(struct dp_tmon *tmon)
{
    const struct dp_tree *tree = tmon->has_tree ? &tmon->done : &tmon->tree;
    uint32_t *places; /* nodes of the profile */

    if (tmon->part == DP_PART_TREE)
        dp_note(tmon->prof, DP_NOTE_CUT_TREE, 0, "the last tree has no end; %s",
                tmon->has_tree ? "the one before it counts" : "what is there of it counts");
    tmon->build->line = 0; /* what the builder finds odd now has no line */
    places = dp_alloc_array(tree->nnodes, sizeof *places);
    for (uint32_t i = 0; i < tree->nnodes; i++) {
        const struct dp_tree_node *node = &tree->nodes[i];

        places[i] = dp_build_node(tmon->build, node->parent == DP_NONE ? 0 : places[node->parent],
                                  node->sub, node->calls, &node->self,
                                  node->hist == DP_NONE ? NULL : &tree->hists[node->hist]);
    }
    dp_tmon_callsites(tmon, tree->nodes, places, tree->nnodes);
    dp_free(places);
}
