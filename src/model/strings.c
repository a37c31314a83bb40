#include "model/strings.h"

#include <string.h>

#include "model/profile.h"

struct wanted {
    const struct dp_strings *strings;
    const char *bytes;
    size_t n;
};

static int same(const void *ctx, uint32_t index)
{
    const struct wanted *want = ctx;

    return want->strings->length[index] == want->n &&
           memcmp(want->strings->bytes[index], want->bytes, want->n) == 0;
}

uint32_t dp_find_string(const struct dp_strings *strings, const char *bytes, size_t n)
{
    const struct wanted want = {strings, bytes, n};

    return dp_hash_find(&strings->by_bytes, dp_hash_bytes(bytes, n), same, &want);
}

uint32_t dp_intern(struct dp_strings *strings, const char *bytes, size_t n)
{
    const struct wanted want = {strings, bytes, n};
    uint64_t hash = dp_hash_bytes(bytes, n);
    uint32_t index = dp_hash_find(&strings->by_bytes, hash, same, &want);

    if (index != DP_NONE)
        return index;
    index = strings->n;
    strings->bytes = dp_more((void *)strings->bytes, index, sizeof *strings->bytes);
    strings->length = dp_more(strings->length, index, sizeof *strings->length);
    strings->bytes[index] = dp_arena_copy(&strings->arena, bytes, n);
    strings->length[index] = (uint32_t)n;
    strings->n++;
    dp_hash_add(&strings->by_bytes, hash, index);
    return index;
}

uint32_t dp_intern_text(struct dp_strings *strings, const char *text)
{
    return dp_intern(strings, text, strlen(text));
}

void dp_strings_free(struct dp_strings *strings)
{
    dp_arena_free(&strings->arena);
    dp_free((void *)strings->bytes);
    dp_free(strings->length);
    dp_hash_free(&strings->by_bytes);
    memset(strings, 0, sizeof *strings);
}
