/*
 * Any bytes as a tmon.out: the reader, the builder, the sums, every change of a profile. Each input
 * is read as bytes that are all there and again in small pieces, and must come out whole and the
 * same.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/tree_file.h"
#include "model/change.h"
#include "model/check.h"
#include "model/peek.h"
#include "model/sums.h"
#include "read/parts.h"
#include "read/read.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n);

static void must(int good, const char *what, const struct dp_err *err)
{
    if (good)
        return;
    fprintf(stderr, "%s: %s\n", what, err ? err->text : "");
    abort();
}

static void check(const struct dp_profile *prof, const char *what)
{
    struct dp_err err = {0, 0, ""};

    must(dp_profile_check(prof, &err) == 0, what, &err);
}

struct pieces {
    const char *at;
    size_t left;
    size_t step;
};

static ptrdiff_t piece(void *ctx, char *to, size_t room)
{
    struct pieces *pieces = ctx;
    size_t n = pieces->step < room ? pieces->step : room;

    if (n > pieces->left)
        n = pieces->left;
    memcpy(to, pieces->at, n);
    pieces->at += n;
    pieces->left -= n;
    pieces->step = pieces->step % 13 + 1;
    return (ptrdiff_t)n;
}

static struct dp_profile *read_whole(const char *bytes, size_t n)
{
    const struct dp_read_options options = {.from = "tmon", .stats = 1};
    struct dp_in in;
    struct dp_profile *prof;

    dp_in_bytes(&in, bytes, n);
    prof = dp_read(&in, &options, NULL);
    dp_in_free(&in);
    return prof;
}

static struct dp_profile *read_in_pieces(const char *bytes, size_t n)
{
    const struct dp_read_options options = {.from = "tmon"};
    struct pieces pieces = {bytes, n, 1};
    struct dp_in in;
    struct dp_profile *prof;

    dp_in_source(&in, piece, &pieces);
    prof = dp_read(&in, &options, NULL);
    dp_in_free(&in);
    return prof;
}

/* The same as --live reads it: looked at in the middle, with the input's bytes as the tree of a
   running program beside it. */
struct watched {
    struct pieces pieces;
    struct dp_build *build;
    char *tree;
    size_t ntree;
    int fills;
};

static void set_build(void *ctx, struct dp_build *build)
{
    ((struct watched *)ctx)->build = build;
}

static void make_tree(struct watched *watched, const char *bytes, size_t n)
{
    struct dp_tree_header header = {DP_TREE_MAGIC,
                                    DP_TREE_ORDER,
                                    sizeof(struct dp_tree_slot),
                                    1000,
                                    1.5,
                                    n / sizeof(struct dp_tree_slot),
                                    n % 7,
                                    0,
                                    0,
                                    ""};

    watched->ntree = DP_TREE_PAGE + n;
    watched->tree = dp_alloc(watched->ntree);
    memcpy(watched->tree, &header, sizeof header);
    if (n)
        memcpy(watched->tree + DP_TREE_PAGE, bytes, n);
}

/* The tree is that of this run. */
static void look_in_the_middle(struct watched *watched)
{
    struct dp_build *build = watched->build;
    struct dp_tree_header header;

    memcpy(&header, watched->tree, sizeof header);
    snprintf(header.id, sizeof header.id, "%s", dp_string(build->prof, build->prof->run.id, NULL));
    memcpy(watched->tree, &header, sizeof header);
    build->beside(build->beside_ctx, watched->tree, watched->ntree);
    dp_build_peek(build);
    check(build->prof, "peeked");
    dp_profile_clean(build->prof);
    check(build->prof, "peeked and cleaned");
    dp_build_unpeek(build);
    build->beside(build->beside_ctx, NULL, 0);
}

static ptrdiff_t watched_piece(void *ctx, char *to, size_t room)
{
    struct watched *watched = ctx;

    if (watched->build && watched->build->beside && watched->fills++ % 64 == 8)
        look_in_the_middle(watched);
    return piece(&watched->pieces, to, room);
}

static void read_live(const char *bytes, size_t n)
{
    struct watched watched = {{bytes, n, 1}, NULL, NULL, 0, 0};
    const struct dp_read_options options = {
        .from = "tmon", .building = set_build, .building_ctx = &watched};
    struct dp_in in;
    struct dp_profile *prof;

    make_tree(&watched, bytes, n);
    dp_in_source(&in, watched_piece, &watched);
    prof = dp_read(&in, &options, NULL);
    dp_in_free(&in);
    check(prof, "read live");
    dp_profile_free(prof);
    dp_free(watched.tree);
}

/* The same in two parts, as two threads would read it. */
struct halves {
    const char *bytes;
    size_t n, cut, at, end;
    struct dp_piece *piece;
    int asked;
};

