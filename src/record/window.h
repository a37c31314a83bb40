/*
 * Where marks are written: a window on the profile.
 *
 * A regular file is seen through a mapped window, so that a mark is in the file the moment it is
 * written and nothing can lose it. Its room is filled with '#' by pwrite first: a full disk shows there,
 * as an error, and never as a signal at a store. Pipes, devices, and everything on the portable path,
 * get a buffer that is written when it is full.
 *
 * The end of the room stands in a page that the kernel wipes in a forked child. A child therefore finds
 * NULL there, which looks like "no room left" and leads into dp_window_more(), and never writes into its
 * parent's file.
 */
#ifndef DPROF_RECORD_WINDOW_H
#define DPROF_RECORD_WINDOW_H

#include "record/own_file.h"

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* Behind the end of the room there is always so much more, so that a mark is copied without counting:
   a shorter mark than this may begin anywhere before the end. */
#define DP_WINDOW_SLACK 4096

enum dp_window_kind {
    DP_WINDOW_NONE,   /* not open: nothing may be written */
    DP_WINDOW_MAPPED, /* a mapped piece of a regular file */
    DP_WINDOW_STREAM  /* a buffer, written when full */
};

struct dp_window {
    char *next;   /* the next byte goes here */
    char **limit; /* *limit: the end of the room; NULL in a forked child, and when the window is closed */

    char *base; /* the first byte of the window */
    size_t size;
    size_t reserved; /* address space from base on */
    off_t at;     /* its place in the file */
    off_t filled; /* the file is filled with '#' up to here */
    off_t lines;  /* of a stream: the last newline that was written ends here */
    off_t whole;  /* while a line is written in pieces: where it begins; else -1 */
    enum dp_window_kind kind;
    struct dp_own_file file;
    volatile int lost;  /* set by the SIGBUS handler: the file was cut by somebody else */
    const char *why;    /* why the profile ended early; NULL if it did not */
    int why_errno;
};

enum dp_room {
    DP_ROOM,        /* there is room again */
    DP_ROOM_FORKED, /* this is a forked child: the window belongs to the parent */
    DP_ROOM_GONE    /* the profile ends here: `why` and `why_errno` tell; the window is closed */
};

/* Takes `fd`, an open file at `path` (absolute); it is moved to a high number and closed at exec.
   portable: no mapping. 0, or -1 with errno set (and fd closed). */
int dp_window_open(struct dp_window *window, int fd, const char *path, int portable);

/* Makes room after the end was reached. */
enum dp_room dp_window_more(struct dp_window *window);

/* How many bytes have been written since the file began. */
off_t dp_window_position(const struct dp_window *window);

/* A line that is written in pieces: if the disk fills up in the middle, it is taken back. */
void dp_window_line_begins(struct dp_window *window);
void dp_window_line_ends(struct dp_window *window);

/* Appends bytes, however many. */
enum dp_room dp_window_put(struct dp_window *window, const char *bytes, size_t n);

/* Brings a stream's buffer into the file; mapped files need nothing. */
void dp_window_flush(struct dp_window *window);

/* Rewrites bytes near the beginning of a mapped or portable regular file; streams are left alone. */
void dp_window_rewrite(struct dp_window *window, off_t at, const char *bytes, size_t n);

/* Ends the file behind the last byte and closes it. */
void dp_window_close(struct dp_window *window);

/* In a forked child or a new thread: forgets the window without touching its file. */
void dp_window_forget(struct dp_window *window);

/* 1: the file is a regular one. */
int dp_window_is_file(const struct dp_window *window);

#endif
