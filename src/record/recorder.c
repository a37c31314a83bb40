#include "record/recorder.h"

#include "record/calibrate.h"
#include "record/frames.h"
#include "record/guard.h"
#include "record/header.h"
#include "record/hooks.h"
#include "record/names.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct dp_recorder dp_main;
void *volatile dp_active;
struct dp_recorder *volatile dp_others;

/* When this process was forked, on the counter; 0 where the C library did not do it. */
static uint64_t forked_at;

struct dp_recorder *dp_other_recorder(pTHX)
{
    PERL_UNUSED_CONTEXT;
    return NULL;
}

static void activate(struct dp_recorder *recorder, int on)
{
    recorder->recording = on;
    if (recorder != &dp_main)
        return;
#ifdef MULTIPLICITY
    dp_active = on ? recorder->perl : NULL;
#else
    dp_active = on ? recorder : NULL;
#endif
}

static void in_child(void)
{
    forked_at = dp_counter();
}

/* Our code is called from perl's tables, from a signal handler and at exit: it must stay, whatever
   becomes of the interpreter that loaded it. */
static void stay_loaded(void)
{
    Dl_info info;

    if (dladdr((void *)&dp_main, &info) && info.dli_fname)
        dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
}

void dp_recorder_fail(struct dp_recorder *recorder)
{
    const struct dp_window *window = &recorder->window;

    if (recorder->failed)
        return;
    recorder->failed = 1;
    activate(recorder, 0);
    dp_frames_forget(recorder);
    dp_complain("%s: %s%s%s; the profile ends here, the program goes on", recorder->output.path,
                window->why ? window->why : "cannot write", window->why_errno ? ": " : "",
                window->why_errno ? strerror(window->why_errno) : "");
    if (window->kind != DP_WINDOW_NONE)
        dp_window_close(&recorder->window);
}

static enum dp_dialect first_dialect(const struct dp_options *options)
{
    if (options->format == DP_FORMAT_COMPACT)
        return DP_COMPACT;
    return options->hz == 100 ? DP_TEXT_COARSE : DP_TEXT_FINE;
}

/* Header, and the frames that were open when this process was forked. */
static void begin_file(struct dp_recorder *recorder, const struct dp_stamp *begun, long parent)
{
    recorder->generation++;
    recorder->marks = 0;
    recorder->begun = *begun;
    memset(&recorder->written, 0, sizeof recorder->written);
    recorder->clock.stale = 1;
    dp_header_write(recorder, parent);
}

/* The first mark after a fork: a profile of its own. The frames that were open are open here too, from
   the moment of the fork. */
static int become_child(struct dp_recorder *recorder)
{
    struct dp_output family = recorder->output;
    struct dp_stamp begun = {0, 0, 0};
    long parent = (long)recorder->pid;

    dp_window_forget(&recorder->window);
    recorder->pid = getpid();
    if (!recorder->options.children || !family.regular) {
        activate(recorder, 0);
        dp_frames_forget(recorder);
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
    recorder->member = 1;
    begun.real = dp_clock_stamp(&recorder->clock, forked_at ? forked_at : dp_counter()).real;
    dp_clock_restart(&recorder->clock);
    recorder->dialect = first_dialect(&recorder->options);
    begin_file(recorder, &begun, parent);
    if (dp_frames_depth(recorder)) {
        char text[32];

        sprintf(text, "#open %lu\n", (unsigned long)dp_frames_depth(recorder));
        dp_window_put(&recorder->window, text, strlen(text));
        dp_frames_mark_all(recorder, '+', &begun);
    }
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

int dp_recorder_room(struct dp_recorder *recorder)
{
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
    }
    errno = saved;
    return result;
}

static void finish_main(int status, void *unused)
{
    (void)unused;
    dp_recorder_finish(&dp_main, status);
}

void dp_recorder_finish(struct dp_recorder *recorder, int status)
{
    struct dp_stamp now;

    /* A child that made no mark since the fork has no profile. */
    if (!recorder->recording || *recorder->window.limit == NULL)
        return;
    now = dp_clock_stamp(&recorder->clock, dp_counter());
    dp_frames_mark_all(recorder, '-', &now);
    if (!recorder->recording)
        return;
    dp_frames_forget(recorder);
    dp_clock_settle(&recorder->clock);
    now = dp_clock_stamp(&recorder->clock, dp_counter());
    dp_calibrate_write(recorder);
    dp_header_end(recorder, status, &now);
    dp_header_totals(recorder, &now);
    activate(recorder, 0);
    dp_window_close(&recorder->window);
    dp_clock_stop(&recorder->clock);
}

static int open_file(struct dp_recorder *recorder)
{
    if (dp_output_open(&recorder->output, recorder->options.file) == 0 &&
        dp_window_open(&recorder->window, recorder->output.fd, recorder->output.path,
                       recorder->options.portable) == 0)
        return 0;
    dp_complain("cannot write %s: %s; the program runs unprofiled", recorder->output.path,
                strerror(errno));
    return -1;
}

static void read_options(pTHX_ struct dp_options *options, const char *text)
{
    int files_allowed = !PL_tainting;

    dp_options_init(options);
    dp_options_environment(options, files_allowed);
    dp_options_parse(options, text, "-d:DProf", 1);
}

/* perl was started with -d: switch its machinery off, or the program would run slower and see $^P. */
static void stop_debugger(pTHX)
{
    PL_perldb = 0;
    if (PL_DBsingle)
        sv_setiv(PL_DBsingle, 0);
}

void dp_recorder_begin(pTHX_ const char *options)
{
    struct dp_recorder *recorder = &dp_main;
    struct dp_stamp now;
    struct dp_batches plain;
    static int begun;
    int saved = errno;

    if (begun)
        return;
    begun = 1;
    stop_debugger(aTHX);
    read_options(aTHX_ &recorder->options, options);
    recorder->known = dp_known_new();
    if (!recorder->known || dp_frames_init(recorder) != 0 || open_file(recorder) != 0) {
        errno = saved;
        return;
    }
    stay_loaded();
    pthread_atfork(NULL, NULL, in_child);
    dp_mark_init();
    recorder->perl = aTHX;
    recorder->pid = getpid();
    dp_clock_init(&recorder->clock, recorder->options.hz, recorder->options.portable);
    recorder->dialect = first_dialect(&recorder->options);
    dp_header_learn(aTHX);
    now = dp_clock_stamp(&recorder->clock, dp_counter());
    begin_file(recorder, &now, 0);
    dp_calibrate_plain(aTHX_ &plain);
    dp_hooks_install(aTHX);
    activate(recorder, 1);
    dp_calibrate_recorded(aTHX_ recorder, &plain);
    dp_clock_settle(&recorder->clock);
    if (recorder->recording)
        dp_calibrate_write(recorder);
    recorder->begun = dp_clock_stamp(&recorder->clock, dp_counter());
    on_exit(finish_main, NULL);
    errno = saved;
}
