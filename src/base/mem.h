/*
 * Memory that never runs out in the middle of a function: allocation does not return NULL, it calls
 * dp_no_memory() (the Perl side croaks there) or aborts.
 * Ownership: blocks of dp_alloc and dp_more are freed with dp_free(); those of an arena die with
 * it.
 */
#ifndef DPROF_BASE_MEM_H
#define DPROF_BASE_MEM_H

#include <stddef.h>

/* Called when memory ends; must not return. NULL: abort(). */
extern void (*dp_no_memory)(void);

/* Zeroed bytes; a length of 0 is fine. */
void *dp_alloc(size_t bytes);
/* realloc; what is new is not zeroed. */
void *dp_grow(void *old, size_t bytes);
/* n * each bytes, zeroed; a product that does not fit ends as memory that ends. */
void *dp_alloc_array(size_t n, size_t each);
void dp_free(void *block);

/* Room for one more element in an array of n: returns the array, moved if need be. The capacity is
   never stored: it is the power of two at or above n, so an array must grow one by one. */
void *dp_more(void *array, size_t n, size_t each);

/* Many small blocks that die together. */
struct dp_arena {
    char *at;
    char *end;
    struct dp_chunk *chunks;
};
/* Aligned for any type; not zeroed. An arena starts as all zeros. */
void *dp_arena_alloc(struct dp_arena *arena, size_t bytes);
/* A NUL-terminated copy of n bytes, unaligned. */
char *dp_arena_copy(struct dp_arena *arena, const char *bytes, size_t n);
void dp_arena_free(struct dp_arena *arena);

#endif
