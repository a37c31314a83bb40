/* The names that reports show. */
#include <string.h>

#include "model/change.h"
#include "model/strings.h"

/* The part after the last `::` that is not inside a bracket. */
static size_t bare_at(const char *name, size_t n)
{
    size_t at = 0;

    for (size_t i = 0; i + 1 < n && name[i] != '['; i++)
        if (name[i] == ':' && name[i + 1] == ':')
            at = i + 2;
    return at;
}

static int is_block(const char *bare, size_t n)
{
    static const char *const blocks[] = {"BEGIN", "UNITCHECK", "CHECK", "INIT", "END"};

    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
        if (strlen(blocks[i]) == n && memcmp(bare, blocks[i], n) == 0)
            return 1;
    return 0;
}

uint32_t dp_plain_name(struct dp_profile *prof, uint32_t sub)
{
    size_t n;
    const char *name = dp_string(prof, prof->subs[sub].name, &n);
    size_t bare = bare_at(name, n);
    const char *bracket = n ? memchr(name + bare, '[', n - bare) : NULL;

    if (!bracket || name[n - 1] != ']' || !is_block(name + bare, (size_t)(bracket - name) - bare))
        return prof->subs[sub].name;
    return dp_intern(prof->strings, name, (size_t)(bracket - name));
}

uint32_t dp_autoload_name(struct dp_profile *prof, uint32_t sub)
{
    static const char autoload[] = "AUTOLOAD";
    char full[512];
    size_t n, bare;
    const char *name = dp_string(prof, prof->subs[sub].name, &n);

    bare = bare_at(name, n);
    if (prof->subs[sub].kind != DP_KIND_AUTOLOAD || bare + sizeof autoload > sizeof full)
        return prof->subs[sub].name;
    memcpy(full, name, bare);
    memcpy(full + bare, autoload, sizeof autoload - 1);
    return dp_intern(prof->strings, full, bare + sizeof autoload - 1);
}
