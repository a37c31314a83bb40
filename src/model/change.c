/* Profiles out of profiles. */
#include "model/change.h"

#include <string.h>

#include "base/mem.h"
#include "model/callsites.h"
#include "model/hists.h"
#include "model/inclusive.h"
#include "model/left_out.h"
#include "model/links.h"
#include "model/notes.h"
#include "model/overhead.h"
#include "model/paths.h"
#include "model/strings.h"
#include "model/time.h"

#define MOST_TICKS ((int64_t)1 << 61)

/* --- putting one profile's things into another ---------------------------------------------------
 */

static uint32_t string_in(struct dp_profile *to, const struct dp_profile *from, uint32_t string)
{
    size_t n;
    const char *bytes = dp_string(from, string, &n);

    return string == DP_NONE ? DP_NONE : dp_intern(to->strings, bytes, n);
}

static void take_run(struct dp_profile *to, const struct dp_profile *from)
{
    struct dp_run *run = &to->run;
    uint32_t *const strings[] = {&run->id,  &run->pid, &run->parent, &run->tid,  &run->started,
                                 &run->cpu, &run->cmd, &run->perl,   &run->host, &run->version};

    *run = from->run;
    for (size_t i = 0; i < sizeof strings / sizeof *strings; i++)
        *strings[i] = string_in(to, from, *strings[i]);
}

static void take_notes(struct dp_profile *to, const struct dp_profile *from)
{
    for (uint32_t i = 0; i < from->nnotes; i++) {
        const struct dp_note *note = &from->notes[i];
        struct dp_note *known = NULL;

        for (uint32_t k = 0; k < to->nnotes && !known; k++)
            if (to->notes[k].code == note->code && note->code != DP_NOTE_RECORDER)
                known = &to->notes[k];
        if (known) {
            known->count += note->count;
            continue;
        }
        to->notes = dp_more(to->notes, to->nnotes, sizeof *to->notes);
        to->notes[to->nnotes++] = *note;
    }
    to->lost |= from->lost;
}

static void take_overs(struct dp_profile *to, const struct dp_profile *from)
{
    for (uint32_t i = 0; i < from->novers; i++) {
        to->overs = dp_more(to->overs, to->novers, sizeof *to->overs);
        to->overs[to->novers++] = from->overs[i];
    }
}

static void take_lists(struct dp_profile *to, const struct dp_profile *from)
{
    for (uint32_t i = 0; i < from->nchildren; i++) {
        struct dp_child child = {string_in(to, from, from->children[i].id),
                                 string_in(to, from, from->children[i].file)};

        to->children = dp_more(to->children, to->nchildren, sizeof *to->children);
        to->children[to->nchildren++] = child;
    }
    for (uint32_t i = 0; i < from->nfiles; i++) {
        struct dp_source file = from->files[i];

        file.path = string_in(to, from, file.path);
        to->files = dp_more(to->files, to->nfiles, sizeof *to->files);
        to->files[to->nfiles++] = file;
    }
}

static void take_labels(struct dp_profile *to, const struct dp_profile *from)
{
    for (uint32_t i = 0; i < from->nlabels; i++) {
        struct dp_label label = from->labels[i];

        label.text = string_in(to, from, label.text);
        to->labels = dp_more(to->labels, to->nlabels, sizeof *to->labels);
        to->labels[to->nlabels++] = label;
    }
}

/* All but subs, nodes and what hangs on them. */
static struct dp_profile *profile_like(const struct dp_profile *from)
{
    struct dp_profile *to = dp_profile_new();

    to->hz = from->hz;
    to->first = from->first;
    to->last = from->last;
    to->marks = from->marks;
    to->ended = from->ended;
    to->cleaned = from->cleaned;
    to->counts = from->counts;
    to->statements = from->statements;
    to->uncounted = from->uncounted;
    to->foreign = from->foreign;
    if (to->foreign)
        to->foreign->users++;
    take_run(to, from);
    take_notes(to, from);
    take_overs(to, from);
    take_lists(to, from);
    take_labels(to, from);
    return to;
}

