/*
 * Calls folded into a tree of call paths: size depends on paths, not on calls.
 *
 * Each event gives the time since the one before to the node that was running. Own real time is kept in
 * units of the counter; what of it was waiting or in the kernel is learnt when the clock synchronises.
 */
#ifndef DPROF_RECORD_TREE_H
#define DPROF_RECORD_TREE_H

#include "record/recorder.h"

#include "base/tree_file.h"
#include "record/sites.h"

struct dp_tree {
    struct dp_tree_slot *slots; /* stays where it is while the tree grows */
    uint64_t last;              /* counter at the event before */
    uint32_t current;           /* the node that is running */
    uint32_t used;              /* slots */
    uint32_t room;              /* slots that are mapped */
    uint32_t most;              /* the cap */
    int full;                   /* no more: the cap, or the disk */
    struct dp_stamp stamp;      /* at the last synchronisation */
    struct dp_clock clock;      /* always a fine one */
    uint32_t *paths;            /* slots by parent and sub: an open table, 0 is free */
    uint32_t paths_mask;
    struct dp_tree_header *header;
    struct dp_sub **subs; /* by id */
    uint32_t nsubs;
    struct dp_sub *other; /* "(other)" */
    struct dp_site *sites;
    struct dp_file_seen *seen;
    uint32_t nsites;
    size_t mapped;           /* bytes of header and slots */
    struct dp_own_file file; /* FILE.tree; fd -1: the tree lives in memory only */
    volatile int lost;       /* set by the SIGBUS handler: FILE.tree was cut by somebody else */
    int is_file;             /* 1: it lives in a file, also while a descriptor is missing */
    uint64_t folded;
};

/* Turns to the tree: from now on calls are folded. 0, or -1: that cannot be done (the recorder goes on
   as it was). */
int dp_tree_begin(struct dp_recorder *recorder);

/* Writes PART3 into the profile and removes FILE.tree. */
void dp_tree_end(struct dp_recorder *recorder);

/* Lets go of a tree that nobody wants, with its file. */
void dp_tree_remove(struct dp_recorder *recorder);

/* In a forked child, or when the profile is over: lets go of it without touching its file. */
void dp_tree_forget(struct dp_recorder *recorder);

/* A call of `sub` from the running node, at the statement that runs. */
void dp_tree_enter(pTHX_ struct dp_recorder *recorder, struct dp_sub *sub, uint64_t now);

/* The innermost frame was open before: taken up again, as called from the statement `cop`. It is not counted. */
void dp_tree_take_up(pTHX_ struct dp_recorder *recorder, struct dp_sub *sub, uint64_t now, const COP *cop);

/* The innermost frame ends (recorder->top still is that frame). */
void dp_tree_leave(struct dp_recorder *recorder, uint64_t now);

/* After a stop: the time since then belongs to nobody. */
void dp_tree_resume(struct dp_recorder *recorder);

/* Where time is given when marks are rare: the running node gets what has passed. */
void dp_tree_settle(struct dp_recorder *recorder, uint64_t now);

#endif