static ptrdiff_t fill_half(void *ctx, char *to, size_t room)
{
    struct halves *halves = ctx;
    size_t n = halves->end - halves->at;

    if (n > room)
        n = room;
    memcpy(to, halves->bytes + halves->at, n);
    halves->at += n;
    return (ptrdiff_t)n;
}

static const struct dp_piece *next_half(void *ctx, uint64_t *from, uint64_t *to)
{
    struct halves *halves = ctx;

    *from = halves->cut;
    *to = halves->asked++ ? 0 : halves->n;
    return halves->piece;
}

static void seek_half(void *ctx, uint64_t from, uint64_t to)
{
    struct halves *halves = ctx;

    halves->at = (size_t)from;
    halves->end = (size_t)to;
}

static struct dp_profile *read_in_halves(const char *bytes, size_t n, uint64_t hz)
{
    const struct dp_read_options options = {.from = "tmon"};
    const char *line = n ? memchr(bytes + n / 2, '\n', n - n / 2) : NULL;
    struct halves halves = {bytes, n, line ? (size_t)(line + 1 - bytes) : n, 0, 0, NULL, 0};
    const struct dp_parts parts = {next_half, seek_half, &halves};
    struct dp_in in;
    struct dp_profile *prof;

    halves.end = halves.cut;
    dp_in_bytes(&in, bytes + halves.cut, n - halves.cut);
    halves.piece = dp_piece_read(&in, hz);
    dp_in_free(&in);
    dp_in_source(&in, fill_half, &halves);
    in.parts = &parts;
    prof = dp_read(&in, &options, NULL);
    dp_in_free(&in);
    dp_piece_free(halves.piece);
    return prof;
}

static int same(const struct dp_profile *a, const struct dp_profile *b)
{
    if (a->nnodes != b->nnodes || a->nsubs != b->nsubs || a->nnotes != b->nnotes ||
        a->marks != b->marks || a->nopen != b->nopen)
        return 0;
    for (uint32_t i = 0; i < a->nnodes; i++)
        if (a->nodes[i].calls != b->nodes[i].calls ||
            memcmp(&a->nodes[i].self, &b->nodes[i].self, sizeof a->nodes[i].self) != 0)
            return 0;
    return 1;
}

/* Inclusive time holds what is exclusive, and nothing is more than all. */
static void check_sums(const struct dp_profile *prof)
{
    struct dp_sums *sums = dp_sums_new(prof);

    must(sums->total.real == prof->total.real, "sums: total", NULL);
    must(sums->subs[sums->nsubs].incl.real == sums->total.real, "sums: root", NULL);
    for (uint32_t i = 0; i <= sums->nsubs; i++) {
        must(sums->subs[i].incl.real >= sums->subs[i].self.real, "sums: inclusive", NULL);
        must(sums->subs[i].incl.real <= sums->total.real, "sums: more than all", NULL);
        must(sums->subs[i].self_unsure.real >= 0 && sums->subs[i].incl_unsure.user >= 0,
             "sums: unsure", NULL);
    }
    dp_sums_free(sums);
}

static void check_changes(struct dp_profile *prof, struct dp_profile *other)
{
    uint32_t *as = dp_alloc_array(prof->nsubs, sizeof *as);
    unsigned char *wanted = dp_alloc(prof->nsubs);
    struct dp_profile *new;

    for (uint32_t i = 0; i < prof->nsubs; i++) {
        as[i] = i % 3 == 1 ? DP_NONE : i % 3 ? dp_plain_name(prof, i) : dp_autoload_name(prof, i);
        wanted[i] = i % 4 == 1;
    }
    new = dp_profile_renamed(prof, as);
    check(new, "renamed");
    must(new->total.real == prof->total.real, "renamed: total", NULL);
    check_sums(new);
    other->hz = other->hz % 7 ? other->hz : 1000;
    dp_profile_merge(new, other);
    check(new, "merged");
    dp_profile_clean(new);
    check(new, "merged and cleaned");
    dp_profile_free(new);
    new = dp_profile_within(prof, wanted);
    check(new, "within");
    dp_profile_free(new);
    dp_free(wanted);
    dp_free(as);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    struct dp_profile *prof = read_whole((const char *)bytes, n);
    struct dp_profile *slow = read_in_pieces((const char *)bytes, n), *halves;

    check(prof, "read");
    check(slow, "read in pieces");
    must(same(prof, slow), "not the same in pieces", NULL);
    halves = read_in_halves((const char *)bytes, n, prof->hz);
    check(halves, "read in halves");
    must(same(prof, halves), "not the same in halves", NULL);
    dp_profile_free(halves);
    read_live((const char *)bytes, n);
    check_sums(prof);
    dp_profile_clean(prof);
    check(prof, "cleaned");
    check_sums(prof);
    check_changes(prof, slow);
    dp_profile_free(prof);
    dp_profile_free(slow);
    return 0;
}
