#include "model/notes.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/mem.h"

const char *const dp_note_names[DP_NNOTES] = {
    "recorder",   "unfinished", "open-frames", "cut-line", "header",     "stopped",
    "coarse",     "inside",     "guessed",     "full",     "source",   "jumps",    "doubt",    "place",    "bank",    "no-entry",   "mismatch",
    "backwards",  "impossible", "unknown-id",  "bad-line", "bad-tree",   "cut-tree",
    "read-error", "no-hz",      "missing",    "hz",          "chain",    "counter",    "wrapped",
    "frames",     "partial",    "bad-sum",
};

static struct dp_note *find(const struct dp_profile *prof, enum dp_note_code code)
{
    for (uint32_t i = 0; i < prof->nnotes; i++)
        if (prof->notes[i].code == (uint32_t)code)
            return &prof->notes[i];
    return NULL;
}

const struct dp_note *dp_find_note(const struct dp_profile *prof, enum dp_note_code code)
{
    return find(prof, code);
}

/* What the recorder says is different each time, so each of its notes is kept, up to a limit. */
#define RECORDER_NOTES 32

static struct dp_note *note_for(struct dp_profile *prof, enum dp_note_code code)
{
    struct dp_note *note = find(prof, code);

    if (note && (code != DP_NOTE_RECORDER || prof->nnotes >= RECORDER_NOTES))
        return note;
    prof->notes = dp_more(prof->notes, prof->nnotes, sizeof *prof->notes);
    note = &prof->notes[prof->nnotes++];
    memset(note, 0, sizeof *note);
    note->code = (uint32_t)code;
    return note;
}

void dp_note(struct dp_profile *prof, enum dp_note_code code, uint64_t line, const char *format,
             ...)
{
    struct dp_note *note = note_for(prof, code);
    va_list args;

    if (code >= DP_NOTE_LOSS)
        prof->lost = 1;
    if (note->count++)
        return;
    note->line = line;
    va_start(args, format);
    vsnprintf(note->text, sizeof note->text, format, args);
    va_end(args);
}
