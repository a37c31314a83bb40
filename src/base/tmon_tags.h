/*
 * The words of tmon.out (doc/formats/tmon.md), for the recorder that writes them and the reader.
 */
#ifndef DPROF_BASE_TMON_TAGS_H
#define DPROF_BASE_TMON_TAGS_H

#define DP_TMON_MAGIC "#fOrTyTwO"
#define DP_TMON_PART2 "PART2" /* marks follow */
#define DP_TMON_PART3 "PART3" /* a tree follows */

/* The first byte of a line in the body. */
#define DP_TMON_ENTER '+'
#define DP_TMON_LEAVE '-'
#define DP_TMON_JUMP '*'   /* goto &sub, in files of the original */
#define DP_TMON_UNWIND '/' /* left by die or exit, in files of the original */
#define DP_TMON_NAME '&'   /* & ID PKG NAME */
#define DP_TMON_TICKS '@'  /* @ U S R since the last one */
#define DP_TMON_META '#'

/* The words after `#`. */
#define DP_TMON_RUN "run" /* key=value ... */
#define DP_TMON_CMD "cmd"
#define DP_TMON_PERL "perl"
#define DP_TMON_HOST "host"
#define DP_TMON_NOTE "note"
#define DP_TMON_OVER "over"   /* U S R N [KIND] */
#define DP_TMON_FILE "file"   /* PATH SIZE MTIME */
#define DP_TMON_SUB "sub"     /* NAME FILE LINE KIND */
#define DP_TMON_BEGIN "begin" /* U S R: the recording began; time before belongs to nobody */
#define DP_TMON_OPEN "open"   /* N */
#define DP_TMON_CHILD "child" /* PID[.TID] FILE */
#define DP_TMON_MARK "mark"   /* U S R TEXT */
#define DP_TMON_STOP "stop"   /* U S R */
#define DP_TMON_START "start" /* U S R */
#define DP_TMON_SITE "site"   /* N FILE: for the mapped tree */
#define DP_TMON_END "end"     /* STATUS U S R MARKS; in PART3: NODES */

#endif
