#include "model/build.h"

#include <string.h>

#include "base/mem.h"
#include "model/links.h"
#include "model/hists.h"

/* No run is longer than that; what leaps further is not a time. */
#define YEARS 20
#define SECONDS_A_YEAR 31557600u
/* Sums stay far from what an int64_t holds, whatever a file says. */
#define MOST_TICKS ((uint64_t)1 << 61)

static const struct dp_spot new_spot = {
    0,
    {0, 0, 0},
    {{DP_NONE, DP_NONE}, {DP_NONE, DP_NONE}},
    {{DP_NONE, DP_NONE}, {DP_NONE, DP_NONE}},
};

struct dp_build *dp_build_new(struct dp_profile *prof)
{
    struct dp_build *build = dp_alloc(sizeof *build);
    const struct dp_frame root = {0, DP_NONE, DP_NONE, 1, {0, 0, 0}};

    build->prof = prof;
    build->room = 64;
    build->frames = dp_alloc_array(build->room, sizeof *build->frames);
    build->frames[0] = root;
    build->spots = dp_more(NULL, 0, sizeof *build->spots);
    build->spots[0] = new_spot;
    dp_paths_init(&build->paths, prof);
    return build;
}

void dp_build_free(struct dp_build *build)
{
    if (!build)
        return;
    dp_free(build->frames);
    dp_free(build->spots);
    dp_free(build->active);
    dp_free(build->levels);
    dp_paths_free(&build->paths);
    dp_hash_free(&build->by_name);
    dp_free(build);
}

static void set_watch(struct dp_build *build)
{
    build->watch = build->stats || build->listener || build->active;
}

void dp_build_stats(struct dp_build *build)
{
    build->stats = 1;
    set_watch(build);
}

void dp_build_listen(struct dp_build *build, const struct dp_listener *listener)
{
    build->listener = listener;
    set_watch(build);
}

/* --- subs ------------------------------------------------------------------------------------- */

struct named {
    const struct dp_sub *subs;
    uint32_t name;
};

static int same_name(const void *ctx, uint32_t sub)
{
    const struct named *want = ctx;

    return want->subs[sub].name == want->name;
}

uint32_t dp_build_sub(struct dp_build *build, const char *name, size_t n)
{
    struct dp_profile *prof = build->prof;
    const struct named want = {prof->subs, dp_intern(prof->strings, name, n)};
    uint64_t hash = dp_hash_pair(want.name, 0);
    uint32_t sub = dp_hash_find(&build->by_name, hash, same_name, &want);

    if (sub != DP_HASH_FREE)
        return sub;
    sub = dp_add_sub(prof, want.name);
    dp_hash_add(&build->by_name, hash, sub);
    return sub;
}

void dp_build_where(struct dp_build *build, uint32_t sub, uint32_t file, uint32_t line,
                    enum dp_kind kind)
{
    struct dp_sub *known = &build->prof->subs[sub];

    if (known->file == DP_NONE) {
        known->file = file;
        known->line = line;
    }
    if (known->kind == DP_KIND_UNKNOWN || known->kind == DP_KIND_UNCALLED)
        known->kind = (uint8_t)kind;
}

/* --- time ------------------------------------------------------------------------------------- */

/* A power of two above YEARS of ticks. */
static uint64_t longest_step(const struct dp_build *build)
{
    uint64_t limit = 1, hz = build->prof->hz;

    while (limit < MOST_TICKS && limit / (YEARS * (uint64_t)SECONDS_A_YEAR) < hz)
        limit *= 2;
    return limit;
}

int dp_build_is_lost(const struct dp_build *build)
{
    return build->back > MOST_TICKS;
}

static void set_limit(struct dp_build *build)
{
    if (!build->began || dp_build_is_lost(build))
        build->limit = 0;
    else
        build->limit = build->paused ? 1 : longest_step(build);
}

