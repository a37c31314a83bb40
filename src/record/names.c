#include "record/names.h"

#include "record/definitions.h"
#include "record/place.h"
#include "record/signals.h"
#include "record/units.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FIRST_ID 2 /* as the original began */
#define MOST_AUTOLOADS 10000

struct dp_known *dp_known_new(void)
{
    struct dp_known *known = calloc(1, sizeof *known);

    if (!known)
        return NULL;
    known->mask = 1023;
    known->texts_mask = 1023;
    known->keys = calloc(known->mask + 1, sizeof *known->keys);
    known->texts = calloc(known->texts_mask + 1, sizeof *known->texts);
    if (!known->keys || !known->texts) {
        dp_known_free(known);
        return NULL;
    }
    return known;
}

void dp_known_free(struct dp_known *known)
{
    struct dp_sub *sub, *after;
    uint32_t i;

    for (i = 0; known->keys && i <= known->mask; i++) {
        while (known->keys[i]) {
            struct dp_key *next = known->keys[i]->next;

            free(known->keys[i]);
            known->keys[i] = next;
        }
    }
    for (sub = known->first; sub; sub = after) {
        after = sub->after;
        free(sub->text);
        free(sub);
    }
    free(known->keys);
    free(known->texts);
    free(known->places);
    free(known->definitions);
    free(known->lines);
    free(known->open);
    free(known->heirs);
    free(known);
}

char *dp_escape(char *to, const char *bytes, STRLEN n)
{
    static const char hex[] = "0123456789abcdef";
    STRLEN i;

    for (i = 0; i < n; i++) {
        unsigned char c = (unsigned char)bytes[i];

        if (c <= 0x20 || c == 0x7f || c == '\\') {
            *to++ = '\\';
            *to++ = 'x';
            *to++ = hex[c >> 4];
            *to++ = hex[c & 15];
        } else {
            *to++ = (char)c;
        }
    }
    return to;
}

/* Latin-1 to UTF-8, and escapes. */
static char *escape_latin1(char *to, const char *bytes, STRLEN n)
{
    STRLEN i;

    for (i = 0; i < n; i++) {
        unsigned char c = (unsigned char)bytes[i];

        if (c < 0x80) {
            to = dp_escape(to, bytes + i, 1);
        } else {
            *to++ = (char)(0xc0 | c >> 6);
            *to++ = (char)(0x80 | (c & 0x3f));
        }
    }
    return to;
}

static char *escape_hek(char *to, const HEK *hek, const char *otherwise)
{
    if (!hek)
        return dp_escape(to, otherwise, strlen(otherwise));
    if (HEK_UTF8(hek))
        return dp_escape(to, HEK_KEY(hek), (STRLEN)HEK_LEN(hek));
    return escape_latin1(to, HEK_KEY(hek), (STRLEN)HEK_LEN(hek));
}

static void grow_texts(struct dp_known *known)
{
    uint32_t mask = known->texts_mask * 2 + 1;
    struct dp_sub **texts = calloc((size_t)mask + 1, sizeof *texts), *sub;

    if (!texts)
        return;
    for (sub = known->first; sub; sub = sub->after) {
        sub->next = texts[sub->hash & mask];
        texts[sub->hash & mask] = sub;
    }
    free(known->texts);
    known->texts = texts;
    known->texts_mask = mask;
}

static void grow_keys(struct dp_known *known)
{
    uint32_t mask = known->mask * 4 + 3, i;
    struct dp_key **keys = calloc((size_t)mask + 1, sizeof *keys);

    if (!keys)
        return;
    for (i = 0; i <= known->mask; i++) {
        while (known->keys[i]) {
            struct dp_key *key = known->keys[i], **to;

            known->keys[i] = key->next;
            to = &keys[dp_key_hash(key->name, key->stash, key->definition) & mask];
            key->next = *to;
            *to = key;
        }
    }
    free(known->keys);
    known->keys = keys;
    known->mask = mask;
}

static uint32_t text_hash(const char *text, size_t n)
{
    uint32_t hash = 2166136261u;
    size_t i;

    for (i = 0; i < n; i++)
        hash = (hash ^ (unsigned char)text[i]) * 16777619u;
    return hash;
}

/* The sub with this escaped name, made if it is new. NULL: no memory. */
static struct dp_sub *intern(struct dp_known *known, const char *text, size_t n,
                             enum dp_sub_kind kind)
{
    uint32_t hash = text_hash(text, n);
    struct dp_sub *sub;

