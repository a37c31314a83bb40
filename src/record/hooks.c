#include "record/hooks.h"

#include "record/definitions.h"
#include "record/extras.h"
#include "record/frames.h"
#include "record/interp.h"
#include "record/names.h"
#include "record/place.h"
#include "record/units.h"

static Perl_ppaddr_t run_entersub, run_leavesub, run_leavesublv, run_return, run_goto, run_last,
    run_next, run_redo, run_exec, run_leaveeval, run_entereval, run_require, run_dofile;
static runops_proc_t run_loop;
static int installed;

/* The CV that an entersub is about to call, where it can be told without side effects. */
DP_INLINE CV *callee(pTHX_ SV *sv)
{
    if (DP_LIKELY(sv && (SvFLAGS(sv) & (SVf_ROK | SVs_GMG)) == SVf_ROK))
        return SvTYPE(SvRV(sv)) == SVt_PVCV ? MUTABLE_CV(SvRV(sv)) : NULL;
    if (!sv)
        return NULL;
    if (SvTYPE(sv) == SVt_PVCV)
        return MUTABLE_CV(sv);
    return SvTYPE(sv) == SVt_PVGV && isGV_with_GP(sv) ? GvCV((GV *)sv) : NULL;
}

/* Closes what a C function has left open, unless everything was closed in the meantime. */
DP_INLINE void leave_down_to(struct dp_recorder *recorder, size_t depth, uint32_t epoch)
{
    dp_busy(recorder);
    while (recorder->epoch == epoch && dp_frames_depth(recorder) >= depth)
        dp_frames_close(recorder, dp_counter());
    dp_idle(recorder);
}

/* Modules such as Class::XSAccessor put an op of their own in our place after the first call. Coro does too,
   but makes perl run the op again: that one must stay. */
static void keep_place(pTHX_ OP *op, Perl_ppaddr_t was)
{
    if (was == PL_ppaddr[OP_ENTERSUB] && PL_op == op)
        op->op_ppaddr = was;
}

/* A process that ends without a word to anybody. */
static int is_exit(const struct dp_sub *sub)
{
    static const char name[] = "POSIX::_exit\n";

    return sub->length == sizeof name - 1 && memcmp(sub->text, name, sizeof name - 1) == 0;
}

void dp_hooks_flush_before(struct dp_recorder *recorder, const struct dp_sub *sub)
{
    if (is_exit(sub))
        dp_recorder_flush(recorder);
}

static DP_APART OP *call_xsub(pTHX_ struct dp_recorder *recorder, CV *cv, uint64_t now)
{
    struct dp_sub *sub = dp_sub_of(aTHX_ recorder, cv);
    OP *op = PL_op, *next;
    Perl_ppaddr_t was = op->op_ppaddr;
    uint32_t epoch;
    size_t depth;

    if (!sub)
        return run_entersub(aTHX);
    dp_frames_enter(aTHX_ recorder, sub, cxstack_ix, DP_FRAME_XSUB, now);
    if (DP_UNLIKELY(recorder->window.kind == DP_WINDOW_STREAM))
        dp_hooks_flush_before(recorder, sub);
    epoch = recorder->epoch;
    depth = dp_frames_depth(recorder);
    next = run_entersub(aTHX);
    if (DP_UNLIKELY(op->op_ppaddr != was))
        keep_place(aTHX_ op, was);
    if (depth)
        leave_down_to(recorder, depth, epoch);
    return next;
}

