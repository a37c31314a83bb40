#include "record/plain_text.h"

/* Perl's own variables, and parts of strings that are not magical themselves. */
static int is_harmless(const SV *sv, const MAGIC *magic)
{
    switch (magic->mg_type) {
    case PERL_MAGIC_sv:
    case PERL_MAGIC_taint:
    case PERL_MAGIC_arylen:
    case PERL_MAGIC_shared_scalar:
        return 1;
    case PERL_MAGIC_substr:
    case PERL_MAGIC_pos:
        return LvTARG(sv) && !SvGMAGICAL(LvTARG(sv));
    default:
        return !magic->mg_virtual || !magic->mg_virtual->svt_get;
    }
}

/* Where it cannot, what was read the last time has to do. */
static int can_be_read(const SV *sv)
{
    const MAGIC *magic;

    for (magic = SvMAGIC(sv); magic; magic = magic->mg_moremagic)
        if (!is_harmless(sv, magic))
            return 0;
    return 1;
}

/* A qr// says its pattern, which `no overloading` takes from it. */
static SV *pattern(pTHX_ SV *sv)
{
    REGEXP *re = (REGEXP *)sv;

    return newSVpvn_flags(RX_WRAPPED(re), RX_WRAPLEN(re), SVs_TEMP | (RX_UTF8(re) ? SVf_UTF8 : 0));
}

static SV *copy_of(pTHX_ SV *sv)
{
    SV *copy;

    if (SvROK(sv) && SvTYPE(SvRV(sv)) == SVt_REGEXP)
        return pattern(aTHX_ SvRV(sv));
    copy = sv_newmortal();
    sv_setsv_nomg(copy, sv);
    return copy;
}

static const char *text_of(pTHX_ SV *sv, STRLEN *length)
{
    if (SvGMAGICAL(sv) && can_be_read(sv))
        mg_get(sv);
    if (!SvOK(sv))
        return NULL;
    sv = copy_of(aTHX_ sv);
    return SvPVutf8(sv, *length);
}

const char *dp_plain_text(pTHX_ SV *sv, STRLEN *length)
{
    COP *was = PL_curcop;
    const char *text;
    COP quiet; /* code under `no warnings; no overloading` */

    Zero(&quiet, 1, COP);
    quiet.cop_warnings = pWARN_NONE;
    quiet.cop_hints = HINT_NO_AMAGIC;
    PL_curcop = &quiet;
    text = text_of(aTHX_ sv, length);
    PL_curcop = was;
    return text;
}
