#include "record/extras.h"

#include "record/frames.h"
#include "record/names.h"
#include "record/place.h"

#include <stdio.h>
#include <stdlib.h>

int dp_extras_evals, dp_extras_builtins;

static Perl_ppaddr_t run_require, run_dofile;
static Perl_ppaddr_t run_builtin[OP_max];

/* Runs an op that compiles code and may enter it. The frame is there before, since code runs while it is
   compiled; once the code is entered, the frame ends with its context. */
static OP *run_framed(pTHX_ struct dp_recorder *recorder, struct dp_sub *sub, Perl_ppaddr_t run)
{
    I32 index = cxstack_ix;
    uint32_t epoch;
    size_t depth;
    OP *op;

    if (dp_frames_doubtful(aTHX_ recorder))
        dp_frames_resync(aTHX_ recorder);
    dp_frames_enter(aTHX_ recorder, sub, index, DP_FRAME_XSUB, dp_counter());
    epoch = recorder->epoch;
    depth = dp_frames_depth(recorder);
    op = run(aTHX);
    if (!depth || recorder->epoch != epoch || dp_frames_depth(recorder) < depth)
        return op;
    while (recorder->epoch == epoch && dp_frames_depth(recorder) > depth)
        dp_frames_leave(recorder, dp_counter());
    if (recorder->epoch != epoch)
        return op;
    if (cxstack_ix == index + 1 && CxTYPE(CX_CUR()) == CXt_EVAL && op) {
        recorder->top->index = index + 1;
        recorder->top->kind = DP_FRAME_PERL;
    } else {
        dp_frames_leave(recorder, dp_counter());
    }
    return op;
}

/* The file that a require or do names, if it is to be loaded: not a version, not loaded already. */
static struct dp_sub *file_to_load(pTHX_ struct dp_recorder *recorder, int require)
{
    SV *sv = *PL_stack_sp;
    STRLEN length;
    const char *name;

    if (!sv || !SvPOK(sv) || SvGMAGICAL(sv) || (require && (SvNIOKp(sv) || SvVOK(sv))))
        return NULL;
    name = SvPV_nomg_const(sv, length);
    if (!length || (require && hv_exists(GvHVn(PL_incgv), name, (I32)length)))
        return NULL;
    return dp_sub_named(recorder, name, length, DP_SUB_FILE);
}

static OP *load(pTHX_ int require, Perl_ppaddr_t run)
{
    struct dp_recorder *recorder = dp_current(aTHX);
    struct dp_sub *sub = recorder ? file_to_load(aTHX_ recorder, require) : NULL;

    return sub ? run_framed(aTHX_ recorder, sub, run) : run(aTHX);
}

static OP *pp_require(pTHX)
{
    return load(aTHX_ 1, run_require);
}

static OP *pp_dofile(pTHX)
{
    return load(aTHX_ 0, run_dofile);
}

OP *dp_extras_eval(pTHX_ struct dp_recorder *recorder, Perl_ppaddr_t run)
{
    const char *file = CopFILE(PL_curcop);
    const char *text;
    struct dp_sub *sub;
    char *name;
    U32 eval;

    text = dp_place_file(recorder, file ? file : "-", &eval);
    name = malloc(strlen(text) + 40);
    if (!name)
        return run(aTHX);
    sub = dp_sub_escaped(recorder, name,
                         (size_t)sprintf(name, "(eval)[%s:%lu]", text,
                                         (unsigned long)CopLINE(PL_curcop)),
                         DP_SUB_EVAL);
    free(name);
    if (!sub)
        return run(aTHX);
    sub->file = text;
    sub->line = (uint32_t)CopLINE(PL_curcop);
    return run_framed(aTHX_ recorder, sub, run);
}

/* Builtins that wait for something or can take long; plain arithmetic is not among them. exec has an op of ours
   anyway, which comes to dp_extras_exec(). */
