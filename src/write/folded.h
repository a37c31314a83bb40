/*
 * Parts of folded stacks.
 */
#ifndef DPROF_WRITE_FOLDED_H
#define DPROF_WRITE_FOLDED_H

#include "base/out.h"
#include "write/stack.h"

/* A name as a frame. */
void dp_put_frame(struct dp_out *out, const char *name, size_t n);
/* The path to where the walk is: "outer;inner". */
void dp_put_frames(struct dp_out *out, const struct dp_stack *stack);

#endif
