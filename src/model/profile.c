#include "model/profile.h"

#include <string.h>

#include "base/mem.h"
#include "model/strings.h"

const char *const dp_kind_names[DP_NKINDS] = {"unknown", "perl",    "xsub", "anon", "autoload",
                                              "begin",   "builtin", "file", "eval", "uncalled"};

struct dp_profile *dp_profile_new(void)
{
    struct dp_profile *prof = dp_alloc(sizeof *prof);
    const struct dp_run nothing = {DP_NONE, DP_NONE, DP_NONE, DP_NONE, DP_NONE, DP_NONE,
                                   DP_NONE, DP_NONE, DP_NONE, DP_NONE, 0};

    prof->strings = dp_alloc(sizeof *prof->strings);
    prof->hz = 100;
    prof->run = nothing;
    dp_add_node(prof, DP_NONE, DP_NONE);
    return prof;
}

void dp_profile_free(struct dp_profile *prof)
{
    if (!prof)
        return;
    dp_strings_free(prof->strings);
    dp_free(prof->strings);
    dp_free(prof->subs);
    dp_free(prof->nodes);
    dp_free(prof->hists);
    dp_free(prof->overs);
    dp_free(prof->open);
    dp_free(prof->notes);
    dp_free(prof->children);
    dp_free(prof->labels);
    dp_free(prof->files);
    dp_free(prof->links);
    dp_free(prof->lines);
    dp_free(prof->callsites);
    if (prof->foreign && --prof->foreign->users == 0) {
        prof->foreign->free(prof->foreign->what);
        dp_free(prof->foreign);
    }
    dp_free(prof);
}

void dp_set_foreign(struct dp_profile *prof, const char *kind, void *what, void (*free)(void *))
{
    prof->foreign = dp_alloc(sizeof *prof->foreign);
    prof->foreign->kind = kind;
    prof->foreign->what = what;
    prof->foreign->free = free;
    prof->foreign->users = 1;
}

void *dp_foreign(const struct dp_profile *prof, const char *kind)
{
    return prof->foreign && !strcmp(prof->foreign->kind, kind) ? prof->foreign->what : NULL;
}

const char *dp_string(const struct dp_profile *prof, uint32_t string, size_t *len)
{
    int known = string < prof->strings->n;

    if (len)
        *len = known ? prof->strings->length[string] : 0;
    return known ? prof->strings->bytes[string] : "";
}

uint32_t dp_add_sub(struct dp_profile *prof, uint32_t name)
{
    const struct dp_sub sub = {name, DP_NONE, 0, DP_NONE, DP_KIND_UNKNOWN, 0, 0, 0};

    prof->subs = dp_more(prof->subs, prof->nsubs, sizeof *prof->subs);
    prof->subs[prof->nsubs] = sub;
    return prof->nsubs++;
}

uint32_t dp_add_node(struct dp_profile *prof, uint32_t parent, uint32_t sub)
{
    const struct dp_node node = {
        sub, parent, DP_NONE, DP_NONE, DP_NONE, DP_NONE, 0, {0, 0, 0}, {0, 0, 0},
    };
    uint32_t new = prof->nnodes;

    prof->nodes = dp_more(prof->nodes, new, sizeof *prof->nodes);
    prof->nodes[new] = node;
    prof->nnodes++;
    if (parent != DP_NONE) {
        struct dp_node *above = &prof->nodes[parent];

        if (above->last_child == DP_NONE)
            above->first_child = new;
        else
            prof->nodes[above->last_child].next = new;
        above->last_child = new;
    }
    return new;
}

uint32_t dp_next_node(const struct dp_profile *prof, uint32_t node, uint32_t top)
{
    const struct dp_node *nodes = prof->nodes;

    if (nodes[node].first_child != DP_NONE)
        return nodes[node].first_child;
    while (node != top && nodes[node].next == DP_NONE)
        node = nodes[node].parent;
    return node == top ? DP_NONE : nodes[node].next;
}
