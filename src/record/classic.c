#include "record/classic.h"

#include "record/frames.h"
#include "record/hooks.h"
#include "record/names.h"

/* The sub that perl wanted to call: $DB::sub is its name, or a reference where it has no lasting name. */
static CV *wanted(pTHX)
{
    SV *sv = PL_DBsub ? GvSV(PL_DBsub) : NULL;
    STRLEN length;
    const char *name;

    if (!sv)
        return NULL;
    if (SvROK(sv))
        return SvTYPE(SvRV(sv)) == SVt_PVCV ? MUTABLE_CV(SvRV(sv)) : NULL;
    if (SvIOK(sv) && !SvPOK(sv))
        return INT2PTR(CV *, SvIVX(sv)); /* the program asked for $^P | 0x40 */
    name = SvPV_const(sv, length);
    return get_cvn_flags(name, length, SvUTF8(sv));
}

/* Of a call that began while nothing was recorded, so that it has no frame of its own. */
#define NO_DEPTH (~(UV)0)

/* The frame ends with its scope, however that is left. Frames that a start took up end with their contexts. */
static void leave(pTHX_ void *depth)
{
    struct dp_recorder *recorder = dp_current(aTHX);

    if (!recorder)
        return;
    dp_frames_resync(aTHX_ recorder);
    while (recorder->recording && dp_frames_depth(recorder) >= PTR2UV(depth) &&
           recorder->top->kind == DP_FRAME_XSUB)
        dp_frames_leave(recorder, dp_counter());
}

static void leave_later(pTHX_ UV depth)
{
    SAVEDESTRUCTOR_X(leave, INT2PTR(void *, depth));
}

static void enter(pTHX_ CV *cv)
{
    struct dp_recorder *recorder = dp_current(aTHX);
    struct dp_sub *sub;
    uint64_t now;

    if (!recorder) {
        leave_later(aTHX_ NO_DEPTH);
        return;
    }
    if (!recorder->options.hook_sub)
        return;
    dp_frames_resync(aTHX_ recorder);
    now = dp_counter();
    sub = dp_sub_of(aTHX_ recorder, cv);
    if (!sub)
        return;
    dp_frames_enter(aTHX_ recorder, sub, cxstack_ix, DP_FRAME_XSUB, now);
    if (recorder->window.kind == DP_WINDOW_STREAM)
        dp_hooks_flush_before(recorder, sub);
    if (dp_frames_depth(recorder))
        leave_later(aTHX_ dp_frames_depth(recorder));
}

/* On a stack of its own: a `last` out of the sub is refused there, for perl cannot do it through a C function. Returns
   the results, which lie on that stack, and how many they are. */
static SV **call_apart(pTHX_ CV *cv, SV **args, I32 items, SSize_t *results)
{
    U8 context = GIMME_V;
    SV **first;
    dSP;

    PUSHSTACKi(PERLSI_UNKNOWN);
    PUSHMARK(SP);
    EXTEND(SP, items);
    Copy(args, SP + 1, items, SV *);
    SP += items;
    PUTBACK;
    *results = call_sv((SV *)cv, context | G_NODEBUG);
    SPAGAIN;
    first = SP - *results + 1;
    SP -= *results;
    PUTBACK;
    POPSTACK;
    return first;
}

static void call_wanted(pTHX_ I32 ax, I32 items)
{
    CV *cv = wanted(aTHX);
    SSize_t results;
    SV **first;

    if (!cv)
        croak("Undefined subroutine called");
    ENTER;
    enter(aTHX_ cv);
    first = call_apart(aTHX_ cv, PL_stack_base + ax, items, &results);
    PL_stack_sp = PL_stack_base + ax - 1;
    {
        dSP;

        EXTEND(SP, results);
        Copy(first, SP + 1, results, SV *);
        SP += results;
        PUTBACK;
    }
    LEAVE;
}

XS_EXTERNAL(dp_xs_sub);
XS_EXTERNAL(dp_xs_sub)
{
    dVAR;
    dXSARGS;

    PERL_UNUSED_VAR(cv);
    call_wanted(aTHX_ ax, items);
}

/* goto &sub: the frame on top becomes the other sub's. */
static void go_on_in(pTHX_ struct dp_recorder *recorder, CV *cv)
{
    struct dp_sub *sub;
    uint64_t now;
    I32 index;

    dp_frames_resync(aTHX_ recorder);
    now = dp_counter();
    sub = dp_sub_of(aTHX_ recorder, cv);
    if (!sub || !dp_frames_depth(recorder))
        return;
    index = recorder->top->index;
    dp_frames_leave(recorder, now);
    if (recorder->recording)
        dp_frames_enter(aTHX_ recorder, sub, index, DP_FRAME_XSUB, now);
}

XS_EXTERNAL(dp_xs_goto);
XS_EXTERNAL(dp_xs_goto)
{
    dVAR;
    dXSARGS;
    struct dp_recorder *recorder = dp_current(aTHX);
    CV *target = wanted(aTHX);

    PERL_UNUSED_VAR(cv);
    PERL_UNUSED_VAR(items);
    if (recorder && recorder->options.hook_sub && target)
        go_on_in(aTHX_ recorder, target);
    XSRETURN_EMPTY;
}

void dp_classic_define(pTHX)
{
    CV *cv;

    newXS("DB::sub", dp_xs_sub, __FILE__);
    newXS("DB::goto", dp_xs_goto, __FILE__);
    cv = newXS("DB::lsub", dp_xs_sub, __FILE__);
    CvLVALUE_on(cv);
}

int dp_classic_present(pTHX)
{
    CV *cv = PL_DBsub ? GvCV(PL_DBsub) : NULL;

    return cv && CvISXSUB(cv) && CvXSUB(cv) == dp_xs_sub;
}

void dp_classic_install(pTHX)
{
    dp_hooks_install_few(aTHX);
    /* By way of $^P, since that makes what a perl without -d lacks: it calls DB::sub by PL_DBsub. */
    sv_setiv_mg(get_sv("\020", GV_ADD), PERLDBf_SUB | PERLDBf_GOTO);
}
