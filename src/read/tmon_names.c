/* Names as the file spells them, and ids. */
#include "read/tmon.h"

#include <stdio.h>
#include <string.h>

#include "base/escape.h"

#define SMALL_IDS (1u << 22)

/* --- ids -------------------------------------------------------------------------------------- */

struct sought {
    const struct dp_idmap *map;
    uint64_t id;
};

static int same_id(const void *ctx, uint32_t i)
{
    const struct sought *want = ctx;

    return want->map->ids[i].id == want->id;
}

static uint64_t hash_id(uint64_t id)
{
    return dp_hash_pair((uint32_t)(id >> 32), (uint32_t)id);
}

static uint32_t find_large(const struct dp_idmap *map, uint64_t id)
{
    const struct sought want = {map, id};

    return dp_hash_find(&map->large, hash_id(id), same_id, &want);
}

uint32_t dp_idmap_find(const struct dp_idmap *map, uint64_t id)
{
    uint32_t i;

    if (id < SMALL_IDS)
        return id < map->nsmall ? map->small[id] : DP_NONE;
    i = find_large(map, id);
    return i == DP_NONE ? DP_NONE : map->ids[i].index;
}

static void set_large(struct dp_idmap *map, uint64_t id, uint32_t index)
{
    uint32_t i = find_large(map, id);

    if (i == DP_NONE) {
        i = map->nids++;
        map->ids = dp_more(map->ids, i, sizeof *map->ids);
        map->ids[i].id = id;
        dp_hash_add(&map->large, hash_id(id), i);
    }
    map->ids[i].index = index;
}

void dp_idmap_set(struct dp_idmap *map, uint64_t id, uint32_t index)
{
    if (id >= SMALL_IDS) {
        set_large(map, id, index);
        return;
    }
    if (id >= map->nsmall) {
        uint32_t n = map->nsmall ? map->nsmall : 64;

        while (n <= id)
            n *= 2;
        map->small = dp_grow(map->small, n * sizeof *map->small);
        memset(map->small + map->nsmall, 0xFF, (n - map->nsmall) * sizeof *map->small);
        map->nsmall = n;
    }
    map->small[id] = index;
}

void dp_idmap_free(struct dp_idmap *map)
{
    dp_free(map->small);
    dp_free(map->ids);
    dp_hash_free(&map->large);
    memset(map, 0, sizeof *map);
}

/* --- names ------------------------------------------------------------------------------------ */

static char *room(struct dp_scratch *scratch, size_t n)
{
    if (scratch->room < n) {
        scratch->bytes = dp_grow(scratch->bytes, n);
        scratch->room = n;
    }
    return scratch->bytes;
}

static struct dp_written *written(struct dp_tmon *tmon, uint32_t sub)
{
    const struct dp_written nothing = {NULL, 1, 0, 0, UINT32_MAX}; /* longer than any line */

    for (; tmon->nwritten <= sub; tmon->nwritten++) {
        tmon->written = dp_more(tmon->written, tmon->nwritten, sizeof *tmon->written);
        tmon->written[tmon->nwritten] = nothing;
    }
    return &tmon->written[sub];
}

uint32_t dp_tmon_text(struct dp_tmon *tmon, const char *bytes, size_t n)
{
    char *plain = room(&tmon->plain, n + 1);

    return dp_intern(tmon->prof->strings, plain, dp_unescape(plain, bytes, n));
}

struct spelled {
    const struct dp_spelling *spellings;
    const char *bytes;
    size_t n;
};

static int same_spelling(const void *ctx, uint32_t i)
{
    const struct spelled *want = ctx;

    return want->spellings[i].n == want->n &&
           memcmp(want->spellings[i].bytes, want->bytes, want->n) == 0;
}

static uint32_t new_spelling(struct dp_tmon *tmon, const char *bytes, size_t n)
{
    struct dp_spelling *new;
    struct dp_written *as;
    char *copy = dp_arena_alloc(&tmon->arena, n + 32);
    char *plain = room(&tmon->plain, n + 1);

    memcpy(copy, bytes, n);
    memset(copy + n, 0, 32);
    tmon->spellings = dp_more(tmon->spellings, tmon->nspellings, sizeof *tmon->spellings);
    new = &tmon->spellings[tmon->nspellings++];
    new->bytes = copy;
    new->n = (uint32_t)n;
    new->sub = dp_build_sub(tmon->build, plain, dp_unescape(plain, bytes, n));
    as = written(tmon, new->sub);
    if (!as->name) {
        as->name = copy;
        as->n = new->n;
    }
    return new->sub;
}

