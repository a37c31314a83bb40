#include "record/header.h"

#include "base/tmon_tags.h"
#include "record/names.h"
#include "record/place.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Room for three numbers of 20 digits. */
#define TOTALS_WIDTH 112
#define TOTALS_AT "#fOrTyTwO\n$hz=%" PRIu64 ";\n$XS_VERSION='DProf " XS_VERSION                    \
                  "';\n# All values are given in HZ\n"

#include <inttypes.h>

static char *command, *perl_version, *host;

static char *escaped(const char *text, size_t n)
{
    char *copy = malloc(n * 4 + 1);

    if (copy)
        *dp_escape(copy, text, n) = '\0';
    return copy;
}

/* What is kept of an argument, and of all of them, escaped: the header must fit well into the first window. */
#define LONGEST_ARGUMENT 2048
#define LONGEST_COMMAND 8192

static void cat_argument(pTHX_ SV *all, const char *text, size_t length)
{
    size_t n = length < LONGEST_ARGUMENT ? length : LONGEST_ARGUMENT;
    char *copy;

    while (n < length && n && ((unsigned char)text[n] & 0xc0) == 0x80) /* no half characters */
        n--;
    copy = escaped(text, n);
    sv_catpv(all, copy ? copy : "-");
    if (n < length)
        sv_catpvs(all, "...");
    free(copy);
}

static char *learn_command(pTHX)
{
    SV *all = newSVpvs("");
    AV *args = PL_argvgv ? GvAV(PL_argvgv) : NULL;
    SSize_t i, n = args ? (SSize_t)av_len(args) + 1 : 0;
    const char *script = PL_origfilename ? PL_origfilename : "-";
    char *copy;

    cat_argument(aTHX_ all, script, strlen(script));
    for (i = 0; i < n && SvCUR(all) < LONGEST_COMMAND; i++) {
        SV **arg = av_fetch(args, i, 0);

        if (!arg || !SvPOK(*arg))
            continue;
        sv_catpvs(all, " ");
        cat_argument(aTHX_ all, SvPVX_const(*arg), SvCUR(*arg));
    }
    if (i < n)
        sv_catpvs(all, " ...");
    copy = strdup(SvPVX_const(all));
    SvREFCNT_dec(all);
    return copy;
}

void dp_header_learn(pTHX)
{
    char name[256] = "localhost";
    char version[256];

    if (command)
        return;
    command = learn_command(aTHX);
    snprintf(version, sizeof version, "%d.%d.%d %s", PERL_REVISION, PERL_VERSION, PERL_SUBVERSION,
             ARCHNAME);
    perl_version = strdup(version);
    gethostname(name, sizeof name - 1);
    host = escaped(name, strlen(name));
}

