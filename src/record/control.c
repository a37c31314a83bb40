#include "record/control.h"

#include "base/tmon_tags.h"
#include "record/definitions.h"
#include "record/frames.h"
#include "record/header.h"
#include "record/interp.h"
#include "record/names.h"
#include "record/place.h"
#include "record/plain_text.h"
#include "record/tree.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

volatile int dp_toggle_asked;

static struct dp_stamp now_of(struct dp_recorder *recorder)
{
    return dp_clock_stamp(&recorder->clock, dp_counter());
}

/* A forked child that has made no mark yet. It has no profile, and gets none for what is no call. */
static int is_fresh_child(const struct dp_recorder *recorder)
{
    return !recorder->ended && *recorder->window.limit == NULL;
}

static void stop_silently(struct dp_recorder *recorder)
{
    dp_frames_forget(recorder);
    dp_recorder_switch(recorder, 0);
}

/* Every open frame gets its exit, so that the gap belongs to nobody, for old readers too. */
static void stop(pTHX_ struct dp_recorder *recorder)
{
    struct dp_stamp now;

    if (is_fresh_child(recorder)) {
        stop_silently(recorder);
        return;
    }
    if (dp_recorder_room(recorder) != 0)
        return;
    dp_frames_resync(aTHX_ recorder);
    now = now_of(recorder);
    dp_frames_mark_all(recorder, '-', &now);
    if (!recorder->recording)
        return;
    dp_header_moment(recorder, DP_TMON_STOP, &now, "");
    stop_silently(recorder);
}

static void start(pTHX_ struct dp_recorder *recorder)
{
    int fresh = is_fresh_child(recorder);
    struct dp_stamp now;

    dp_recorder_switch(recorder, 1);
    if (dp_recorder_room(recorder) != 0)
        return;
    if (fresh) /* its profile begins with the fork, when nothing was recorded */
        dp_header_moment(recorder, DP_TMON_STOP, &recorder->begun, "");
    now = now_of(recorder);
    dp_header_moment(recorder, DP_TMON_START, &now, "");
    recorder->written = now; /* it sets the clock of compact marks too */
    if (recorder->tree)
        dp_tree_resume(recorder);
    dp_frames_rebuild(aTHX_ recorder);
}

void dp_control_begin(pTHX_ struct dp_recorder *recorder)
{
    if (recorder->wanted > 0 && !recorder->ended && !recorder->recording)
        start(aTHX_ recorder);
}

/* In a file of its own, which begins here. */
static void start_in(pTHX_ struct dp_recorder *recorder, const char *file)
{
    dp_recorder_finish(recorder, 0);
    if (dp_recorder_reopen(aTHX_ recorder, file) != 0)
        return;
    recorder->wanted = 1;
    if (recorder->recording && dp_frames_depth(recorder))
        return; /* a child has taken up the frames that were open at the fork */
    dp_recorder_switch(recorder, 1);
    if (dp_recorder_room(recorder) == 0)
        dp_frames_rebuild(aTHX_ recorder);
}

void dp_control_start(pTHX_ const char *file)
{
    struct dp_recorder *recorder = dp_interp_find(aTHX);

    if (!recorder)
        return;
    if (file && *file)
        start_in(aTHX_ recorder, file);
    else if (++recorder->wanted == 1 && !recorder->ended && !recorder->recording)
        start(aTHX_ recorder);
}

void dp_control_stop(pTHX)
{
    struct dp_recorder *recorder = dp_interp_find(aTHX);

    if (recorder && --recorder->wanted == 0 && recorder->recording)
        stop(aTHX_ recorder);
}

void dp_control_switch(pTHX_ int on)
{
    struct dp_recorder *recorder = dp_interp_find(aTHX);

    if (!recorder || on == (recorder->wanted > 0))
        return;
    recorder->wanted = !on;
    if (on)
        dp_control_start(aTHX_ NULL);
    else
        dp_control_stop(aTHX);
}

void dp_control_flush(pTHX)
{
    struct dp_recorder *recorder = dp_interp_find(aTHX);

    if (recorder && recorder->recording && !is_fresh_child(recorder) &&
        dp_recorder_room(recorder) == 0)
        dp_recorder_flush(recorder);
}

void dp_control_finish(pTHX)
{
    struct dp_recorder *recorder = dp_interp_find(aTHX);

    if (!recorder || recorder->ended)
        return;
    if (recorder->recording)
        dp_frames_resync(aTHX_ recorder);
    if (is_fresh_child(recorder))
        dp_recorder_renounce(recorder);
    else
        dp_recorder_finish(recorder, 0);
}

/* As it stands in a profile; the caller frees it. NULL: there is none, or no memory. */
static char *label(pTHX_ struct dp_recorder *recorder, SV *sv)
{
    STRLEN length;
    const char *text;
    char *escaped;

    dp_busy(recorder);
    text = dp_plain_text(aTHX_ sv, &length);
    dp_idle(recorder);
    escaped = text ? malloc(length * 4 + 1) : NULL;
    if (escaped)
        *dp_escape(escaped, text, length) = '\0';
    return escaped;
}

void dp_control_mark(pTHX_ SV *sv)
{
    struct dp_recorder *recorder = dp_interp_find(aTHX);
    struct dp_stamp now;
    char *text;

    if (!recorder || !recorder->recording)
        return;
    text = label(aTHX_ recorder, sv);
    if (text && recorder->recording && dp_recorder_room(recorder) == 0) {
        now = now_of(recorder);
        dp_header_moment(recorder, DP_TMON_MARK, &now, text);
    }
    free(text);
}

/* The handler only leaves a word; the next call of the interpreter finds it. */
static void on_toggle(int number)
{
    (void)number;
    dp_toggle_asked = 1;
    dp_look_closer = 1;
    dp_active = NULL;
}

void dp_control_take_signal(struct dp_recorder *recorder)
{
    struct sigaction action;

    if (!recorder->options.toggle)
        return;
    memset(&action, 0, sizeof action);
    action.sa_handler = on_toggle;
    action.sa_flags = SA_RESTART;
    sigemptyset(&action.sa_mask);
    sigaction(recorder->options.toggle, &action, NULL);
}

void dp_control_toggle(pTHX)
{
    struct dp_recorder *recorder = &dp_main;

    dp_toggle_asked = 0;
    dp_recorder_switch(recorder, recorder->recording);
    if (recorder->ended)
        return;
    if (recorder->recording) {
        recorder->wanted = 0;
        stop(aTHX_ recorder);
    } else {
        recorder->wanted = 1;
        start(aTHX_ recorder);
    }
}

void dp_control_uncalled(pTHX_ struct dp_recorder *recorder)
{
    SV *arena, *sv, *end;

    if (dp_recorder_room(recorder) != 0)
        return;
    for (arena = PL_sv_arenaroot; arena; arena = MUTABLE_SV(SvANY(arena))) {
        end = &arena[SvREFCNT(arena)];
        for (sv = arena + 1; sv < end; sv++) {
            CV *cv = (CV *)sv;

            if (SvTYPE(sv) == SVt_PVCV && SvREFCNT(sv) && !CvISXSUB(cv) && CvROOT(cv) &&
                !CvANON(cv) && !dp_sub_by_definition(recorder->known, dp_definition(aTHX_ recorder->known, cv)))
                dp_header_uncalled(aTHX_ recorder, cv);
        }
    }
}