/* What one clock's step counts for. */
static int64_t mend_step(struct dp_build *build, int64_t before, int64_t after)
{
    int64_t step = after - before; /* both are within 10^18 */

    if (step < 0) {
        dp_note(build->prof, DP_NOTE_BACKWARDS, build->line,
                "time ran backwards by %lld ticks; counted as none", -(long long)step);
        if (!dp_build_is_lost(build))
            build->back += (uint64_t)-step;
        return 0;
    }
    if (step && (dp_build_is_lost(build) || (uint64_t)step >= longest_step(build))) {
        dp_note(build->prof, DP_NOTE_IMPOSSIBLE, build->line,
                "time leapt by %lld ticks; counted as none", (long long)step);
        return 0;
    }
    return step;
}

void dp_build_odd_step(struct dp_build *build, const struct dp_time *at)
{
    struct dp_time *to = &build->spots[build->frames[build->depth].node].self;

    if (!build->began) {
        build->began = 1;
        build->prof->first = *at;
    } else {
        if (build->paused)
            to = &build->gone;
        to->user += mend_step(build, build->now.user, at->user);
        to->sys += mend_step(build, build->now.sys, at->sys);
        to->real += mend_step(build, build->now.real, at->real);
    }
    build->now = *at;
    set_limit(build);
}

void dp_build_tick(struct dp_build *build, const struct dp_time *at)
{
    dp_build_step(build, at);
}

void dp_build_stop(struct dp_build *build, const struct dp_time *at)
{
    dp_build_step(build, at);
    build->paused = 1;
    set_limit(build);
    if (build->listener && build->listener->stop)
        build->listener->stop(build->listener->ctx, &build->now);
}

void dp_build_start(struct dp_build *build, const struct dp_time *at)
{
    dp_build_step(build, at);
    build->paused = 0;
    set_limit(build);
    if (build->listener && build->listener->start)
        build->listener->start(build->listener->ctx, &build->now);
}

/* --- entries ---------------------------------------------------------------------------------- */

void dp_build_more_frames(struct dp_build *build)
{
    if (build->room > UINT32_MAX / 2)
        dp_alloc_array(SIZE_MAX, sizeof *build->frames); /* does not return */
    build->frames = dp_grow(build->frames, 2 * (size_t)build->room * sizeof *build->frames);
    build->room *= 2;
}

static void add_spot(struct dp_build *build, uint32_t node)
{
    build->spots = dp_more(build->spots, node, sizeof *build->spots);
    build->spots[node] = new_spot;
}

uint32_t dp_build_place(struct dp_build *build, uint32_t parent, uint32_t sub)
{
    uint32_t known = build->prof->nnodes;
    uint32_t node = dp_path(&build->paths, build->prof, parent, sub);

    if (node == known)
        add_spot(build, node);
    return node;
}

/* Hears of an entry: whoever listens, and the counts of open frames. */
void dp_build_heard_enter(struct dp_build *build)
{
    const struct dp_frame *frame = &build->frames[build->depth];
    const struct dp_listener *listener = build->listener;
    void (*hears)(void *ctx, uint32_t sub, uint32_t depth, const struct dp_time *at) = NULL;

    if (build->active) {
        for (; build->nactive < build->prof->nsubs; build->nactive++) {
            build->active = dp_more(build->active, build->nactive, sizeof *build->active);
            build->active[build->nactive] = 0;
        }
        build->active[frame->expect]++;
    }
    if (listener)
        hears = build->reenter ? listener->reenter : listener->enter;
    if (hears)
        hears(listener->ctx, build->prof->nodes[frame->node].sub, build->depth - 1, &build->now);
}

/* The place of an entry that was not what was foreseen first. */
static struct dp_guess find_place(struct dp_build *build, uint32_t sub)
{
    struct dp_guess place = dp_build_guesses(build)->other;

    if (place.sub != sub) {
        place.node = dp_build_place(build, build->frames[build->depth].node, sub);
        place.sub = sub;
    }
    dp_build_foresee(dp_build_guesses(build), place);
    return place;
}

void dp_build_enter(struct dp_build *build, uint32_t sub, const struct dp_time *at)
{
    struct dp_guess guess = dp_build_guesses(build)->last;

    if (guess.sub != sub)
        guess = find_place(build, sub);
    dp_build_enter_guess(build, guess, at);
    if (build->reenter) {
        build->reenter--;
        build->spots[guess.node].calls--;
        build->frames[build->depth].counted = 0;
    }
}

void dp_build_reenter(struct dp_build *build, uint64_t n)
{
    build->reenter = n;
}