/* Apart from pp_entersub, which must cost nothing while the recorder is stopped. */
static DP_APART OP *call(pTHX_ struct dp_recorder *recorder)
{
    const PERL_SI *stack = PL_curstackinfo;
    I32 index = cxstack_ix;
    uint64_t now, marks;
    OP *op;
    CV *cv;

    cv = callee(aTHX_ * PL_stack_sp);
    if (DP_UNLIKELY(dp_frames_doubtful(aTHX_ recorder)))
        dp_frames_resync(aTHX_ recorder);
    if (DP_UNLIKELY(index <= 0) && stack->si_prev)
        dp_frames_reused(aTHX_ recorder, index + 1);
    now = dp_counter();
    if (cv && CvISXSUB(cv))
        return call_xsub(aTHX_ recorder, cv, now);
    marks = recorder->marks;
    op = run_entersub(aTHX);
    if (DP_LIKELY(cxstack_ix > index && PL_curstackinfo == stack && op &&
                  CxTYPE(CX_CUR()) == CXt_SUB && recorder->recording)) {
        struct dp_sub *sub = dp_sub_of(aTHX_ recorder, CX_CUR()->blk_sub.cv);

        if (DP_UNLIKELY(recorder->marks != marks))
            now = dp_counter();
        if (DP_LIKELY(sub != NULL))
            dp_frames_enter(aTHX_ recorder, sub, index + 1, DP_FRAME_PERL, now);
    }
    return op;
}

static OP *pp_entersub(pTHX)
{
    struct dp_recorder *recorder;

    if (DP_UNLIKELY(PL_op->op_private & OPpENTERSUB_DB))
        PL_op->op_private &= (U8)~OPpENTERSUB_DB; /* a program that sets $^P does not get DB::sub */
    recorder = dp_current(aTHX);
    return DP_LIKELY(recorder != NULL) ? call(aTHX_ recorder) : run_entersub(aTHX);
}

/* After an op that may have left frames; it may also have stopped the recorder. */
DP_INLINE void left(pTHX_ struct dp_recorder *recorder)
{
    if (DP_UNLIKELY(!recorder->recording))
        return;
    dp_busy(recorder);
    if (DP_LIKELY(recorder->top->stack == PL_curstackinfo && recorder->top->index > cxstack_ix))
        dp_frames_close(recorder, dp_counter());
    dp_idle(recorder);
    if (DP_UNLIKELY(dp_frames_doubtful(aTHX_ recorder)))
        dp_frames_resync(aTHX_ recorder);
}

/* Apart, as with calls. */
#define LEAVING_OP(name)                                                                           \
    static DP_APART OP *leave_by_##name(pTHX_ struct dp_recorder *recorder)                        \
    {                                                                                              \
        OP *op = run_##name(aTHX);                                                                 \
                                                                                                   \
        left(aTHX_ recorder);                                                                      \
        return op;                                                                                 \
    }                                                                                              \
                                                                                                   \
    static OP *pp_##name(pTHX)                                                                     \
    {                                                                                              \
        struct dp_recorder *recorder = dp_current(aTHX);                                           \
                                                                                                   \
        return DP_LIKELY(recorder != NULL) ? leave_by_##name(aTHX_ recorder) : run_##name(aTHX);   \
    }

LEAVING_OP(leavesub)
LEAVING_OP(leavesublv)
LEAVING_OP(return)
LEAVING_OP(last)
LEAVING_OP(next)
LEAVING_OP(redo)
LEAVING_OP(leaveeval)

#ifndef CxTRY
#define CxTRY(cx) 0 /* since 5.34 */
#endif

/* The context of the sub that a goto &sub is to leave; -1: perl will refuse to. */
static I32 sub_to_leave(pTHX)
{
    I32 i;

    for (i = cxstack_ix; i >= 0; i--) {
        const PERL_CONTEXT *cx = &cxstack[i];

        switch (CxTYPE(cx)) {
        case CXt_SUB:
            return CxMULTICALL(cx) ? -1 : i;
        case CXt_EVAL:
            if (!CxTRY(cx))
                return -1;
            break;
        case CXt_FORMAT:
#ifdef CXt_DEFER
        case CXt_DEFER:
#endif
            return -1;
        }
    }
    return -1;
}

/* Is the innermost frame that of the context? */
static int is_frame_of(pTHX_ const struct dp_recorder *recorder, I32 index)
{
    const struct dp_frame *frame = recorder->top;

    return frame > recorder->base && frame->kind == DP_FRAME_PERL &&
           frame->stack == PL_curstackinfo && frame->index == index;
}

