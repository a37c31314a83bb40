/*
 * Profiles out of profiles: what a report shows is decided by changing the profile, never in the
 * report. Where a function returns a profile it is a new one, yours to free; the old one stays.
 */
#ifndef DPROF_MODEL_CHANGE_H
#define DPROF_MODEL_CHANGE_H

#include "model/profile.h"

/* Takes the overhead of profiling off, by the file's calibration: half of a call's cost lies in the
   callee, half in its caller. A sub never goes below zero; what its places cannot bear is taken
   from the same sub's other places. Sets prof->cleaned and prof->taken. Does nothing the second
   time. */
void dp_profile_clean(struct dp_profile *prof);

/* Sub i is shown under the name as[i] (a string of prof); subs of one name become one, calls and
   times add up. DP_NONE: it is left out, its time goes to its caller and its callees are called by
   its caller. as has prof->nsubs elements. */
struct dp_profile *dp_profile_renamed(const struct dp_profile *prof, const uint32_t *as);

/* Only what happens inside the wanted subs: the subtrees of their outermost calls, put below the
   root. wanted has prof->nsubs elements, nonzero: wanted. Not of counts, whose nodes say nothing of
   where a sub was called: dprofpp refuses that. */
struct dp_profile *dp_profile_within(const struct dp_profile *prof, const unsigned char *wanted);

/* Call paths of so many levels at most, for files that repeat a path for each of its ends: what lies
   deeper is put below "(deeper)" at the last level, subs of one name there together. Calls and own
   times stay what they are. NULL: no path is that deep. *places: per node of prof the one that took it
   in, yours to free; the pointer may be NULL. */
struct dp_profile *dp_profile_shallow(const struct dp_profile *prof, uint32_t levels,
                                      uint32_t **places);
#define DP_DEEPER "(deeper)"

/* Adds `from` to `into`, name by name; both are brought to the finer of the two clocks, so `from`
   may change too; it stays yours to free. Take the overheads off before, where the calibrations
   differ. Notes are added, open frames kept. */
void dp_profile_merge(struct dp_profile *into, struct dp_profile *from);

/* Two profiles of counts, of one program at two moments: takes the calls of `base` off. A count that
   went down went round. Where the same edge is known in both, its bounds are those of the
   difference. */
void dp_profile_subtract(struct dp_profile *prof, const struct dp_profile *base);

/* The name that reports show without -R: BEGIN[FILE:LINE] and its kin without their place. A
 * string. */
uint32_t dp_plain_name(struct dp_profile *prof, uint32_t sub);
/* The name with -A: PKG::AUTOLOAD for what came through AUTOLOAD, else the name. A string. */
uint32_t dp_autoload_name(struct dp_profile *prof, uint32_t sub);

#endif
