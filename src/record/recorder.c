#include "record/recorder.h"

#include "base/tmon_tags.h"
#include "record/calibrate.h"
#include "record/classic.h"
#include "record/control.h"
#include "record/debugger.h"
#include "record/frames.h"
#include "record/guard.h"
#include "record/header.h"
#include "record/heritage.h"
#include "record/hooks.h"
#include "record/interp.h"
#include "record/names.h"
#include "record/place.h"
#include "record/tree.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/statvfs.h>
#include <unistd.h>

/* When this process was forked, on the counter; 0 where the C library did not do it. */
static uint64_t forked_at;

/* What the family of processes has written; shared by all of it. */
static uint64_t *family_bytes, own_bytes;

void dp_recorder_switch(struct dp_recorder *recorder, int on)
{
    recorder->recording = on;
    if (recorder != &dp_main)
        return;
#ifdef MULTIPLICITY
    dp_active = on ? recorder->perl : NULL;
#else
    dp_active = on ? recorder : NULL;
#endif
    dp_interp_update();
}

static void in_child(void)
{
    forked_at = dp_counter();
    dp_interp_forked();
    dp_place_forked();
    dp_heritage_forked();
    dp_guard_forked();
}

/* Our code is called from perl's tables, from a signal handler and at exit: it must stay, whatever
   becomes of the interpreter that loaded it. */
static void stay_loaded(void)
{
    Dl_info info;

    if (dladdr((void *)&dp_main, &info) && info.dli_fname)
        dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
}

static void end_recording(struct dp_recorder *recorder)
{
    recorder->ended = 1;
    dp_recorder_switch(recorder, 0);
    dp_frames_forget(recorder);
}

void dp_recorder_fail(struct dp_recorder *recorder)
{
    const struct dp_window *window = &recorder->window;

    if (recorder->ended)
        return;
    end_recording(recorder);
    dp_complain("%s: %s%s%s; the profile ends here, the program goes on", recorder->output.path,
                window->why ? window->why : "cannot write", window->why_errno ? ": " : "",
                window->why_errno ? strerror(window->why_errno) : "");
    if (window->kind != DP_WINDOW_NONE)
        dp_window_close(&recorder->window);
}

int dp_recorder_flush(struct dp_recorder *recorder)
{
    dp_window_flush(&recorder->window);
    if (recorder->window.kind != DP_WINDOW_NONE)
        return 0;
    dp_recorder_fail(recorder);
    return -1;
}

static enum dp_dialect first_dialect(const struct dp_options *options)
{
    if (options->format == DP_FORMAT_COMPACT)
        return DP_COMPACT;
    return options->hz == 100 ? DP_TEXT_COARSE : DP_TEXT_FINE;
}

/* Time before this belongs to nobody; compact marks count from here. */
static void begin_here(struct dp_recorder *recorder, const struct dp_stamp *begun)
{
    recorder->begun = *begun;
    recorder->written = *begun;
    dp_header_moment(recorder, DP_TMON_BEGIN, begun, "");
}

/* Until the #run line is in the file, it is nobody's, and another perl would replace it. */
static void let_others_look(struct dp_recorder *recorder)
{
    if (!recorder->output.regular)
        return;
    dp_window_flush(&recorder->window);
    if (recorder->window.kind != DP_WINDOW_NONE)
        dp_output_unlock(recorder->window.file.fd);
}

/* The family may have used up its limit before. */
static int begins_as_tree(const struct dp_recorder *recorder)
{
    const struct dp_options *options = &recorder->options;

    return recorder->measured && (options->format == DP_FORMAT_TREE ||
                                  (options->limit && *family_bytes >= options->limit));
}

void dp_recorder_open_file(struct dp_recorder *recorder, const struct dp_stamp *begun, long parent)
{
    size_t depth = dp_frames_depth(recorder);
    char text[48];

    recorder->generation++;
    recorder->files++;
    recorder->marks = 0;
    recorder->dialect = first_dialect(&recorder->options);
    recorder->clock.stale = 1;
    dp_header_write(recorder, parent);
    let_others_look(recorder);
    if (recorder->measured)
        begin_here(recorder, begun);
    if (begins_as_tree(recorder))
        dp_tree_begin(recorder);
    if (!depth)
        return;
    if (recorder->dialect != DP_TREE)
        dp_window_put(&recorder->window, text,
                  (size_t)sprintf(text, "#" DP_TMON_OPEN " %lu\n", (unsigned long)depth));
    dp_frames_mark_all(recorder, '+', begun);
}