static void line(struct dp_recorder *recorder, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void line(struct dp_recorder *recorder, const char *format, ...)
{
    char small[512];
    char *text = small;
    va_list args;
    int n;

    va_start(args, format);
    n = vsnprintf(small, sizeof small, format, args);
    va_end(args);
    if (n >= (int)sizeof small) {
        text = malloc((size_t)n + 1);
        if (!text)
            return;
        va_start(args, format);
        vsnprintf(text, (size_t)n + 1, format, args);
        va_end(args);
    }
    if (n > 0) {
        dp_window_line_begins(&recorder->window);
        dp_window_put(&recorder->window, text, (size_t)n);
        dp_window_line_ends(&recorder->window);
    }
    if (text != small)
        free(text);
}

static size_t totals_at(uint64_t hz)
{
    return (size_t)snprintf(NULL, 0, TOTALS_AT, hz);
}

static void totals(char *text, uint64_t user, uint64_t sys, uint64_t real)
{
    int n = snprintf(text, TOTALS_WIDTH, "$rrun_utime=%" PRIu64 "; $rrun_stime=%" PRIu64
                                         "; $rrun_rtime=%" PRIu64, user, sys, real);

    memset(text + n, ' ', TOTALS_WIDTH - (size_t)n);
    text[TOTALS_WIDTH] = '\0';
}

static void run_line(struct dp_recorder *recorder, long parent)
{
    struct timespec now;
    char more[80] = "", *s = more;

    clock_gettime(CLOCK_REALTIME, &now);
    if (recorder->tid)
        s += sprintf(s, " tid=%lu", recorder->tid);
    if (parent)
        sprintf(s, " parent=%ld forked", parent);
    line(recorder, "#run id=%s pid=%ld started=%ld.%06ld cpu=%s%s\n", recorder->output.id,
         (long)getpid(), (long)now.tv_sec, now.tv_nsec / 1000,
         recorder->clock.coarse ? "process" : "thread", more);
}

void dp_header_write(struct dp_recorder *recorder, long parent)
{
    char zeros[TOTALS_WIDTH + 1];

    totals(zeros, 0, 0, 0);
    line(recorder, TOTALS_AT "%s\n" DP_TMON_PART2 "\n", recorder->clock.hz, zeros);
    run_line(recorder, parent);
    line(recorder, "#cmd %s\n", command ? command : "-");
    line(recorder, "#perl %s\n", perl_version ? perl_version : "-");
    line(recorder, "#host %s\n", host ? host : "-");
    if (recorder->output.note[0])
        dp_header_note(recorder, recorder->output.note);
}

void dp_header_totals(struct dp_recorder *recorder, const struct dp_stamp *now)
{
    char text[TOTALS_WIDTH + 1];
    const struct dp_stamp *begun = &recorder->begun;

    totals(text, now->user - begun->user, now->sys - begun->sys, now->real - begun->real);
    dp_window_rewrite(&recorder->window, (off_t)totals_at(recorder->clock.hz), text, TOTALS_WIDTH);
}

/* Escaped texts are unescaped for the file system. */
static void plain_path(const char *text, char *path, size_t size)
{
    size_t n = 0;

    while (*text && n < size - 1) {
        unsigned byte;

        if (text[0] == '\\' && text[1] == 'x' && sscanf(text + 2, "%2x", &byte) == 1) {
            path[n++] = (char)byte;
            text += 4;
        } else {
            path[n++] = *text++;
        }
    }
    path[n] = '\0';
}

/* Files are announced once: a small set of the (kept, unique) texts, by address. */
struct announced {
    const char *file;
    uint32_t told;
};
#define ANNOUNCED 1024

static int announced(struct dp_recorder *recorder, const char *file)
{
    struct announced *slots = recorder->announced;
    size_t i = (size_t)(PTR2UV(file) >> 4) * 0x9e3779b1u % ANNOUNCED, tries;

    if (!slots) {
        slots = recorder->announced = calloc(ANNOUNCED, sizeof *slots);
        if (!slots)
            return 1;
    }
    for (tries = 0; tries < 8; tries++, i = (i + 1) % ANNOUNCED) {
        if (slots[i].file == file && slots[i].told == recorder->files)
            return 1;
        if (!slots[i].file || slots[i].told != recorder->files)
            break;
    }
    slots[i].file = file;
    slots[i].told = recorder->files;
    return 0;
}

static void file_line(struct dp_recorder *recorder, const char *file)
{
    char path[DP_PATH_MAX];
    struct stat st;

    if (announced(recorder, file))
        return;
    plain_path(file, path, sizeof path);
    if (stat(path, &st) == 0 && S_ISREG(st.st_mode))
        line(recorder, "#file %s %lld %lld\n", file, (long long)st.st_size, (long long)st.st_mtime);
}

static const char *const kinds[] = {"perl",  "xsub",    "anon", "autoload",
                                    "begin", "builtin", "file", "eval"};

void dp_header_sub(struct dp_recorder *recorder, const struct dp_sub *sub)
{
    int saved = errno;

    if (sub->file)
        file_line(recorder, sub->file);
    line(recorder, "#sub %.*s %s %u %s\n", (int)sub->length - 1, sub->text,
         sub->file ? sub->file : "-", sub->line, kinds[sub->kind]);
    errno = saved;
}

void dp_header_uncalled(pTHX_ struct dp_recorder *recorder, CV *cv)
{
    const char *place;
    uint32_t at;
    U32 eval;
    char *name = dp_sub_name(cv);

    PERL_UNUSED_CONTEXT;
    if (!name)
        return;
    place = dp_place_of(cv, &at);
    line(recorder, "#" DP_TMON_SUB " %s %s %u uncalled\n", name,
         place ? dp_place_file(recorder, place, &eval) : "-", at);
    free(name);
}

void dp_header_note(struct dp_recorder *recorder, const char *text)
{
    line(recorder, "#note %s\n", text);
}

void dp_header_over(struct dp_recorder *recorder, const struct dp_stamp *cost, uint64_t calls,
                    const char *kind)
{
    line(recorder, "#over %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 "%s%s\n", cost->user,
         cost->sys, cost->real, calls, *kind ? " " : "", kind);
}

void dp_header_moment(struct dp_recorder *recorder, const char *word, const struct dp_stamp *now,
                      const char *text)
{
    line(recorder, "#%s %" PRIu64 " %" PRIu64 " %" PRIu64 "%s%s\n", word, now->user, now->sys,
         now->real, *text ? " " : "", text);
}

void dp_header_end(struct dp_recorder *recorder, int status, const struct dp_stamp *now)
{
    line(recorder, "#end %d %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 "\n", status, now->user,
         now->sys, now->real, recorder->tree ? recorder->trace_marks : recorder->marks);
}