/* --- exits ------------------------------------------------------------------------------------ */

static void measure(struct dp_build *build, const struct dp_frame *frame)
{
    int64_t took = build->now.real - frame->since.real;

    dp_hist_count(dp_hist_of(build->prof, frame->node), took > 0 ? (uint64_t)took : 0);
}

/* Hears of an exit before it is done. */
void dp_build_heard_leave(struct dp_build *build)
{
    const struct dp_frame *frame = &build->frames[build->depth];
    const struct dp_listener *listener = build->listener;

    if (build->active && build->active[frame->expect])
        build->active[frame->expect]--;
    if (build->stats && frame->counted)
        measure(build, frame);
    if (listener && listener->leave)
        listener->leave(listener->ctx, build->prof->nodes[frame->node].sub, build->depth - 1,
                        &build->now);
}

void dp_build_leave_top(struct dp_build *build, const struct dp_time *at)
{
    if (build->depth)
        dp_build_leave(build, build->frames[build->depth].expect, at);
    else
        dp_build_odd_leave(build, DP_NONE, at);
}

/* From now on it is known of every sub how often it is open, so that many exits without entries do
   not each search a deep stack. */
static void count_active(struct dp_build *build)
{
    build->nactive = build->prof->nsubs;
    build->active = NULL;
    for (uint32_t i = 0; i <= build->nactive; i++) {
        build->active = dp_more(build->active, i, sizeof *build->active);
        build->active[i] = 0;
    }
    for (uint32_t i = 1; i <= build->depth; i++)
        build->active[build->frames[i].expect]++;
    set_watch(build);
}

static int is_active(struct dp_build *build, uint32_t sub)
{
    if (!build->active)
        count_active(build);
    return sub < build->nactive && build->active[sub];
}

static const char *name_of(const struct dp_build *build, uint32_t sub)
{
    return sub == DP_NONE ? "a sub" : dp_string(build->prof, build->prof->subs[sub].name, NULL);
}

/* An exit of the frame that was open at the start of a piece: one level up. */
static void leave_level(struct dp_build *build, uint32_t sub, const struct dp_time *at)
{
    struct dp_level level = {dp_add_node(build->prof, 0, DP_NONE), sub};

    add_spot(build, level.node);
    dp_build_step(build, at);
    build->levels = dp_more(build->levels, build->nlevels, sizeof *build->levels);
    build->levels[build->nlevels++] = level;
    build->frames[0].node = level.node;
    build->frames[0].child = DP_NONE;
    build->marks++;
}

/* An exit that is not the innermost frame's. */
void dp_build_odd_leave(struct dp_build *build, uint32_t sub, const struct dp_time *at)
{
    const struct dp_frame *top = &build->frames[build->depth];

    if (build->anywhere && build->depth == 0 && sub != DP_NONE) {
        leave_level(build, sub, at);
        return;
    }
    if (build->depth && build->prof->nodes[top->node].sub == sub) {
        dp_build_leave_top(build, at);
        return;
    }
    if (sub == DP_NONE || !is_active(build, sub)) {
        dp_note(build->prof, DP_NOTE_NO_ENTRY, build->line,
                "an exit of %.80s without its entry; left out", name_of(build, sub));
        dp_build_step(build, at);
        return;
    }
    dp_note(build->prof, DP_NOTE_MISMATCH, build->line,
            "an exit of %.60s while %.60s is open; closed up to it", name_of(build, sub),
            name_of(build, top->expect));
    while (build->frames[build->depth].expect != sub)
        dp_build_leave_top(build, at);
    dp_build_leave_top(build, at);
}

void dp_build_jump(struct dp_build *build, uint32_t sub, const struct dp_time *at)
{
    uint32_t expect = build->frames[build->depth].expect;

    if (build->depth == 0) {
        dp_note(build->prof, DP_NOTE_NO_ENTRY, build->line,
                "a goto to %.80s from no sub; taken as a call", name_of(build, sub));
        dp_build_enter(build, sub, at);
        return;
    }
    dp_build_leave_top(build, at);
    dp_build_enter(build, sub, at);
    if (build->active && expect != sub) {
        build->active[sub]--;
        build->active[expect]++;
    }
    build->frames[build->depth].expect = expect;
}

