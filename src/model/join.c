/* A piece of a trace that was built by itself, put where it belongs. */
#include "base/mem.h"
#include "model/build.h"
#include "model/time.h"

void dp_build_anywhere(struct dp_build *build)
{
    build->anywhere = 1;
    build->levels = dp_more(NULL, 0, sizeof *build->levels);
    build->levels[0].node = 0;
    build->levels[0].left = DP_NONE;
    build->nlevels = 1;
}

/* Do the frames that the piece leaves lie on top of the stack, and do its times count? */
static int fits(const struct dp_build *build, const struct dp_build *piece, const uint32_t *sub_of)
{
    if (build->watch || build->paused || build->reenter || piece->nlevels - 1 > build->depth ||
        dp_build_is_lost(build))
        return 0;
    for (uint32_t i = 1; i < piece->nlevels; i++)
        if (build->frames[build->depth - (i - 1)].expect != sub_of[piece->levels[i].left])
            return 0;
    return 1;
}

/* Where the piece's nodes are in the whole. Those of the levels are frames that are open. */
static uint32_t *places_of(struct dp_build *build, const struct dp_build *piece,
                           const uint32_t *sub_of)
{
    const struct dp_node *nodes = piece->prof->nodes;
    uint32_t n = piece->prof->nnodes, level = 0;
    uint32_t *places = dp_alloc_array(n, sizeof *places);

    for (uint32_t i = 0; i < n; i++) {
        if (level < piece->nlevels && piece->levels[level].node == i) {
            places[i] = build->frames[build->depth - level].node;
            level++;
        } else {
            places[i] = dp_build_place(build, places[nodes[i].parent], sub_of[nodes[i].sub]);
        }
        build->spots[places[i]].calls += piece->spots[i].calls;
        dp_add_time(&build->spots[places[i]].self, &piece->spots[i].self);
    }
    return places;
}

static void open_frames(struct dp_build *build, const struct dp_build *piece,
                        const uint32_t *sub_of, const uint32_t *places, const struct dp_time *base)
{
    for (uint32_t i = 1; i <= piece->depth; i++) {
        struct dp_frame frame = piece->frames[i];

        frame.node = places[frame.node];
        frame.expect = sub_of[frame.expect];
        frame.child = DP_NONE;
        dp_add_time(&frame.since, base);
        if (++build->depth == build->room)
            dp_build_more_frames(build);
        build->frames[build->depth] = frame;
    }
}

int dp_build_join(struct dp_build *build, const struct dp_build *piece, const uint32_t *sub_of,
                  int relative)
{
    struct dp_time base = {0, 0, 0};
    uint32_t *places;

    if (!relative && piece->began && fits(build, piece, sub_of))
        dp_build_step(build, &piece->prof->first);
    if (!fits(build, piece, sub_of))
        return 0;
    if (relative)
        base = build->now;
    places = places_of(build, piece, sub_of);
    build->depth -= piece->nlevels - 1;
    build->frames[build->depth].child = DP_NONE;
    open_frames(build, piece, sub_of, places, &base);
    if (relative || piece->began) {
        build->now = piece->now;
        dp_add_time(&build->now, &base);
    }
    build->marks += piece->marks;
    build->line += piece->line;
    dp_free(places);
    return 1;
}
