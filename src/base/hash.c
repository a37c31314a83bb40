#include "base/hash.h"

#include <string.h>

#include "base/mem.h"

#define FIRST_SLOTS 64
#define PRIME 0x9E3779B97F4A7C15u

static uint64_t mix(uint64_t x)
{
    x ^= x >> 32;
    x *= 0xD6E8FEB86659FD93u;
    x ^= x >> 29;
    x *= PRIME;
    return x ^ x >> 32;
}

uint64_t dp_hash_bytes(const char *bytes, size_t n)
{
    uint64_t hash = n * PRIME, word;

    for (; n >= 8; bytes += 8, n -= 8) {
        memcpy(&word, bytes, 8);
        hash = (hash ^ word) * PRIME;
        hash ^= hash >> 29;
    }
    word = 0;
    memcpy(&word, bytes, n);
    return mix(hash ^ word);
}

uint64_t dp_hash_pair(uint32_t a, uint32_t b)
{
    return mix(((uint64_t)a << 32 | b) + PRIME);
}

static void place(struct dp_slot *slots, uint32_t mask, struct dp_slot new)
{
    uint32_t at = new.hash &mask;

    while (slots[at].index != DP_HASH_FREE)
        at = (at + 1) & mask;
    slots[at] = new;
}

static void widen(struct dp_hash *table)
{
    size_t n = table->slots ? ((size_t)table->mask + 1) * 2 : FIRST_SLOTS;
    struct dp_slot *slots = dp_alloc_array(n, sizeof *slots);

    memset(slots, 0xFF, n * sizeof *slots);
    if (table->slots) {
        for (size_t i = 0; i <= table->mask; i++)
            if (table->slots[i].index != DP_HASH_FREE)
                place(slots, (uint32_t)(n - 1), table->slots[i]);
        dp_free(table->slots);
    }
    table->slots = slots;
    table->mask = (uint32_t)(n - 1);
}

void dp_hash_add(struct dp_hash *table, uint64_t hash, uint32_t index)
{
    struct dp_slot new = {(uint32_t)hash, index};

    if (!table->slots || table->used >= table->mask / 2 + table->mask / 4)
        widen(table);
    place(table->slots, table->mask, new);
    table->used++;
}

void dp_hash_free(struct dp_hash *table)
{
    dp_free(table->slots);
    memset(table, 0, sizeof *table);
}
