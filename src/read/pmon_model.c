/* From a Pascal program with its counts to the model. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "model/notes.h"
#include "read/pmon.h"

struct fill {
    struct dp_build *build;
    const struct dp_pascal_program *program;
    const struct dp_pascal *pascal;
    uint32_t *subs; /* per routine, DP_NONE: it has no body */
};

/* The name of a routine; of several of one name each is told by what it is nested in. */
static size_t full_name(const struct fill *fill, uint32_t r, char **name)
{
    const struct dp_pascal *pascal = fill->pascal;
    size_t n = 0, at;

    for (uint32_t i = r; i != DP_PASCAL_NOWHERE && pascal->routines[i].level;
         i = pascal->routines[i].parent)
        n += pascal->tokens[pascal->routines[i].name].bytes + 1;
    *name = dp_alloc(n + 1);
    at = n;
    for (uint32_t i = r; i != DP_PASCAL_NOWHERE && pascal->routines[i].level;
         i = pascal->routines[i].parent) {
        size_t length;
        const char *text = dp_pascal_text(pascal, pascal->routines[i].name, &length);

        at -= length + 1;
        memcpy(*name + at, text, length);
        (*name)[at + length] = '.';
    }
    return n ? n - 1 : 0;
}

static uint32_t sub_of(const struct fill *fill, uint32_t r)
{
    struct dp_build *build = fill->build;
    size_t n;
    const char *text = dp_pascal_text(fill->pascal, fill->pascal->routines[r].name, &n);
    uint32_t known = build->prof->nsubs, sub = dp_build_sub(build, text, n);
    char *name;

    if (sub == known)
        return sub;
    n = full_name(fill, r, &name);
    known = build->prof->nsubs;
    sub = dp_build_sub(build, name, n);
    if (sub != known) { /* twice in one scope: a mistake in the program */
        char number[16];
        int length = snprintf(number, sizeof number, "@%lu", (unsigned long)r);
        char *longer = dp_alloc(n + sizeof number);

        memcpy(longer, name, n);
        memcpy(longer + n, number, (size_t)length);
        sub = dp_build_sub(build, longer, n + (size_t)length);
        dp_free(longer);
    }
    dp_free(name);
    return sub;
}

static void make_sub(const struct fill *fill, uint32_t r)
{
    struct dp_build *build = fill->build;
    struct dp_profile *prof = build->prof;
    const struct dp_pascal_routine *routine = &fill->pascal->routines[r];
    const struct dp_pascal_token *token = &fill->pascal->tokens[routine->tok];
    const struct dp_pascal_cost_of *cost = &fill->program->graph->costs[r];
    const char *file = fill->pascal->files[token->file].name;
    struct dp_time self = {cost->own > 0 ? cost->own : 0, 0, 0};
    uint32_t sub = fill->subs[r] = sub_of(fill, r);
    uint64_t calls = cost->calls > 0 ? (uint64_t)cost->calls : 0;

    dp_build_where(build, sub, dp_intern(prof->strings, file, strlen(file)), token->line,
                   calls ? DP_KIND_UNKNOWN : DP_KIND_UNCALLED);
    prof->subs[sub].addr = r;
    prof->subs[sub].all = cost->all > 0 ? cost->all : 0;
    prof->subs[sub].guessed = cost->guessed != 0;
    prof->subs[sub].doubt = cost->doubt ? DP_DOUBT_LOST : 0;
    dp_build_count(build, sub, calls);
    dp_build_node(build, 0, sub, 0, &self, NULL);
}

static void make_links(const struct fill *fill)
{
    const struct dp_pascal_graph *graph = fill->program->graph;

    for (uint32_t i = 0; i < graph->nedges; i++) {
        const struct dp_pascal_edge *edge = &graph->edges[i];
        uint64_t count = edge->count > 0 ? (uint64_t)edge->count : 0;
        struct dp_link link = {0};

        if (fill->subs[edge->caller] == DP_NONE || fill->subs[edge->callee] == DP_NONE)
            continue; /* an external one */
        link.caller = fill->subs[edge->caller];
        link.callee = fill->subs[edge->callee];
        link.sites = edge->sites;
        link.least = link.most = count;
        link.cost = edge->cost > 0 ? edge->cost : 0;
        if (edge->guessed)
            link.guessed = DP_GUESSED_COST | DP_GUESSED_CALLS;
        else if (graph->costs[edge->callee].guessed)
            link.guessed = DP_GUESSED_COST;
        dp_build_link(fill->build, &link);
    }
}

