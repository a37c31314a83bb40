/*
 * What a profiled program printed, out of a captured console: the profile ("function  calls") and
 * the walkbacks of err(). doc/formats/z80.md section 4 has the texts.
 */
#ifndef DPROF_Z80_LISTING_H
#define DPROF_Z80_LISTING_H

#include <stddef.h>
#include <stdint.h>

/* A piece of the text. */
struct dp_z80_text {
    const char *at;
    size_t n;
};

struct dp_z80_row {
    struct dp_z80_text name;
    uint32_t count;
    int wrapped; /* 1: the runtime of this project marked it so */
    int cut;     /* 1: the text ends inside it: its count is not known */
};

/* One err(): its message, and the functions that were open, innermost first. */
struct dp_z80_back {
    struct dp_z80_text message;
    uint32_t first; /* index into names */
    uint32_t n;
};

struct dp_z80_listing {
    char *bytes; /* what the pieces are pieces of */
    struct dp_z80_row *rows;
    uint32_t nrows;
    uint32_t nprofiles; /* headings: one for each run in the text */
    struct dp_z80_back *backs;
    uint32_t nbacks;
    struct dp_z80_text *names;
    uint32_t nnames;
};

/* Reads it; NULL if there is neither a profile nor a walkback in it. Yours to free. */
struct dp_z80_listing *dp_z80_listing_new(const char *bytes, size_t n);
void dp_z80_listing_free(struct dp_z80_listing *listing);

#endif
