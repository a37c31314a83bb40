/*
 * Hashing: bytes and pairs of indices, and a table from hashes to indices that knows nothing of
 * what the indices mean.
 */
#ifndef DPROF_BASE_HASH_H
#define DPROF_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

/* From here on hashes depend on that key: before anything is hashed, once. Without it they are the
   same in every run, as tests want them. */
void dp_hash_key(uint64_t first, uint64_t second);

uint64_t dp_hash_bytes(const char *bytes, size_t n);
/* Mixes two 32-bit keys so that neighbours land far apart. */
uint64_t dp_hash_pair(uint32_t a, uint32_t b);

/* Open addressing, linear probing; holds each index beside 32 bits of its hash. Starts as zeros. */
struct dp_slot {
    uint32_t hash;
    uint32_t index; /* DP_HASH_FREE: empty */
};
struct dp_hash {
    struct dp_slot *slots;
    uint32_t mask; /* slots - 1, 0 while there are none */
    uint32_t used;
};
#define DP_HASH_FREE UINT32_MAX

/* Adds an index that is not there yet. */
void dp_hash_add(struct dp_hash *table, uint64_t hash, uint32_t index);
void dp_hash_free(struct dp_hash *table);

/* Looks `hash` up: calls same(ctx, index) for candidates. Returns the index or DP_HASH_FREE. Here,
   so that `same` is a few instructions in the loop and no call. */
static inline uint32_t dp_hash_find(const struct dp_hash *table, uint64_t hash,
                                    int (*same)(const void *ctx, uint32_t index), const void *ctx)
{
    uint32_t want = (uint32_t)hash;
    uint32_t at = want & table->mask;

    if (!table->slots)
        return DP_HASH_FREE;
    for (;; at = (at + 1) & table->mask) {
        const struct dp_slot *slot = &table->slots[at];

        if (slot->index == DP_HASH_FREE)
            return DP_HASH_FREE;
        if (slot->hash == want && same(ctx, slot->index))
            return slot->index;
    }
}

#endif
