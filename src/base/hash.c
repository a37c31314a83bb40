#include "base/hash.h"

#include <string.h>

#include "base/mem.h"

#define FIRST_SLOTS 64

/* SipHash-1-3 (Aumasson and Bernstein): with a key that is not known, nobody can make names of
   which many fall together. Hashes that only multiply and shift can be cheated whatever their key.
 */
struct state {
    uint64_t a, b, c, d;
};

static uint64_t key[2];

void dp_hash_key(uint64_t first, uint64_t second)
{
    key[0] = first;
    key[1] = second;
}

static inline uint64_t turned(uint64_t x, int bits)
{
    return x << bits | x >> (64 - bits);
}

static inline void stir(struct state *s)
{
    s->a += s->b;
    s->b = turned(s->b, 13) ^ s->a;
    s->a = turned(s->a, 32);
    s->c += s->d;
    s->d = turned(s->d, 16) ^ s->c;
    s->a += s->d;
    s->d = turned(s->d, 21) ^ s->a;
    s->c += s->b;
    s->b = turned(s->b, 17) ^ s->c;
    s->c = turned(s->c, 32);
}

static inline struct state begin(void)
{
    struct state s = {key[0] ^ 0x736f6d6570736575u, key[1] ^ 0x646f72616e646f6du,
                      key[0] ^ 0x6c7967656e657261u, key[1] ^ 0x7465646279746573u};

    return s;
}

static inline void take(struct state *s, uint64_t word)
{
    s->d ^= word;
    stir(s);
    s->a ^= word;
}

static inline uint64_t end(struct state *s)
{
    s->c ^= 0xFF;
    stir(s);
    stir(s);
    stir(s);
    return s->a ^ s->b ^ s->c ^ s->d;
}

uint64_t dp_hash_bytes(const char *bytes, size_t n)
{
    struct state s = begin();
    uint64_t word, last = (uint64_t)n << 56;

    for (; n >= 8; bytes += 8, n -= 8) {
        memcpy(&word, bytes, 8);
        take(&s, word);
    }
    word = 0;
    memcpy(&word, bytes, n);
    take(&s, last | word);
    return end(&s);
}

uint64_t dp_hash_pair(uint32_t a, uint32_t b)
{
    struct state s = begin();

    take(&s, (uint64_t)a << 32 | b);
    return end(&s);
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
