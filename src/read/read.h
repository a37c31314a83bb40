/*
 * Reading: a table of formats. A reader takes bytes and feeds the builder; it never prints, and it
 * never fails for a profile that is only damaged: what can be used is used and noted.
 */
#ifndef DPROF_READ_READ_H
#define DPROF_READ_READ_H

#include <stddef.h>

#include "base/err.h"
#include "base/in.h"
#include "model/build.h"

enum dp_claim { DP_CLAIM_NO, DP_CLAIM_YES, DP_CLAIM_MORE };

struct dp_reader {
    const char *name;
    const char *about;
    /* Is it mine? MORE: cannot say before there are more bytes than these n. */
    enum dp_claim (*claims)(const char *bytes, size_t n);
    /* 0, or -1 if nothing is usable. */
    int (*read)(struct dp_in *in, struct dp_build *build, struct dp_err *err);
    /* For what has no first bytes of its own: asked when no reader has claimed and all n bytes are
       there. NULL: never. */
    int (*owns)(const char *bytes, size_t n);
};

extern const struct dp_reader *const dp_readers[]; /* ends with NULL */
const struct dp_reader *dp_reader_named(const char *name);

struct dp_read_options {
    const char *from;                   /* a reader's name, NULL: find out */
    const struct dp_hints *hints;       /* NULL: none */
    int stats;                          /* keep histograms */
    const struct dp_listener *listener; /* NULL: none. Its ctx may need the profile: see `begin` */
    /* Called with the still empty profile before the first mark, so that a listener can look names
       up in it while it is being read. May be NULL. */
    void (*begin)(void *ctx, struct dp_profile *prof);
    void *ctx;
    /* Likewise, for who looks at the profile while it is built (model/peek.h): the builder, and NULL
       before it goes. */
    void (*building)(void *ctx, struct dp_build *build);
    void *building_ctx;
};

/* Reads a profile: yours, or NULL with the error. options may be NULL. The caller sets
 * in->progress. */
struct dp_profile *dp_read(struct dp_in *in, const struct dp_read_options *options,
                           struct dp_err *err);

#endif
