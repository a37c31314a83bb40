/*
 * What a tmon.out says beside its calls (doc/formats/tmon.md): the first lines, the run, the lists.
 */
#ifndef DPROF_WRITE_TMON_PARTS_H
#define DPROF_WRITE_TMON_PARTS_H

#include "base/out.h"
#include "model/profile.h"

/* A string as tmon.out has it, `-` for none. */
void dp_put_tmon_string(struct dp_out *out, const struct dp_profile *prof, uint32_t string);
/* U S R */
void dp_put_tmon_time(struct dp_out *out, const struct dp_time *time);
/* Up to PART2. total: of the run; zeros where it is not known yet, #end says it then. */
void dp_put_tmon_header(struct dp_out *out, const struct dp_profile *prof,
                        const struct dp_time *total);
/* #run, #cmd, #perl, #host */
void dp_put_tmon_run(struct dp_out *out, const struct dp_profile *prof);
/* #note: what was odd when the profile was read is not seen any more in what is written; with its
   marks as they are (1), some of it is. */
void dp_put_tmon_notes(struct dp_out *out, const struct dp_profile *prof, int with_marks);
/* #over, unless it was taken off already. */
void dp_put_tmon_overs(struct dp_out *out, const struct dp_profile *prof);
/* #file, #child, #mark */
void dp_put_tmon_lists(struct dp_out *out, const struct dp_profile *prof);
/* #sub NAME and so on; the name is a string of the profile. */
void dp_put_tmon_sub(struct dp_out *out, const struct dp_profile *prof, const struct dp_sub *sub,
                     uint32_t name);

#endif