/* The first mark after a fork: a profile of its own. The frames that were open are open here too, from
   the moment of the fork. */
static int become_child(struct dp_recorder *recorder)
{
    struct dp_output family = recorder->output;
    struct dp_stamp begun = {0, 0, 0};
    long parent = (long)recorder->pid;

    dp_window_forget(&recorder->window);
    dp_tree_forget(recorder);
    recorder->pid = getpid();
    if (!recorder->options.children || !family.regular) {
        end_recording(recorder);
        return -1;
    }
    if (dp_output_open_member(&recorder->output, &family, recorder->tid) != 0 ||
        dp_window_open(&recorder->window, recorder->output.fd, recorder->output.path,
                       recorder->options.portable) != 0) {
        recorder->window.why = "cannot open the profile of a forked child";
        recorder->window.why_errno = errno;
        dp_recorder_fail(recorder);
        return -1;
    }
    begun.real = dp_clock_stamp(&recorder->clock, forked_at ? forked_at : dp_counter()).real;
    dp_clock_restart(&recorder->clock, 0);
    dp_recorder_open_file(recorder, &begun, parent);
    return recorder->recording ? 0 : -1;
}

/* Now and then, while there is room: what readers of a running or killed program should know. */
static void keep_posted(struct dp_recorder *recorder)
{
    struct dp_stamp now;

    if (recorder->rooms++ % 16)
        return;
    now = dp_clock_stamp(&recorder->clock, dp_counter());
    dp_header_totals(recorder, &now);
    dp_calibrate_write(recorder);
}

/* From here on calls are folded. Every open frame gets its exit, so that the trace before stands alone;
   in the tree those frames only count what is called later. */
static void turn_to_tree(struct dp_recorder *recorder)
{
    struct dp_stamp now = dp_clock_stamp(&recorder->clock, dp_counter());

    dp_frames_mark_all(recorder, '-', &now);
    if (!recorder->recording)
        return;
    if (dp_tree_begin(recorder) != 0)
        recorder->options.limit = 0; /* no memory for it: the trace goes on */
    dp_frames_mark_all(recorder, '+', &now);
}

/* Text, then compact, then a tree, by size. `last` is the time that stands at the last mark. */
static void keep_small(struct dp_recorder *recorder, off_t grown, const struct dp_stamp *last)
{
    const struct dp_options *options = &recorder->options;
    uint64_t family = __sync_add_and_fetch(family_bytes, (uint64_t)grown);

    if (recorder->dialect == DP_TREE || !recorder->measured)
        return;
    if (options->limit && family >= options->limit) {
        turn_to_tree(recorder);
    } else if (recorder->dialect < DP_COMPACT && options->format == DP_FORMAT_AUTO &&
               (uint64_t)dp_window_position(&recorder->window) >= options->text) {
        recorder->dialect = DP_COMPACT;
        recorder->written = *last;
        recorder->generation++;
    }
}

int dp_recorder_room(struct dp_recorder *recorder)
{
    struct dp_stamp last = dp_clock_given(&recorder->clock);
    int saved = errno, result = 0;
    uint64_t real = dp_mono_ns(), cpu = dp_cpu_ns();
    off_t at = recorder->window.at;
    enum dp_room room = dp_window_more(&recorder->window);

    if (room == DP_ROOM_FORKED) {
        result = become_child(recorder);
    } else if (room == DP_ROOM_GONE) {
        dp_recorder_fail(recorder);
        result = -1;
    } else if (recorder->window.at != at) {
        recorder->room_cpu += dp_cpu_ns() - cpu;
        recorder->room_real += dp_mono_ns() - real;
        keep_posted(recorder);
        keep_small(recorder, recorder->window.at - at, &last);
    }
    errno = saved;
    return result;
}

