/*
 * The library for Perl: arguments apart, one call, results together. What it means is said in
 * lib/Devel/DProf/Profile.pm.
 */
#define PERL_NO_GET_CONTEXT
#include "EXTERN.h"
#include "perl.h"
#include "XSUB.h"

#include <fcntl.h>
#include <time.h>

#include "base/escape.h"
#include "base/hash.h"
#include "base/in.h"
#include "base/mem.h"
#include "model/change.h"
#include "model/check.h"
#include "model/compare.h"
#include "model/notes.h"
#include "model/peek.h"
#include "model/strings.h"
#include "model/sums.h"
#include "read/growing.h"
#include "read/parts.h"
#include "read/read.h"
#include "write/cells.h"
#include "write/durations.h"
#include "write/lane.h"
#include "write/trace.h"
#include "write/names.h"
#include "write/tail.h"
#include "write/timeline.h"
#include "write/tree.h"
#include "write/write.h"
#include "z80/console.h"
#include "z80/instrument.h"

typedef struct dp_profile *Devel__DProf__Profile;

#include "perl/values.inc"
#include "perl/calls.inc"
#include "perl/reading.inc"
#include "perl/looking.inc"
#include "perl/live.inc"
#include "perl/writing.inc"
#include "perl/z80.inc"
#include "perl/pascal.inc"

MODULE = Devel::DProf::Profile  PACKAGE = Devel::DProf::Profile

PROTOTYPES: DISABLE

BOOT:
    dp_no_memory = no_memory;
    choose_hash_key();
#if IN_THREADS
    main_thread = pthread_self();
#endif

void
DESTROY(Devel::DProf::Profile self)
  CODE:
    dp_profile_free(self);

INCLUDE: reading.xsh

INCLUDE: change.xsh

INCLUDE: looking.xsh

INCLUDE: live.xsh

INCLUDE: writing.xsh

INCLUDE: calls.xsh

INCLUDE: z80.xsh

INCLUDE: pascal.xsh
