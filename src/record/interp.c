#include "record/interp.h"

#include "record/classic.h"
#include "record/control.h"
#include "record/guard.h"
#include "record/hooks.h"
#include "record/frames.h"
#include "record/heritage.h"
#include "record/names.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct dp_recorder dp_main;
void *volatile dp_active;
volatile int dp_look_closer;

/* The recorders of other interpreters than dp_main's. */
static struct dp_recorder *others;
static pthread_mutex_t others_lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned long threads_seen;

/* What the interpreter that was destroyed last would exit with. */
static int last_status;

/* How many were dropped: one that a thread remembers from before may be among them. */
static volatile unsigned long drops;

/* The one that this thread asked for last. A thread asks for another's too: perl calls CLONE in the
   thread that makes the new one. */
static __thread struct {
    PerlInterpreter *perl;
    struct dp_recorder *recorder;
    unsigned long drops;
} mine;

static void remember(struct dp_recorder *recorder)
{
    mine.perl = recorder->perl;
    mine.recorder = recorder;
    mine.drops = drops;
}

static struct dp_recorder *listed(const PerlInterpreter *perl)
{
    struct dp_recorder *recorder;

    pthread_mutex_lock(&others_lock);
    for (recorder = others; recorder && recorder->perl != perl; recorder = recorder->next)
        ;
    if (recorder)
        remember(recorder);
    pthread_mutex_unlock(&others_lock);
    return recorder;
}

static struct dp_recorder *find_other(pTHX)
{
    return mine.perl == DP_THX && mine.drops == drops ? mine.recorder : listed(DP_THX);
}

struct dp_recorder *dp_interp_here(pTHX)
{
    if (dp_main.perl == DP_THX)
        return &dp_main;
#ifdef MULTIPLICITY
    return mine.perl == DP_THX && mine.drops == drops ? mine.recorder : NULL;
#else
    return NULL;
#endif
}

struct dp_recorder *dp_interp_find(pTHX)
{
    return dp_main.perl == DP_THX ? &dp_main : find_other(aTHX);
}

struct dp_recorder *dp_interp_of(const PerlInterpreter *perl)
{
    return dp_main.perl == perl ? &dp_main : listed(perl);
}

static struct dp_recorder *add_other(pTHX)
{
    struct dp_recorder *recorder = calloc(1, sizeof *recorder);

    if (!recorder)
        return NULL;
    recorder->perl = DP_THX;
    pthread_mutex_lock(&others_lock);
    recorder->next = others;
    others = recorder;
    remember(recorder);
    pthread_mutex_unlock(&others_lock);
    return recorder;
}

static void remove_other(struct dp_recorder *recorder)
{
    struct dp_recorder **link;

    pthread_mutex_lock(&others_lock);
    for (link = &others; *link && *link != recorder; link = &(*link)->next)
        ;
    if (*link)
        *link = recorder->next;
    drops++;
    pthread_mutex_unlock(&others_lock);
}

struct dp_recorder *dp_interp_recorder(pTHX)
{
    if (!dp_main.perl) {
        dp_main.perl = DP_THX;
        return &dp_main;
    }
    return add_other(aTHX);
}

void dp_interp_update(void)
{
    dp_look_closer = (dp_main.recording && dp_main.options.children) || others != NULL ||
                     dp_main.awaits_end;
}

static struct dp_recorder *unprofiled(struct dp_recorder *recorder, const char *why)
{
    static int said;

    if (__sync_bool_compare_and_swap(&said, 0, 1)) /* there may be thousands */
        dp_complain("%s: %s; threads run unprofiled", recorder->output.path, why);
    return recorder;
}

/* A thread's first event: a profile of its own beside that of the interpreter it came from. */
static struct dp_recorder *begin_thread(pTHX)
{
    struct dp_recorder *recorder = add_other(aTHX);
    struct dp_stamp begun;

    if (!recorder)
        return NULL;
    recorder->options = dp_main.options;
    recorder->tid = __sync_add_and_fetch(&threads_seen, 1);
    recorder->pid = getpid();
    recorder->clock = dp_main.clock;
    recorder->perl_cost = dp_main.perl_cost;
    recorder->xsub_cost = dp_main.xsub_cost;
    recorder->measured = dp_main.measured;
    recorder->wanted = 1;
    recorder->ended = 1;
    if (dp_recorder_prepare(recorder) != 0)
        return unprofiled(recorder, "no memory");
    recorder->known->is_cloned = 1;
    recorder->known->watched = dp_newest_definition(aTHX);
    dp_heritage_take(aTHX_ recorder->known);
    if (dp_output_open_member(&recorder->output, &dp_main.output, recorder->tid) != 0 ||
        dp_window_open(&recorder->window, recorder->output.fd, recorder->output.path,
                       recorder->options.portable) != 0)
        return unprofiled(recorder, strerror(errno));
    recorder->ended = 0;
    dp_clock_restart(&recorder->clock, 1);
    begun = dp_clock_stamp(&recorder->clock, dp_counter());
    dp_recorder_switch(recorder, 1);
    dp_recorder_open_file(recorder, &begun, 0);
    dp_interp_follow(aTHX);
    return recorder;
}