void dp_recorder_finish(struct dp_recorder *recorder, int status)
{
    struct dp_stamp now;

    if (recorder->window.why)
        dp_recorder_fail(recorder);
    /* A child that made no mark since the fork has no profile. */
    if (recorder->ended || recorder->window.kind == DP_WINDOW_NONE ||
        *recorder->window.limit == NULL)
        return;
    now = dp_clock_stamp(&recorder->clock, dp_counter());
    dp_frames_mark_all(recorder, '-', &now);
    if (recorder->ended)
        return;
    if (recorder->tree)
        dp_tree_end(recorder);
    dp_clock_settle(&recorder->clock);
    now = dp_clock_stamp(&recorder->clock, dp_counter());
    dp_calibrate_write(recorder);
    dp_header_end(recorder, status, &now);
    dp_header_totals(recorder, &now);
    if (dp_recorder_flush(recorder) != 0)
        return;
    end_recording(recorder);
    dp_tree_forget(recorder);
    dp_window_close(&recorder->window);
    dp_clock_stop(&recorder->clock);
}

#if defined(__GLIBC__)
static void finish_at_exit(int status, void *unused)
{
    (void)unused;
    dp_interp_exit(status);
}
#else
static void finish_at_exit(void)
{
    dp_interp_exit(-1);
}
#endif

static int open_file(struct dp_recorder *recorder)
{
    if (dp_output_open(&recorder->output, recorder->options.file) == 0 &&
        dp_window_open(&recorder->window, recorder->output.fd, recorder->output.path,
                       recorder->options.portable) == 0)
        return 0;
    dp_complain("cannot write %s: %s; the program runs unprofiled", recorder->output.path,
                strerror(errno));
    end_recording(recorder);
    return -1;
}

int dp_recorder_prepare(struct dp_recorder *recorder)
{
    recorder->known = dp_known_new();
    return recorder->known && dp_frames_init(recorder) == 0 ? 0 : -1;
}

void dp_recorder_release(struct dp_recorder *recorder)
{
    if (recorder->known)
        dp_known_free(recorder->known);
    free(recorder->base);
    free(recorder->announced);
    recorder->known = NULL;
    recorder->base = NULL;
    recorder->announced = NULL;
}

static void read_options(pTHX_ struct dp_options *options, const char *text, const char *file)
{
    int files_allowed = !PL_tainting;

    dp_options_init(options);
    dp_options_environment(options, files_allowed);
    dp_options_parse(options, text, "-d:DProf", 1);
    if (file) {
        dp_options_file(options, file);
        options->start = DP_START_BEGIN;
    }
}

