/*
 * What Profile.xs needs for Pascal: a parsed program as a Perl object, and how a listing is to look.
 */
#ifndef DPROF_PERL_PASCAL_GLUE_H
#define DPROF_PERL_PASCAL_GLUE_H

#include "read/pmon.h"

typedef struct pascal_source {
    struct dp_pascal *pascal; /* NULL: a profile has taken it over */
} *Devel__DProf__Pascal;

/* Asks Perl code for an included file: ($bytes, $mtime) or nothing. */
static int load_include(void *ctx, const char *name, const char **bytes, size_t *n, int64_t *mtime)
{
    dTHX;
    int got;
    STRLEN length;
    SV *text = NULL;
    dSP;

    PUSHMARK(SP);
    XPUSHs(sv_2mortal(newSVpv(name, 0)));
    PUTBACK;
    got = call_sv((SV *)ctx, G_ARRAY);
    SPAGAIN;
    *mtime = 0;
    if (got > 1)
        *mtime = (int64_t)SvNV(POPs);
    if (got > 0)
        text = POPs;
    PUTBACK;
    if (!text || !SvOK(text))
        return -1;
    *bytes = SvPVbyte(text, length);
    *n = length;
    return 0;
}

static int flag(pTHX_ HV *hash, const char *key)
{
    SV **found = hv_fetch(hash, key, (I32)strlen(key), 0);

    return found && SvTRUE(*found);
}

/* Fills a style from a hash; the names of --only are kept in *only and *text, both to be freed. */
static void style_of(pTHX_ HV *hash, struct dp_pascal_style *style, const char ***only, char **text)
{
    SV **names = hv_fetch(hash, "only", 4, 0), **sv;
    AV *list = names && SvROK(*names) ? (AV *)SvRV(*names) : NULL;
    I32 n = list ? av_len(list) + 1 : 0;
    size_t bytes = 1, at = 0;

    dp_pascal_style_init(style);
    if ((sv = hv_fetch(hash, "unit", 4, 0)) && SvOK(*sv) && SvIV(*sv) > 0)
        style->unit = SvIV(*sv) > 64 ? 64 : (uint32_t)SvIV(*sv);
    if ((sv = hv_fetch(hash, "fold", 4, 0)) && SvOK(*sv) && SvIV(*sv) > 0)
        style->width = (uint32_t)SvIV(*sv);
    style->flat = flag(aTHX_ hash, "flat");
    style->full_parens = flag(aTHX_ hash, "full_parens");
    style->keep_parens = flag(aTHX_ hash, "keep_parens");
    style->all_bodies = flag(aTHX_ hash, "all_bodies");
    style->no_declarations = flag(aTHX_ hash, "no_declarations");
    style->strip_comments = flag(aTHX_ hash, "strip_comments");
    style->underline = flag(aTHX_ hash, "underline");
    style->expand_includes = flag(aTHX_ hash, "expand_includes");
    style->pages = flag(aTHX_ hash, "pages");
    style->others = flag(aTHX_ hash, "others");
    style->echo = flag(aTHX_ hash, "echo");
    for (I32 i = 0; i < n; i++)
        bytes += SvCUR(*av_fetch(list, i, 1)) + 1;
    *text = dp_alloc(bytes);
    *only = dp_alloc_array((size_t)n + 1, sizeof **only);
    for (I32 i = 0; i < n; i++) {
        STRLEN length;
        const char *name = SvPV(*av_fetch(list, i, 1), length);

        (*only)[i] = *text + at;
        memcpy(*text + at, name, length + 1);
        at += length + 1;
    }
    style->only = *only;
    style->nonly = (uint32_t)n;
}

/* A profile's program, with its style. */
static void set_style(pTHX_ struct dp_pascal_program *program, HV *hash)
{
    const char *heading = program->style.program;
    SV **sv = hv_fetch(hash, "heading", 7, 0);

    dp_free(program->only);
    dp_free(program->text);
    style_of(aTHX_ hash, &program->style, &program->only, &program->text);
    program->style.program = heading;
    if (sv && SvOK(*sv)) {
        STRLEN length;
        const char *text = SvPV(*sv, length);

        program->style.program = dp_arena_copy(&program->pascal->arena, text, length);
    }
    program->after_listing = flag(aTHX_ hash, "after_listing");
}

#endif
