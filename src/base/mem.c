#include "base/mem.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define CHUNK_BYTES 65536
#define ALIGN 16

/* A piece of an arena; its bytes follow it. */
struct dp_chunk {
    struct dp_chunk *next;
    size_t bytes; /* keeps what follows aligned to 16 */
};

void (*dp_no_memory)(void);

static void *check(void *block)
{
    if (block)
        return block;
    if (dp_no_memory)
        dp_no_memory();
    abort();
}

void *dp_alloc(size_t bytes)
{
    return check(calloc(1, bytes ? bytes : 1));
}

void *dp_alloc_array(size_t n, size_t each)
{
    return check(calloc(n ? n : 1, each ? each : 1));
}

void *dp_grow(void *old, size_t bytes)
{
    return check(realloc(old, bytes ? bytes : 1));
}

void dp_free(void *block)
{
    free(block);
}

void *dp_more(void *array, size_t n, size_t each)
{
    if (n == 0)
        return dp_grow(array, 8 * each);
    if (n < 8 || (n & (n - 1)))
        return array;
    if (n > SIZE_MAX / 2 / each)
        return check(NULL);
    return dp_grow(array, 2 * n * each);
}

static void *chunk(struct dp_arena *arena, size_t bytes)
{
    size_t room = bytes > CHUNK_BYTES / 4 ? bytes : CHUNK_BYTES;
    struct dp_chunk *new;

    if (room > SIZE_MAX - sizeof *new)
        check(NULL);
    new = check(malloc(sizeof *new + room));
    new->bytes = room;
    new->next = arena->chunks;
    arena->chunks = new;
    if (room == CHUNK_BYTES) {
        arena->at = (char *)(new + 1) + bytes;
        arena->end = (char *)(new + 1) + room;
    }
    return new + 1;
}

static void *take(struct dp_arena *arena, size_t bytes)
{
    char *block = arena->at;

    if (!block || bytes > (size_t)(arena->end - block))
        return chunk(arena, bytes);
    arena->at += bytes;
    return block;
}

void *dp_arena_alloc(struct dp_arena *arena, size_t bytes)
{
    size_t skip = arena->at ? (size_t)(-(uintptr_t)arena->at & (ALIGN - 1)) : 0;

    if (arena->at && skip <= (size_t)(arena->end - arena->at))
        arena->at += skip;
    else
        arena->at = arena->end = NULL;
    return take(arena, bytes);
}

char *dp_arena_copy(struct dp_arena *arena, const char *bytes, size_t n)
{
    char *copy = take(arena, n + 1);

    if (n)
        memcpy(copy, bytes, n);
    copy[n] = '\0';
    return copy;
}

void dp_arena_free(struct dp_arena *arena)
{
    struct dp_chunk *next;

    for (struct dp_chunk *c = arena->chunks; c; c = next) {
        next = c->next;
        free(c);
    }
    memset(arena, 0, sizeof *arena);
}
