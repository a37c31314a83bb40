#include "record/heritage.h"

#include "record/interp.h"
#include "record/place.h"

#include <pthread.h>
#include <stdlib.h>

/* A sub by its code, which an interpreter and its clones share. */
struct dp_heir {
    const OP *root;
    uint32_t number;
};

/* What waits for the first event of a clone. One that has none leaves it to the next at its address. */
struct estate {
    const PerlInterpreter *heir;
    struct dp_place *places;
    uint32_t nplaces;
    struct dp_heir *subs;
    uint32_t nsubs;
    struct estate *next;
};
static struct estate *estates;
static pthread_mutex_t estates_lock = PTHREAD_MUTEX_INITIALIZER;

static int by_root(const void *a, const void *b)
{
    const struct dp_heir *x = a, *y = b;

    return x->root < y->root ? -1 : x->root > y->root;
}

static void add_sub(struct estate *estate, const OP *root, uint32_t number)
{
    estate->subs[estate->nsubs].root = root;
    estate->subs[estate->nsubs++].number = number;
}

static void list_subs(struct estate *estate, const struct dp_known *known)
{
    uint32_t i, n = known->definitions ? known->definitions_mask + 1 : 0;

    estate->subs = calloc((size_t)known->ndefinitions + known->nheirs + 1, sizeof *estate->subs);
    if (!estate->subs)
        return;
    for (i = 0; i < known->nheirs; i++)
        add_sub(estate, known->heirs[i].root, known->heirs[i].number);
    for (i = 0; i < n; i++)
        if (known->definitions[i].definition && known->definitions[i].number > 1)
            add_sub(estate, known->definitions[i].root, known->definitions[i].number);
    qsort(estate->subs, estate->nsubs, sizeof *estate->subs, by_root);
}

static void list_places(struct estate *estate, const struct dp_known *known)
{
    estate->places = calloc((size_t)known->nplaces + 1, sizeof *estate->places);
    if (!estate->places)
        return;
    if (known->nplaces)
        memcpy(estate->places, known->places, known->nplaces * sizeof *estate->places);
    estate->nplaces = known->nplaces;
}

static void free_estate(struct estate *estate)
{
    if (!estate)
        return;
    free(estate->places);
    free(estate->subs);
    free(estate);
}

/* Takes the estate of this heir out of the list; NULL: there is none. */
static struct estate *taken_out(const PerlInterpreter *heir)
{
    struct estate **link, *estate;

    for (link = &estates; *link && (*link)->heir != heir; link = &(*link)->next)
        ;
    estate = *link;
    if (estate)
        *link = estate->next;
    return estate;
}

static void leave_to(const PerlInterpreter *heir, const struct dp_known *known)
{
    struct estate *estate = calloc(1, sizeof *estate);

    if (!estate)
        return;
    estate->heir = heir;
    list_places(estate, known);
    list_subs(estate, known);
    pthread_mutex_lock(&estates_lock);
    free_estate(taken_out(heir));
    estate->next = estates;
    estates = estate;
    pthread_mutex_unlock(&estates_lock);
}

#ifdef USE_ITHREADS
/* perl copies our magic into a clone, while the parent stands still. */
static int cloned(pTHX_ MAGIC *magic, CLONE_PARAMS *params)
{
    const struct dp_recorder *parent = dp_interp_of(params->proto_perl);

    PERL_UNUSED_ARG(magic);
    if (parent && parent->known && !parent->ended && dp_main.options.children)
        leave_to(aTHX, parent->known);
    return 0;
}

static MGVTBL heritage = {NULL, NULL, NULL, NULL, NULL, NULL, cloned, NULL};

void dp_heritage_follow(pTHX)
{
    CV *ours = get_cv("Devel::DProf::_begin", 0);

    /* A clone has a copy of its parent's. */
    if (ours && !mg_findext((SV *)ours, PERL_MAGIC_ext, &heritage))
        sv_magicext((SV *)ours, NULL, PERL_MAGIC_ext, &heritage, NULL, 0)->mg_flags |= MGf_DUP;
}
#else
void dp_heritage_follow(pTHX)
{
    PERL_UNUSED_CONTEXT;
    PERL_UNUSED_VAR(leave_to);
}
#endif

void dp_heritage_take(pTHX_ struct dp_known *known)
{
    struct estate *estate;

    pthread_mutex_lock(&estates_lock);
    estate = taken_out(DP_THX);
    pthread_mutex_unlock(&estates_lock);
    if (!estate)
        return;
    known->places = estate->places;
    known->nplaces = known->places_room = estate->nplaces;
    known->heirs = estate->subs;
    known->nheirs = estate->nsubs;
    free(estate);
}

uint32_t dp_heritage_number(const struct dp_known *known, CV *cv)
{
    struct dp_heir wanted = {CvROOT(cv), 1};
    const struct dp_heir *found = known->nheirs ? bsearch(&wanted, known->heirs, known->nheirs, sizeof wanted, by_root) : NULL;

    return found ? found->number : 1;
}

void dp_heritage_free(struct dp_known *known)
{
    free(known->heirs);
}

void dp_heritage_forked(void)
{
    pthread_mutex_init(&estates_lock, NULL);
}
