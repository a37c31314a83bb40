#include "record/place.h"

#include "record/definitions.h"
#include "record/names.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* Escaped texts of files and evals: few, found by content, never freed. */
struct text {
    struct text *next;
    char bytes[1];
};
#define TEXTS 1024
static struct text *texts[TEXTS];
static pthread_mutex_t texts_lock = PTHREAD_MUTEX_INITIALIZER;

static const char *keep(const char *bytes)
{
    struct text *text;
    uint32_t hash = 0;
    size_t i, n = strlen(bytes);

    for (i = 0; i < n; i++)
        hash = hash * 31 + (unsigned char)bytes[i];
    pthread_mutex_lock(&texts_lock);
    for (text = texts[hash % TEXTS]; text && strcmp(text->bytes, bytes) != 0; text = text->next)
        ;
    if (!text && (text = malloc(sizeof *text + n)) != NULL) {
        memcpy(text->bytes, bytes, n + 1);
        text->next = texts[hash % TEXTS];
        texts[hash % TEXTS] = text;
    }
    pthread_mutex_unlock(&texts_lock);
    return text ? text->bytes : "-";
}

/* "(eval 17)" -> 17, else 0. */
static U32 eval_number(const char *file)
{
    unsigned long number = 0;
    const char *s;

    if (strncmp(file, "(eval ", 6) != 0)
        return 0;
    for (s = file + 6; *s >= '0' && *s <= '9'; s++)
        number = number * 10 + (unsigned long)(*s - '0');
    return *s == ')' && s[1] == '\0' ? (U32)number : 0;
}

/* The index of an eval, or nplaces. */
static uint32_t place_of(const struct dp_known *known, U32 number)
{
    uint32_t low = 0, high = known->nplaces;

    while (low < high) {
        uint32_t middle = low + (high - low) / 2;

        if (known->places[middle].number < number)
            low = middle + 1;
        else
            high = middle;
    }
    return low < known->nplaces && known->places[low].number == number ? low : known->nplaces;
}

static const char *find_eval(const struct dp_known *known, U32 number)
{
    uint32_t at = place_of(known, number);

    return at < known->nplaces ? known->places[at].text : "(eval)";
}

const char *dp_place_file(struct dp_recorder *recorder, const char *file, U32 *eval)
{
    char *escaped;
    const char *kept;

    *eval = eval_number(file);
    if (*eval)
        return find_eval(recorder->known, *eval);
    escaped = malloc(strlen(file) * 4 + 1);
    if (!escaped)
        return "-";
    *dp_escape(escaped, file, strlen(file)) = '\0';
    kept = keep(escaped);
    free(escaped);
    return kept;
}

static void alive(const struct dp_known *known, const char *file)
{
    U32 number = file ? eval_number(file) : 0;
    uint32_t at = number ? place_of(known, number) : known->nplaces;

    if (at < known->nplaces)
        known->places[at].is_alive = 1;
}

void dp_place_lives(const struct dp_known *known, CV *cv)
{
    uint32_t line;

    alive(known, CvFILE(cv));
    if (CvROOT(cv)) /* while it is compiled something else stands in CvSTART */
        alive(known, dp_place_of(cv, &line));
}

/* Evals whose code is running: what is called from them, and subs inside them, are named by their places. */
static void find_running(pTHX_ const struct dp_known *known)
{
    const PERL_SI *stack = PL_curstackinfo;
    I32 i, top = cxstack_ix;

    alive(known, CopFILE(PL_curcop));
    for (; stack; stack = stack->si_prev, top = stack ? stack->si_cxix : -1)
        for (i = 0; i <= top; i++)
            if (CxTYPE(&stack->si_cxstack[i]) != CXt_SUBST && stack->si_cxstack[i].blk_oldcop)
                alive(known, CopFILE(stack->si_cxstack[i].blk_oldcop));
}

/* Those with subs stay, unless the subs are known to be gone. */
static void forget(pTHX_ struct dp_known *known, int subs_are_known)
{
    uint32_t kept = 0, i;

    find_running(aTHX_ known);
    for (i = 0; i < known->nplaces; i++) {
        struct dp_place place = known->places[i];

        if (!place.is_alive && (place.is_subless || subs_are_known))
            continue;
        place.is_alive = 0;
        known->places[kept++] = place;
    }
    known->nplaces = kept;
}

void dp_place_forget(pTHX_ struct dp_known *known)
{
    forget(aTHX_ known, 1);
}

/* Room for one more. */
#define FIRST_ROOM 512
#define LONGEST 1000
static int make_room(pTHX_ struct dp_known *known)
{
    uint32_t room;
    struct dp_place *more;

    if (known->nplaces < known->places_room)
        return 0;
    forget(aTHX_ known, 0);
    if (known->nplaces < known->places_room / 2)
        return 0;
    room = known->places_room ? known->places_room * 2 : FIRST_ROOM;
    more = realloc(known->places, room * sizeof *more);
    if (!more)
        return known->nplaces < known->places_room ? 0 : -1;
    known->places = more;
    known->places_room = room;
    return 0;
}

/* What an eval in the running code is called; NULL: no memory. */
static const char *eval_text(pTHX_ struct dp_recorder *recorder)
{
    const char *file = CopFILE(PL_curcop);
    U32 in_eval;
    const char *outer = dp_place_file(recorder, file ? file : "-", &in_eval), *kept;
    size_t n = strlen(outer) + 32;
    char *text;

    if (in_eval && n > LONGEST) /* evals of evals of evals: names must not grow for ever */
        return outer;
    text = malloc(n);
    if (!text)
        return NULL;
    snprintf(text, n, "%s:%lu/eval", outer, (unsigned long)CopLINE(PL_curcop));
    kept = keep(text);
    free(text);
    return kept;
}

static void add(pTHX_ struct dp_known *known, const struct dp_place *place)
{
    /* After a fork or a failed eval the sequence may stand where it stood before. */
    while (known->nplaces && known->places[known->nplaces - 1].number >= place->number)
        known->nplaces--;
    if (place->text && make_room(aTHX_ known) == 0)
        known->places[known->nplaces++] = *place;
}

struct dp_place dp_place_eval(pTHX_ struct dp_recorder *recorder)
{
    struct dp_place place = {0, 0, 0, NULL};

    dp_definitions_tidy(aTHX_ recorder);
    place.number = PL_evalseq + 1;
    place.text = eval_text(aTHX_ recorder);
    add(aTHX_ recorder->known, &place);
    return place;
}

U32 dp_place_settle(pTHX_ struct dp_known *known, U32 expected, const char *file, const char *text)
{
    struct dp_place place = {0, 0, 0, NULL};

    place.number = file ? eval_number(file) : 0;
    place.text = text;
    if (place.number > expected && place_of(known, place.number) == known->nplaces)
        add(aTHX_ known, &place);
    return place.number;
}

void dp_place_eval_done(struct dp_recorder *recorder, uint32_t number)
{
    struct dp_known *known = recorder->known;
    uint32_t at = place_of(known, number);

    if (at < known->nplaces)
        known->places[at].is_subless = 1;
}

const char *dp_place_of(CV *cv, uint32_t *line)
{
    const OP *op = CvSTART(cv);
    int steps = 0;

    for (; op && steps < 16; op = op->op_next, steps++) {
        if (op->op_type == OP_NEXTSTATE || op->op_type == OP_DBSTATE) {
            *line = (uint32_t)CopLINE((const COP *)op);
            return CopFILE((const COP *)op);
        }
    }
    *line = 0;
    return CvFILE(cv);
}

void dp_place_forked(void)
{
    pthread_mutex_init(&texts_lock, NULL);
}