/* Where a sub is defined and what it is, if that is not known yet. */
static void describe(struct dp_profile *to, uint32_t as, const struct dp_profile *from,
                     uint32_t sub)
{
    struct dp_sub *known = &to->subs[as];
    const struct dp_sub *new = &from->subs[sub];

    if (known->file == DP_NONE && new->file != DP_NONE) {
        known->file = string_in(to, from, new->file);
        known->line = new->line;
    }
    if (known->addr == DP_NONE)
        known->addr = new->addr;
    known->doubt |= new->doubt;
    known->guessed |= new->guessed;
    known->all += new->all;
    if (known->kind == DP_KIND_UNKNOWN || known->kind == DP_KIND_UNCALLED)
        known->kind = new->kind == DP_KIND_UNKNOWN ? known->kind : new->kind;
}

/* The lines of the subs that stay. */
static void take_lines(struct dp_profile *to, const struct dp_profile *from, const uint32_t *sub_of)
{
    for (uint32_t i = 0; i < from->nlines; i++) {
        struct dp_line_count line = from->lines[i];

        line.sub = sub_of[line.sub];
        if (line.sub == DP_NONE)
            continue;
        line.file = string_in(to, from, line.file);
        to->lines = dp_more(to->lines, to->nlines, sizeof line);
        to->lines[to->nlines++] = line;
    }
}

/* Adds a node's calls, time and histogram to one of another profile. */
static void pour(struct dp_profile *to, uint32_t node, const struct dp_profile *from, uint32_t old)
{
    const struct dp_node *what = &from->nodes[old];

    to->nodes[node].calls += what->calls;
    dp_add_time(&to->nodes[node].self, &what->self);
    dp_add_time(&to->total, &what->self);
    dp_add_time(&to->nodes[node].taken, &what->taken);
    dp_add_time(&to->taken, &what->taken);
    if (what->hist != DP_NONE)
        dp_hist_add(dp_hist_of(to, node), &from->hists[what->hist]);
}

/* places: per old node its new one, DP_NONE if it is not there. */
static void take_open(struct dp_profile *to, const struct dp_profile *from, const uint32_t *places)
{
    for (uint32_t i = 0; i < from->nopen; i++) {
        struct dp_open open = from->open[i];

        open.node = places[open.node];
        if (open.node == DP_NONE || open.node == 0)
            continue;
        to->open = dp_more(to->open, to->nopen, sizeof *to->open);
        to->open[to->nopen++] = open;
    }
}

/* Are a node's sub and its caller's both there? The lines of one that is left out are not those of
   who calls now. */
static int is_caller_there(const struct dp_profile *prof, uint32_t node, const uint32_t *sub_of)
{
    uint32_t above = prof->nodes[node].parent;

    return sub_of[prof->nodes[node].sub] != DP_NONE &&
           (above == 0 || sub_of[prof->nodes[above].sub] != DP_NONE);
}

static void take_callsites(struct dp_profile *to, const struct dp_profile *from,
                           const uint32_t *places, const uint32_t *sub_of)
{
    for (uint32_t i = 0; i < from->ncallsites; i++) {
        struct dp_callsite site = from->callsites[i];

        if (sub_of && !is_caller_there(from, site.node, sub_of))
            continue;
        site.node = places[site.node];
        site.file = string_in(to, from, site.file);
        if (site.node != DP_NONE && site.node != 0)
            dp_add_callsite(to, &site);
    }
    dp_settle_callsites(to);
}

/* Names to subs of the profile that is being made. */
struct subs_by_name {
    struct dp_profile *prof;
    uint32_t *by_string; /* per string, DP_NONE: no sub of that name */
    uint32_t nstrings;
};

