/* Lines that begin with `#`: what the recorder says beside the marks. Words that are not known are
   skipped, so that newer files stay readable. */
#include "read/tmon.h"

#include "base/tmon_tags.h"

static uint32_t text(struct dp_tmon *tmon, struct dp_line rest)
{
    while (rest.at < rest.end && *rest.at == ' ')
        rest.at++;
    return dp_tmon_text(tmon, rest.at, (size_t)(rest.end - rest.at));
}

/* A field as a string; DP_NONE if there is none. */
static uint32_t field_text(struct dp_tmon *tmon, struct dp_line *line)
{
    struct dp_line field;

    return dp_line_field(line, &field) ? text(tmon, field) : DP_NONE;
}

static void run(struct dp_tmon *tmon, struct dp_line line)
{
    struct dp_run *of = &tmon->prof->run;
    const struct {
        const char *key;
        uint32_t *to;
    } keys[] = {
        {"id", &of->id},   {"pid", &of->pid},         {"parent", &of->parent},
        {"tid", &of->tid}, {"started", &of->started}, {"cpu", &of->cpu},
    };
    struct dp_line field;

    tmon->ours = 1;
    while (dp_line_field(&line, &field)) {
        struct dp_line key = {field.at, field.at};

        while (key.end < field.end && *key.end != '=')
            key.end++;
        if (dp_line_is(key, "forked"))
            of->forked = 1;
        for (size_t i = 0; key.end < field.end && i < sizeof keys / sizeof *keys; i++)
            if (dp_line_is(key, keys[i].key))
                *keys[i].to = dp_tmon_text(tmon, key.end + 1, (size_t)(field.end - key.end - 1));
    }
}

static void cmd(struct dp_tmon *tmon, struct dp_line line)
{
    tmon->prof->run.cmd = text(tmon, line);
}

static void perl(struct dp_tmon *tmon, struct dp_line line)
{
    tmon->prof->run.perl = text(tmon, line);
}

static void host(struct dp_tmon *tmon, struct dp_line line)
{
    tmon->prof->run.host = text(tmon, line);
}

static void note(struct dp_tmon *tmon, struct dp_line line)
{
    dp_note(tmon->prof, DP_NOTE_RECORDER, tmon->build->line, "%s",
            dp_string(tmon->prof, text(tmon, line), NULL));
}

static enum dp_kind kind_named(struct dp_line field)
{
    for (int i = 0; i < DP_NKINDS; i++)
        if (dp_line_is(field, dp_kind_names[i]))
            return (enum dp_kind)i;
    return DP_KIND_UNKNOWN;
}

void dp_tmon_over(struct dp_tmon *tmon, const struct dp_time *cost, int64_t calls,
                  enum dp_kind kind)
{
    struct dp_profile *prof = tmon->prof;
    struct dp_over over = {*cost, (uint64_t)calls, (uint8_t)kind};

    if (cost->user < 0 || cost->sys < 0 || cost->real < 0)
        dp_note(prof, DP_NOTE_COARSE, tmon->build->line,
                "a calibration of less than nothing; that part is taken as 0");
    over.cost.user = cost->user < 0 ? 0 : cost->user;
    over.cost.sys = cost->sys < 0 ? 0 : cost->sys;
    over.cost.real = cost->real < 0 ? 0 : cost->real;
    for (uint32_t i = 0; i < prof->novers; i++)
        if (prof->overs[i].kind == over.kind) {
            prof->overs[i] = over;
            return;
        }
    prof->overs = dp_more(prof->overs, prof->novers, sizeof *prof->overs);
    prof->overs[prof->novers++] = over;
}

static void over(struct dp_tmon *tmon, struct dp_line line)
{
    struct dp_time cost = {0, 0, 0};
    struct dp_line kind;
    int64_t calls = 0;

    if (!dp_line_time(tmon, &line, &cost) || !dp_line_number(tmon, &line, &calls) || calls < 1)
        return;
    dp_tmon_over(tmon, &cost, calls,
                 dp_line_field(&line, &kind) ? kind_named(kind) : DP_KIND_UNKNOWN);
}

static void file(struct dp_tmon *tmon, struct dp_line line)
{
    struct dp_profile *prof = tmon->prof;
    struct dp_source source = {field_text(tmon, &line), 0, 0};
    int64_t bytes = 0;

    if (source.path == DP_NONE)
        return;
    if (dp_line_number(tmon, &line, &bytes) && bytes > 0)
        source.bytes = (uint64_t)bytes;
    dp_line_number(tmon, &line, &source.mtime);
    prof->files = dp_more(prof->files, prof->nfiles, sizeof *prof->files);
    prof->files[prof->nfiles++] = source;
}

