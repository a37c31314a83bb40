#include "record/calibrate.h"

#include "record/frames.h"
#include "record/header.h"
#include "record/names.h"

/* Calls in a batch: few enough that a window is hardly left and no interrupt falls into most of them. */
#define CALLS 100
#define BATCHES 10

/* What the cost is given for; much, since a tick may be 10 ms. */
#define OVER_CALLS 100000000u

#define CALL_PERL "Devel::DProf::_call_perl"
#define CALL_XSUB "Devel::DProf::_call_xsub"

static uint64_t batch(pTHX_ const char *loop)
{
    uint64_t begin;
    dSP;

    ENTER;
    SAVETMPS;
    PUSHMARK(SP);
    mXPUSHi(CALLS);
    PUTBACK;
    begin = dp_counter();
    call_pv(loop, G_VOID | G_DISCARD | G_NODEBUG);
    begin = dp_counter() - begin;
    FREETMPS;
    LEAVE;
    return begin;
}

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

void dp_calibrate_plain(pTHX_ struct dp_batches *plain)
{
    int i;

    plain->perl = plain->xsub = UINT64_MAX;
    for (i = 0; i < BATCHES; i++) {
        plain->perl = least(plain->perl, batch(aTHX_ CALL_PERL));
        plain->xsub = least(plain->xsub, batch(aTHX_ CALL_XSUB));
    }
}

/* Has the window that began at `at` been left, or closed? Then what stood in it cannot be taken back. */
static int has_moved(const struct dp_window *window, off_t at)
{
    return window->kind == DP_WINDOW_NONE || window->at != at;
}

/* One batch at the usual price: no synchronisation, and a user time of more than one block. */
static uint64_t recorded_batch(pTHX_ struct dp_recorder *recorder, const char *loop)
{
    struct dp_clock clock = recorder->clock;
    char *next = recorder->window.next;
    off_t at = recorder->window.at;
    uint64_t cost;

    recorder->clock.ublock += DP_BLOCK;
    recorder->clock.due = UINT64_MAX;
    recorder->clock.stale = 1;
    cost = batch(aTHX_ loop);
    if (!recorder->recording)
        return UINT64_MAX;
    recorder->clock = clock;
    if (has_moved(&recorder->window, at))
        return UINT64_MAX;
    memset(next, '#', (size_t)(recorder->window.next - next) + 2 * DP_TEXT_PAD);
    recorder->window.next = next;
    return cost;
}

/* Of the trial nothing stays in the file, if it has not left the first window. */
static void take_back(struct dp_recorder *recorder, const struct dp_window *before)
{
    char *next = before->next;

    recorder->generation++;
    recorder->files++;
    if (recorder->tree) {
        dp_tree_remove(recorder);
        recorder->dialect = recorder->clock.coarse ? DP_TEXT_COARSE : DP_TEXT_FINE;
    }
    if (has_moved(&recorder->window, before->at))
        return;
    memset(next, '#', (size_t)(recorder->window.next - next) + 2 * DP_TEXT_PAD);
    recorder->window.next = next;
}

static double each(uint64_t recorded, uint64_t plain)
{
    return recorded > plain && recorded != UINT64_MAX ? (double)(recorded - plain) / CALLS : 0;
}

/* Makes perl do the calls under `op` by way of DB::sub, as those of the program with hook=sub, or no more. */
static void hook_calls(OP *op, int on)
{
    OP *kid;

    if (op->op_type == OP_ENTERSUB)
        op->op_private = (U8)(on ? op->op_private | OPpENTERSUB_DB : op->op_private & ~OPpENTERSUB_DB);
    if (op->op_flags & OPf_KIDS)
        for (kid = cUNOPx(op)->op_first; kid; kid = OpSIBLING(kid))
            hook_calls(kid, on);
}

static void hook_loop(pTHX_ const char *loop, int on)
{
    CV *cv = get_cv(loop, 0);

    if (cv && !CvISXSUB(cv) && CvROOT(cv))
        hook_calls(CvROOT(cv), on);
}

static void hook_loops(pTHX_ const struct dp_recorder *recorder, int on)
{
    if (!recorder->options.hook_sub)
        return;
    hook_loop(aTHX_ CALL_PERL, on);
    hook_loop(aTHX_ CALL_XSUB, on);
}

void dp_calibrate_recorded(pTHX_ struct dp_recorder *recorder, const struct dp_batches *plain)
{
    struct dp_batches recorded = {UINT64_MAX, UINT64_MAX};
    struct dp_known *known = recorder->known, *trial = dp_known_new();
    struct dp_window before = recorder->window;
    int i;

    if (!trial)
        return;
    recorder->known = trial;
    if (recorder->options.format == DP_FORMAT_TREE)
        dp_tree_begin(recorder);
    hook_loops(aTHX_ recorder, 1);
    for (i = 0; i < BATCHES && recorder->recording; i++) {
        recorded.perl =
            least(recorded.perl, recorded_batch(aTHX_ recorder, CALL_PERL));
        if (recorder->recording)
            recorded.xsub =
                least(recorded.xsub, recorded_batch(aTHX_ recorder, CALL_XSUB));
    }
    hook_loops(aTHX_ recorder, 0);
    recorder->known = known;
    if (recorder->recording)
        take_back(recorder, &before);
    SvREFCNT_dec((SV *)trial->held);
    dp_known_free(trial);
    recorder->marks = 0;
    recorder->perl_cost = each(recorded.perl, plain->perl);
    recorder->xsub_cost = each(recorded.xsub, plain->xsub);
}

/* `cost` in units of the counter, `room_*` in ns, of one call. */
static void write_over(struct dp_recorder *recorder, double cost, double room_cpu, double room_real,
                       const char *kind)
{
    const struct dp_clock *clock = &recorder->clock;
    double scale = (double)OVER_CALLS / (double)clock->tick_ns;
    double marks = cost / clock->per_ns;
    struct dp_stamp over;

    over.user = (uint64_t)(marks * scale + 0.5);
    over.sys = (uint64_t)(room_cpu * scale + 0.5);
    over.real = (uint64_t)((marks + room_real) * scale + 0.5);
    dp_header_over(recorder, &over, OVER_CALLS, kind);
}

void dp_calibrate_write(struct dp_recorder *recorder)
{
    double calls = recorder->marks ? (double)recorder->marks / 2 : 1;
    double cpu = (double)recorder->room_cpu / calls;
    double real = (double)recorder->room_real / calls;

    write_over(recorder, recorder->perl_cost, cpu, real, "");
    write_over(recorder, recorder->xsub_cost, cpu, real, "xsub");
}