static uint32_t sub_named(struct subs_by_name *subs, uint32_t name)
{
    for (; subs->nstrings < subs->prof->strings->n; subs->nstrings++) {
        subs->by_string = dp_more(subs->by_string, subs->nstrings, sizeof *subs->by_string);
        subs->by_string[subs->nstrings] = DP_NONE;
    }
    /* NOLINTNEXTLINE(*NullDereference): there is a string, so there is an array */
    if (subs->by_string[name] == DP_NONE)
        subs->by_string[name] = dp_add_sub(subs->prof, name);
    return subs->by_string[name];
}

static void know_subs(struct subs_by_name *subs, struct dp_profile *prof)
{
    memset(subs, 0, sizeof *subs);
    subs->prof = prof;
    for (; subs->nstrings < prof->strings->n; subs->nstrings++) {
        subs->by_string = dp_more(subs->by_string, subs->nstrings, sizeof *subs->by_string);
        subs->by_string[subs->nstrings] = DP_NONE;
    }
    for (uint32_t i = 0; i < prof->nsubs; i++)
        subs->by_string[prof->subs[i].name] = i; /* NOLINT(*NullDereference): as above */
}

/* --- renaming, leaving out -----------------------------------------------------------------------
 */

/* The new sub of each old one. */
static uint32_t *new_subs(struct dp_profile *to, const struct dp_profile *from, const uint32_t *as)
{
    uint32_t *sub_of = dp_alloc_array(from->nsubs, sizeof *sub_of);
    struct subs_by_name subs;

    know_subs(&subs, to);
    for (uint32_t i = 0; i < from->nsubs; i++) {
        sub_of[i] = DP_NONE;
        if (as[i] == DP_NONE)
            continue;
        sub_of[i] = sub_named(&subs, string_in(to, from, as[i]));
        describe(to, sub_of[i], from, i);
    }
    dp_free(subs.by_string);
    return sub_of;
}

struct dp_profile *dp_profile_renamed(const struct dp_profile *prof, const uint32_t *as)
{
    struct dp_profile *to = profile_like(prof);
    uint32_t *sub_of = new_subs(to, prof, as);
    uint32_t *places = dp_alloc_array(prof->nnodes, sizeof *places);
    struct dp_paths paths;

    dp_paths_init(&paths, to);
    pour(to, 0, prof, 0);
    for (uint32_t i = 1; i < prof->nnodes; i++) {
        uint32_t above = places[prof->nodes[i].parent], sub = sub_of[prof->nodes[i].sub];

        if (sub == DP_NONE) {
            places[i] = above;
            if (prof->statements)
                continue; /* all nodes are below the root: links tell who called it */
            dp_add_time(&to->nodes[above].self, &prof->nodes[i].self);
            dp_add_time(&to->total, &prof->nodes[i].self);
        } else {
            places[i] = dp_path(&paths, to, above, sub);
            pour(to, places[i], prof, i);
        }
    }
    if (prof->statements)
        dp_give_to_callers(to, prof, sub_of);
    take_open(to, prof, places);
    take_callsites(to, prof, places, sub_of);
    dp_take_links(to, prof, sub_of);
    if (prof->statements)
        dp_include_groups(to, prof, sub_of);
    take_lines(to, prof, sub_of);
    dp_paths_free(&paths);
    dp_free(places);
    dp_free(sub_of);
    return to;
}

/* --- a part of the tree
 * ---------------------------------------------------------------------------- */

struct dp_profile *dp_profile_within(const struct dp_profile *prof, const unsigned char *wanted)
{
    struct dp_profile *to = profile_like(prof);
    uint32_t *places = dp_alloc_array(prof->nnodes, sizeof *places);
    struct subs_by_name subs;
    struct dp_paths paths;