/* --- trees ------------------------------------------------------------------------------------ */

static int64_t bounded(struct dp_build *build, int64_t ticks)
{
    if (ticks < 0) {
        dp_note(build->prof, DP_NOTE_BACKWARDS, build->line,
                "%lld ticks in a node; counted as none", (long long)ticks);
        return 0;
    }
    if ((uint64_t)ticks > MOST_TICKS - build->folded) {
        dp_note(build->prof, DP_NOTE_IMPOSSIBLE, build->line,
                "%lld ticks in a node; counted as none", (long long)ticks);
        return 0;
    }
    build->folded += (uint64_t)ticks;
    return ticks;
}

uint32_t dp_build_node(struct dp_build *build, uint32_t parent, uint32_t sub, uint64_t calls,
                       const struct dp_time *self, const struct dp_hist *hist)
{
    uint32_t node = sub == DP_NONE ? 0 : dp_build_place(build, parent, sub);
    struct dp_spot *to = &build->spots[node];

    to->calls += calls;
    to->self.user += bounded(build, self->user);
    to->self.sys += bounded(build, self->sys);
    to->self.real += bounded(build, self->real);
    if (hist)
        dp_hist_add(dp_hist_of(build->prof, node), hist);
    return node;
}

/* --- counts ----------------------------------------------------------------------------------- */

void dp_build_count(struct dp_build *build, uint32_t sub, uint64_t calls)
{
    const struct dp_time none = {0, 0, 0};

    build->prof->counts = 1;
    dp_build_node(build, 0, sub, calls, &none, NULL);
}

void dp_build_link(struct dp_build *build, const struct dp_link *link)
{
    dp_add_link(build->prof, link);
}

/* --- the end ---------------------------------------------------------------------------------- */

static void close_open_frames(struct dp_build *build, int clean)
{
    struct dp_profile *prof = build->prof;

    if (build->depth)
        dp_note(prof, DP_NOTE_OPEN_FRAMES, 0, "%lu frame%s open at the end%s",
                (unsigned long)build->depth, build->depth == 1 ? "" : "s",
                clean ? "" : "; closed at the last mark");
    for (uint32_t i = 1; i <= build->depth; i++) {
        const struct dp_open open = {build->frames[i].node, build->frames[i].since, 0};

        prof->open = dp_more(prof->open, prof->nopen, sizeof *prof->open);
        prof->open[prof->nopen++] = open;
    }
    while (build->depth) {
        if (build->watch)
            dp_build_heard_leave(build);
        build->depth--;
    }
}

/* The time that the file states beyond what its marks cover is the code's outside any sub. */
static int64_t outside(int64_t stated, int64_t gone, int64_t spent)
{
    return stated - gone > spent ? stated - gone - spent : 0;
}

static void set_totals(struct dp_build *build)
{
    struct dp_profile *prof = build->prof;
    struct dp_time *root = &prof->nodes[0].self, *total = &prof->total;

    for (uint32_t i = 0; i < prof->nnodes; i++) {
        total->user += prof->nodes[i].self.user;
        total->sys += prof->nodes[i].self.sys;
        total->real += prof->nodes[i].self.real;
    }
    root->user += outside(build->stated.user, build->gone.user, total->user);
    root->sys += outside(build->stated.sys, build->gone.sys, total->sys);
    root->real += outside(build->stated.real, build->gone.real, total->real);
    total->user += outside(build->stated.user, build->gone.user, total->user);
    total->sys += outside(build->stated.sys, build->gone.sys, total->sys);
    total->real += outside(build->stated.real, build->gone.real, total->real);
}

void dp_build_end(struct dp_build *build, int clean)
{
    struct dp_profile *prof = build->prof;

    prof->last = build->now;
    prof->marks += build->marks;
    prof->ended = clean;
    if (!clean)
        dp_note(prof, DP_NOTE_UNFINISHED, 0, "the run did not end, or not in order");
    close_open_frames(build, clean);
    for (uint32_t i = 0; i < prof->nnodes; i++) {
        prof->nodes[i].calls = build->spots[i].calls;
        prof->nodes[i].self = build->spots[i].self;
    }
    set_totals(build);
}
