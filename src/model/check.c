#include "model/check.h"

#include "base/mem.h"
#include "model/strings.h"

static int is_string(const struct dp_profile *prof, uint32_t string)
{
    return string == DP_NONE || string < prof->strings->n;
}

static int subs(const struct dp_profile *prof, struct dp_err *err)
{
    for (uint32_t i = 0; i < prof->nsubs; i++) {
        const struct dp_sub *sub = &prof->subs[i];

        if (sub->name >= prof->strings->n || !is_string(prof, sub->file) || sub->kind >= DP_NKINDS)
            return dp_fail(err, "sub %lu: name, file or kind out of range", (unsigned long)i);
    }
    return 0;
}

static int negative(const struct dp_time *time)
{
    return time->user < 0 || time->sys < 0 || time->real < 0;
}

static int node(const struct dp_profile *prof, uint32_t i, struct dp_err *err)
{
    const struct dp_node *node = &prof->nodes[i];

    if (i == 0 ? node->sub != DP_NONE || node->parent != DP_NONE : node->sub >= prof->nsubs)
        return dp_fail(err, "node %lu: sub out of range", (unsigned long)i);
    if (i && node->parent >= i)
        return dp_fail(err, "node %lu: not after its parent", (unsigned long)i);
    if (negative(&node->self))
        return dp_fail(err, "node %lu: negative time", (unsigned long)i);
    if (node->hist != DP_NONE && node->hist >= prof->nhists)
        return dp_fail(err, "node %lu: histogram out of range", (unsigned long)i);
    return 0;
}

/* Each node but the root is the child of its parent, once. */
static int children(const struct dp_profile *prof, unsigned char *seen, struct dp_err *err)
{
    uint32_t found = 1;

    for (uint32_t i = 0; i < prof->nnodes; i++) {
        uint32_t last = DP_NONE;

        for (uint32_t c = prof->nodes[i].first_child; c != DP_NONE; c = prof->nodes[c].next) {
            if (c >= prof->nnodes || prof->nodes[c].parent != i || seen[c]++)
                return dp_fail(err, "node %lu: a wrong child", (unsigned long)i);
            last = c;
            found++;
        }
        if (last != prof->nodes[i].last_child)
            return dp_fail(err, "node %lu: a wrong last child", (unsigned long)i);
    }
    return found == prof->nnodes ? 0 : dp_fail(err, "nodes outside the tree");
}

static int totals(const struct dp_profile *prof, struct dp_err *err)
{
    struct dp_time sum = {0, 0, 0};

    for (uint32_t i = 0; i < prof->nnodes; i++) {
        const struct dp_time *self = &prof->nodes[i].self;

        if (self->user > INT64_MAX - sum.user || self->sys > INT64_MAX - sum.sys ||
            self->real > INT64_MAX - sum.real)
            return dp_fail(err, "node %lu: the sum of times overflows", (unsigned long)i);
        sum.user += self->user;
        sum.sys += self->sys;
        sum.real += self->real;
    }
    if (sum.user != prof->total.user || sum.sys != prof->total.sys || sum.real != prof->total.real)
        return dp_fail(err, "the total real time is %lld ticks, the nodes' sum is %lld",
                       (long long)prof->total.real, (long long)sum.real);
    return 0;
}

static int lists(const struct dp_profile *prof, struct dp_err *err)
{
    for (uint32_t i = 0; i < prof->nopen; i++)
        if (prof->open[i].node >= prof->nnodes)
            return dp_fail(err, "open frame %lu: node out of range", (unsigned long)i);
    for (uint32_t i = 0; i < prof->novers; i++)
        if (prof->overs[i].kind >= DP_NKINDS || negative(&prof->overs[i].cost))
            return dp_fail(err, "calibration %lu: out of range", (unsigned long)i);
    for (uint32_t i = 0; i < prof->nlinks; i++) {
        const struct dp_link *link = &prof->links[i];

        if ((link->caller != DP_NONE && link->caller >= prof->nsubs) ||
            link->callee >= prof->nsubs || link->least > link->most)
            return dp_fail(err, "link %lu: out of range", (unsigned long)i);
    }
    for (uint32_t i = 0; i < prof->ncallsites; i++) {
        const struct dp_callsite *site = &prof->callsites[i];

        if (site->node == 0 || site->node >= prof->nnodes || site->file >= prof->strings->n ||
            negative(&site->incl) || (i && site->node < site[-1].node))
            return dp_fail(err, "call site %lu: out of range or order", (unsigned long)i);
    }
    return 0;
}

int dp_profile_check(const struct dp_profile *prof, struct dp_err *err)
{
    unsigned char *seen;
    int status;

    if (prof->hz == 0 || prof->nnodes == 0)
        return dp_fail(err, "no clock or no root");
    if (subs(prof, err) < 0 || lists(prof, err) < 0 || totals(prof, err) < 0)
        return -1;
    for (uint32_t i = 0; i < prof->nnodes; i++)
        if (node(prof, i, err) < 0)
            return -1;
    seen = dp_alloc(prof->nnodes);
    status = children(prof, seen, err);
    dp_free(seen);
    return status;
}