/* Once in a process. */
static void begin_process(void)
{
    static int done;

    if (done)
        return;
    done = 1;
    stay_loaded();
    pthread_atfork(NULL, NULL, in_child);
    dp_mark_init();
    family_bytes = mmap(NULL, sizeof *family_bytes, PROT_READ | PROT_WRITE,
                        MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (family_bytes == MAP_FAILED)
        family_bytes = &own_bytes;
#if defined(__GLIBC__)
    on_exit(finish_at_exit, NULL);
#else
    atexit(finish_at_exit);
#endif
}

/* start=init: a sub of ours is the first of that phase. */
static void begin_in_init(pTHX)
{
    CV *cv = get_cv("Devel::DProf::_begin_now", 0);

    if (!cv)
        return;
    if (!PL_initav)
        PL_initav = newAV();
    av_unshift(PL_initav, 1);
    av_store(PL_initav, 0, SvREFCNT_inc((SV *)cv));
}

/* A trace never takes more than a tenth of what is free. */
static void limit_to_disk(struct dp_recorder *recorder)
{
    struct statvfs fs;
    uint64_t tenth;

    if (!recorder->output.regular || !recorder->options.limit ||
        fstatvfs(recorder->window.file.fd, &fs) != 0)
        return;
    tenth = (uint64_t)fs.f_bavail * fs.f_frsize / 10;
    if (tenth < recorder->options.limit)
        recorder->options.limit = tenth ? tenth : 1;
}

/* Recording is on; where it is to begin later, the time until then belongs to nobody. */
static void wait_for_start(pTHX_ struct dp_recorder *recorder)
{
    enum dp_when start = recorder->options.start;

    recorder->wanted = start != DP_START_NO;
    if (start == DP_START_BEGIN || (start == DP_START_INIT && PL_phase >= PERL_PHASE_INIT))
        return;
    if (start == DP_START_INIT)
        begin_in_init(aTHX);
    recorder->awaits_end = start == DP_START_END; /* END blocks that come later run before those that are there */
    dp_header_moment(recorder, DP_TMON_STOP, &recorder->begun, "");
    dp_recorder_switch(recorder, 0);
}

/* The first file of an interpreter is open. */
static void begin_in_file(pTHX_ struct dp_recorder *recorder)
{
    struct dp_batches plain = {0, 0};
    struct dp_stamp now;

    recorder->ended = 0;
    recorder->pid = getpid();
    begin_process();
    limit_to_disk(recorder);
    dp_clock_init(&recorder->clock, recorder->options.hz, recorder->options.portable);
    dp_header_learn(aTHX);
    now = dp_clock_stamp(&recorder->clock, dp_counter());
    dp_recorder_open_file(recorder, &now, 0);
    dp_calibrate_plain(aTHX_ &plain);
    if (recorder->options.hook_sub)
        dp_classic_install(aTHX);
    else
        dp_hooks_install(aTHX_ &recorder->options);
    recorder->known->watched = dp_newest_definition(aTHX);
    dp_recorder_switch(recorder, 1);
    dp_calibrate_recorded(aTHX_ recorder, &plain);
    dp_clock_settle(&recorder->clock);
    if (recorder->ended)
        return;
    recorder->measured = 1;
    if (recorder->options.format == DP_FORMAT_TREE)
        dp_tree_begin(recorder);
    dp_calibrate_write(recorder);
    dp_interp_follow(aTHX);
    dp_control_take_signal(recorder);
    now = dp_clock_stamp(&recorder->clock, dp_counter());
    begin_here(recorder, &now);
}

static void begin(pTHX_ const char *options, const char *file)
{
    struct dp_recorder *recorder = dp_interp_recorder(aTHX);

    if (!recorder)
        return;
    recorder->ended = 1;
    read_options(aTHX_ &recorder->options, options, file);
    if (dp_recorder_prepare(recorder) != 0 || open_file(recorder) != 0)
        return;
    begin_in_file(aTHX_ recorder);
    if (!recorder->ended)
        wait_for_start(aTHX_ recorder);
}

static void begin_again(struct dp_recorder *recorder, const char *id)
{
    struct dp_stamp begun;

    memcpy(recorder->output.id, id, sizeof recorder->output.id);
    recorder->ended = 0;
    recorder->pid = getpid();
    dp_clock_init(&recorder->clock, recorder->options.hz, recorder->options.portable);
    begun = dp_clock_stamp(&recorder->clock, dp_counter());
    dp_recorder_open_file(recorder, &begun, 0);
    dp_calibrate_write(recorder);
}

/* What an error, or in a child the parent, has left. */
static void put_away(struct dp_recorder *recorder)
{
    dp_tree_forget(recorder);
    if (recorder->window.kind != DP_WINDOW_NONE)
        dp_window_forget(&recorder->window);
}

void dp_recorder_renounce(struct dp_recorder *recorder)
{
    end_recording(recorder);
    put_away(recorder);
    dp_clock_stop(&recorder->clock);
}

int dp_recorder_reopen(pTHX_ struct dp_recorder *recorder, const char *path)
{
    char id[sizeof recorder->output.id];

    put_away(recorder);
    if (strlen(path) >= sizeof recorder->options.file) {
        end_recording(recorder);
        dp_complain("the path %.100s... is too long; the program runs unprofiled", path);
        return -1;
    }
    memcpy(id, recorder->output.id, sizeof id);
    strcpy(recorder->options.file, path);
    if (!recorder->known || open_file(recorder) != 0)
        return -1;
    if (recorder->measured)
        begin_again(recorder, id);
    else /* the file that it was to begin with could not be written */
        begin_in_file(aTHX_ recorder);
    return recorder->ended ? -1 : 0;
}

void dp_recorder_begin(pTHX_ const char *options, const char *file)
{
    int saved = errno;
    struct dp_recorder *recorder = dp_interp_find(aTHX);

    /* An embedding program may have destroyed an interpreter and made another at the same address. */
    if (recorder && recorder->dying && PL_phase != PERL_PHASE_DESTRUCT) {
        dp_recorder_finish(recorder, 0);
        dp_interp_drop(recorder);
        recorder = NULL;
    }
    if (!recorder) {
        dp_debugger_stop(aTHX);
        begin(aTHX_ options, file);
    }
    errno = saved;
}
