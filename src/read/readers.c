#include "read/read.h"

#include <string.h>

extern const struct dp_reader dp_read_tmon;
extern const struct dp_reader dp_read_pmon;
extern const struct dp_reader dp_read_z80;
extern const struct dp_reader dp_read_folded;

const struct dp_reader *const dp_readers[] = {
    &dp_read_tmon,
    &dp_read_pmon,
    &dp_read_z80,
    &dp_read_folded,
    NULL,
};

const struct dp_reader *dp_reader_named(const char *name)
{
    for (size_t i = 0; dp_readers[i]; i++)
        if (strcmp(dp_readers[i]->name, name) == 0)
            return dp_readers[i];
    return NULL;
}

/* Whose is it? The window grows until every reader knows. */
static const struct dp_reader *detect(struct dp_in *in)
{
    int more;

    do {
        more = 0;
        for (size_t i = 0; dp_readers[i]; i++) {
            enum dp_claim claim = dp_readers[i]->claims(in->at, (size_t)(in->end - in->at));

            if (claim == DP_CLAIM_YES)
                return dp_readers[i];
            more |= claim == DP_CLAIM_MORE;
        }
    } while (more && dp_in_more(in));
    for (size_t i = 0; more && dp_readers[i]; i++)
        if (dp_readers[i]->owns && dp_readers[i]->owns(in->at, (size_t)(in->end - in->at)))
            return dp_readers[i];
    return NULL;
}

static const struct dp_reader *choose(struct dp_in *in, const struct dp_read_options *options,
                                      struct dp_err *err)
{
    const struct dp_reader *reader;

    if (options->from) {
        reader = dp_reader_named(options->from);
        if (!reader)
            dp_fail(err, "no reader is named %.40s", options->from);
        return reader;
    }
    reader = detect(in);
    if (!reader && in->failed)
        dp_fail(err, "the input cannot be read");
    else if (!reader && in->at == in->end)
        dp_fail(err, "the file is empty");
    else if (!reader)
        dp_fail(err, "no profile: expected a first line of #fOrTyTwO (tmon.out)");
    return reader;
}

struct dp_profile *dp_read(struct dp_in *in, const struct dp_read_options *options,
                           struct dp_err *err)
{
    static const struct dp_read_options defaults = {.from = NULL};
    const struct dp_reader *reader;
    struct dp_profile *prof;
    struct dp_build *build;
    int status;

    if (!options)
        options = &defaults;
    if (!(reader = choose(in, options, err)))
        return NULL;
    prof = dp_profile_new();
    build = dp_build_new(prof);
    build->hints = options->hints;
    if (options->stats)
        dp_build_stats(build);
    if (options->listener)
        dp_build_listen(build, options->listener);
    if (options->begin)
        options->begin(options->ctx, prof);
    if (options->building)
        options->building(options->building_ctx, build);
    status = reader->read(in, build, err);
    if (in->stopped)
        dp_note(prof, DP_NOTE_STOPPED, 0, "stopped before the end of the input");
    if (in->failed)
        dp_note(prof, DP_NOTE_READ_ERROR, 0, "the input broke off with an error");
    if (options->building)
        options->building(options->building_ctx, NULL);
    dp_build_free(build);
    if (status == 0)
        return prof;
    dp_profile_free(prof);
    return NULL;
}