static void sub(struct dp_tmon *tmon, struct dp_line line)
{
    struct dp_line name, path, kind;
    uint32_t where = DP_NONE, of;
    int64_t number = 0;

    if (!dp_line_field(&line, &name))
        return;
    of = dp_tmon_sub(tmon, name.at, (size_t)(name.end - name.at));
    if (!dp_line_field(&line, &path))
        return;
    if (!dp_line_is(path, "-"))
        where = text(tmon, path);
    dp_line_number(tmon, &line, &number);
    if (number < 0 || number > UINT32_MAX)
        number = 0;
    dp_build_where(tmon->build, of, where, (uint32_t)number,
                   dp_line_field(&line, &kind) ? kind_named(kind) : DP_KIND_UNKNOWN);
}

/* N FILE */
static void site(struct dp_tmon *tmon, struct dp_line line)
{
    int64_t id = -1;

    if (dp_line_number(tmon, &line, &id) && id > 0 && line.at < line.end)
        dp_idmap_set(&tmon->sites, (uint64_t)id, text(tmon, line));
}

static void open_frames(struct dp_tmon *tmon, struct dp_line line)
{
    int64_t n = 0;

    if (dp_line_number(tmon, &line, &n) && n >= 0)
        dp_build_reenter(tmon->build, (uint64_t)n);
}

static void child(struct dp_tmon *tmon, struct dp_line line)
{
    struct dp_profile *prof = tmon->prof;
    struct dp_child new = {field_text(tmon, &line), DP_NONE};

    new.file = field_text(tmon, &line);
    if (new.file == DP_NONE)
        return;
    prof->children = dp_more(prof->children, prof->nchildren, sizeof *prof->children);
    prof->children[prof->nchildren++] = new;
}

static void label(struct dp_tmon *tmon, struct dp_line line)
{
    struct dp_profile *prof = tmon->prof;
    struct dp_label new = {{0, 0, 0}, DP_NONE};

    if (!dp_line_time(tmon, &line, &new.at))
        return;
    new.text = text(tmon, line);
    prof->labels = dp_more(prof->labels, prof->nlabels, sizeof *prof->labels);
    prof->labels[prof->nlabels++] = new;
}

static void stop(struct dp_tmon *tmon, struct dp_line line)
{
    struct dp_time at = tmon->build->now;

    if (dp_line_time(tmon, &line, &at))
        dp_build_stop(tmon->build, &at);
}

static void start(struct dp_tmon *tmon, struct dp_line line)
{
    struct dp_time at = tmon->build->now;

    if (dp_line_time(tmon, &line, &at))
        dp_build_start(tmon->build, &at);
}

/* Compact marks count from here. */
static void begin(struct dp_tmon *tmon, struct dp_line line)
{
    struct dp_time at = tmon->build->now;

    if (!tmon->build->began && dp_line_time(tmon, &line, &at))
        dp_build_tick(tmon->build, &at);
}

static void end(struct dp_tmon *tmon, struct dp_line line)
{
    struct dp_time at = tmon->build->now;
    int64_t first = 0, marks = -1;

    if (!dp_line_number(tmon, &line, &first))
        return;
    if (tmon->part == DP_PART_TREE && line.at == line.end) {
        dp_tmon_tree_end(tmon, first);
        return;
    }
    if (!dp_line_time(tmon, &line, &at))
        return;
    dp_line_number(tmon, &line, &marks);
    tmon->has_end = tmon->prof->ended = 1;
    tmon->end = at;
    tmon->stated_marks = marks;
}

static const struct {
    const char *word;
    void (*read)(struct dp_tmon *tmon, struct dp_line rest);
} words[] = {
    {DP_TMON_RUN, run},     {DP_TMON_CMD, cmd},    {DP_TMON_PERL, perl},
    {DP_TMON_HOST, host},   {DP_TMON_NOTE, note},  {DP_TMON_OVER, over},
    {DP_TMON_FILE, file},   {DP_TMON_SUB, sub},    {DP_TMON_OPEN, open_frames},
    {DP_TMON_CHILD, child}, {DP_TMON_MARK, label}, {DP_TMON_STOP, stop},
    {DP_TMON_START, start}, {DP_TMON_END, end},    {DP_TMON_BEGIN, begin},
    {DP_TMON_SITE, site},
};

void dp_tmon_meta(struct dp_tmon *tmon, struct dp_line line)
{
    struct dp_line word;

    line.at++;
    if (line.at == line.end || *line.at == ' ' || !dp_line_field(&line, &word))
        return;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (dp_line_is(word, words[i].word)) {
            words[i].read(tmon, line);
            return;
        }
}