uint32_t dp_tmon_sub(struct dp_tmon *tmon, const char *bytes, size_t n)
{
    const struct spelled want = {tmon->spellings, bytes, n};
    uint64_t hash = dp_hash_bytes(bytes, n);
    uint32_t i = dp_hash_find(&tmon->by_spelling, hash, same_spelling, &want);

    if (i != DP_HASH_FREE)
        return tmon->spellings[i].sub;
    dp_hash_add(&tmon->by_spelling, hash, tmon->nspellings);
    return new_spelling(tmon, bytes, n);
}

/* "ID\n" as eight bytes to compare with, if it fits. */
static void write_id(struct dp_written *as, uint64_t id)
{
    static const char digits[] = "0123456789abcdef";
    uint64_t text = '\n', mask = 0xFF;

    as->mask = 0;
    as->id_n = 1;
    if (id > 0xFFFFFFF)
        return;
    do {
        text = text << 8 | (unsigned char)digits[id & 15];
        mask = mask << 8 | 0xFF;
        as->id_n++;
    } while (id >>= 4);
    as->id = text;
    as->mask = mask;
}

/* The original gives every anonymous sub and every block an id of its own and the same name. */
static int is_shared(const char *name, size_t n)
{
    static const char *const shared[] = {"__ANON__", "BEGIN", "UNITCHECK", "CHECK", "INIT", "END"};

    for (size_t i = 0; i < sizeof shared / sizeof *shared; i++)
        if (strlen(shared[i]) == n && memcmp(name, shared[i], n) == 0)
            return 1;
    return 0;
}

void dp_tmon_written_as(struct dp_tmon *tmon, uint32_t sub, uint64_t id)
{
    write_id(written(tmon, sub), id);
}

void dp_tmon_define(struct dp_tmon *tmon, uint64_t id, struct dp_line pkg, struct dp_line name)
{
    size_t npkg = (size_t)(pkg.end - pkg.at), nname = (size_t)(name.end - name.at);
    uint32_t before = dp_idmap_find(&tmon->ids, id), sub;
    char *full = room(&tmon->joined, npkg + nname + 2 + 20);
    size_t n = npkg + 2 + nname;

    if (npkg == 1 && *pkg.at == '-') { /* a name without a package: a file, an eval */
        n = nname;
        memcpy(full, name.at, nname);
    } else {
        memcpy(full, pkg.at, npkg);
        memcpy(full + npkg, "::", 2);
        memcpy(full + npkg + 2, name.at, nname);
    }
    if (is_shared(name.at, nname))
        n += (size_t)snprintf(full + n, 20, "(%llx)", (unsigned long long)id);
    sub = dp_tmon_sub(tmon, full, n);
    if (before != DP_NONE && before != sub)
        written(tmon, before)->mask = 0;
    dp_idmap_set(&tmon->ids, id, sub);
    dp_tmon_written_as(tmon, sub, id);
}

uint32_t dp_tmon_sub_of_id(struct dp_tmon *tmon, uint64_t id)
{
    uint32_t sub = dp_idmap_find(&tmon->ids, id);
    char name[40];

    if (sub != DP_NONE)
        return sub;
    if (tmon->piece)
        return dp_tmon_foreign_id(tmon, id);
    dp_note(tmon->prof, DP_NOTE_UNKNOWN_ID, tmon->build->line,
            "id %llx was not introduced; named so", (unsigned long long)id);
    snprintf(name, sizeof name, "(unknown id %llx)", (unsigned long long)id);
    sub = dp_tmon_sub(tmon, name, strlen(name));
    dp_idmap_set(&tmon->ids, id, sub);
    return sub;
}

void dp_tmon_names_free(struct dp_tmon *tmon)
{
    dp_arena_free(&tmon->arena);
    dp_free(tmon->spellings);
    dp_hash_free(&tmon->by_spelling);
    dp_idmap_free(&tmon->ids);
    dp_idmap_free(&tmon->sites);
    dp_free(tmon->written);
    dp_free(tmon->foreign);
    dp_free(tmon->calls);
    dp_free(tmon->plain.bytes);
    dp_free(tmon->joined.bytes);
}