    for (sub = known->texts[hash & known->texts_mask]; sub; sub = sub->next)
        if (sub->hash == hash && sub->length == n + 1 && memcmp(sub->text, text, n) == 0)
            return sub;
    sub = calloc(1, sizeof *sub);
    if (!sub || !(sub->text = malloc(n + 1 + DP_TEXT_PAD))) {
        free(sub);
        return NULL;
    }
    memcpy(sub->text, text, n);
    sub->text[n] = '\n';
    memset(sub->text + n + 1, '#', DP_TEXT_PAD);
    sub->length = (uint32_t)n + 1;
    sub->hash = hash;
    sub->kind = (uint8_t)kind;
    sub->id = FIRST_ID + known->nsubs++;
    memset(sub->mark, '#', sizeof sub->mark);
    sub->mark_length = (uint8_t)snprintf(sub->mark, sizeof sub->mark, "+ %x\n", sub->id);
    sub->mark[sub->mark_length] = '#';
    sub->next = known->texts[hash & known->texts_mask];
    known->texts[hash & known->texts_mask] = sub;
    *(known->last ? &known->last->after : &known->first) = sub;
    known->last = sub;
    if (known->nsubs > known->texts_mask)
        grow_texts(known);
    return sub;
}

struct dp_sub *dp_sub_named(struct dp_recorder *recorder, const char *text, STRLEN length,
                            enum dp_sub_kind kind)
{
    char *escaped = malloc(length * 4 + 1);
    struct dp_sub *sub = NULL;

    if (escaped) {
        size_t n = (size_t)(dp_escape(escaped, text, length) - escaped);

        sub = intern(recorder->known, escaped, n, kind);
        free(escaped);
    }
    return sub;
}

struct dp_sub *dp_sub_escaped(struct dp_recorder *recorder, const char *text, size_t length,
                              enum dp_sub_kind kind)
{
    return intern(recorder->known, text, length, kind);
}

struct dp_sub *dp_sub_other(struct dp_recorder *recorder)
{
    return intern(recorder->known, "(other)", 7, DP_SUB_PERL);
}

static int hek_is(const HEK *hek, const char *word)
{
    return hek && (size_t)HEK_LEN(hek) == strlen(word) &&
           memcmp(HEK_KEY(hek), word, strlen(word)) == 0;
}

static int is_phase(const HEK *name)
{
    return hek_is(name, "BEGIN") || hek_is(name, "UNITCHECK") || hek_is(name, "CHECK") ||
           hek_is(name, "INIT") || hek_is(name, "END");
}

/* XSUBs of ours are the recorder, not the program; and perl makes up an empty one for `use` of a package
   without import. */
static int is_hidden(CV *cv, const HEK *name, const HEK *package)
{
    if (!CvISXSUB(cv))
        return hek_is(package, "Devel::DProf") && !hek_is(name, "_nothing");
    if (CvCONST(cv) && (!name || hek_is(name, "__ANON__")))
        return 1;
    return hek_is(package, "Devel::DProf") ||
           (hek_is(package, "DB") && (hek_is(name, "sub") || hek_is(name, "lsub") ||
                                      hek_is(name, "goto") || hek_is(name, "enable_profile") ||
                                      hek_is(name, "disable_profile") ||
                                      hek_is(name, "finish_profile")));
}

/* Holds the string itself: newSVhek() copies some. */
static SV *holder(pTHX_ HEK *hek)
{
    SV *sv = newSV_type(SVt_PV);

    SvPV_set(sv, HEK_KEY(share_hek_hek(hek)));
    SvCUR_set(sv, (STRLEN)HEK_LEN(hek));
    SvLEN_set(sv, 0);
    SvIsCOW_on(sv);
    SvPOK_on(sv);
    return sv;
}

static void hold(pTHX_ struct dp_known *known, HEK *hek)
{
    const HEK **place = &known->lately_held[(PTR2UV(hek) >> 4) % 64];

    if (!hek || *place == hek)
        return;
    *place = hek;
    if (!known->held)
        known->held = newAV();
    av_push(known->held, holder(aTHX_ hek));
}

void dp_hold_key(pTHX_ struct dp_known *known, const struct dp_key *key)
{
    hold(aTHX_ known, key->name);
    hold(aTHX_ known, key->package);
}

