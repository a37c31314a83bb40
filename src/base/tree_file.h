/*
 * FILE.tree: the tree of call paths of a running program, mapped into it, beside its profile FILE.
 *
 * A page of header, then nodes, in the byte order of the machine. Names are not here: `sub` is the id of
 * an `&` line and `site` that of a `#site` line of the profile itself. When the program ends, the tree
 * becomes the profile's PART3 and this file goes; a killed program leaves it, complete up to its last
 * call, and a live view reads it. A reader doubts every number in it: it may be looked at while it is
 * being written.
 */
#ifndef DPROF_BASE_TREE_FILE_H
#define DPROF_BASE_TREE_FILE_H

#include <stdint.h>

#define DP_TREE_MAGIC "DPTREE1\n"
#define DP_TREE_ORDER 0x01020304u
#define DP_TREE_PAGE 4096
#define DP_TREE_BUCKETS 14 /* in a node: inclusive times of 0, 1, 2-3, ... ticks */

struct dp_tree_header {
    char magic[8];
    uint32_t order;     /* DP_TREE_ORDER */
    uint32_t node_size; /* sizeof (struct dp_tree_node_) */
    uint64_t hz;        /* ticks a second of the profile */
    double ticks;       /* ticks that one unit of the counter is */
    uint64_t used;      /* slots in use, the root (0) included */
    uint64_t current;   /* slot of the innermost open call */
    uint64_t last;      /* counter when time was last given to a node */
    uint64_t folded;    /* calls whose path did not fit any more */
    char id[16];        /* of the run, as in the profile's #run line, and a NUL */
};

/* A place in the tree: this sub, called from that line of its caller. Parents stand before their
   children. */
struct dp_tree_slot {
    uint32_t sub;    /* DP_TREE_EXTENSION: not a node but further buckets of one */
    uint32_t parent;
    uint32_t last;   /* the child that was called last; 0: none. For the recorder only */
    uint32_t wide;   /* slot of the extension; 0: none */
    uint32_t site;   /* file of the call; 0: unknown */
    uint32_t line;
    uint64_t statement; /* of the last call; for the recorder only */
    uint64_t calls;
    uint64_t real; /* own time, in units of the counter */
    int64_t wait;  /* of it, in ticks: spent waiting */
    int64_t sys;   /* and in the kernel; what is left is user time */
    uint64_t min;  /* of the inclusive times of the calls, in ticks */
    uint64_t max;
    uint32_t bucket[DP_TREE_BUCKETS]; /* each stops at 2^32 - 1 */
};

#define DP_TREE_EXTENSION UINT32_MAX

/* Buckets in an extension, those beyond: as many as a slot has room for. */
#define DP_TREE_WIDE (sizeof(struct dp_tree_slot) / sizeof(uint32_t) - 2)

/* Lies over a slot, and must not be larger; `sub` stays the first field of both. */
struct dp_tree_extension {
    uint32_t sub; /* DP_TREE_EXTENSION */
    uint32_t unused;
    uint32_t bucket[DP_TREE_WIDE]; /* of 2^(DP_TREE_BUCKETS - 1) ticks and more, doubling */
};

#endif