static const U16 builtins[] = {
    OP_MATCH, OP_SUBST, OP_SPLIT, OP_SORT, OP_READLINE, OP_PRINT, OP_SAY, OP_PRTF, OP_SYSREAD,
    OP_SYSWRITE, OP_READ, OP_OPEN, OP_CLOSE, OP_SYSOPEN, OP_EOF, OP_GETC, OP_SEEK, OP_TRUNCATE,
    OP_SSELECT, OP_SOCKET, OP_CONNECT, OP_ACCEPT, OP_LISTEN, OP_BIND, OP_SEND, OP_RECV, OP_SLEEP,
    OP_SYSTEM, OP_BACKTICK, OP_FORK, OP_WAIT, OP_WAITPID, OP_KILL, OP_STAT, OP_LSTAT,
    OP_OPEN_DIR, OP_READDIR, OP_CLOSEDIR, OP_UNLINK, OP_RENAME, OP_LINK, OP_SYMLINK, OP_MKDIR,
    OP_RMDIR, OP_CHMOD, OP_CHOWN, OP_UTIME, OP_FLOCK, OP_GLOB, OP_CRYPT, OP_PACK, OP_UNPACK,
    OP_SPRINTF, OP_GHBYNAME, OP_GHBYADDR, OP_GPWNAM, OP_GPWUID, OP_GGRNAM, OP_GGRGID};

static struct dp_sub *builtin(struct dp_recorder *recorder, OPCODE type)
{
    char name[80];

    snprintf(name, sizeof name, "CORE::%s", PL_op_name[type]);
    return dp_sub_escaped(recorder, name, strlen(name), DP_SUB_BUILTIN);
}

/* Runs the op as a call of its name. What is in a buffer, with that call, would be lost in an exec. */
static OP *run_as_call(pTHX_ struct dp_recorder *recorder, OPCODE type, Perl_ppaddr_t run)
{
    struct dp_sub *sub = builtin(recorder, type);
    uint32_t epoch;
    size_t depth;
    OP *op;

    if (!sub)
        return run(aTHX);
    if (dp_frames_doubtful(aTHX_ recorder))
        dp_frames_resync(aTHX_ recorder);
    dp_frames_enter(aTHX_ recorder, sub, cxstack_ix, DP_FRAME_XSUB, dp_counter());
    if (type == OP_EXEC)
        dp_recorder_flush(recorder);
    epoch = recorder->epoch;
    depth = dp_frames_depth(recorder);
    op = run(aTHX);
    while (depth && recorder->epoch == epoch && dp_frames_depth(recorder) >= depth)
        dp_frames_leave(recorder, dp_counter());
    return op;
}

static OP *pp_builtin(pTHX)
{
    struct dp_recorder *recorder = dp_current(aTHX);
    OPCODE type = PL_op->op_type;
    Perl_ppaddr_t run = run_builtin[type];

    return recorder ? run_as_call(aTHX_ recorder, type, run) : run(aTHX);
}

OP *dp_extras_exec(pTHX_ struct dp_recorder *recorder, Perl_ppaddr_t run)
{
    return run_as_call(aTHX_ recorder, OP_EXEC, run);
}

void dp_extras_patch(OP *op)
{
    if (run_require && op->op_ppaddr == run_require)
        op->op_ppaddr = pp_require;
    else if (run_dofile && op->op_ppaddr == run_dofile)
        op->op_ppaddr = pp_dofile;
    else if (op->op_type < OP_max && run_builtin[op->op_type] &&
             op->op_ppaddr == run_builtin[op->op_type])
        op->op_ppaddr = pp_builtin;
}

void dp_extras_install(pTHX_ const struct dp_options *options)
{
    size_t i;

    PERL_UNUSED_CONTEXT;
    if (options->files) {
        run_require = PL_ppaddr[OP_REQUIRE];
        run_dofile = PL_ppaddr[OP_DOFILE];
        PL_ppaddr[OP_REQUIRE] = pp_require;
        PL_ppaddr[OP_DOFILE] = pp_dofile;
        dp_extras_evals = 1;
    }
    dp_extras_builtins = options->builtins;
    for (i = 0; options->builtins && i < sizeof builtins / sizeof *builtins; i++) {
        run_builtin[builtins[i]] = PL_ppaddr[builtins[i]];
        PL_ppaddr[builtins[i]] = pp_builtin;
    }
}
