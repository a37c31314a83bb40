/*
 * The strings of a profile: each distinct one is kept once and named by its index, so names compare
 * by index. Bytes are as the program had them and may hold NULs.
 */
#ifndef DPROF_MODEL_STRINGS_H
#define DPROF_MODEL_STRINGS_H

#include <stddef.h>
#include <stdint.h>

#include "base/hash.h"
#include "base/mem.h"

struct dp_strings {
    struct dp_arena arena;
    const char **bytes; /* NUL-terminated */
    uint32_t *length;
    uint32_t n;
    struct dp_hash by_bytes;
};

/* The index of these bytes, made if they are new. */
uint32_t dp_intern(struct dp_strings *strings, const char *bytes, size_t n);
uint32_t dp_intern_text(struct dp_strings *strings, const char *text);
/* The same without making it: DP_NONE if it is not there. */
uint32_t dp_find_string(const struct dp_strings *strings, const char *bytes, size_t n);
void dp_strings_free(struct dp_strings *strings);

#endif
