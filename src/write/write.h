/*
 * Writing: a table of reports (text for people) and formats (files for other tools). A writer
 * prints a profile that is ready to be shown: cleaned, renamed, grouped and cut to what was asked
 * by model/change.h. It never changes it and never fails in the middle.
 */
#ifndef DPROF_WRITE_WRITE_H
#define DPROF_WRITE_WRITE_H

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/out.h"
#include "model/profile.h"
#include "model/sums.h"

enum dp_clock { DP_CLOCK_CPU, DP_CLOCK_USER, DP_CLOCK_SYSTEM, DP_CLOCK_REAL, DP_NCLOCKS };
extern const char *const dp_clock_names[DP_NCLOCKS];  /* the words of --cpu --user ... */
extern const char *const dp_clock_labels[DP_NCLOCKS]; /* as the head of a report has them */

enum dp_sort {
    DP_SORT_TIME, /* exclusive, or inclusive with -I */
    DP_SORT_EXCLUSIVE,
    DP_SORT_INCLUSIVE,
    DP_SORT_CALLS,
    DP_SORT_AVERAGE, /* of the time that DP_SORT_TIME would take */
    DP_SORT_AVERAGE_INCLUSIVE,
    DP_SORT_NAME,
    DP_SORT_FIRST, /* order of first appearance */
    DP_NSORTS
};
extern const char *const dp_sort_names[DP_NSORTS];

/* Lines of a source file that go into a page: whoever asked for it read them. */
struct dp_excerpt {
    const char *file; /* as the profile names it */
    size_t nfile;
    const char *text;
    size_t ntext;
    uint32_t line; /* of the first one */
    int changed;   /* 1: the file is not what it was when it was recorded */
};

/* Nobody said how many rows: all, or as many as the writer finds right. */
#define DP_ROWS_UNSAID INT32_MIN

/* How it is to be shown. */
struct dp_view {
    enum dp_clock clock;
    enum dp_sort sort;
    int inclusive;
    int reverse;
    int64_t rows;              /* negative: all, or DP_ROWS_UNSAID */
    int header;                /* 0: rows only */
    uint32_t page;             /* lines between form feeds, 0: none */
    uint32_t width;            /* columns to fit names into, 0: any */
    int colour;                /* 1: for a terminal that shows colours (colour.h) */
    int64_t elapsed;           /* real ticks of the whole run, where the profile is a part of it */
    double age;                /* seconds since the run began if it still runs, else 0: walkback */
    int within;                /* 1: a part of the run (-g): shares are of its inclusive time */
    const unsigned char *hide; /* per sub, nonzero: has no row; NULL: none */
    const unsigned char *of;   /* per sub, nonzero: what callers and callees are about; NULL: all */
    const unsigned char *groups; /* per sub, nonzero: a group of -G; NULL: none */
    const char *title; /* what a page is of, where the profile itself does not say; NULL: not told */
    const struct dp_excerpt *excerpts; /* those of a file together, in order of their lines */
    uint32_t nexcerpts;
};

/* One of the profiles of a report, for writers that keep processes and threads apart. */
struct dp_part {
    const struct dp_profile *prof;
    const struct dp_track *track; /* of job->timeline; NULL: its calls have no order */
};

/* What a writer gets. */
struct dp_tail;      /* write/tail.h */
struct dp_durations; /* write/durations.h */
struct dp_timeline;  /* write/timeline.h */
struct dp_lane;      /* write/lane.h */
struct dp_job {
    const struct dp_profile *prof;
    const struct dp_sums *sums; /* of prof */
    const struct dp_view *view;
    struct dp_out *out;
    const struct dp_tail *tail;           /* NULL unless it needs them */
    const struct dp_durations *durations; /* likewise */
    const struct dp_timeline *timeline;   /* likewise */
    const struct dp_part *parts;          /* of DP_NEEDS_APART: all profiles, prof is the first */
    uint32_t nparts;                      /* 0: there is prof alone */
    struct dp_lane *lane;                 /* likewise */
};

enum dp_writes { DP_WRITES_REPORT, DP_WRITES_FORMAT };

enum dp_needs {
    DP_NEEDS_NOTHING = 0,
    DP_NEEDS_ORDER =
        1, /* single calls in their order: printed while the profile is read (tree.h) */
    DP_NEEDS_DURATIONS = 2, /* how long each call took (durations.h) */
    DP_NEEDS_PLAIN = 4,     /* the profile as it was read: no changes, no overhead taken off */
    DP_NEEDS_TAIL = 8,      /* the last marks (tail.h) */
    DP_NEEDS_FILES = 16,    /* nothing but file frames */
    DP_NEEDS_TIMELINE = 32, /* what happened when (timeline.h) */
    DP_NEEDS_APART = 64,    /* several profiles are not added up */
    DP_NEEDS_LANE = 128,    /* calls in their order, cut down (lane.h) */
    DP_NEEDS_SOURCE = 256,  /* the text of subs (view->excerpts) */
    DP_KNOWS_BASE = 512,    /* shows both sides of a comparison (model/compare.h) */
    DP_KNOWS_HIDE = 1024    /* has rows of subs, which view->hide can leave out */
};

struct dp_writer {
    const char *name;
    const char *about;
    const char *ending; /* of the files it makes, "" if it has none */
    enum dp_writes writes;
    int needs;
    /* 0; or -1: what it found is a failure (a check that did not pass): exit status 1. */
    int (*write)(const struct dp_job *job, struct dp_err *err);
};

extern const struct dp_writer *const dp_writers[]; /* ends with NULL */
const struct dp_writer *dp_writer_named(const char *name);

#endif