/* goto &xsub: perl pops the frame of the sub that did the goto and runs the C function at once. */
static OP *goto_xsub(pTHX_ struct dp_recorder *recorder, struct dp_sub *sub)
{
    struct dp_frame *frame = recorder->top;
    I32 index = frame->index;
    uint32_t epoch = recorder->epoch;
    size_t depth = dp_frames_depth(recorder);
    OP *op;

    dp_frames_leave(recorder, dp_counter());
    if (recorder->epoch == epoch)
        dp_frames_enter(aTHX_ recorder, sub, index - 1, DP_FRAME_XSUB, dp_counter());
    op = run_goto(aTHX);
    leave_down_to(recorder, depth, epoch);
    return op;
}

/* goto &sub: the frame stays where it is, and is another sub's. It is gone where a stub led to an XSUB. */
static OP *goto_perl(pTHX_ struct dp_recorder *recorder, I32 index)
{
    OP *op = run_goto(aTHX);
    struct dp_sub *sub;

    dp_frames_resync(aTHX_ recorder);
    if (cxstack_ix != index || !is_frame_of(aTHX_ recorder, index))
        return op;
    sub = dp_sub_of(aTHX_ recorder, CX_CUR()->blk_sub.cv);
    if (sub) {
        uint64_t now = dp_counter();

        dp_frames_leave(recorder, now);
        if (recorder->recording)
            dp_frames_enter(aTHX_ recorder, sub, index, DP_FRAME_PERL, now);
    }
    return op;
}

static OP *pp_goto(pTHX)
{
    struct dp_recorder *recorder = dp_current(aTHX);
    SV *sv = *PL_stack_sp;
    I32 index;
    OP *op;

    if (recorder && (PL_op->op_flags & OPf_STACKED) && sv && SvROK(sv) &&
        SvTYPE(SvRV(sv)) == SVt_PVCV && (index = sub_to_leave(aTHX)) >= 0) {
        CV *cv = MUTABLE_CV(SvRV(sv));
        struct dp_sub *sub;

        dp_frames_resync(aTHX_ recorder);
        if (!CvISXSUB(cv) || SvGMAGICAL(sv)) /* a tied one is asked first, and may die or say another */
            return goto_perl(aTHX_ recorder, index);
        if (is_frame_of(aTHX_ recorder, index) && (sub = dp_sub_of(aTHX_ recorder, cv)) != NULL)
            return goto_xsub(aTHX_ recorder, sub);
    }
    op = run_goto(aTHX);
    recorder = dp_current(aTHX);
    if (recorder)
        dp_frames_resync(aTHX_ recorder);
    return op;
}

/* What is in a buffer would be lost. */
static OP *pp_exec(pTHX)
{
    struct dp_recorder *recorder = dp_current(aTHX);

    if (recorder && dp_extras_builtins)
        return dp_extras_exec(aTHX_ recorder, run_exec);
    /* A forked child that only execs has no profile. */
    if (recorder && *recorder->window.limit != NULL)
        dp_recorder_flush(recorder);
    return run_exec(aTHX);
}

/* Who is to know what is compiled: also a recorder that is stopped, or has ended and may begin another profile, for the
   subs may be called later. */
static struct dp_recorder *compiling(pTHX_ struct dp_recorder *active)
{
    struct dp_recorder *recorder = active ? active : dp_interp_find(aTHX);

    return recorder && recorder->known ? recorder : NULL;
}

/* perl may have given the eval another number than was expected, since others ran while its text was fetched. */
static void settle(pTHX_ struct dp_recorder *recorder, const struct dp_place *place, const OP *first)
{
    if (PL_evalseq == place->number || !first ||
        (first->op_type != OP_NEXTSTATE && first->op_type != OP_DBSTATE))
        return;
    dp_busy(recorder);
    dp_place_settle(aTHX_ recorder->known, place->number, CopFILE((const COP *)first), place->text);
    dp_idle(recorder);
}