/* Statements of one line that lie together in the text are one entry. */
static void add_line(const struct fill *fill, uint32_t n, uint32_t *file, uint16_t *file_of)
{
    struct dp_profile *prof = fill->build->prof;
    const struct dp_pascal_token *token = &fill->pascal->tokens[fill->pascal->nodes[n].tok];
    int64_t cost = dp_pascal_cost(fill->program->flow, n);
    uint32_t sub = fill->subs[fill->program->flow->owner[n]];
    struct dp_line_count *last = prof->nlines ? &prof->lines[prof->nlines - 1] : NULL;
    const char *name = fill->pascal->files[token->file].name;

    if (token->file != *file_of || !prof->nlines)
        *file = dp_intern(prof->strings, name, strlen(name));
    *file_of = token->file;
    if (cost < 0)
        cost = 0;
    if (last && last->line == token->line && last->file == *file && last->sub == sub) {
        last->count += (uint64_t)cost;
        last->guessed |= fill->program->flow->doubt[n];
        return;
    }
    prof->lines = dp_more(prof->lines, prof->nlines, sizeof *prof->lines);
    last = &prof->lines[prof->nlines++];
    last->sub = sub;
    last->file = *file;
    last->line = token->line;
    last->count = (uint64_t)cost;
    last->guessed = fill->program->flow->doubt[n];
}

/* Nodes of statements are in the order of the text but for those of one body, which begin before
   what is in them: that order is kept. */
static void make_lines(const struct fill *fill)
{
    uint32_t file = DP_NONE;
    uint16_t file_of = 0;

    for (uint32_t n = 1; n < fill->pascal->nnodes; n++) {
        unsigned kind = fill->pascal->nodes[n].kind;

        if (kind < DP_P_EMPTY || kind > DP_P_ASSERT || kind == DP_P_EMPTY ||
            kind == DP_P_COMPOUND || kind == DP_P_LABELLED || kind == DP_P_REPEAT)
            continue;
        add_line(fill, n, &file, &file_of);
    }
}

static void add_notes(const struct fill *fill)
{
    struct dp_profile *prof = fill->build->prof;
    const struct dp_pascal_program *program = fill->program;
    const struct dp_pascal_file *file = &fill->pascal->files[0];

    if (file->mtime > program->counts.when && program->counts.when > 0)
        dp_note(prof, DP_NOTE_SOURCE, 0,
                "%.80s was changed after it was profiled: what is shown "
                "may not be what ran",
                file->name);
    if (program->unwound == DP_UNWOUND_EXACT)
        dp_note(prof, DP_NOTE_JUMPS, 0,
                "a jump left routines that were called: some lines of the listing show too large "
                "counts for that (--marks tells which); statements are counted right");
    if (program->unwound == DP_UNWOUND_GUESSED)
        dp_note(prof, DP_NOTE_DOUBT, 0,
                "a jump left routines, by calls that the counts cannot tell apart: counts with a "
                "~ may be a little more or less (listing: --marks tells where)");
    if (program->unwound == DP_UNWOUND_PARTLY)
        dp_note(prof, DP_NOTE_DOUBT, 0,
                "routines were left by a jump or the run's end: counts of lines "
                "behind those calls are too large");
    if (program->certain != DP_PLACES_CERTAIN)
        dp_note(prof, DP_NOTE_PLACE, 0,
                "a line of the trace has several statements on it that %s: the last one is marked, "
                "and counts with a ~ may be a little more or less",
                program->certain == DP_END_GUESSED ? "may have ended the run"
                                                   : "may be the call that was open");
    if (program->nframes && program->placed < program->nframes)
        dp_note(prof, DP_NOTE_FRAMES, 0, "of the trace's %lu lines, %lu have a place in the source",
                (unsigned long)program->nframes, (unsigned long)program->placed);
    if (program->damaged)
        dp_note(prof, DP_NOTE_WRAPPED, 0,
                "counters went beyond 2147483647, where px shows them below zero: they are right up "
                "to 4294967295, and too small by a multiple of 4294967296 if they went further");
}

static void free_program(void *program)
{
    dp_pascal_program_free(program);
}

void dp_pmon_fill(struct dp_build *build, struct dp_pascal_program *program)
{
    struct fill fill = {build, program, program->pascal, NULL};

    fill.subs = dp_alloc_array(program->pascal->nroutines + 1, sizeof *fill.subs);
    build->prof->counts = 1;
    build->prof->hz = 1;
    build->prof->statements = 1;
    for (uint32_t r = 0; r < program->pascal->nroutines; r++) {
        fill.subs[r] = DP_NONE;
        if (program->pascal->routines[r].body)
            make_sub(&fill, r);
    }
    make_links(&fill);
    make_lines(&fill);
    add_notes(&fill);
    dp_free(fill.subs);
    dp_build_end(build, 1);
    dp_set_foreign(build->prof, "pascal", program, free_program);
}
