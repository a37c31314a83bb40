#include "record/options.h"

#include "record/guard.h"

#include <ctype.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <stdio.h>

struct row {
    const char *name;
    const char *values; /* for messages */
    int (*set)(struct dp_options *options, const char *value);
};

static int word_in(const char *const *words, const char *value)
{
    int i;

    for (i = 0; words[i]; i++)
        if (strcmp(words[i], value) == 0)
            return i;
    return -1;
}

static int flag(int *place, const char *value)
{
    if (strcmp(value, "0") != 0 && strcmp(value, "1") != 0)
        return -1;
    *place = *value == '1';
    return 0;
}

/* A number of bytes: 64k, 10M, 2G. */
static int size(uint64_t *place, const char *value)
{
    static const char units[] = "kmgt";
    char *end;
    const char *unit;
    uint64_t bytes;

    if (!isdigit((unsigned char)*value))
        return -1;
    bytes = strtoull(value, &end, 10);
    if (*end && (unit = strchr(units, tolower((unsigned char)*end))) != NULL) {
        int shift = 10 * (int)(unit - units + 1);

        if (bytes > UINT64_MAX >> shift)
            return -1;
        bytes <<= shift;
        end++;
    }
    if (*end || bytes > INT64_MAX)
        return -1;
    *place = bytes;
    return 0;
}

static int set_file(struct dp_options *options, const char *value)
{
    if (!*value || strlen(value) >= sizeof options->file)
        return -1;
    strcpy(options->file, value);
    return 0;
}

static int set_format(struct dp_options *options, const char *value)
{
    static const char *const words[] = {"auto", "text", "compact", "tree", NULL};
    int i = word_in(words, value);

    if (i < 0)
        return -1;
    options->format = (enum dp_format)i;
    return 0;
}

static int set_hz(struct dp_options *options, const char *value)
{
    static const char *const words[] = {"100", "1000", "1000000", "1000000000", NULL};

    if (word_in(words, value) < 0)
        return -1;
    options->hz = strtoull(value, NULL, 10);
    return 0;
}

static int set_text(struct dp_options *options, const char *value)
{
    return size(&options->text, value);
}

static int set_limit(struct dp_options *options, const char *value)
{
    return size(&options->limit, value);
}

static int set_start(struct dp_options *options, const char *value)
{
    static const char *const words[] = {"begin", "init", "end", "no", NULL};
    int i = word_in(words, value);

    if (i < 0)
        return -1;
    options->start = (enum dp_when)i;
    return 0;
}

static int signal_number(const char *name)
{
    static const struct {
        const char *name;
        int number;
    } known[] = {{"HUP", SIGHUP},   {"INT", SIGINT},   {"QUIT", SIGQUIT}, {"USR1", SIGUSR1},
                 {"USR2", SIGUSR2}, {"ALRM", SIGALRM}, {"TERM", SIGTERM}, {"CONT", SIGCONT},
                 {"TSTP", SIGTSTP}, {"TTIN", SIGTTIN}, {"TTOU", SIGTTOU}, {"URG", SIGURG},
                 {"WINCH", SIGWINCH}};
    size_t i;

    if (strncmp(name, "SIG", 3) == 0)
        name += 3;
    for (i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(known[i].name, name) == 0)
            return known[i].number;
    return 0;
}

static int set_toggle(struct dp_options *options, const char *value)
{
    options->toggle = signal_number(value);
    return options->toggle ? 0 : -1;
}

static int set_files(struct dp_options *options, const char *value)
{
    return flag(&options->files, value);
}

static int set_builtins(struct dp_options *options, const char *value)
{
    return flag(&options->builtins, value);
}

static int set_uncalled(struct dp_options *options, const char *value)
{
    return flag(&options->uncalled, value);
}

static int set_hook(struct dp_options *options, const char *value)
{
    static const char *const words[] = {"op", "sub", NULL};
    int i = word_in(words, value);

    options->hook_sub = i == 1;
    return i < 0 ? -1 : 0;
}

static int set_children(struct dp_options *options, const char *value)
{
    return flag(&options->children, value);
}

static int set_portable(struct dp_options *options, const char *value)
{
    return flag(&options->portable, value);
}

static const struct row rows[] = {
    {"file", "a path, with %p %t %n %h %s", set_file},
    {"format", "auto, text, compact or tree", set_format},
    {"hz", "100, 1000, 1000000 or 1000000000", set_hz},
    {"text", "a number of bytes: 64M", set_text},
    {"limit", "a number of bytes: 512M, or 0 for none", set_limit},
    {"start", "begin, init, end or no", set_start},
    {"toggle", "a signal: USR1, USR2, HUP, ...", set_toggle},
    {"files", "0 or 1", set_files},
    {"builtins", "0 or 1", set_builtins},
    {"uncalled", "0 or 1", set_uncalled},
    {"hook", "op or sub", set_hook},
    {"children", "0 or 1", set_children},
    {"portable", "0 or 1", set_portable},
};
#define NROWS (sizeof rows / sizeof *rows)

void dp_options_init(struct dp_options *options)
{
    memset(options, 0, sizeof *options);
    strcpy(options->file, "tmon.out");
    options->hz = 1000000;
    options->text = (uint64_t)64 << 20;
    options->limit = (uint64_t)512 << 20;
    options->children = 1;
}

void dp_options_file(struct dp_options *options, const char *path)
{
    if (set_file(options, path) != 0)
        dp_complain("the path %.100s... is too long, passed over", path);
}

static void unknown(const char *name, const char *where)
{
    char names[256] = "";
    size_t i;

    for (i = 0; i < NROWS; i++) {
        strcat(names, i ? ", " : "");
        strcat(names, rows[i].name);
    }
    dp_complain("unknown option \"%s\" in %s, passed over; the options are %s", name, where, names);
}

static void set_one(struct dp_options *options, char *item, const char *where, int files_allowed)
{
    char *value = strchr(item, '=');
    size_t i;

    if (value)
        *value++ = '\0';
    for (i = 0; i < NROWS && strcmp(rows[i].name, item) != 0; i++)
        ;
    if (i == NROWS)
        unknown(item, where);
    else if (i == 0 && !files_allowed)
        return;
    else if (!value || rows[i].set(options, value) != 0)
        dp_complain("bad value \"%s\" for option \"%s\" in %s, passed over; expected %s",
                    value ? value : "", item, where, rows[i].values);
}

void dp_options_parse(struct dp_options *options, const char *text, const char *where,
                      int files_allowed)
{
    char item[DP_PATH_MAX + 64];

    while (*text) {
        size_t n = strcspn(text, ",");

        if (n >= sizeof item) {
            dp_complain("an option in %s is too long, passed over", where);
        } else if (n) {
            memcpy(item, text, n);
            item[n] = '\0';
            set_one(options, item, where, files_allowed);
        }
        text += n + (text[n] == ',');
    }
}

void dp_options_environment(struct dp_options *options, int files_allowed)
{
    const char *value;

    value = getenv("PERL_DPROF_OUT_FILE_NAME");
    if (value && *value && files_allowed && set_file(options, value) != 0)
        dp_complain("PERL_DPROF_OUT_FILE_NAME is too long, passed over");
    value = getenv("PERL_DPROF_TICKS");
    if (value && *value && set_hz(options, value) != 0)
        dp_complain("bad value \"%s\" for PERL_DPROF_TICKS, passed over; expected %s", value,
                    rows[2].values);
    value = getenv("PERL_DPROF");
    if (value)
        dp_options_parse(options, value, "PERL_DPROF", files_allowed);
}
