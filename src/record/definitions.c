#include "record/definitions.h"

#include "record/place.h"

#include <stdlib.h>

#define TIDY_AT 4096 /* what may be remembered before it is worth a look */

static struct dp_definition *slot_for(const struct dp_known *known, UV definition)
{
    uint32_t i = (uint32_t)(definition * 0x9e3779b1u) & known->definitions_mask;

    while (known->definitions[i].definition && known->definitions[i].definition != definition)
        i = (i + 1) & known->definitions_mask;
    return &known->definitions[i];
}

struct dp_sub *dp_sub_by_definition(const struct dp_known *known, UV definition)
{
    return known->definitions && definition ? slot_for(known, definition)->sub : NULL;
}

/* A table of n slots, a power of two, with what is alive in the old one; live NULL: all of it. */
static int renew_definitions(struct dp_known *known, uint32_t n, const char *live)
{
    struct dp_definition *old = known->definitions;
    uint32_t before = old ? known->definitions_mask + 1 : 0, i;
    struct dp_definition *fresh = calloc(n, sizeof *fresh);

    if (!fresh)
        return -1;
    known->definitions = fresh;
    known->definitions_mask = n - 1;
    known->ndefinitions = 0;
    for (i = 0; i < before; i++) {
        if (old[i].definition && (!live || live[i])) {
            *slot_for(known, old[i].definition) = old[i];
            known->ndefinitions++;
        }
    }
    free(old);
    return 0;
}

/* Its slot, made if it is new; NULL: no memory. */
static struct dp_definition *slot_made(struct dp_known *known, UV definition)
{
    uint32_t n = known->definitions ? (known->definitions_mask + 1) * 2 : 512;
    struct dp_definition *slot;

    if (known->ndefinitions * 2 >= known->definitions_mask && renew_definitions(known, n, NULL) != 0)
        return NULL;
    slot = slot_for(known, definition);
    known->ndefinitions += !slot->definition;
    slot->definition = definition;
    return slot;
}

void dp_definition_remember(pTHX_ struct dp_known *known, CV *cv, struct dp_sub *sub)
{
    UV definition = CvISXSUB(cv) ? 0 : dp_definition(aTHX_ known, cv);
    struct dp_definition *slot = definition ? slot_made(known, definition) : NULL;

    if (slot && !slot->sub)
        slot->sub = sub;
}

void dp_definition_number(pTHX_ struct dp_known *known, CV *cv, uint32_t number)
{
    UV definition = dp_definition(aTHX_ known, cv);
    struct dp_definition *slot = definition ? slot_made(known, definition) : NULL;

    if (slot)
        slot->number = number;
}

uint32_t dp_definition_number_of(pTHX_ const struct dp_known *known, CV *cv)
{
    UV definition = dp_definition(aTHX_ known, cv);
    uint32_t number = known->definitions && definition ? slot_for(known, definition)->number : 0;
    const struct dp_heir *heir = number ? NULL : dp_heritage_of(known, CvROOT(cv));

    return heir ? heir->number : number;
}

/* Notes the definitions and the evals of all subs there are. Returns how many values perl has. */
static size_t find_living(pTHX_ struct dp_known *known, char *live)
{
    SV *arena, *sv, *end;
    size_t values = 0;

    for (arena = PL_sv_arenaroot; arena; arena = MUTABLE_SV(SvANY(arena))) {
        end = &arena[SvREFCNT(arena)];
        values += SvREFCNT(arena);
        for (sv = arena + 1; sv < end; sv++) {
            CV *cv = (CV *)sv;
            UV definition;

            if (SvTYPE(sv) != SVt_PVCV || !SvREFCNT(sv) || CvISXSUB(cv))
                continue;
            definition = dp_definition(aTHX_ known, cv);
            if (definition && known->definitions)
                live[slot_for(known, definition) - known->definitions] = 1;
            dp_place_lives(known, cv);
        }
    }
    return values;
}

static int is_dead(const struct dp_known *known, const struct dp_key *key, const char *live)
{
    return key->definition && known->definitions &&
           !live[slot_for(known, key->definition) - known->definitions];
}

static void forget_keys(struct dp_known *known, const char *live)
{
    uint32_t i;

    for (i = 0; i <= known->mask; i++) {
        struct dp_key **at = &known->keys[i], *key;

        while ((key = *at) != NULL) {
            if (is_dead(known, key, live)) {
                *at = key->next;
                free(key);
                known->nkeys--;
            } else {
                at = &key->next;
            }
        }
    }
}

/* Holds the names of the keys that are left, and no others. */
static void hold_again(pTHX_ struct dp_known *known)
{
    AV *before = known->held;
    uint32_t i;

    known->held = NULL;
    memset(known->lately_held, 0, sizeof known->lately_held);
    for (i = 0; i <= known->mask; i++) {
        const struct dp_key *key;

        for (key = known->keys[i]; key; key = key->next)
            dp_hold_key(aTHX_ known, key);
    }
    SvREFCNT_dec((SV *)before);
}

/* Slots for four times what is alive: a power of two, never more than there are. */
static uint32_t room_for(const char *live, uint32_t n)
{
    uint32_t alive = 0, room = 512, i;

    for (i = 0; i < n; i++)
        alive += (uint32_t)live[i];
    while (room < alive * 4 && room < n)
        room *= 2;
    return room;
}

static size_t remembered(const struct dp_known *known)
{
    return (size_t)known->nkeys + known->nplaces + known->ndefinitions;
}

static void tidy(pTHX_ struct dp_recorder *recorder)
{
    struct dp_known *known = recorder->known;
    uint32_t n = known->definitions ? known->definitions_mask + 1 : 0;
    char *live = calloc(n + 1, 1);
    size_t values;

    if (!live)
        return;
    values = find_living(aTHX_ known, live);
    forget_keys(known, live);
    if (n)
        renew_definitions(known, room_for(live, n), live);
    free(live);
    dp_place_forget(aTHX_ known);
    hold_again(aTHX_ known);
    /* The look costs as much as perl has values: the more there are, the rarer it must be. */
    known->tidy_at = 2 * remembered(known) + TIDY_AT + values / 8;
}

void dp_definitions_tidy(pTHX_ struct dp_recorder *recorder)
{
    struct dp_known *known = recorder->known;

    if (known->tidy_at == 0)
        known->tidy_at = TIDY_AT;
    if (remembered(known) > known->tidy_at)
        tidy(aTHX_ recorder);
}
