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

/* BEGIN[x.pl:3]: how long is BEGIN, or 0 if it is something else. */
static size_t without_place(const char *bare, size_t n)
{
    const char *bracket = n && bare[n - 1] == ']' ? memchr(bare, '[', n) : NULL;
    size_t length = bracket ? (size_t)(bracket - bare) : 0;

    return is_block(bare, length) ? length : 0;
}

/* __ANON__(1f), END(1f): the same for what the original's profiles have instead of a place. */
static size_t without_id(const char *bare, size_t n)
{
    const char *bracket = n && bare[n - 1] == ')' ? memchr(bare, '(', n) : NULL;
    size_t length = bracket ? (size_t)(bracket - bare) : 0;

    return is_block(bare, length) || (length == 8 && !memcmp(bare, "__ANON__", 8)) ? length : 0;
}

uint32_t dp_plain_name(struct dp_profile *prof, uint32_t sub)
{
    size_t n;
    const char *name = dp_string(prof, prof->subs[sub].name, &n);
    size_t bare = bare_at(name, n);
    size_t length = without_place(name + bare, n - bare);

    if (!length)
        length = without_id(name + bare, n - bare);
    return length ? dp_intern(prof->strings, name, bare + length) : prof->subs[sub].name;
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
