#include "record/heritage.h"

#include "record/definitions.h"
#include "record/interp.h"
#include "record/place.h"

#include <pthread.h>
#include <stdlib.h>

/* What waits for the first event of a clone. One that has none leaves it to the next at its address. */
struct estate {
    const PerlInterpreter *heir;
    struct dp_place *places;
    uint32_t nplaces;
    struct dp_heir *subs; /* an open table of all subs there are */
    uint32_t subs_mask;
    struct estate *next;
};
static struct estate *estates;
static pthread_mutex_t estates_lock = PTHREAD_MUTEX_INITIALIZER;

/* Perl subs of this interpreter, each given to `visit`; how many there are. */
static uint32_t each_sub(pTHX_ void (*visit)(pTHX_ struct estate *, const struct dp_known *, CV *),
                         struct estate *estate, const struct dp_known *known)
{
    SV *arena, *sv, *end;
    uint32_t n = 0;

    for (arena = PL_sv_arenaroot; arena; arena = MUTABLE_SV(SvANY(arena))) {
        end = &arena[SvREFCNT(arena)];
        for (sv = arena + 1; sv < end; sv++) {
            if (SvTYPE(sv) != SVt_PVCV || !SvREFCNT(sv) || CvISXSUB((CV *)sv) || !CvROOT((CV *)sv))
                continue;
            n++;
            if (visit)
                visit(aTHX_ estate, known, (CV *)sv);
        }
    }
    return n;
}

static void add_sub(pTHX_ struct estate *estate, const struct dp_known *known, CV *cv)
{
    uint32_t i = (uint32_t)(PTR2UV(CvROOT(cv)) >> 4) * 0x9e3779b1u;
    uint32_t number = dp_definition_number_of(aTHX_ known, cv);
    struct dp_heir *heir;

    for (;; i++) {
        heir = &estate->subs[i & estate->subs_mask];
        if (!heir->root || heir->root == CvROOT(cv))
            break;
    }
    heir->root = CvROOT(cv);
    heir->number = number ? number : (uint32_t)dp_is_watched(known, cv);
}

static void list_subs(pTHX_ struct estate *estate, const struct dp_known *known)
{
    uint32_t n = each_sub(aTHX_ NULL, estate, known), room = 64;

    while (room < n * 2)
        room *= 2;
    estate->subs = calloc(room, sizeof *estate->subs);
    estate->subs_mask = room - 1;
    if (estate->subs)
        each_sub(aTHX_ add_sub, estate, known);
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

static void leave_to(pTHX_ const PerlInterpreter *heir, const struct dp_known *known)
{
    struct estate *estate = calloc(1, sizeof *estate);

    if (!estate)
        return;
    estate->heir = heir;
    list_places(estate, known);
    list_subs(aTHX_ estate, known);
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
    PerlInterpreter *parent = params->proto_perl;
    const struct dp_recorder *recorder = dp_interp_of(parent);

    PERL_UNUSED_ARG(magic);
    if (recorder && recorder->known && dp_main.options.children)
        leave_to(parent, aTHX, recorder->known);
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
    known->heirs_mask = estate->subs_mask;
    free(estate);
}

void dp_heritage_forked(void)
{
    pthread_mutex_init(&estates_lock, NULL);
}
