#include "write/names.h"

#include "base/mem.h"
#include "model/change.h"

static uint32_t shown(struct dp_profile *prof, uint32_t sub, int separate, int autoload)
{
    uint32_t own = prof->subs[sub].name;

    if (autoload) {
        uint32_t name = dp_autoload_name(prof, sub);

        if (name != own)
            return name;
    }
    return separate ? own : dp_plain_name(prof, sub);
}

uint32_t *dp_shown_names(struct dp_profile *prof, int separate, int autoload)
{
    uint32_t *as = dp_alloc_array(prof->nsubs, sizeof *as);
    int changed = 0;

    for (uint32_t i = 0; i < prof->nsubs; i++) {
        as[i] = shown(prof, i, separate, autoload);
        changed |= as[i] != prof->subs[i].name;
    }
    if (changed)
        return as;
    dp_free(as);
    return NULL;
}
