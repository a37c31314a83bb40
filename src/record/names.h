/*
 * Which sub is this? From a CV to the name that stands in the profile, at the price of one look into a
 * table.
 *
 * Subs are told apart by the name and the package of their glob (the shared strings themselves, which we
 * hold so that no other can take their place), and anonymous ones by their definition, which all
 * closures of it share. The text is made once.
 */
#ifndef DPROF_RECORD_NAMES_H
#define DPROF_RECORD_NAMES_H

#include "record/recorder.h"

/* One CV identity that was seen. */
struct dp_key {
    HEK *name;
    HV *stash;
    HEK *package;
    UV definition; /* of an anonymous sub; 0 for others; DP_ASK: look closer each time */
    struct dp_sub *sub; /* NULL: this one is not recorded */
    struct dp_key *next;
};

struct dp_definition {
    UV definition;      /* 0: free */
    struct dp_sub *sub; /* NULL: was not called yet */
    uint32_t number;    /* on its line; 0: not known, or the first that was compiled */
};

/* Subs whose name depends on more than the CV: AUTOLOAD, BEGIN and its kin. */
#define DP_ASK (~(UV)0)

struct dp_known {
    struct dp_key **keys;
    uint32_t mask; /* of the table of keys; a power of two less one */
    uint32_t nkeys;
    struct dp_sub **texts; /* by text */
    uint32_t texts_mask;
    uint32_t nsubs;
    struct dp_sub *first; /* in order of first sight */
    struct dp_sub *last;
    struct dp_place *places; /* of string evals, record/place.h */
    uint32_t nplaces, places_room;
    int is_cloned;       /* of a thread: see dp_definition() */
    UV watched;          /* what has a larger definition was compiled before our eyes */
    struct dp_line_seen *lines; /* record/units.h */
    uint32_t lines_mask;
    struct dp_unit *open;       /* units that are being compiled */
    uint32_t nopen, open_room;
    uint32_t units;             /* how many there were */
    struct dp_heir *heirs;      /* record/heritage.h: an open table */
    uint32_t heirs_mask;
    uint32_t nautoloads; /* names that came from $AUTOLOAD */
    struct dp_definition *definitions; /* what was called, by definition: an open table */
    uint32_t ndefinitions, definitions_mask;
    size_t tidy_at; /* so much remembered is worth a look at what is alive */
    AV *held;            /* keeps the HEKs alive */
    const HEK *lately_held[64]; /* by address: most are the same few */
};

struct dp_known *dp_known_new(void);

/* For a new thread: nothing in it may point to the other interpreter. */
void dp_known_free(struct dp_known *known);

/* The sub for a CV that is called; NULL: it is not to be recorded. The quick way is below. */
struct dp_sub *dp_sub_find(pTHX_ struct dp_recorder *recorder, CV *cv);

/* The sub for a name of ours (an eval, a file, a builtin): text is the plain name. */
struct dp_sub *dp_sub_named(struct dp_recorder *recorder, const char *text, STRLEN length,
                            enum dp_sub_kind kind);

/* The sub for a name that is escaped already. NULL: no memory. */
struct dp_sub *dp_sub_escaped(struct dp_recorder *recorder, const char *text, size_t length,
                              enum dp_sub_kind kind);

/* The sub "(other)", for call paths that do not fit. */
struct dp_sub *dp_sub_other(struct dp_recorder *recorder);

/* The full name of a named sub, escaped; free it. NULL: it has none, or is one of ours or perl's own. */
char *dp_sub_name(CV *cv);

/* Keeps the names of a key alive. */
void dp_hold_key(pTHX_ struct dp_known *known, const struct dp_key *key);

/* Escapes bytes for the profile: up to four for one. Returns the end. */
char *dp_escape(char *to, const char *bytes, STRLEN n);

/* What a thread has from its parent: a sub by its code, which they share. */
struct dp_heir {
    const OP *root;  /* NULL: free */
    uint32_t number; /* on its line; 0: not known */
};

