#include "write/tmon_parts.h"

#include <inttypes.h>
#include <string.h>

#include "base/escape.h"
#include "base/tmon_tags.h"
#include "model/notes.h"

#define LAYOUT "DProf 20261129" /* of the layout that is written */

void dp_put_tmon_string(struct dp_out *out, const struct dp_profile *prof, uint32_t string)
{
    size_t n;
    const char *bytes = dp_string(prof, string, &n);

    if (n)
        dp_put_tmon(out, bytes, n);
    else
        dp_putc(out, '-');
}

void dp_put_tmon_time(struct dp_out *out, const struct dp_time *time)
{
    dp_putf(out, "%" PRId64 " %" PRId64 " %" PRId64, time->user, time->sys, time->real);
}

void dp_put_tmon_header(struct dp_out *out, const struct dp_profile *prof,
                        const struct dp_time *total)
{
    dp_putf(out,
            DP_TMON_MAGIC "\n$hz=%" PRIu64 ";\n$XS_VERSION='" LAYOUT
                          "';\n# All values are given in HZ\n",
            prof->hz);
    dp_putf(out,
            "$rrun_utime=%" PRId64 "; $rrun_stime=%" PRId64 "; $rrun_rtime=%" PRId64
            "\n" DP_TMON_PART2 "\n",
            total->user, total->sys, total->real);
}

void dp_put_tmon_run(struct dp_out *out, const struct dp_profile *prof)
{
    const struct dp_run *run = &prof->run;
    const struct {
        const char *key;
        uint32_t string;
    } words[] = {{"id", run->id},   {"pid", run->pid}, {"parent", run->parent},
                 {"tid", run->tid}, {"cpu", run->cpu}, {"started", run->started}};
    const struct {
        const char *key;
        uint32_t string;
    } lines[] = {{DP_TMON_CMD, run->cmd}, {DP_TMON_PERL, run->perl}, {DP_TMON_HOST, run->host}};

    dp_puts(out, "#" DP_TMON_RUN);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (words[i].string != DP_NONE) {
            dp_putf(out, " %s=", words[i].key);
            dp_put_tmon_string(out, prof, words[i].string);
        }
    dp_puts(out, run->forked ? " forked\n" : "\n");
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        if (lines[i].string != DP_NONE) {
            dp_putf(out, "#%s ", lines[i].key);
            dp_put_tmon_string(out, prof, lines[i].string);
            dp_putc(out, '\n');
        }
}

/* Who reads the marks will find it himself. */
static int is_in_marks(const struct dp_profile *prof, enum dp_note_code code)
{
    return code == DP_NOTE_BACKWARDS || code == DP_NOTE_IMPOSSIBLE ||
           (code == DP_NOTE_OPEN_FRAMES && !prof->ended);
}

void dp_put_tmon_notes(struct dp_out *out, const struct dp_profile *prof, int with_marks)
{
    for (uint32_t i = 0; i < prof->nnotes; i++) {
        const struct dp_note *note = &prof->notes[i];
        const char *text = note->text;

        if (note->code == DP_NOTE_UNFINISHED) /* it is not: no end is written either */
            continue;
        if (with_marks && is_in_marks(prof, note->code))
            continue;
        dp_puts(out, "#" DP_TMON_NOTE " ");
        dp_put_tmon(out, text, strlen(text));
        dp_putc(out, '\n');
    }
}

/* A calibration would be taken off a second time, if it was already. */
void dp_put_tmon_overs(struct dp_out *out, const struct dp_profile *prof)
{
    for (uint32_t i = 0; i < prof->novers && !prof->cleaned; i++) {
        const struct dp_over *over = &prof->overs[i];

        if (!over->calls)
            continue;
        dp_puts(out, "#" DP_TMON_OVER " ");
        dp_put_tmon_time(out, &over->cost);
        dp_putf(out, " %" PRIu64, over->calls);
        if (over->kind != DP_KIND_UNKNOWN)
            dp_putf(out, " %s", dp_kind_names[over->kind]);
        dp_putc(out, '\n');
    }
}

void dp_put_tmon_lists(struct dp_out *out, const struct dp_profile *prof)
{
    for (uint32_t i = 0; i < prof->nfiles; i++) {
        dp_puts(out, "#" DP_TMON_FILE " ");
        dp_put_tmon_string(out, prof, prof->files[i].path);
        dp_putf(out, " %" PRIu64 " %" PRId64 "\n", prof->files[i].bytes, prof->files[i].mtime);
    }
    for (uint32_t i = 0; i < prof->nchildren; i++) {
        dp_puts(out, "#" DP_TMON_CHILD " ");
        dp_put_tmon_string(out, prof, prof->children[i].id);
        dp_putc(out, ' ');
        dp_put_tmon_string(out, prof, prof->children[i].file);
        dp_putc(out, '\n');
    }
    for (uint32_t i = 0; i < prof->nlabels; i++) {
        dp_puts(out, "#" DP_TMON_MARK " ");
        dp_put_tmon_time(out, &prof->labels[i].at);
        dp_putc(out, ' ');
        dp_put_tmon_string(out, prof, prof->labels[i].text);
        dp_putc(out, '\n');
    }
}

void dp_put_tmon_sub(struct dp_out *out, const struct dp_profile *prof, const struct dp_sub *sub,
                     uint32_t name)
{
    dp_puts(out, "#" DP_TMON_SUB " ");
    dp_put_tmon_string(out, prof, name);
    dp_putc(out, ' ');
    dp_put_tmon_string(out, prof, sub->file);
    dp_putf(out, " %" PRIu32, sub->line);
    if (sub->kind != DP_KIND_UNKNOWN)
        dp_putf(out, " %s", dp_kind_names[sub->kind]);
    dp_putc(out, '\n');
}