static void add_key(pTHX_ struct dp_known *known, HEK *name, HV *stash, UV definition,
                    struct dp_sub *sub)
{
    struct dp_key *key = malloc(sizeof *key), **to;

    if (!key)
        return;
    key->name = name;
    key->stash = stash;
    key->package = dp_package(stash);
    key->definition = definition;
    key->sub = sub;
    dp_hold_key(aTHX_ known, key);
    if (known->nkeys++ > known->mask)
        grow_keys(known);
    to = &known->keys[dp_key_hash(name, stash, definition) & known->mask];
    key->next = *to;
    *to = key;
}

/* The one of the subs at the place of `sub` that has this number. */
static struct dp_sub *numbered(struct dp_known *known, struct dp_sub *sub, uint32_t number)
{
    char *text;
    struct dp_sub *other;
    size_t n = sub->length - 2; /* without "]\n" */

    if (number == 1 || !(text = malloc(n + 32)))
        return sub;
    memcpy(text, sub->text, n);
    n += (size_t)snprintf(text + n, 32, ":%u]", number);
    other = intern(known, text, n, (enum dp_sub_kind)sub->kind);
    free(text);
    if (!other)
        return sub;
    other->file = sub->file;
    other->line = sub->line;
    return other;
}

/* The number of a sub that was compiled behind our back: the order of the first calls decides; in a string eval only within
   one eval, since names must not grow for ever. */
static uint32_t twin(struct dp_sub *sub, U32 eval)
{
    if (eval && eval != sub->eval)
        sub->twins = 0;
    sub->eval = eval;
    return ++sub->twins;
}

/* Which of the subs at the place of `sub` is this one, of the eval with this number? */
static struct dp_sub *one_of(pTHX_ struct dp_known *known, struct dp_sub *sub, CV *cv, U32 eval,
                             int is_begin)
{
    uint32_t number;

    if (is_begin)
        dp_heritage_disown(known, CvROOT(cv));
    number = dp_definition_number_of(aTHX_ known, cv);
    if (!number && is_begin)
        number = dp_unit_begin_block(aTHX_ known, sub->line);
    else if (!number && sub->kind == DP_SUB_ANON && dp_is_watched(known, cv))
        return sub;
    else if (!number)
        number = twin(sub, eval);
    dp_definition_number(aTHX_ known, cv, number);
    return numbered(known, sub, number);
}

/* "PKG::NAME" into a buffer of the right size, which the caller frees; NULL: no memory. */
static char *full_name(const HEK *package, const HEK *name, size_t extra, char **end)
{
    size_t room = 4 * ((package ? (size_t)HEK_LEN(package) : 8) + (name ? (size_t)HEK_LEN(name) : 8));
    char *text = malloc(room + extra + 64);
    char *s = text;

    if (!text)
        return NULL;
    s = escape_hek(s, package, "__ANON__");
    *s++ = ':';
    *s++ = ':';
    *end = escape_hek(s, name, "__ANON__");
    return text;
}

/* Anonymous subs, BEGIN and its kin: PKG::NAME[FILE:LINE]. */
static struct dp_sub *placed(pTHX_ struct dp_recorder *recorder, CV *cv, const HEK *package,
                             const HEK *name, enum dp_sub_kind kind)
{
    struct dp_sub *sub;
    uint32_t line;
    U32 eval = 0;
    const char *perl_file = dp_place_of(cv, &line);
    const char *file = dp_place_file(recorder, perl_file ? perl_file : "-", &eval);
    char *end, *text = full_name(package, name, strlen(file), &end);

    if (!text)
        return NULL;
    end += sprintf(end, "[%s:%u]", file, line);
    sub = intern(recorder->known, text, (size_t)(end - text), kind);
    free(text);
    if (!sub)
        return NULL;
    sub->file = file;
    sub->line = line;
    return one_of(aTHX_ recorder->known, sub, cv, eval,
                  hek_is(name, "BEGIN") && kind == DP_SUB_BEGIN);
}

static struct dp_sub *named(struct dp_recorder *recorder, CV *cv, const HEK *package,
                            const HEK *name)
{
    struct dp_sub *sub;
    enum dp_sub_kind kind = CvISXSUB(cv) ? DP_SUB_XSUB : DP_SUB_PERL;
    char *end, *text = full_name(package, name, 0, &end);

    if (!text)
        return NULL;
    sub = intern(recorder->known, text, (size_t)(end - text), kind);
    free(text);
    if (sub && !sub->file && kind == DP_SUB_PERL && CvROOT(cv)) {
        uint32_t line;
        U32 eval;
        const char *file = dp_place_of(cv, &line);

        if (file) {
            sub->file = dp_place_file(recorder, file, &eval);
            sub->line = line;
        }
    }
    return sub;
}