    know_subs(&subs, to);
    dp_paths_init(&paths, to);
    places[0] = DP_NONE;
    for (uint32_t i = 1; i < prof->nnodes; i++) {
        uint32_t old = prof->nodes[i].sub, above = places[prof->nodes[i].parent], sub;

        places[i] = DP_NONE;
        if (above == DP_NONE && !wanted[old])
            continue;
        sub = sub_named(&subs, string_in(to, prof, prof->subs[old].name));
        describe(to, sub, prof, old);
        places[i] = dp_path(&paths, to, above == DP_NONE ? 0 : above, sub);
        pour(to, places[i], prof, i);
    }
    take_open(to, prof, places);
    take_callsites(to, prof, places, NULL);
    dp_paths_free(&paths);
    dp_free(subs.by_string);
    dp_free(places);
    return to;
}

/* --- no path deeper than ...
 * ---------------------------------------------------------------------- */

/* Per node its level: 0 for the root. NULL: none is deeper than so many and what takes the place of
   the rest. */
static uint32_t *levels_of(const struct dp_profile *prof, uint32_t most)
{
    uint32_t *levels = dp_alloc_array(prof->nnodes, sizeof *levels);
    int deeper = 0;

    for (uint32_t i = 1; i < prof->nnodes; i++) {
        levels[i] = levels[prof->nodes[i].parent] + 1;
        deeper |= levels[i] > most + 2;
    }
    if (deeper)
        return levels;
    dp_free(levels);
    return NULL;
}

struct dp_profile *dp_profile_shallow(const struct dp_profile *prof, uint32_t most,
                                      uint32_t **taken_by)
{
    uint32_t *levels = levels_of(prof, most), *places, *last;
    struct dp_profile *to;
    struct subs_by_name subs;
    struct dp_paths paths;

    if (!levels)
        return NULL;
    to = profile_like(prof);
    places = dp_alloc_array(prof->nnodes, sizeof *places);
    last = dp_alloc_array(prof->nnodes, sizeof *last); /* below the last level: its "(deeper)" */
    know_subs(&subs, to);
    dp_paths_init(&paths, to);
    pour(to, 0, prof, 0);
    for (uint32_t i = 1; i < prof->nnodes; i++) {
        uint32_t old = prof->nodes[i].sub, up = prof->nodes[i].parent, above = places[up];
        uint32_t sub = sub_named(&subs, string_in(to, prof, prof->subs[old].name));

        describe(to, sub, prof, old);
        if (levels[i] > most) {
            if (levels[up] <= most)
                last[i] = dp_path(&paths, to, above,
                                  sub_named(&subs, dp_intern_text(to->strings, DP_DEEPER)));
            else
                last[i] = last[up];
            above = last[i];
        }
        places[i] = dp_path(&paths, to, above, sub);
        pour(to, places[i], prof, i);
    }
    take_open(to, prof, places);
    dp_paths_free(&paths);
    dp_free(subs.by_string);
    if (taken_by)
        *taken_by = places;
    else
        dp_free(places);
    dp_free(last);
    dp_free(levels);
    return to;
}

/* --- putting profiles together
 * ---------------------------------------------------------------------- */

static int64_t scaled(int64_t ticks, uint64_t from, uint64_t to)
{
    int64_t factor = (int64_t)(to / from);

    if (to % from == 0 && ticks <= MOST_TICKS / factor && ticks >= -(MOST_TICKS / factor))
        return ticks * factor;
    return dp_ticks((double)ticks * ((double)to / (double)from));
}

static void rescale_time(struct dp_time *time, uint64_t from, uint64_t to)
{
    time->user = scaled(time->user, from, to);
    time->sys = scaled(time->sys, from, to);
    time->real = scaled(time->real, from, to);
}

/* Do its times, at `hz`, and so many ticks more go beyond what sums can bear? */
static int too_much(const struct dp_profile *prof, uint64_t hz, const struct dp_time *more)
{
    double times = (double)hz / (double)prof->hz, most = (double)MOST_TICKS;

    return (double)prof->total.user * times + (double)more->user > most ||
           (double)prof->total.sys * times + (double)more->sys > most ||
           (double)prof->total.real * times + (double)more->real > most;
}

