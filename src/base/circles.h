/*
 * Circles of a directed graph: what reaches one another, and what reaches itself or nothing alone
 * (its strongly connected components), in linear time and without recursion.
 */
#ifndef DPROF_BASE_CIRCLES_H
#define DPROF_BASE_CIRCLES_H

#include <stdint.h>

/* From i lead arrows to to[first[i]] to to[first[i + 1] - 1]: first has n + 1 elements. Sets
   circle[i] of each of the n; arrows between circles lead to smaller numbers. Returns how many
   circles there are. */
uint32_t dp_circles(uint32_t n, const uint32_t *first, const uint32_t *to, uint32_t *circle);

#endif