/* What $AUTOLOAD of the package says, if that is plain and there are not too many of them already. */
static struct dp_sub *autoloaded(pTHX_ struct dp_recorder *recorder, CV *cv, HV *stash)
{
    struct dp_known *known = recorder->known;
    SV **slot = stash ? hv_fetchs(stash, "AUTOLOAD", 0) : NULL;
    SV *sv = slot && isGV_with_GP(*slot) ? GvSV((GV *)*slot) : NULL;
    struct dp_sub *sub;
    uint32_t before = known->nsubs, line;
    U32 eval;
    const char *file;
    char *text;
    size_t n;

    if (!sv || CvISXSUB(cv) || SvMAGICAL(sv) || !SvPOK(sv) || !SvCUR(sv))
        return NULL;
    text = malloc(SvCUR(sv) * 4 + 1);
    if (!text)
        return NULL;
    n = (size_t)((SvUTF8(sv) ? dp_escape : escape_latin1)(text, SvPVX_const(sv), SvCUR(sv)) - text);
    sub = known->nautoloads < MOST_AUTOLOADS ? intern(known, text, n, DP_SUB_AUTOLOAD) : NULL;
    free(text);
    if (sub && known->nsubs != before) {
        known->nautoloads++;
        if ((file = dp_place_of(cv, &line)) != NULL) {
            sub->file = dp_place_file(recorder, file, &eval);
            sub->line = line;
        }
    }
    return sub;
}

char *dp_sub_name(CV *cv)
{
    HEK *name, *package;
    HV *stash;
    char *end, *text;

    dp_identify(cv, &name, &stash);
    package = dp_package(stash);
    if (!name || !package || is_phase(name) || hek_is(name, "__ANON__") ||
        hek_is(package, "Devel::DProf") || hek_is(package, "DB"))
        return NULL;
    text = full_name(package, name, 1, &end);
    if (text)
        *end = '\0';
    return text;
}

static struct dp_sub *find(pTHX_ struct dp_recorder *recorder, CV *cv)
{
    struct dp_known *known = recorder->known;
    struct dp_key *key;
    struct dp_sub *sub = NULL;
    HEK *name, *package;
    HV *stash;
    UV definition;

    dp_identify(cv, &name, &stash);
    definition = dp_anonymous(aTHX_ known, cv);
    package = dp_package(stash);
    for (key = known->keys[dp_key_hash(name, stash, definition) & known->mask]; key; key = key->next)
        if (key->name == name && key->stash == stash && key->definition == definition &&
            key->package == package)
            return key->sub;
    if (is_hidden(cv, name, package)) {
        add_key(aTHX_ known, name, stash, definition, NULL);
        return NULL;
    }
    if (hek_is(name, "AUTOLOAD") && (sub = autoloaded(aTHX_ recorder, cv, stash)) != NULL) {
        dp_definition_remember(aTHX_ known, cv, sub);
        return sub;
    }
    if (!CvISXSUB(cv) && is_phase(name))
        return placed(aTHX_ recorder, cv, package, name, DP_SUB_BEGIN);
    if (!package && !CvISXSUB(cv) &&
        (sub = dp_sub_by_definition(known, dp_definition(aTHX_ known, cv))) != NULL) {
        add_key(aTHX_ known, name, stash, definition, sub);
        return sub;
    }
    if (definition && (!name || hek_is(name, "__ANON__")))
        sub = placed(aTHX_ recorder, cv, package, name, DP_SUB_ANON);
    else
        sub = named(recorder, cv, package, name);
    if (!sub)
        return NULL;
    dp_definition_remember(aTHX_ known, cv, sub);
    if (!hek_is(name, "AUTOLOAD"))
        add_key(aTHX_ known, name, stash, definition, sub);
    return sub;
}

struct dp_sub *dp_sub_find(pTHX_ struct dp_recorder *recorder, CV *cv)
{
    struct dp_sub *sub;

    dp_busy(recorder);
    sub = find(aTHX_ recorder, cv);
    dp_idle(recorder);
    return sub;
}