/* String evals are not frames, but subs that they leave behind are named by their place. */
static OP *pp_entereval(pTHX)
{
    struct dp_recorder *active = dp_current(aTHX), *recorder = compiling(aTHX_ active);
    U32 subs = PL_breakable_sub_gen;
    struct dp_place place;
    uint32_t depth;
    OP *op;

    if (!recorder)
        return run_entereval(aTHX);
    dp_busy(recorder);
    place = dp_place_eval(aTHX_ recorder);
    depth = dp_unit_begin(aTHX_ recorder->known, &depth, place.number, place.text);
    dp_idle(recorder);
    op = dp_extras_evals && active ? dp_extras_eval(aTHX_ active, run_entereval) : run_entereval(aTHX);
    dp_unit_end(recorder->known, depth);
    settle(aTHX_ recorder, &place, op);
    if (PL_breakable_sub_gen == subs)
        dp_place_eval_done(recorder, place.number);
    return op;
}

/* A file that is loaded, maybe once more. */
static OP *load(pTHX_ Perl_ppaddr_t run)
{
    struct dp_recorder *recorder = compiling(aTHX_ dp_current(aTHX));
    uint32_t depth;
    OP *op;

    if (!recorder)
        return run(aTHX);
    dp_busy(recorder);
    dp_definitions_tidy(aTHX_ recorder);
    depth = dp_unit_begin(aTHX_ recorder->known, &depth, 0, NULL);
    dp_idle(recorder);
    op = run(aTHX);
    dp_unit_end(recorder->known, depth);
    return op;
}

static OP *pp_require(pTHX)
{
    return load(aTHX_ run_require);
}

static OP *pp_dofile(pTHX)
{
    return load(aTHX_ run_dofile);
}

/* A run loop begins. It is one of three things: a sort sub or a MULTICALL block, which have no entersub;
   the way on after a die that was caught, when frames were left; or none of that. */
static int run_loop_begins(pTHX)
{
    struct dp_recorder *recorder = dp_current(aTHX);
    const PERL_CONTEXT *cx;
    struct dp_sub *sub;
    uint32_t epoch;
    size_t depth;
    int result;

    if (!recorder)
        return run_loop(aTHX);
    if (dp_frames_doubtful(aTHX_ recorder))
        dp_frames_resync(aTHX_ recorder);
    if (cxstack_ix < 0)
        return run_loop(aTHX);
    cx = CX_CUR();
    if ((cx->cx_type & (CXTYPEMASK | CXp_MULTICALL)) != (CXt_SUB | CXp_MULTICALL) ||
        PL_op != CvSTART(cx->blk_sub.cv) || (cx->cx_type & CXp_SUB_RE_FAKE))
        return run_loop(aTHX);
    sub = dp_sub_of(aTHX_ recorder, cx->blk_sub.cv);
    if (!sub)
        return run_loop(aTHX);
    if (recorder->top->stack == PL_curstackinfo && recorder->top->index >= cxstack_ix)
        dp_frames_reused(aTHX_ recorder, cxstack_ix);
    dp_frames_enter(aTHX_ recorder, sub, cxstack_ix, DP_FRAME_CALLBACK, dp_counter());
    epoch = recorder->epoch;
    depth = dp_frames_depth(recorder);
    result = run_loop(aTHX);
    if (depth)
        leave_down_to(recorder, depth, epoch);
    return result;
}

static void patch_op(OP *op)
{
    Perl_ppaddr_t *at = &op->op_ppaddr;

    dp_extras_patch(op); /* its functions are what ours run */
    if (*at == run_entersub)
        *at = pp_entersub;
    else if (*at == run_leavesub)
        *at = pp_leavesub;
    else if (*at == run_leavesublv)
        *at = pp_leavesublv;
    else if (*at == run_return)
        *at = pp_return;
    else if (*at == run_goto)
        *at = pp_goto;
    else if (*at == run_last)
        *at = pp_last;
    else if (*at == run_next)
        *at = pp_next;
    else if (*at == run_redo)
        *at = pp_redo;
    else if (*at == run_exec)
        *at = pp_exec;
    else if (*at == run_entereval)
        *at = pp_entereval;
    else if (*at == run_leaveeval)
        *at = pp_leaveeval;
    else if (*at == run_require)
        *at = pp_require;
    else if (*at == run_dofile)
        *at = pp_dofile;
}

