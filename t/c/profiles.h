/*
 * For unit tests: profiles out of text, and profiles as text. Every profile is read twice, as bytes
 * that are all there and one byte at a time, and must come out the same and whole.
 */
#ifndef DPROF_T_PROFILES_H
#define DPROF_T_PROFILES_H

#include <stdlib.h>

#include "base/escape.h"
#include "base/out.h"
#include "model/check.h"
#include "model/notes.h"
#include "read/read.h"
#include "tap.h"

#define HEADER "#fOrTyTwO\n$hz=1000;\n$XS_VERSION='DProf 20261129';\nPART2\n"

struct text {
    char *bytes;
    size_t n;
};

static inline int add_text(void *ctx, const char *bytes, size_t n)
{
    struct text *text = ctx;

    text->bytes = realloc(text->bytes, text->n + n + 1);
    memcpy(text->bytes + text->n, bytes, n);
    text->n += n;
    text->bytes[text->n] = '\0';
    return 0;
}

static inline void dump_time(struct dp_out *out, const struct dp_time *time)
{
    dp_putf(out, "%lld %lld %lld", (long long)time->user, (long long)time->sys,
            (long long)time->real);
}

static inline void dump_node(struct dp_out *out, const struct dp_profile *prof, uint32_t node)
{
    const struct dp_node *of = &prof->nodes[node];
    size_t n = 0;
    const char *name = node ? dp_string(prof, prof->subs[of->sub].name, &n) : "";

    for (uint32_t up = node; up && prof->nodes[up].parent; up = prof->nodes[up].parent)
        dp_putc(out, ' ');
    if (node)
        dp_put_name(out, name, n);
    else
        dp_puts(out, "(root)");
    dp_putf(out, " x%llu ", (unsigned long long)of->calls);
    dump_time(out, &of->self);
    dp_putc(out, '\n');
}

/* Free it. */
static inline char *dump(const struct dp_profile *prof)
{
    struct text text = {calloc(1, 1), 0};
    struct dp_out *out = malloc(sizeof *out);

    dp_out_init(out, add_text, &text);
    for (uint32_t node = 0; node != DP_NONE; node = dp_next_node(prof, node, 0))
        dump_node(out, prof, node);
    for (uint32_t i = 0; i < prof->ncallsites; i++) {
        const struct dp_callsite *site = &prof->callsites[i];

        dp_putf(out, "from %s:%lu x%llu ", dp_string(prof, site->file, NULL),
                (unsigned long)site->line, (unsigned long long)site->calls);
        dump_time(out, &site->incl);
        dp_puts(out, " of ");
        dump_node(out, prof, site->node);
    }
    for (uint32_t i = 0; i < prof->nopen; i++) {
        dp_puts(out, "open since ");
        dump_time(out, &prof->open[i].since);
        dp_puts(out, " ");
        dump_node(out, prof, prof->open[i].node);
    }
    for (uint32_t i = 0; i < prof->nnotes; i++)
        dp_putf(out, "note %s line %llu x%llu\n", dp_note_names[prof->notes[i].code],
                (unsigned long long)prof->notes[i].line, (unsigned long long)prof->notes[i].count);
    dp_flush(out);
    free(out);
    return text.bytes;
}

static inline ptrdiff_t one_byte(void *ctx, char *to, size_t room)
{
    struct text *left = ctx;

    if (left->n == 0 || room == 0)
        return 0;
    *to = *left->bytes++;
    left->n--;
    return 1;
}

static inline struct dp_profile *
read_bytes(const char *bytes, size_t n, const struct dp_read_options *options, struct dp_err *err)
{
    struct dp_in in;
    struct dp_profile *prof;
    /* of its own, so that ASan sees every byte read beyond it */
    char *exact = malloc(n ? n : 1);

    memcpy(exact, bytes, n);
    dp_in_bytes(&in, exact, n);
    prof = dp_read(&in, options, err);
    dp_in_free(&in);
    free(exact);
    return prof;
}

static inline struct dp_profile *read_slowly(const char *bytes, size_t n, struct dp_err *err)
{
    struct text left = {(char *)(size_t)bytes, n};
    struct dp_in in;
    struct dp_profile *prof;

    dp_in_source(&in, one_byte, &left);
    prof = dp_read(&in, NULL, err);
    dp_in_free(&in);
    return prof;
}

/* The profile of these bytes, checked; NULL if it cannot be read. */
static inline struct dp_profile *profile_of(const char *bytes, size_t n)
{
    struct dp_err err = {0, 0, ""}, slow_err = {0, 0, ""};
    struct dp_profile *prof = read_bytes(bytes, n, NULL, &err);
    struct dp_profile *slow = read_slowly(bytes, n, &slow_err);

    if (!prof || !slow) {
        if (prof || slow || strcmp(err.text, slow_err.text) != 0)
            ok(0, "the same failure from bytes and from a pipe: %s, %s", err.text, slow_err.text);
        dp_profile_free(prof);
        dp_profile_free(slow);
        return NULL;
    }
    if (dp_profile_check(prof, &err) < 0 || dp_profile_check(slow, &err) < 0)
        ok(0, "the profile is whole: %s", err.text);
    else {
        char *fast_text = dump(prof), *slow_text = dump(slow);

        if (strcmp(fast_text, slow_text) != 0)
            is_text(slow_text, fast_text, "the same from bytes and from a pipe");
        free(fast_text);
        free(slow_text);
    }
    dp_profile_free(slow);
    return prof;
}

static inline void reads_bytes_as(const char *bytes, size_t n, const char *wanted, const char *name)
{
    struct dp_profile *prof = profile_of(bytes, n);
    char *found;

    if (!prof) {
        ok(0, "%s: cannot be read", name);
        return;
    }
    found = dump(prof);
    is_text(found, wanted, name);
    free(found);
    dp_profile_free(prof);
}

static inline void reads_as(const char *text, const char *wanted, const char *name)
{
    reads_bytes_as(text, strlen(text), wanted, name);
}

#endif
