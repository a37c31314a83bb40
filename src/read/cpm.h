/*
 * From a Z80 program or listing to the model.
 */
#ifndef DPROF_READ_CPM_H
#define DPROF_READ_CPM_H

#include "model/build.h"
#include "z80/listing.h"
#include "z80/program.h"

/* Both take what they get: the profile keeps it for the writers. */
void dp_read_z80_program(struct dp_build *build, struct dp_z80_program *program);
void dp_read_z80_listing(struct dp_build *build, struct dp_z80_listing *listing);

#endif