/* To a finer clock. */
static void rescale(struct dp_profile *prof, uint64_t hz)
{
    const struct dp_time zero = {0, 0, 0};

    if (hz == prof->hz)
        return;
    prof->total = prof->taken = zero;
    for (uint32_t i = 0; i < prof->nnodes; i++) {
        rescale_time(&prof->nodes[i].self, prof->hz, hz);
        rescale_time(&prof->nodes[i].taken, prof->hz, hz);
        dp_add_time(&prof->total, &prof->nodes[i].self);
        dp_add_time(&prof->taken, &prof->nodes[i].taken);
    }
    for (uint32_t i = 0; i < prof->nhists; i++)
        dp_hist_rescale(&prof->hists[i], prof->hz, hz);
    for (uint32_t i = 0; i < prof->novers; i++)
        rescale_time(&prof->overs[i].cost, prof->hz, hz);
    for (uint32_t i = 0; i < prof->nopen; i++)
        rescale_time(&prof->open[i].since, prof->hz, hz);
    for (uint32_t i = 0; i < prof->nlabels; i++)
        rescale_time(&prof->labels[i].at, prof->hz, hz);
    for (uint32_t i = 0; i < prof->ncallsites; i++)
        rescale_time(&prof->callsites[i].incl, prof->hz, hz);
    rescale_time(&prof->first, prof->hz, hz);
    rescale_time(&prof->last, prof->hz, hz);
    prof->hz = hz;
}

/* The bare tree of a profile. */
static void add_tree(struct dp_profile *into, const struct dp_profile *from)
{
    uint32_t *sub_of = dp_alloc_array(from->nsubs, sizeof *sub_of);
    uint32_t *places = dp_alloc_array(from->nnodes, sizeof *places);
    struct subs_by_name subs;
    struct dp_paths paths;

    know_subs(&subs, into);
    dp_paths_init(&paths, into);
    for (uint32_t i = 0; i < from->nsubs; i++) {
        sub_of[i] = sub_named(&subs, string_in(into, from, from->subs[i].name));
        describe(into, sub_of[i], from, i);
    }
    places[0] = 0;
    pour(into, 0, from, 0);
    for (uint32_t i = 1; i < from->nnodes; i++) {
        const struct dp_node *node = &from->nodes[i];

        places[i] = dp_path(&paths, into, places[node->parent], sub_of[node->sub]);
        pour(into, places[i], from, i);
    }
    take_open(into, from, places);
    take_callsites(into, from, places, NULL);
    dp_take_links(into, from, sub_of);
    take_lines(into, from, sub_of);
    dp_paths_free(&paths);
    dp_free(subs.by_string);
    dp_free(places);
    dp_free(sub_of);
}

static void drop_times(struct dp_profile *prof)
{
    const struct dp_time zero = {0, 0, 0};

    dp_note(prof, DP_NOTE_IMPOSSIBLE, 0, "times too large to add up; left out");
    for (uint32_t i = 0; i < prof->nnodes; i++)
        prof->nodes[i].self = prof->nodes[i].taken = zero;
    prof->total = prof->taken = zero;
}

void dp_profile_merge(struct dp_profile *into, struct dp_profile *from)
{
    uint64_t hz = into->hz > from->hz ? into->hz : from->hz;
    const struct dp_time nothing = {0, 0, 0};

    if (into->hz != hz && too_much(into, hz, &nothing))
        drop_times(into);
    if (into->hz != from->hz)
        dp_note(into, DP_NOTE_HZ, 0, "profiles of %llu and %llu ticks a second put together",
                (unsigned long long)into->hz, (unsigned long long)from->hz);
    rescale(into, hz);
    if (too_much(from, hz, &into->total))
        drop_times(from);
    rescale(from, hz);
    if (!into->cleaned)
        dp_merge_prices(into, from);
    add_tree(into, from);
    take_notes(into, from);
    take_lists(into, from);
    into->marks += from->marks;
    into->ended &= from->ended;
    into->cleaned &= from->cleaned;
    into->counts &= from->counts;
    into->statements &= from->statements;
    into->uncounted |= from->uncounted;
}
