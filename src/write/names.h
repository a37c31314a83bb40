/*
 * The names that reports show.
 */
#ifndef DPROF_WRITE_NAMES_H
#define DPROF_WRITE_NAMES_H

#include "model/profile.h"

/* For every sub the string it is shown under: without the places of BEGIN and its kin unless
   `separate` (-R), as PKG::AUTOLOAD where it came that way with `autoload` (-A). For
   dp_profile_renamed(); free it with dp_free(). NULL if every sub is shown by its own name. */
uint32_t *dp_shown_names(struct dp_profile *prof, int separate, int autoload);

#endif