/* A thread inherits what calls us; an interpreter of an embedding program does not. */
static int is_hooked(pTHX)
{
    return dp_main.options.hook_sub ? dp_classic_present(aTHX) : dp_hooks_present(aTHX);
}

struct dp_recorder *dp_look(pTHX)
{
    struct dp_recorder *recorder;

    if (dp_toggle_asked && dp_main.perl == DP_THX)
        dp_control_toggle(aTHX);
    if (dp_main.awaits_end && dp_main.perl == DP_THX && PL_phase == PERL_PHASE_END) {
        dp_main.awaits_end = 0;
        dp_control_begin(aTHX_ &dp_main);
    }
#ifdef MULTIPLICITY
    if (DP_THX == dp_active)
        return &dp_main;
#else
    if (dp_active)
        return &dp_main;
#endif
    if (dp_main.perl == DP_THX) {
        /* While it is destroyed: another interpreter may come to stand at the same address. */
        if (dp_main.dying && dp_main.recording) {
            if (PL_phase == PERL_PHASE_DESTRUCT)
                return &dp_main;
            dp_recorder_finish(&dp_main, 0);
        }
        return NULL;
    }
    recorder = find_other(aTHX);
    if (!recorder) {
        if (!dp_main.recording || !dp_main.options.children || !dp_main.output.regular ||
            !is_hooked(aTHX))
            return NULL;
        recorder = begin_thread(aTHX);
    }
    return recorder && recorder->recording ? recorder : NULL;
}

void dp_interp_drop(struct dp_recorder *recorder)
{
    if (recorder->known)
        recorder->known->held = NULL; /* is freed with the interpreter */
    dp_recorder_release(recorder);
    if (recorder == &dp_main) {
        dp_main.perl = NULL;
        dp_main.dying = 0;
        dp_main.measured = 0;
    } else {
        remove_other(recorder);
        free(recorder);
    }
    dp_interp_update();
}

/* The last moment of an interpreter: its scalars are freed, objects are gone. */
static int interp_ends(pTHX_ SV *sv, MAGIC *mg)
{
    struct dp_recorder *recorder = dp_interp_find(aTHX);

    PERL_UNUSED_ARG(sv);
    PERL_UNUSED_ARG(mg);
    if (!recorder || PL_phase != PERL_PHASE_DESTRUCT)
        return 0;
    dp_recorder_finish(recorder, (int)STATUS_EXIT);
    dp_interp_drop(recorder);
    return 0;
}

static MGVTBL last_moment = {NULL, NULL, NULL, NULL, interp_ends, NULL, NULL, NULL};

static void interp_dies(pTHX_ void *unused)
{
    struct dp_recorder *recorder = dp_interp_find(aTHX);

    PERL_UNUSED_ARG(unused);
    if (!recorder)
        return;
    if (recorder->recording && recorder->options.uncalled)
        dp_control_uncalled(aTHX_ recorder);
    recorder->dying = 1;
    last_status = (int)STATUS_EXIT;
    if (recorder == &dp_main && recorder->recording) {
        dp_active = NULL;
        dp_look_closer = 1;
    }
}

void dp_interp_follow(pTHX)
{
    SV *sv = newSV(0);

    sv_magicext(sv, NULL, PERL_MAGIC_ext, &last_moment, NULL, 0);
    call_atexit(interp_dies, NULL);
    dp_heritage_follow(aTHX);
}

void dp_interp_exit(int status)
{
    struct dp_recorder *recorder;

    if (status < 0)
        status = last_status;
    recorder = listed(PERL_GET_CONTEXT);
    if (recorder && recorder->pid == getpid())
        dp_recorder_finish(recorder, status & 0xff);
    dp_recorder_finish(&dp_main, status & 0xff); /* what a parent sees of it */
}

void dp_interp_forked(void)
{
    pthread_mutex_init(&others_lock, NULL);
}