/* Stands for code that is gone. */
#define DP_FREED_HEIR ((const OP *)(UV)1)

/* It, if this code came from the parent; else NULL. */
DP_INLINE struct dp_heir *dp_heritage_of(const struct dp_known *known, const OP *root)
{
    uint32_t i = (uint32_t)(PTR2UV(root) >> 4) * 0x9e3779b1u;

    if (!known->heirs || !root)
        return NULL;
    while (known->heirs[i & known->heirs_mask].root) {
        if (known->heirs[i & known->heirs_mask].root == root)
            return &known->heirs[i & known->heirs_mask];
        i++;
    }
    return NULL;
}

/* This code was compiled here: what the parent had at its address is gone. */
DP_INLINE void dp_heritage_disown(struct dp_known *known, const OP *root)
{
    struct dp_heir *heir = dp_heritage_of(known, root);

    if (heir)
        heir->root = DP_FREED_HEIR;
}

/* The largest definition that there is. */
DP_INLINE UV dp_newest_definition(pTHX)
{
    PERL_UNUSED_CONTEXT;
#ifdef DP_GENERATION
    return DP_GENERATION;
#else
    return 0;
#endif
}

/* No number that perl gives is so large. */
#define DP_INHERITED (~(~(UV)0 >> 1))

/* A number that closures of one definition share and that no other sub has. In a thread perl leaves it
   unset for what came from the thread's parent: there the address of the code will do. */
DP_INLINE UV dp_definition(pTHX_ const struct dp_known *known, CV *cv)
{
    UV definition = DP_DEFINITION(cv);

    PERL_UNUSED_CONTEXT;
    if (DP_UNLIKELY(known->is_cloned) && dp_heritage_of(known, CvROOT(cv)))
        return PTR2UV(CvROOT(cv)) | DP_INHERITED;
    return definition;
}

/* Was it compiled before our eyes, in this interpreter? */
DP_INLINE int dp_is_watched(const struct dp_known *known, CV *cv)
{
    return DP_DEFINITION(cv) > known->watched &&
           !(known->is_cloned && dp_heritage_of(known, CvROOT(cv)));
}

DP_INLINE void dp_identify(CV *cv, HEK **name, HV **stash)
{
    if (CvNAMED(cv)) {
        *name = CvNAME_HEK(cv);
        *stash = CvSTASH(cv);
    } else {
        GV *gv = DP_CVGV(cv);

        if (DP_LIKELY(gv != NULL && isGV_with_GP(gv))) {
            *name = GvNAME_HEK(gv);
            *stash = GvSTASH(gv);
        } else {
            *name = NULL;
            *stash = CvSTASH(cv);
        }
    }
}

/* Anonymous subs are told apart by their definition; others have 0. */
DP_INLINE UV dp_anonymous(pTHX_ const struct dp_known *known, CV *cv)
{
    return CvANON(cv) && !CvISXSUB(cv) ? dp_definition(aTHX_ known, cv) : 0;
}

DP_INLINE uint32_t dp_key_hash(const HEK *name, const HV *stash, UV definition)
{
    return (uint32_t)((PTR2UV(name) >> 4) ^ (PTR2UV(stash) >> 5) ^ (definition * 0x9e3779b1u));
}

DP_INLINE HEK *dp_package(HV *stash)
{
    return stash && SvOOK(stash) ? HvNAME_HEK(stash) : NULL;
}

DP_INLINE struct dp_sub *dp_sub_of(pTHX_ struct dp_recorder *recorder, CV *cv)
{
    const struct dp_key *key;
    HEK *name;
    HV *stash;
    UV definition;

    dp_identify(cv, &name, &stash);
    definition = dp_anonymous(aTHX_ recorder->known, cv);
    key = recorder->known->keys[dp_key_hash(name, stash, definition) & recorder->known->mask];
    if (DP_LIKELY(key && key->name == name && key->stash == stash &&
                  key->definition == definition && key->package == dp_package(stash)))
        return key->sub;
    return dp_sub_find(aTHX_ recorder, cv);
}

#endif
