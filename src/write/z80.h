/*
 * What only the writers of Z80 programs share. Each of these returns 0, or -1 with what is missing.
 */
#ifndef DPROF_WRITE_Z80_H
#define DPROF_WRITE_Z80_H

#include "write/write.h"
#include "z80/program.h"

/* walkback: who was running when the memory was dumped, or what err() printed. */
int dp_z80_put_walkback(const struct dp_job *job, struct dp_err *err);
/* listing: the profile as the program itself prints it. */
int dp_z80_put_listing(const struct dp_job *job, struct dp_err *err);

/* The sub of a profile that lies at a function's entry, or DP_NONE. */
uint32_t dp_z80_sub(const struct dp_job *job, uint16_t entry);

#endif