/* Walks as deep as code is nested, as perl itself does when it compiles and frees it. */
static void patch_tree(OP *op)
{
    OP *kid;

    patch_op(op);
    if (op->op_flags & OPf_KIDS)
        for (kid = cUNOPx(op)->op_first; kid; kid = OpSIBLING(kid))
            patch_tree(kid);
    if (op->op_type == OP_SUBST && cPMOPx(op)->op_pmreplrootu.op_pmreplroot)
        patch_tree(cPMOPx(op)->op_pmreplrootu.op_pmreplroot);
}

static void patch_root(OP *root)
{
    if (root)
        patch_tree(root);
}

/* Files and strings that are being evaluated: their code hangs on PL_eval_root, and where they evaluate others, on the
   contexts of those. */
static void patch_evals(const PERL_SI *stack, I32 top)
{
    I32 i;

    for (i = 0; i <= top; i++)
        if (CxTYPE(&stack->si_cxstack[i]) == CXt_EVAL)
            patch_root(stack->si_cxstack[i].blk_eval.old_eval_root);
}

/* Subs and formats. */
static void patch_cvs(pTHX)
{
    SV *arena, *sv, *end;

    for (arena = PL_sv_arenaroot; arena; arena = MUTABLE_SV(SvANY(arena))) {
        end = &arena[SvREFCNT(arena)];
        for (sv = arena + 1; sv < end; sv++)
            if ((SvTYPE(sv) == SVt_PVCV || SvTYPE(sv) == SVt_PVFM) && SvREFCNT(sv) &&
                !CvISXSUB((CV *)sv))
                patch_root(CvROOT((CV *)sv));
    }
}

/* Ops compiled before we were loaded hold the old functions. */
static void patch_compiled(pTHX)
{
    const PERL_SI *stack = PL_curstackinfo;

    patch_cvs(aTHX);
    patch_root(PL_main_root);
    patch_root(PL_eval_root);
    patch_evals(stack, cxstack_ix);
    while ((stack = stack->si_prev) != NULL)
        patch_evals(stack, stack->si_cxix);
}

#define EACH_OP(DO)                                                                                \
    DO(OP_ENTERSUB, entersub)                                                                      \
    DO(OP_LEAVESUB, leavesub)                                                                      \
    DO(OP_LEAVESUBLV, leavesublv)                                                                  \
    DO(OP_RETURN, return)                                                                          \
    DO(OP_GOTO, goto)                                                                              \
    DO(OP_LAST, last)                                                                              \
    DO(OP_NEXT, next)                                                                              \
    DO(OP_REDO, redo)                                                                              \
    DO(OP_EXEC, exec)                                                                              \
    DO(OP_LEAVEEVAL, leaveeval)                                                                    \
    DO(OP_REQUIRE, require)                                                                        \
    DO(OP_DOFILE, dofile)                                                                          \
    DO(OP_ENTEREVAL, entereval)

/* Another interpreter may have taken it. */
#define TAKE(type, name)                                                                           \
    if (PL_ppaddr[type] != pp_##name) {                                                            \
        run_##name = PL_ppaddr[type];                                                              \
        PL_ppaddr[type] = pp_##name;                                                               \
    }

void dp_hooks_install(pTHX_ const struct dp_options *options)
{
    if (!installed) {
        dp_extras_install(aTHX_ options);
        EACH_OP(TAKE)
        dp_signals_install(aTHX);
        dp_units_install(aTHX);
        run_loop = PL_runops;
        installed = 1;
    }
    PL_runops = run_loop_begins;
    patch_compiled(aTHX);
}

void dp_hooks_install_few(pTHX)
{
    TAKE(OP_ENTEREVAL, entereval)
    TAKE(OP_REQUIRE, require)
    TAKE(OP_DOFILE, dofile)
    TAKE(OP_EXEC, exec)
    dp_units_install(aTHX);
}

int dp_hooks_present(pTHX)
{
    return PL_runops == run_loop_begins;
}

void dp_hooks_remove(pTHX)
{
    if (PL_runops == run_loop_begins)
        PL_runops = run_loop;
}
